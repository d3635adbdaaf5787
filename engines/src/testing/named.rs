//! A vector named by its hash, which is exactly what a committed board gives, once the piece that the last move captured is off it: how tests hold the slots that circuits lay
//! against native vectors. No game has it; [`encrypted`](crate::bfv::encrypted) says the same of a ciphertext.

use crate::{Unmet, bfv::vector::Kind};
use fog::{
    F,
    commitment::{commit, is_well_formed},
    engine::{Phase, sight_lines::context::square_field},
    poseidon::{Tag, hash},
};
use rules::{Color, Side, Square};

/// Bits of a vector that one field element holds, lowest first: a multiple of the bits of either vector's slots.
pub const ELEMENT_BITS: usize = 252;

impl Kind {
    /// Bits of a slot.
    pub const fn bits(self) -> usize {
        match self {
            Self::Item => 3,
            Self::View => 1,
        }
    }

    /// Slots that one field element holds.
    pub const fn packed(self) -> usize {
        ELEMENT_BITS / self.bits()
    }

    /// The vector as field elements: [`Self::packed`] slots each, the first in the lowest bits.
    pub fn pack(self, vector: &[u64]) -> Vec<F> {
        let base = F::from(1 << self.bits());
        let pack = |slots: &[u64]| slots.iter().rev().fold(F::zero(), |sum, slot| sum * base + F::from(*slot));
        vector.chunks(self.packed()).map(pack).collect()
    }

    /// `H(VECTOR; root, salt)`, where the root chains the elements: `H(NODE; … H(NODE; H(NODE; e₀, e₁), e₂) …, e_n)`. The salt hides
    /// which board it is of: positions can be guessed.
    pub fn hash(self, vector: &[u64], salt: F) -> F {
        let root = self.pack(vector).into_iter().reduce(|sum, element| hash(Tag::Node, sum, element));
        hash(Tag::Vector, root.unwrap_or_default(), salt)
    }
}

fog::public_inputs! {
    /// The public inputs of a vector that is named.
    VectorInputs, VECTOR_INPUTS:
    /// The player's commitment, `C`.
    commitment,
    /// The square on which the player's piece was captured, or 64.
    pending,
    /// The player's color, 0 for White.
    color,
    /// 1 before the receiver's move, 0 after it.
    pre,
    vector,
}

fog::statement! {
    /// A vector is that of the committed board.
    VectorStatement: VectorPublic, VectorPrivate
}

/// What everyone sees of a vector's proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VectorPublic {
    /// Which of the two vectors it is.
    pub kind: Kind,
    /// The player's commitment, `C`.
    pub commitment: F,
    /// The square on which the player's piece was captured.
    pub pending: Option<Square>,
    /// The player's color: the sender's of an item vector, the receiver's of a view vector.
    pub color: Color,
    /// Before the receiver's move or after it.
    pub phase: Phase,
    pub vector: F,
}

impl VectorPublic {
    /// The public inputs by name.
    pub fn inputs(&self) -> VectorInputs<F> {
        VectorInputs {
            commitment: self.commitment,
            pending: square_field(self.pending),
            color: F::from(self.color as u64),
            pre: F::from(self.phase == Phase::Pre),
            vector: self.vector,
        }
    }

    /// The public inputs in order.
    pub fn to_instance(&self) -> [F; VECTOR_INPUTS] {
        self.inputs().to_array()
    }
}

/// What only the player knows.
#[derive(Clone, PartialEq, Eq)]
pub struct VectorPrivate {
    /// The committed state, before the removal of the piece on the pending square. Its color is not a part of it.
    pub side: Side,
    pub salt: F,
    /// The salt of the vector's hash.
    pub vector_salt: F,
}

fog::wiped_on_drop!(VectorPrivate: salt, vector_salt);

/// The statement of a side whose piece on `pending`, if any, was captured: the vector is what its board gives.
pub fn gather(
    kind: Kind,
    pending: Option<Square>,
    phase: Phase,
    private: VectorPrivate,
) -> Result<(VectorPublic, VectorPrivate), Unmet> {
    let VectorPrivate { side, salt, vector_salt } = &private;
    fog::ensure!(is_well_formed(side), Unmet::StateRange);
    let vector = kind.hash(&kind.vector(&side.without(pending), phase), *vector_salt);
    let public = VectorPublic { kind, commitment: commit(side, *salt), pending, color: side.color, phase, vector };
    Ok((public, private))
}

/// What is said of a named vector.
pub fn check(public: &VectorPublic, private: &VectorPrivate) -> Result<(), Unmet> {
    let mut private = private.clone();
    private.side.color = public.color;
    let (right, _) = gather(public.kind, public.pending, public.phase, private)?;
    fog::ensure!(right.commitment == public.commitment, Unmet::Commitment);
    fog::ensure!(right.vector == public.vector, Unmet::Vector);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bfv::vector::SLOTS;

    /// Every slot has bits of its own.
    #[test]
    fn packing_is_by_bits() {
        for (kind, largest, elements) in [(Kind::Item, 7, 46), (Kind::View, 1, 16)] {
            let mut vector = vec![0; SLOTS];
            assert_eq!(kind.pack(&vector), vec![F::zero(); elements]);
            vector[kind.packed() + 2] = largest;
            let found = kind.pack(&vector);
            assert_eq!(found[1], F::from(largest << (2 * kind.bits())));
            assert_eq!(found.iter().filter(|element| **element != F::zero()).count(), 1);
            let full = kind.pack(&vec![largest; SLOTS]);
            let all_ones = (0..ELEMENT_BITS).fold(F::zero(), |sum, _| sum + sum + F::one());
            assert_eq!(full[0], all_ones);
        }
    }
}
