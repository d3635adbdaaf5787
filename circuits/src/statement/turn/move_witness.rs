//! The plain values of a move between two boards that *turn* and *own step* assign.
//!
//! Nothing here decides anything: a statement that is false gives values that some gate refuses. So every function is total.

use fog::{commitment::type_number, statement::turn::MAX_OPENED};
use halo2curves::bn256::Fr;
use rules::{
    Color, Move, PieceType, Side, Square,
    castling::Wing,
    geometry::{DIRECTIONS, KNIGHT_STEPS, line},
};

/// Squares that a move crosses or enters, at most.
pub const STEPS: usize = MAX_OPENED - 1;

/// What the prover assigns of a move.
#[cfg_attr(test, derive(Clone))]
pub struct MoveWitness {
    pub pending: Option<Square>,
    pub salts: [Fr; 2],
    /// The piece that stood on the pending square, 0 for none.
    pub removed: u8,
    /// Rights, the double push's file (0 none) and the counter, as committed.
    pub rights: [bool; 2],
    pub double_push: u8,
    pub since_pawn: u8,
    /// The types after the move, by square.
    pub next_types: [u8; 64],
    /// The viewer's type, 1 to 6.
    pub viewer: u8,
    /// Where the viewer stands.
    pub viewer_square: Square,
    /// King's side, queen's side.
    pub castle: [bool; 2],
    /// Single push, double push, capture toward file a, capture toward file h.
    pub pawn: [bool; 4],
    /// The direction or knight step, 0 to 7.
    pub direction: usize,
    /// Which of the squares after the viewer's are needed.
    pub active: [bool; STEPS],
    /// The piece that a pawn becomes, less 2.
    pub promotion: u8,
}

impl MoveWitness {
    /// Of a move of this color's men, as committed.
    pub fn new(color: Color, side: &Side, pending: Option<Square>, mv: Move, salts: [Fr; 2]) -> Self {
        let applied = side.without(pending);
        let moved = type_number(&applied, mv.from);
        let wing = castling(color, moved, mv.from, mv.to);
        let viewer = if wing.is_some() { PieceType::Rook as u8 } else { moved };
        let viewer_square = wing.map_or(mv.from, |w| w.rook_from(color));
        let pawn = pawn_mode(moved, mv.from, mv.to);
        let slides = [PieceType::Bishop, PieceType::Rook, PieceType::Queen].map(|piece| piece as u8).contains(&viewer);
        let steps = match wing {
            Some(wing) => wing.between(color).count(),
            None if slides => line(mv.from, mv.to).map_or(0, |(_, distance)| distance.into()),
            None => usize::from(pawn[1]),
        };

        let mut next_types = Square::all().map(|s| type_number(&applied, s)).collect::<Vec<_>>();
        next_types[mv.from.index()] = 0;
        next_types[mv.to.index()] = mv.promotion.map_or(moved, |p| p as u8);
        if let Some(w) = wing {
            next_types[w.rook_from(color).index()] = 0;
            next_types[w.rook_to(color).index()] = PieceType::Rook as u8;
        }
        Self {
            pending,
            salts,
            removed: pending.map_or(0, |s| type_number(side, s)),
            rights: [side.rights.king_side, side.rights.queen_side],
            double_push: side.double_push.map_or(0, |file| file.wrapping_add(1)),
            since_pawn: side.since_pawn,
            next_types: next_types.try_into().expect("64 squares"),
            viewer,
            viewer_square,
            castle: Wing::ALL.map(|w| wing == Some(w)),
            pawn,
            direction: direction(viewer, viewer_square, mv.from, mv.to, wing),
            active: first(steps),
            promotion: mv.promotion.map_or(0, |p| (p as u8).saturating_sub(2)),
        }
    }

    /// The same move over so many squares.
    pub fn over(mut self, steps: usize) -> Self {
        self.active = first(steps);
        self
    }
}

// Wipes what opens the commitments and what tells the move. Best effort: the prover's polynomials hold it too, while they live.
fog::wiped_on_drop!(
    MoveWitness: salts, removed, rights, double_push, since_pawn, next_types = [0; 64], viewer,
    viewer_square = Square::new(0).expect("0 is below 64"), castle, pawn, direction, active, promotion
);

/// Flags of which the first ones are set.
fn first(count: usize) -> [bool; STEPS] {
    std::array::from_fn(|i| i < count)
}

/// The wing on which a king castles.
fn castling(color: Color, moved: u8, from: Square, to: Square) -> Option<Wing> {
    let king = moved == PieceType::King as u8 && from == Wing::king_from(color);
    Wing::ALL.into_iter().find(|w| king && to == w.king_to(color))
}

fn pawn_mode(moved: u8, from: Square, to: Square) -> [bool; 4] {
    let files = to.file() as i8 - from.file() as i8;
    let ranks = (to.rank() as i8 - from.rank() as i8).abs();
    let mode = [files == 0 && ranks != 2, files == 0 && ranks == 2, files < 0, files > 0];
    mode.map(|m| m && moved == PieceType::Pawn as u8)
}

/// The index of the step that the viewer looks along.
fn direction(viewer: u8, square: Square, from: Square, to: Square, wing: Option<Wing>) -> usize {
    let index = |steps: &[(i8, i8); 8], step: (i8, i8)| steps.iter().position(|&s| s == step).unwrap_or(0);
    let delta = (to.file() as i8 - from.file() as i8, to.rank() as i8 - from.rank() as i8);
    if wing.is_some() {
        let toward_king = if square.file() < from.file() { 1 } else { -1 };
        index(&DIRECTIONS, (toward_king, 0))
    } else if viewer == PieceType::Knight as u8 {
        index(&KNIGHT_STEPS, delta)
    } else {
        line(from, to).map_or(0, |(d, _)| d)
    }
}
