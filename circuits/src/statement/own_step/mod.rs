//! *own step*: a board follows from the one before by one move, as far as its player's own men tell. Verified by the peer alone, in games whose contract
//! asks for no proofs. The native twin is `fog::statement::own_step::check`.
//!
//! Geometry and boards are *turn*'s own parts, under its labels. In place of a sight stand two: the [`way`] is free of own men, and the public
//! [`capture`] is one that the move could make.

mod capture;
pub(in crate::statement) mod config;
mod way;

#[cfg(test)]
mod tests;

use fog::commitment::TYPE_BITS;
use fog::statement::own_step::{OwnStepInputs, OwnStepPrivate, OwnStepPublic, OwnStepStatement, gather};
use halo2curves::bn256::Fr;
use rules::{Color, Side};

use super::turn::{
    board,
    move_flags::{MoveFlags, Viewer},
    move_witness::MoveWitness,
    mover::Mover,
};
use crate::gadget::{Assigned, Cell, CircuitOf, Context};
use config::OwnStepConfig;

/// The circuit of *own step*.
pub type OwnStepCircuit = CircuitOf<Witness>;

/// What the prover assigns.
#[cfg_attr(test, derive(Clone))]
pub struct Witness {
    public: OwnStepInputs<Fr>,
    mv: MoveWitness,
    /// Whether something is captured on the target.
    takes: bool,
}

impl Assigned for Witness {
    const NAME: &'static str = "own-step";
    const K: u32 = 11;
    type Statement = OwnStepStatement;
    type Columns = OwnStepConfig;

    fn of(public: &OwnStepPublic, private: &OwnStepPrivate) -> Self {
        let salts = [private.salt, private.next_salt];
        Self {
            public: public.inputs(),
            mv: MoveWitness::new(public.color, &private.side, public.pending, private.mv, salts),
            takes: public.capture == Some(private.mv.to),
        }
    }

    /// White's first move in a game whose secrets everyone knows.
    fn for_keys() -> Self {
        let mv = "e2e4".parse().expect("a move");
        let private = OwnStepPrivate { side: Side::start(Color::White), salt: Fr::zero(), mv, next_salt: Fr::one() };
        let (public, private) = gather(None, None, private).expect("e2e4 is a step from the start");
        Self::of(&public, &private)
    }

    fn lay(&self, _: &OwnStepConfig, cx: &mut Context<'_>) -> Vec<Cell> {
        let public = OwnStepInputs::from_array(self.public.to_array().map(|value| cx.witness(value)));
        let commitments = [public.commitment, public.next_commitment];
        let mover = Mover::new(cx, commitments, public.pending, public.color);
        let viewer = Viewer::chosen(cx, self.mv.viewer_square);
        let flags = MoveFlags::of_move(cx, &mover, &self.mv, &viewer);
        let next_types = self.mv.next_types.map(|kind| {
            let bits = cx.free_bits(u64::from(kind).into(), TYPE_BITS);
            cx.number(&bits)
        });
        board::constrain(cx, &mover, &self.mv, &flags, &next_types);
        way::constrain(cx, &mover, &flags, &viewer, &next_types);
        capture::constrain(cx, &mover, &flags, public.capture, self.takes);
        public.to_array().to_vec()
    }
}
