//! What is believed: never less than the truth while nothing is forgotten, and never what was seen not to be.

use crate::common::{random_move, rng};
use bot::army::Army;
use bot::belief::Belief;
use bot::board::{Board, Wanted};
use bot::evidence::Evidence;
use bot::likelihood::likelihoods;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rules::{Color, PieceType, Position, Seen, Side, Sight, Square};

/// More than all opponents that are possible after a few plies.
const ALL: usize = usize::MAX;

/// Plays a drawn game and shows the belief of one color on each of its turns after the first, beside the truth.
fn follow(color: Color, most: usize, plies: usize, rng: &mut ChaCha8Rng, mut show: impl FnMut(&Belief, &Position)) {
    let (mut position, mut belief, mut capture) = (Position::start(), Belief::start(color, most), None);
    for ply in 0..plies {
        if position.turn() == color && ply > 0 {
            let own = Army::of(position.side(color));
            belief.take_opponent_move(capture, &own, &position.sight(color), rng);
            show(&belief, &position);
        }
        let Some(mv) = random_move(&position, &position.legal_moves(), rng) else { return };
        let mover = position.turn();
        let played = position.play(&mv).expect("a legal move");
        if played.king_fell {
            return;
        }
        if mover == color {
            belief.take_own_move(&Army::of(position.side(color)), played.capture);
            belief.take_sight(&position.sight(color), rng);
        }
        capture = played.capture;
    }
}

fn candidates(belief: &Belief, rng: &mut ChaCha8Rng) -> Vec<(Army, f64)> {
    belief.draw(belief.count(), rng)
}

#[test]
fn the_truth_is_believed_while_nothing_is_forgotten() {
    let (mut rng, mut shown) = (rng(), 0);
    for game in 0..30 {
        follow(Color::ALL[game % 2], ALL, 9, &mut rng, |belief, position| {
            let truth = Army::of(position.side(!position.turn()));
            assert_eq!(belief.times_mended(), 0, "{position}");
            assert!(belief.holds(&truth), "{position}");
            shown += 1;
        });
    }
    assert!(shown > 60, "{shown}");
}

/// With so little memory that it must be mended often, whole games long.
#[test]
fn all_that_is_believed_agrees_with_what_is_seen() {
    let (mut rng, mut mended, mut drawing) = (rng(), 0, crate::common::rng());
    for game in 0..20 {
        let color = Color::ALL[game % 2];
        follow(color, 40, 160, &mut rng, |belief, position| {
            let evidence = Evidence::of(&position.sight(color), &Army::of(position.side(color)), color, true);
            assert!((1..=40).contains(&belief.count()));
            for (army, weight) in candidates(belief, &mut drawing) {
                assert!(evidence.allows(&army, !color), "{position}");
                assert!(weight.is_finite() && weight > 0.0, "{weight}");
                assert_eq!(army.of_type(PieceType::King).count_ones(), 1, "{position}");
                let mut possible = army;
                possible.keep_possible_rights(!color);
                assert_eq!(possible.rights(), army.rights(), "{position}");
                assert!(army.all().count_ones() <= 16);
            }
            mended += belief.times_mended();
        });
    }
    assert!(mended > 0, "the belief was never mended, so nothing was tried");
}

/// Of an opponent who has nothing left to show, what is seen is believed all the same.
#[test]
fn a_double_push_that_is_seen_is_believed_of_whomever() {
    let at = |file, rank| Square::at(file, rank).expect("a square");
    let (mut own, mut sight, mut rng) = (Army::EMPTY, Sight::DARK, rng());
    own.put(PieceType::King, at(4, 7));
    own.put(PieceType::Pawn, at(2, 3));
    sight.squares[at(3, 3).index()] = Seen::Piece(PieceType::Pawn);
    sight.en_passant = Some(at(3, 2));
    let mut belief = Belief::start(Color::Black, 30);
    belief.begin_anew(&own, &sight, 0, &mut rng);
    let evidence = Evidence::of(&sight, &own, Color::Black, true);
    assert!(candidates(&belief, &mut rng).iter().all(|(army, _)| evidence.allows(army, Color::White)));
}

#[test]
fn a_belief_that_is_contradicted_is_begun_from_what_is_seen() {
    let mut rng = rng();
    for round in 0..200 {
        let color = Color::ALL[round % 2];
        let mut belief = Belief::start(color, 30);
        let own = Army::of(&Side::start(color));
        let kinds = [Seen::Dark, Seen::Empty, Seen::Occupied].into_iter().chain(PieceType::ALL.map(Seen::Piece));
        let kinds: Vec<Seen> = kinds.collect();
        for _ in 0..3 {
            let mut sight = Sight::DARK;
            for square in Square::all() {
                sight.squares[square.index()] = kinds[rng.gen_range(0..kinds.len())];
            }
            sight.en_passant = Square::new(rng.gen_range(0..80));
            let capture = Square::new(rng.gen_range(0..80));
            belief.take_opponent_move(capture, &own, &sight, &mut rng);
            belief.take_own_move(&own, capture);
            belief.take_sight(&sight, &mut rng);
            assert!(belief.count() > 0);
            belief.begin_anew(&own, &sight, rng.gen_range(0..20), &mut rng);
            assert!(belief.count() > 0);
        }
    }
}

/// The probability of a move of who is to move in a FEN's position.
fn probability(fen: &str, mv: &str) -> f32 {
    let position = Position::from_fen(fen).expect("a position");
    let armies = Color::ALL.map(|color| Army::of(position.side(color)));
    let board = Board { armies, turn: position.turn() };
    let (mut moves, mut found) = (Vec::new(), Vec::new());
    board.add_moves(Wanted::All, &mut moves);
    likelihoods(&board, &moves, &mut found);
    assert!((found.iter().sum::<f32>() - 1.0).abs() < 1e-4);
    let at = moves.iter().position(|found| found.to_string() == mv).expect("a move");
    found[at]
}

#[test]
fn an_opponent_goes_by_what_it_sees_itself() {
    // Its knight on e5 is attacked: by a rook that no piece of its own sees, or by a pawn that its bishop does see.
    let fens =
        ["4k3/8/8/4n3/8/8/7b/K7 b - - 0 1", "4k3/8/8/4n3/8/8/7b/K3R3 b - - 0 1", "4k3/8/8/4n3/3P4/8/8/K5b1 b - - 0 1"];
    let [quiet, unseen, seen] = fens.map(|fen| probability(fen, "e5c6") / probability(fen, "e8d8"));
    assert!((quiet - unseen).abs() < 1e-4, "{quiet} {unseen}");
    assert!(seen > 1.3 * quiet, "{seen} {quiet}");
    // A king that it can take it takes.
    assert!(probability("4k3/8/8/8/4r3/8/8/4K3 b - - 0 1", "e4e1") > 0.95);
    assert!(probability("4k3/8/8/8/4r3/8/8/4K3 b - - 0 1", "e4e2") < 0.01);
}
