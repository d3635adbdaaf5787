//! The plain values that the parts of *answer* assign, read off the statement once.
//!
//! Nothing here decides anything: a statement that is false gives values that some gate refuses. So every function is total.
//! Elements aren't among them: the circuit computes them, and the public ones have to be the same.

use ff::Field;
use fog::{
    curve::FogKey,
    engine::{
        Phase,
        sight_lines::{
            context::{AnswerHeader, square_number},
            request::Request,
        },
    },
    statement::answer::AnswerPrivate,
};
use halo2curves::{bn256::Fr, grumpkin::G1Affine};
use rules::Color;

use crate::gadget::{fixed_base::bits, shared_ladder::BITS, state::StateWitness};

/// What the prover assigns.
#[cfg_attr(test, derive(Clone))]
pub struct Witness {
    pub receiver_is_black: bool,
    pub is_post: bool,
    pub context: Fr,
    pub pending_sender: usize,
    pub pending_receiver: usize,
    /// What the fog key is `a` times of: must be the generator.
    pub generator: [Fr; 2],
    pub fog_key: [Fr; 2],
    pub request: [[Fr; 2]; 64],
    /// The sender's state, as committed.
    pub state: StateWitness,
    /// Of `a`, most significant first.
    pub secret: [bool; BITS],
}

impl Witness {
    pub fn new(fog_key: &FogKey, header: &AnswerHeader, request: &Request, private: &AnswerPrivate) -> Self {
        let (x, y) = fog_key.xy();
        Self {
            receiver_is_black: header.receiver == Color::Black,
            is_post: header.phase == Phase::Post,
            context: header.ctx,
            pending_sender: square_number(header.pending_sender) as usize,
            pending_receiver: square_number(header.pending_receiver) as usize,
            generator: generator(),
            fog_key: [x, y],
            request: request.points.map(|point| [point.x, point.y]),
            state: StateWitness::new(&private.side, private.salt),
            secret: bits(&private.secret.field()),
        }
    }

    /// No statement at all: what keys are made from.
    pub fn blank() -> Self {
        Self {
            receiver_is_black: false,
            is_post: false,
            context: Fr::ZERO,
            pending_sender: 0,
            pending_receiver: 0,
            generator: generator(),
            fog_key: [Fr::ZERO; 2],
            request: [[Fr::ZERO; 2]; 64],
            state: StateWitness::blank(),
            secret: [false; BITS],
        }
    }
}

// Wipes what opens the answer; the state wipes itself. Best effort: the prover's polynomials hold it too, while they live.
fog::wiped_on_drop!(Witness: secret = [false; BITS]);

/// The coordinates of `g`.
pub fn generator() -> [Fr; 2] {
    let generator = G1Affine::generator();
    [generator.x, generator.y]
}
