//! The plain values that the parts of *no move* assign, read off the statement once.
//!
//! Nothing here decides anything: a statement that is false gives values that some gate refuses. So every function is total.

use ff::Field;
use fog::{
    curve::{self, FogKey, FogSecret, Scalar},
    engine::sight_lines::context::square_number,
    statement::no_move::{MAX_PAWNS, NoMoveInputs, NoMovePrivate, NoMovePublic},
    statement::turn::Opened,
};
use halo2curves::bn256::Fr;
use rules::{Color, Side, Square, geometry::ahead};

use super::super::turn::offset;
use crate::gadget::state::StateWitness;

/// What the prover assigns.
#[cfg_attr(test, derive(Clone))]
pub struct Witness {
    pub public: NoMoveInputs<Fr>,
    /// The captured square, or 64.
    pub pending: usize,
    pub is_black: bool,
    /// The state, as committed.
    pub state: StateWitness,
    /// Which of the slots hold a pawn.
    pub active: [bool; MAX_PAWNS],
    /// Whether an own piece stands ahead of it.
    pub behind_own: [bool; MAX_PAWNS],
    pub opened: [Opened; MAX_PAWNS],
    /// A point that the opponent can't foresee: where all chains of points start.
    pub offset: curve::Point,
}

impl Witness {
    pub fn new(public: &NoMovePublic, private: &NoMovePrivate) -> Self {
        let board = private.side.without(public.pending);
        let front = |opened: &Opened| ahead(opened.square, public.color);
        let is_behind = |opened| front(opened).is_some_and(|front| board.piece(front).is_some());
        let first = private.opened.first().map_or(Scalar::ONE, |opened| opened.scalar);
        Self {
            public: public.inputs(),
            pending: square_number(public.pending) as usize,
            is_black: public.color == Color::Black,
            state: StateWitness::new(&private.side, private.salt),
            active: std::array::from_fn(|i| i < private.opened.len()),
            behind_own: std::array::from_fn(|i| private.opened.get(i).is_some_and(is_behind)),
            opened: std::array::from_fn(|i| private.opened.get(i).cloned().unwrap_or_else(unused)),
            offset: offset(&first, private.salt),
        }
    }

    /// An empty board without a request, with a fog key that everyone knows: what keys are made from.
    pub fn blank() -> Self {
        let mut word = [0; 32];
        word[0] = 1;
        let public = NoMovePublic {
            commitment: Fr::ZERO,
            pending: None,
            request_root: Fr::ZERO,
            answer_root: Fr::ZERO,
            ctx: Fr::ZERO,
            fog_key: fog_key(word),
            color: Color::White,
        };
        let private = NoMovePrivate { side: Side::empty(Color::White), salt: Fr::ZERO, opened: Vec::new() };
        Self::new(&public, &private)
    }
}

fn fog_key(word: [u8; 32]) -> FogKey {
    FogSecret::from_uniform(word).key()
}

/// A slot that no pawn needs.
pub fn unused() -> Opened {
    Opened {
        square: Square::all().next().expect("there are squares"),
        choice: 0,
        scalar: Scalar::from(2),
        request_path: [Fr::ZERO; 6],
        record: [Fr::ZERO; 14],
        answer_path: [Fr::ZERO; 6],
    }
}

// Wipes what opens the request; the state and the opened squares wipe themselves. Best effort: the prover's polynomials hold it too, while
// they live.
fog::wiped_on_drop!(Witness: active, behind_own, offset);
