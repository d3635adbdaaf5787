//! Statements of *captured*: those of random games.

use crate::{
    alone::{self, Keys, Scene, state},
    bfv::{
        Bfv,
        captured::{CapturedPrivate, CapturedPublic, CapturedStatement, check, party::CAPTURED_BYTES},
    },
};
use fog::{
    engine::{Cause, CommittedState, OwnMove, Phase, PostedStep},
    statement::Proves,
    testing::Walk,
};
use rand::{SeedableRng, rngs::StdRng};
use std::sync::{Arc, Mutex, PoisonError};

/// A statement's public and private part.
type Draw = (CapturedPublic, CapturedPrivate);

/// Keeps what is to be proven.
#[derive(Default)]
struct Kept(Mutex<Option<Draw>>);

impl Proves<CapturedStatement> for Kept {
    fn prove(&self, public: &CapturedPublic, private: &CapturedPrivate) -> Result<Vec<u8>, Cause> {
        check(public, private)?;
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((public.clone(), private.clone()));
        Ok(vec![0; CAPTURED_BYTES])
    }

    fn verify(&self, _: &CapturedPublic, _: &[u8]) -> Result<(), Cause> {
        Ok(())
    }
}

/// The positions of a random game in which the player to move captured with its last move, with what chain and players know of them.
pub fn after_captures(seed: u64) -> impl Iterator<Item = Scene> {
    let mut rng = StdRng::seed_from_u64(seed);
    let (mut walk, mut salt) = (Walk::start(), 0);
    let mut own: [CommittedState; 2] = [0, 1].map(|color| state(&walk.sides[color], 0));
    let mut steps: [Vec<PostedStep>; 2] = Default::default();
    let mut next = move || {
        let (mover, pending, before) = (walk.to_move().index(), walk.pending, walk.sides.clone());
        walk.advance(&mut rng);
        if walk.ply == 0 || walk.over {
            walk = Walk::start();
            own = [0, 1].map(|color| state(&walk.sides[color], 0));
            steps = Default::default();
            return None;
        }
        let mv = walk.last?;
        salt += 1;
        let last = &own[mover];
        steps[mover] = vec![PostedStep { commitment: last.commitment, pending, capture: walk.pending }];
        let made = OwnMove { side: before[mover].clone(), salt: last.salt.clone(), mv };
        own[mover] = CommittedState { steps: vec![made], ..state(&walk.sides[mover], salt) };
        let to_move = &steps[1 - mover];
        let has_captured = to_move.last().is_some_and(|step| step.capture.is_some());
        has_captured.then(|| {
            let scene = Scene::new(walk.ply, Phase::Pre, walk.pending, own.clone());
            Scene { exchange: fog::engine::Exchange { steps: steps.clone(), ..scene.exchange }, ..scene }
        })
    };
    std::iter::from_fn(move || Some(next())).flatten()
}

/// True statements, of random games under one pair of keys.
pub fn captured(seed: u64) -> impl Iterator<Item = Draw> {
    let kept = Arc::new(Kept::default());
    let set_up = alone::set_up(&Bfv::with_captures(kept.clone())).expect("a set-up");
    let keys: Keys = set_up.outputs.into();
    after_captures(seed).map(move |scene| {
        alone::sight(&keys, &scene).expect("a sight");
        kept.0.lock().unwrap_or_else(PoisonError::into_inner).take().expect("a proof was asked for")
    })
}
