//! The plain values of a board that *item* and *view*, *shown* and *asked* assign, read off the statement once. Nothing here decides anything: of a false statement some gate
//! refuses the values.

#[cfg(test)]
use engines::testing::named::{VectorPrivate, VectorPublic};
use engines::{
    bfv::encrypted::{EncryptedPrivate, EncryptedPublic},
    psi::statement::{SetPrivate, SetPublic},
};
use ff::Field;
use fog::engine::{Phase, sight_lines::context::square_number};
use halo2curves::bn256::Fr;
use rules::{Color, Side, Square};

use crate::gadget::state::StateWitness;

/// What the prover assigns.
pub struct Witness {
    /// The state, as committed.
    pub state: StateWitness,
    /// The captured square, or 64.
    pub pending: usize,
    pub is_black: bool,
    pub is_pre: bool,
    /// The salt of what the proof names the board's set by, if it does.
    pub salt: Fr,
}

impl Witness {
    /// An empty board, whose salt everyone knows: what keys are made from.
    pub fn blank() -> Self {
        let state = StateWitness::new(&Side::empty(Color::White), Fr::ZERO);
        Self::of(state, (None, Color::White, Phase::Pre), Fr::ZERO)
    }

    /// The board of a vector that is encrypted.
    pub fn encrypted(public: &EncryptedPublic, private: &EncryptedPrivate) -> Self {
        let (state, board) = (StateWitness::new(&private.side, private.salt), &public.board);
        Self::of(state, (board.pending, board.color, board.phase), Fr::ZERO)
    }

    /// The board of a vector that is named, with the salt of its hash.
    #[cfg(test)]
    pub fn named(public: &VectorPublic, private: &VectorPrivate) -> Self {
        let state = StateWitness::new(&private.side, private.salt);
        Self::of(state, (public.pending, public.color, public.phase), private.vector_salt)
    }

    /// The board of a set, with the salt of its digest.
    pub fn of_set(public: &SetPublic, private: &SetPrivate) -> Self {
        let state = StateWitness::new(&private.side, private.salt);
        Self::of(state, (public.pending, public.color, public.phase), private.digest_salt)
    }

    fn of(state: StateWitness, (pending, color, phase): (Option<Square>, Color, Phase), salt: Fr) -> Self {
        let (is_black, is_pre) = (color == Color::Black, phase == Phase::Pre);
        Self { state, pending: square_number(pending) as usize, is_black, is_pre, salt }
    }
}

// The state wipes itself. Best effort: the prover's polynomials hold the salt too, while they live.
fog::wiped_on_drop!(Witness: salt);
