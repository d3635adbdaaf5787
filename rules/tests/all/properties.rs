//! Properties over random games and random texts. The seed is printed; `FOGMATE_SEED` repeats a run.

use crate::common::{random_move, rng, uci};
use rand::{Rng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use rules::{Color, Move, PieceType, Position, Seen, Setup, Side, Sight, Square, board};

const GAMES: usize = 300;
const MAX_PLIES: usize = 200;

/// Plays random games and shows each position, before its move, with that move.
fn for_random_games(rng: &mut ChaCha8Rng, mut show: impl FnMut(&Position, &Move)) {
    for _ in 0..GAMES {
        let mut position = Position::start();
        for _ in 0..MAX_PLIES {
            let Some(mv) = random_move(&position, &position.legal_moves(), rng) else {
                break;
            };
            show(&position, &mv);
            position.play(&mv).expect("a legal move");
        }
    }
}

/// Legal moves as the whole truth has them, written without regard to sight: what a mailbox chess program would do.
fn moves_by_truth(position: &Position) -> Vec<Move> {
    let color = position.turn();
    let (own, other) = (position.side(color), position.side(!color));
    let is_free = |s: Square| own.piece(s).is_none() && other.piece(s).is_none();
    let mut moves = Vec::new();
    for from in Square::all() {
        for to in Square::all() {
            let Some(piece) = own.piece(from) else {
                continue;
            };
            let (df, dr) = (to.file() as i8 - from.file() as i8, to.rank() as i8 - from.rank() as i8);
            let distance = df.abs().max(dr.abs());
            let clear = (1..distance).all(|i| from.offset(df / distance * i, dr / distance * i).is_some_and(is_free));
            let (straight, diagonal) = (df == 0 || dr == 0, df.abs() == dr.abs());
            let reaches = match piece {
                PieceType::Pawn => pawn_reaches(position, from, to),
                PieceType::Knight => (df * dr).abs() == 2,
                PieceType::Bishop => diagonal && clear,
                PieceType::Rook => straight && clear,
                PieceType::Queen => (straight || diagonal) && clear,
                PieceType::King => distance == 1 || castles(position, from, to),
            };
            if from == to || own.piece(to).is_some() || !reaches {
                continue;
            }
            if piece == PieceType::Pawn && to.rank() % 7 == 0 {
                moves.extend(PieceType::PROMOTIONS.map(|t| Move::promoting(from, to, t)));
            } else {
                moves.push(Move::new(from, to));
            }
        }
    }
    moves
}

fn pawn_reaches(position: &Position, from: Square, to: Square) -> bool {
    let color = position.turn();
    let (own, other) = (position.side(color), position.side(!color));
    let is_free = |s: Square| own.piece(s).is_none() && other.piece(s).is_none();
    let advance = (to.rank() as i8 - from.rank() as i8) * if color == Color::White { 1 } else { -1 };
    match (to.file().abs_diff(from.file()), advance) {
        (0, 1) => is_free(to),
        (0, 2) => {
            let middle = Square::at(from.file(), (from.rank() + to.rank()) / 2).expect("on the board");
            from.rank() == if color == Color::White { 1 } else { 6 } && is_free(middle) && is_free(to)
        }
        (1, 1) => {
            let jumped_rank = if color == Color::White { 5 } else { 2 };
            let is_jumped = other.double_push == Some(to.file()) && to.rank() == jumped_rank;
            other.piece(to).is_some() || is_jumped
        }
        _ => false,
    }
}

fn castles(position: &Position, from: Square, to: Square) -> bool {
    let color = position.turn();
    let (own, other) = (position.side(color), position.side(!color));
    let rank = if color == Color::White { 0 } else { 7 };
    let (right, between): (bool, &[u8]) = match to.file() {
        6 => (own.rights.king_side, &[5, 6]),
        2 => (own.rights.queen_side, &[1, 2, 3]),
        _ => return false,
    };
    let mut squares = between.iter().filter_map(|&file| Square::at(file, rank));
    (from.file(), from.rank(), to.rank()) == (4, rank, rank)
        && right
        && squares.all(|s| own.piece(s).is_none() && other.piece(s).is_none())
}

#[test]
fn sight_alone_decides_what_is_legal() {
    for_random_games(&mut rng(), |position, _| {
        let by_sight = position.side(position.turn()).legal_moves(&position.sight(position.turn()));
        assert_eq!(uci(&by_sight), uci(&moves_by_truth(position)), "{position}");
    });
}

#[test]
fn fens_round_trip() {
    for_random_games(&mut rng(), |position, _| {
        let fen = position.to_fen();
        let read = Position::from_fen(&fen).expect(&fen);
        assert_eq!(read.to_fen(), fen);
        for color in Color::ALL {
            assert_eq!(read.sight(color), position.sight(color), "{fen}");
            assert_eq!(read.board_string(color), position.board_string(color), "{fen}");
        }
    });
}

#[test]
fn a_sight_never_lies() {
    for_random_games(&mut rng(), |position, _| {
        for color in Color::ALL {
            let (own, other, sight) = (position.side(color), position.side(!color), position.sight(color));
            for square in Square::all() {
                let truth = other.piece(square);
                let is_right = match sight.at(square) {
                    Seen::Dark => true,
                    Seen::Empty => truth.is_none() && own.piece(square).is_none(),
                    Seen::Occupied => truth.is_some(),
                    Seen::Piece(piece) => truth == Some(piece),
                };
                assert!(is_right, "{position}: {color} on {square}");
            }
        }
    });
}

#[test]
fn a_state_counts_and_remembers_its_own_moves() {
    for_random_games(&mut rng(), |position, mv| {
        let side = position.side(position.turn());
        let next = side.play(mv);
        let is_pawn = side.piece(mv.from) == Some(PieceType::Pawn);
        let is_double = is_pawn && mv.from.rank().abs_diff(mv.to.rank()) == 2;
        assert_eq!(next.double_push, is_double.then_some(mv.from.file()), "{position}: {mv}");
        assert_eq!(next.since_pawn, if is_pawn { 0 } else { (side.since_pawn + 1).min(127) });
        assert_eq!(next.men().count(), side.men().count());
        assert!(side.rights.king_side || !next.rights.king_side);
        assert!(side.rights.queen_side || !next.rights.queen_side);
    });
}

#[test]
fn illegal_moves_change_nothing() {
    let mut rng = rng();
    let mut chosen = rng.clone();
    for_random_games(&mut rng, |position, _| {
        let squares: Vec<_> = Square::all().collect();
        let (from, to) = (squares[chosen.gen_range(0..64)], squares[chosen.gen_range(0..64)]);
        let promotion = [None, Some(PieceType::Queen), Some(PieceType::King)][chosen.gen_range(0..3)];
        let mv = Move { from, to, promotion };
        let mut played = position.clone();
        assert_eq!(played.play(&mv).is_ok(), position.legal_moves().contains(&mv));
        assert!(position.legal_moves().contains(&mv) || played == *position, "{position}: {mv}");
    });
}

#[test]
fn no_side_sight_or_move_panics() {
    let mut rng = rng();
    for _ in 0..20_000 {
        let color = *Color::ALL.choose(&mut rng).expect("two");
        let (side, other) = (random_side(color, &mut rng), random_side(!color, &mut rng));
        let mut sight = random_sight(&mut rng);
        for mv in side.legal_moves(&sight).iter().chain(&side.opening_moves()) {
            let _ = side.capture_square(mv, &sight);
            let _ = side.play(mv).without(Some(mv.to));
        }
        sight = Sight::between(&side, &other, rng.r#gen());
        let _ = board::render(&side, &sight);
    }
}

fn random_side(color: Color, rng: &mut ChaCha8Rng) -> Side {
    let mut side = Side::empty(color);
    for piece in &mut side.pieces {
        *piece = PieceType::from_code(rng.gen_range(0..12));
    }
    side.rights.king_side = rng.r#gen();
    side.rights.queen_side = rng.r#gen();
    // Files beyond the board too: no value may panic.
    side.double_push = rng.r#gen::<bool>().then(|| rng.gen_range(0..12));
    side.since_pawn = rng.r#gen();
    side
}

fn random_sight(rng: &mut ChaCha8Rng) -> Sight {
    let mut sight = Sight::DARK;
    for seen in &mut sight.squares {
        *seen = match rng.gen_range(0..9) {
            0 => Seen::Dark,
            1 | 2 => Seen::Empty,
            3 => Seen::Occupied,
            code => PieceType::from_code(code - 3).map_or(Seen::Dark, Seen::Piece),
        };
    }
    sight.en_passant = Square::new(rng.gen_range(0..80));
    sight
}

#[test]
fn no_text_makes_the_parsers_panic() {
    const ALPHABET: &[char] = &[
        'p', 'n', 'b', 'r', 'q', 'k', 'P', 'N', 'B', 'R', 'Q', 'K', '/', ' ', '-', '0', '1', '2', '7', '8', '9', 'w',
        'a', 'h', '+', '\t', '\u{0}', 'é', '٣', '♔',
    ];
    let mut rng = rng();
    for_random_games(&mut rng.clone(), |position, _| {
        let mut text: Vec<_> = position.to_fen().chars().collect();
        for _ in 0..rng.gen_range(1..5) {
            let at = rng.gen_range(0..=text.len());
            let new = *ALPHABET.choose(&mut rng).expect("letters");
            match rng.gen_range(0..3) {
                0 => text.insert(at, new),
                1 => drop(text.drain(at.saturating_sub(rng.gen_range(0..3))..at)),
                _ => text.iter_mut().skip(at).take(1).for_each(|c| *c = new),
            }
        }
        read(&text.iter().collect::<String>());
        let length = rng.gen_range(0..90);
        read(&(0..length).map(|_| *ALPHABET.choose(&mut rng).expect("letters")).collect::<String>());
    });
}

/// Reads a text every way there is. What is read is written and read again the same, and an error says something short.
fn read(text: &str) {
    if let Ok(setup) = text.parse::<Setup>() {
        assert_eq!(setup.to_string().parse(), Ok(setup), "{text:?}");
    }
    match Position::from_fen(text) {
        Ok(position) => {
            assert_eq!(Position::from_fen(&position.to_fen()), Ok(position.clone()), "{text:?}");
            let _ = uci(&position.legal_moves());
        }
        Err(error) => assert!(!error.to_string().is_empty() && error.to_string().len() < 200, "{error}"),
    }
    let _ = text.parse::<Move>();
    let _ = text.parse::<Square>();
}
