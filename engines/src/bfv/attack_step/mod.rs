//! The attack step: after a move both players learn whether it captured, and what, by one product with the item vector of the sight before it.
//!
//! ```text
//! 0  attack vector, the attacker's decryption share     seal over the product
//! 1  the victim's decryption share                      seal over the product
//! ```
//!
//! The *attack vector* has a 1 in one slot: that in which a king beside the attacked square would find what stands there. Of a move that can't
//! capture, a pawn's straight one, it is 0. The item vector is the very ciphertext with which the victim opened the sight before the move, so
//! nothing else can be shown now than then. Both players open the product: it is 0, or the type of the captured piece in the slot of its square.
//!
//! **What is learnt** is what dark chess tells the two of them: the attacker has seen before its move what it captures, the victim knows which piece it
//! misses; of a move that captures nothing the victim learns neither the square nor that there was one. Nobody else is told anything.
//!
//! **The victim opens first.** An attacker that looks at several squares is refused as soon as two of them are occupied, and before it has learnt
//! what stands there. What it can still learn is in docs/src/engine-bfv.md.

mod attacker;
#[cfg(test)]
mod cheats;
mod score;
mod victim;

pub use attacker::Attacker;
pub use score::{Score, value};
pub use victim::Victim;

use super::{own::Own, refusal::Refusal, transcript::Transcript};
use crate::bfv::vector::{self, Aim, SLOTS};
use fog::{
    engine::{MessageSize, digest},
    word::WORD,
};
use rules::{Color, Move, PieceType, Seen, Side, Sight, Square, sight::en_passant_victim};
use zeroize::Zeroizing;

/// The messages, each with a seal.
pub const SHAPE: [MessageSize; 2] = {
    use super::parameters::{CIPHERTEXT_BYTES, SHARE_BYTES};
    [
        MessageSize { content: CIPHERTEXT_BYTES + SHARE_BYTES, proof: WORD },
        MessageSize { content: SHARE_BYTES, proof: WORD },
    ]
};

/// Where a move captures, if a piece stands there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attack {
    /// The square: *en passant* that of the pawn.
    pub square: Square,
    /// What the player sees there before its move.
    pub seen: Option<PieceType>,
}

impl Attack {
    /// The attack of a legal move of `board`, whose player sees `sight`; none of a pawn's straight move.
    pub fn of(board: &Side, mv: &Move, sight: &Sight) -> Option<Self> {
        let is_pawn = board.piece(mv.from) == Some(PieceType::Pawn);
        if is_pawn && mv.from.file() == mv.to.file() {
            return None;
        }
        if is_pawn && sight.en_passant == Some(mv.to) {
            let square = en_passant_victim(board.color, mv.to)?;
            return Some(Self { square, seen: Some(PieceType::Pawn) });
        }
        let seen = match sight.at(mv.to) {
            Seen::Piece(piece) => Some(piece),
            Seen::Dark | Seen::Empty | Seen::Occupied => None,
        };
        Some(Self { square: mv.to, seen })
    }

    /// What it must capture.
    fn expected(self) -> Option<Captured> {
        self.seen.map(|piece| Captured { square: self.square, piece })
    }
}

/// What a move captured.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Captured {
    pub square: Square,
    pub piece: PieceType,
}

/// The slot of an attacked square: the first in which a king beside it looks at it. No other piece can stand between.
fn place(attacker: Color, square: Square) -> Option<usize> {
    let looks_at = |slot: &vector::Slot| (slot.piece, slot.square, slot.aim) == (PieceType::King, square, Aim::Piece);
    vector::slots(attacker).iter().position(looks_at)
}

fn attack_vector(attacker: Color, attacked: Option<Square>) -> Zeroizing<Vec<u64>> {
    let mut vector = Zeroizing::new(vec![0; SLOTS]);
    if let Some(place) = attacked.and_then(|square| place(attacker, square)) {
        vector[place] = 1;
    }
    vector
}

/// What an opened product says; an error if it is none of an attack on one square.
fn captured(attacker: Color, product: &[u64]) -> Result<Option<Captured>, Refusal> {
    let mut set = product.iter().enumerate().filter(|(_, value)| **value != 0);
    let Some((found, value)) = set.next() else {
        return Ok(None);
    };
    fog::ensure!(set.next().is_none(), Refusal::Attack);
    let square = Square::all().find(|square| place(attacker, *square) == Some(found));
    let piece = u8::try_from(*value).ok().and_then(PieceType::from_code);
    let captured = square.zip(piece).map(|(square, piece)| Captured { square, piece });
    captured.map(Some).ok_or(Refusal::Attack)
}

/// What the step hangs on: the exchange of the sight before the move, and its opening.
fn start(own: &Own, item: &[u8]) -> Transcript {
    Transcript::new(&digest([&b"fogmate/bfv/attack/1"[..], &own.id])).with(item)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_has_a_slot_of_its_own() {
        for color in Color::ALL {
            for square in Square::all() {
                let vector = attack_vector(color, Some(square));
                assert_eq!(vector.iter().sum::<u64>(), 1);
                let queen = vector.iter().map(|attacked| attacked * 5).collect::<Vec<_>>();
                let right = Captured { square, piece: PieceType::Queen };
                assert_eq!(captured(color, &queen), Ok(Some(right)));
            }
            assert_eq!(captured(color, &attack_vector(color, None)), Ok(None));
        }
    }
}
