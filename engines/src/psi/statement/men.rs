//! Which boards *shown* and *asked* refuse whatever set is made of them, because no game has one: by counting men.
//!
//! A side's men are what is left of the sixteen that it begins with: its king, which stands as long as a game lasts; the officers, of which some may have
//! fallen; and eight pawns, each of which stands, was promoted, or has fallen. So what is counted is the *committed* board, before the piece on the captured
//! square is removed: a king that was just captured is still there, and the game is over.

use crate::Unmet;
use rules::{PieceType, Side, Square};

/// Pawns of a side when a game begins.
pub const PAWNS: usize = 8;

/// A kind of officers that only a promotion makes more of.
#[derive(Clone, Copy, Debug)]
pub struct Officers {
    pub piece: PieceType,
    /// Whether squares are light on which this kind stands; none where it goes to all. A bishop keeps the shade of its square.
    pub shade: Option<bool>,
    /// How many a game begins with.
    pub at_start: usize,
}

impl Officers {
    /// All kinds but kings.
    pub const ALL: [Self; 5] = [
        Self { piece: PieceType::Knight, shade: None, at_start: 2 },
        Self { piece: PieceType::Bishop, shade: Some(true), at_start: 1 },
        Self { piece: PieceType::Bishop, shade: Some(false), at_start: 1 },
        Self { piece: PieceType::Rook, shade: None, at_start: 2 },
        Self { piece: PieceType::Queen, shade: None, at_start: 1 },
    ];

    /// Whether men of its type are of this kind on a square.
    pub fn may_stand(&self, square: Square) -> bool {
        let is_light = (square.file() + square.rank()) % 2 == 1;
        self.shade.is_none_or(|shade| shade == is_light)
    }

    /// How many of them more than a game begins with: pawns were promoted to these.
    pub fn promoted(&self, side: &Side) -> usize {
        let of_kind = side.men().filter(|(square, piece)| *piece == self.piece && self.may_stand(*square));
        of_kind.count().saturating_sub(self.at_start)
    }
}

/// Whether pawns never stand on this square.
pub fn is_outer(square: Square) -> bool {
    [0, 7].contains(&square.rank())
}

/// The file, if any, of a double push leads from an empty square over an empty square to a pawn.
fn is_double_push(side: &Side) -> bool {
    let is_pushed = |file| {
        let pawn = Square::at(file, side.color.double_push_rank())?;
        let jumped = side.jumped_square()?;
        let from = Square::at(file, side.color.pawn_rank())?;
        Some([pawn, jumped, from].map(|square| side.piece(square)) == [Some(PieceType::Pawn), None, None])
    };
    side.double_push.is_none_or(|file| is_pushed(file) == Some(true))
}

/// A committed board that a game may have, as far as its men tell. There is no type but the six, so that none need be refused here.
pub fn check(side: &Side) -> Result<(), Unmet> {
    let of = |piece: PieceType| side.men().filter(move |(_, other)| *other == piece);
    fog::ensure!(!of(PieceType::Pawn).any(|(square, _)| is_outer(square)), Unmet::PawnRank);
    fog::ensure!(of(PieceType::King).count() == 1, Unmet::Kings);
    let promoted: usize = Officers::ALL.iter().map(|officers| officers.promoted(side)).sum();
    fog::ensure!(of(PieceType::Pawn).count() + promoted <= PAWNS, Unmet::Men);
    fog::ensure!(is_double_push(side), Unmet::DoublePush);
    Ok(())
}
