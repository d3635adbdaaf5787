//! Draws of *own step*, and what a step says of those of *turn*.

use super::turns::{TurnCase, of_moves};
use crate::{
    F,
    statement::{
        own_step::{OwnStepPrivate, OwnStepPublic, gather},
        turn::{TurnPrivate, TurnPublic},
    },
};
use ff::Field;

/// What a step says of a turn, legal or not.
pub fn own_step_of(public: &TurnPublic, private: &TurnPrivate) -> (OwnStepPublic, OwnStepPrivate) {
    let TurnPublic { commitment, pending, next_commitment, color, capture, .. } = *public;
    let TurnPrivate { side, salt, mv, next_salt, .. } = private;
    let private = OwnStepPrivate { side: side.clone(), salt: *salt, mv: *mv, next_salt: *next_salt };
    (OwnStepPublic { commitment, pending, next_commitment, color, capture }, private)
}

/// An endless, seeded row of valid statements; of one case, or of all as random games give them.
pub fn own_steps(seed: u64, case: Option<TurnCase>) -> impl Iterator<Item = (OwnStepPublic, OwnStepPrivate)> {
    of_moves(seed, case, |walk, mv, rng| {
        let [salt, next_salt] = [F::random(&mut *rng), F::random(&mut *rng)];
        let capture = walk.capture(&mv);
        let private = OwnStepPrivate { side: walk.mover().clone(), salt, mv, next_salt };
        gather(walk.pending, capture, private).expect("a legal move has a statement")
    })
}
