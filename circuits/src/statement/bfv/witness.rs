//! The plain values that *item* and *view* assign, read off the statement once. Nothing here decides anything: of a false statement some gate
//! refuses the values.

use engines::bfv::{
    statement::{VectorPrivate, VectorPublic},
    vector::Kind,
};
use ff::Field;
use fog::engine::{Phase, sight_lines::context::square_number};
use halo2curves::bn256::Fr;
use rules::{Color, Side};

use crate::gadget::state::StateWitness;

/// What the prover assigns.
pub struct Witness {
    /// The state, as committed.
    pub state: StateWitness,
    /// The captured square, or 64.
    pub pending: usize,
    pub is_black: bool,
    pub is_pre: bool,
    /// The salt of the vector's hash.
    pub salt: Fr,
}

impl Witness {
    pub fn new(public: &VectorPublic, private: &VectorPrivate) -> Self {
        Self {
            state: StateWitness::new(&private.side, private.salt),
            pending: square_number(public.pending) as usize,
            is_black: public.color == Color::Black,
            is_pre: public.phase == Phase::Pre,
            salt: private.vector_salt,
        }
    }
}

/// An empty board, whose salts everyone knows: what keys are made from.
pub fn blank(kind: Kind) -> (VectorPublic, VectorPrivate) {
    let public = VectorPublic {
        kind,
        commitment: Fr::ZERO,
        pending: None,
        color: Color::White,
        phase: Phase::Pre,
        vector: Fr::ZERO,
    };
    (public, VectorPrivate { side: Side::empty(Color::White), salt: Fr::ZERO, vector_salt: Fr::ZERO })
}

impl Drop for Witness {
    /// Wipes the salt; the state wipes itself. Best effort: the prover's polynomials hold it too, while they live.
    fn drop(&mut self) {
        self.salt = Fr::ZERO;
        std::hint::black_box(self);
    }
}
