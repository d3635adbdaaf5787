//! Draws of *own step*: what a step says of the draws of *turn*.

use super::turns::{TurnCase, turns};
use crate::statement::{
    own_step::{OwnStepPrivate, OwnStepPublic},
    turn::{TurnPrivate, TurnPublic},
};

/// What a step says of a turn, legal or not.
pub fn own_step_of(public: &TurnPublic, private: &TurnPrivate) -> (OwnStepPublic, OwnStepPrivate) {
    let TurnPublic { commitment, pending, next_commitment, color, capture, .. } = *public;
    let TurnPrivate { side, salt, mv, next_salt, .. } = private;
    let private = OwnStepPrivate { side: side.clone(), salt: *salt, mv: *mv, next_salt: *next_salt };
    (OwnStepPublic { commitment, pending, next_commitment, color, capture }, private)
}

/// An endless, seeded row of valid statements; of one case, or of all as random games give them.
pub fn own_steps(seed: u64, case: Option<TurnCase>) -> impl Iterator<Item = (OwnStepPublic, OwnStepPrivate)> {
    turns(seed, case).map(|(public, private)| own_step_of(&public, &private))
}
