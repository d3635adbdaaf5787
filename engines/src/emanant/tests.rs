//! How many rounds of tiles a sight needs: in random games, on random boards, and on boards that a search makes worse.

use super::{
    outward::{Occupied, TILES, frontier},
    protocol::{Occupancy, TILE_ROUNDS},
};
use crate::psi::{Protocol, Search};
use fog::{
    engine::Phase,
    testing::{Walk, seed},
};
use rand::{Rng, SeedableRng, rngs::StdRng, seq::SliceRandom};
use rules::{Color, PieceType, Position, Seen, Side, Sight, Square};

/// Rounds until there is nothing left to ask, and the tiles asked.
fn rounds(own: &Side, other: &Side) -> (usize, usize) {
    rounds_from(own, other, [None; 64])
}

fn rounds_from(own: &Side, other: &Side, mut known: Occupied) -> (usize, usize) {
    let (mut rounds, mut asked) = (0, 0);
    loop {
        let tiles = frontier(own, &known);
        if tiles.is_empty() {
            return (rounds, asked);
        }
        for tile in tiles.iter().take(TILES) {
            known[tile.index()] = Some(other.piece(*tile).is_some());
        }
        rounds += 1;
        asked += tiles.len().min(TILES);
    }
}

#[test]
fn random_games_need_fewer_rounds_than_there_are() {
    let mut rng = StdRng::seed_from_u64(seed(141));
    let mut walk = Walk::start();
    let mut histogram = [0; TILE_ROUNDS + 1];
    for _ in 0..20_000 {
        walk.advance(&mut rng);
        let (rounds, _) = rounds(&walk.board(), walk.other());
        histogram[rounds] += 1;
    }
    println!("positions by rounds: {histogram:?}");
    assert_eq!(histogram[TILE_ROUNDS], 0);
}

/// Both sides of a board, king first; at most sixteen men each, the own ones with at most eight promoted.
#[derive(Clone)]
struct Board([Vec<(PieceType, Square)>; 2]);

impl Board {
    fn random(rng: &mut StdRng) -> Self {
        use PieceType::{Bishop, King, Knight, Queen, Rook};
        let mut squares: Vec<Square> = Square::all().collect();
        squares.shuffle(rng);
        let (mine, theirs) = (rng.gen_range(1..=16), rng.gen_range(0..=8));
        let kinds = [King, Queen, Rook, Rook, Bishop, Bishop, Knight, Knight, Queen, Queen, Queen, Queen, Queen, Queen];
        let men = kinds.into_iter().chain([Queen; 2]).take(mine).zip(squares.iter().copied()).collect();
        let others = [King].into_iter().chain([Knight; 7]).take(theirs).zip(squares.iter().skip(16).copied());
        Self([men, others.collect()])
    }

    fn side(&self, color: Color) -> Side {
        let mut side = Side::empty(color);
        for (piece, square) in &self.0[color.index()] {
            side.pieces[square.index()] = Some(*piece);
        }
        side
    }

    /// A man elsewhere, of another kind, gone, or come back.
    fn changed(&self, rng: &mut StdRng) -> Self {
        let mut next = self.clone();
        let is_taken = |square: &Square| self.0.iter().flatten().any(|(_, taken)| taken == square);
        let square = Square::new(rng.gen_range(0..64)).filter(|square| !is_taken(square));
        let side = usize::from(rng.gen_ratio(1, 3));
        let men = &mut next.0[side];
        let index = rng.gen_range(0..men.len().max(1));
        match (rng.gen_range(0..6), square) {
            (0, _) if index > 0 && index < men.len() => {
                men.swap_remove(index);
            }
            (1, Some(square)) if men.len() < 16 => men.push((PieceType::Queen, square)),
            (2, _) if index > 0 && index < men.len() => {
                let kinds = [PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight];
                men[index].0 = *kinds.choose(rng).expect("a kind");
            }
            (_, Some(square)) if index < men.len() => men[index].1 = square,
            _ => (),
        }
        next
    }

    fn rounds(&self) -> (usize, usize) {
        rounds(&self.side(Color::White), &self.side(Color::Black))
    }
}

/// Climbs by rounds first, then by tiles asked, over boards that no game may reach.
#[test]
fn extreme_boards_need_no_more_rounds_than_there_are() {
    let mut rng = StdRng::seed_from_u64(seed(142));
    let climbs = std::env::var("FOGMATE_CLIMBS").ok().and_then(|text| text.parse().ok()).unwrap_or(16);
    let mut histogram = [0; 20];
    let mut most = 0;
    for _ in 0..climbs {
        let mut board = Board::random(&mut rng);
        let mut score = board.rounds();
        for _ in 0..6000 {
            let next = board.changed(&mut rng);
            let next_score = next.rounds();
            histogram[next_score.0] += 1;
            most = most.max(next_score.0);
            if next_score >= score || rng.gen_ratio(1, 200) {
                (board, score) = (next, next_score);
            }
        }
    }
    println!("boards by rounds: {histogram:?}");
    assert!(most <= TILE_ROUNDS);
}

fn square(name: &str) -> Square {
    name.parse().expect("a square")
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).expect("a position")
}

/// A search that has asked too little ends with an error of this side.
#[test]
fn types_are_not_asked_before_all_tiles_are_known() {
    let position = Position::start();
    let board = position.side(Color::White);
    let search = Occupancy::search(board, Phase::Pre);
    assert!(search.asked(TILE_ROUNDS).expect_err("16 tiles are unknown").is_own());
    let mut search = search;
    for round in 0..2 {
        let asked = search.asked(round).expect("tiles");
        assert_eq!(asked.len(), TILES);
        search.learn(round, &asked.iter().map(|element| (*element, false)).collect::<Vec<_>>());
    }
    assert!(search.asked(TILE_ROUNDS).is_ok());
}

/// Tiles are never asked before those on the way to them are known to be empty.
#[test]
fn no_tile_is_asked_that_the_sight_leaves_dark() {
    let mut rng = StdRng::seed_from_u64(seed(143));
    let mut walk = Walk::start();
    for _ in 0..2000 {
        walk.advance(&mut rng);
        let (own, other) = (walk.board(), walk.other());
        let sight = Sight::between(&own, other, false);
        let mut known: Occupied = [None; 64];
        loop {
            let tiles = frontier(&own, &known);
            if tiles.is_empty() {
                break;
            }
            for tile in tiles.iter().take(TILES) {
                assert_ne!(sight.at(*tile), Seen::Dark);
                known[tile.index()] = Some(other.piece(*tile).is_some());
            }
        }
        let all_known = Square::all().filter(|square| sight.at(*square) != Seen::Dark);
        assert!(all_known.into_iter().all(|square| known[square.index()].is_some()));
    }
}

/// Why an update after the opponent's move can't ask for empty tiles and for pieces of the old sight at once: one queen moves down the
/// file, or another one comes from the fog. The old sights are equal and so are the new ones, but not what stands on the tile behind.
#[test]
fn old_tiles_asked_at_once_would_tell_more_than_the_sight() {
    let before = "k3q3/8/8/7q/8/8/8/K3R3 b - - 0 1";
    let [down_the_file, from_the_fog] = ["e8e5", "h5e5"].map(|mv| {
        let mut position = position(before);
        let old = position.sight(Color::White);
        assert_ne!(old.at(square("e8")), Seen::Dark);
        position.play(&mv.parse().expect("a move")).expect("a legal move");
        position
    });
    assert_eq!(down_the_file.sight(Color::White), from_the_fog.sight(Color::White));
    let e8 = |position: &Position| position.side(Color::Black).piece(square("e8"));
    assert_ne!(e8(&down_the_file), e8(&from_the_fog));
}

/// The rounds in which an update asks for tiles that the old sight left dark. `changed` is known anew.
fn rounds_of_update(old: &Sight, new: &Position, changed: Option<Square>) -> usize {
    let (own, other) = (new.side(Color::White), new.side(Color::Black));
    let known = |square: Square| match old.at(square) {
        _ if changed == Some(square) => Some(other.piece(square).is_some()),
        Seen::Dark => None,
        seen => Some(seen.is_occupied()),
    };
    let known = Square::all().map(known).collect::<Vec<_>>();
    rounds_from(own, other, known.try_into().expect("64 tiles")).0
}

fn played(fen: &str, mv: &str) -> (Sight, Position) {
    let mut position = position(fen);
    let old = position.sight(Color::White);
    position.play(&mv.parse().expect("a move")).expect("a legal move");
    (old, position)
}

/// What updates would save. A rook that comes to an open file has seven new tiles in a row; a piece that leaves a rook's side into the fog
/// opens six.
#[test]
fn updates_need_up_to_six_and_seven_rounds_for_new_tiles() {
    let (old, new) = played("k7/8/8/8/8/8/1K6/R7 w - - 0 1", "a1h1");
    assert_eq!(rounds_of_update(&old, &new, None), 7);
    let (old, new) = played("7k/8/8/8/8/8/n7/R6K b - - 0 1", "a2b4");
    assert_eq!(rounds_of_update(&old, &new, Some(square("a2"))), 6);
}
