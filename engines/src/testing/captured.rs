//! Statements of *key share* and *captured*: those of random games.

use crate::{
    alone::{self, Keys, Scene, state},
    bfv::{
        Bfv,
        captured::{self, CapturedPrivate, CapturedPublic, CapturedStatement, party::CAPTURED_BYTES},
        shares::{self, KEY_SHARE_BYTES, KeySharePrivate, KeySharePublic, KeyShareStatement},
    },
};
use fog::{
    engine::{Cause, CommittedState, OwnMove, Phase, PostedStep},
    statement::{Proves, Statement},
    testing::Walk,
};
use rand::{SeedableRng, rngs::StdRng};
use std::sync::{Arc, Mutex, PoisonError};

/// A statement's public and private part.
type Draw<S> = (<S as Statement>::Public, <S as Statement>::Private);

/// Keeps what is to be proven.
#[derive(Default)]
struct Kept {
    shares: Mutex<Vec<Draw<KeyShareStatement>>>,
    captured: Mutex<Option<Draw<CapturedStatement>>>,
}

impl Proves<KeyShareStatement> for Kept {
    fn prove(&self, public: &KeySharePublic, private: &KeySharePrivate) -> Result<Vec<u8>, Cause> {
        shares::check(public, private)?;
        self.shares.lock().unwrap_or_else(PoisonError::into_inner).push((public.clone(), private.clone()));
        Ok(vec![0; KEY_SHARE_BYTES])
    }

    fn verify(&self, _: &KeySharePublic, _: &[u8]) -> Result<(), Cause> {
        Ok(())
    }
}

impl Proves<CapturedStatement> for Kept {
    fn prove(&self, public: &CapturedPublic, private: &CapturedPrivate) -> Result<Vec<u8>, Cause> {
        captured::check(public, private)?;
        *self.captured.lock().unwrap_or_else(PoisonError::into_inner) = Some((public.clone(), private.clone()));
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
pub fn captured(seed: u64) -> impl Iterator<Item = Draw<CapturedStatement>> {
    let kept = Arc::new(Kept::default());
    let set_up = alone::set_up(&Bfv::proven(kept.clone())).expect("a set-up");
    let keys: Keys = set_up.outputs.into();
    after_captures(seed).map(move |scene| {
        alone::sight(&keys, &scene).expect("a sight");
        kept.captured.lock().unwrap_or_else(PoisonError::into_inner).take().expect("a proof was asked for")
    })
}

/// True statements of both players in one set-up.
pub fn key_shares() -> Vec<Draw<KeyShareStatement>> {
    let kept = Arc::new(Kept::default());
    alone::set_up(&Bfv::proven(kept.clone())).expect("a set-up");
    std::mem::take(&mut *kept.shares.lock().unwrap_or_else(PoisonError::into_inner))
}
