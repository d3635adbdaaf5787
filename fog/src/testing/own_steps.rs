//! Draws of *own step*: the moves of *turn*, with what a step says of them.

use super::{
    turns::{TurnCase, cases_of},
    walk::Walk,
};
use crate::{
    F,
    statement::{
        own_step::{OwnStepPrivate, OwnStepPublic, gather},
        turn::{TurnPrivate, TurnPublic},
    },
};
use ff::Field;
use rand::{SeedableRng, rngs::StdRng, seq::SliceRandom};
use rules::{Move, PieceType, Square};

/// What a step says of a turn, legal or not.
pub fn own_step_of(public: &TurnPublic, private: &TurnPrivate) -> (OwnStepPublic, OwnStepPrivate) {
    let TurnPublic { commitment, pending, next_commitment, color, capture, .. } = *public;
    let TurnPrivate { side, salt, mv, next_salt, .. } = private;
    let private = OwnStepPrivate { side: side.clone(), salt: *salt, mv: *mv, next_salt: *next_salt };
    (OwnStepPublic { commitment, pending, next_commitment, color, capture }, private)
}

/// An endless, seeded row of valid statements; of one case, or of all as random games give them.
pub fn own_steps(seed: u64, case: Option<TurnCase>) -> impl Iterator<Item = (OwnStepPublic, OwnStepPrivate)> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut walk = Walk::start();
    std::iter::from_fn(move || {
        loop {
            // A king's capture must be possible to draw, so the choice comes before the walk goes on.
            let mut moves = walk.legal_moves();
            moves.retain(|mv| case.is_none_or(|case| cases_of(&walk, mv).contains(&case)));
            let statement = moves.choose(&mut rng).map(|mv| {
                let [salt, next_salt] = [(); 2].map(|()| F::random(&mut rng));
                let private = OwnStepPrivate { side: walk.mover().clone(), salt, mv: *mv, next_salt };
                gather(walk.pending, captured(&walk, mv), private).expect("a legal move is a step")
            });
            walk.advance(&mut rng);
            if statement.is_some() {
                return statement;
            }
        }
    })
}

/// Where a legal move captures.
fn captured(walk: &Walk, mv: &Move) -> Option<Square> {
    let is_pawn = walk.board().piece(mv.from) == Some(PieceType::Pawn);
    match walk.other().piece(mv.to) {
        Some(_) => Some(mv.to),
        None if is_pawn && mv.from.file() != mv.to.file() => Square::at(mv.to.file(), mv.from.rank()),
        None => None,
    }
}
