//! How many rounds of tiles a sight needs: in random games, on random boards, and on boards that a search makes worse.

use super::{
    outward::{Occupied, TILES, frontier},
    protocol::TILE_ROUNDS,
};
use fog::testing::{Walk, seed};
use rand::{Rng, SeedableRng, rngs::StdRng, seq::SliceRandom};
use rules::{Color, PieceType, Side, Square};

/// Rounds until there is nothing left to ask, and the tiles asked.
fn rounds(own: &Side, other: &Side) -> (usize, usize) {
    let mut known: Occupied = [None; 64];
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
