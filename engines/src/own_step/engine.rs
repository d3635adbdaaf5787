//! An engine whose players also prove that each of their boards follows from the one before.

use super::{OWN_STEP_BYTES, Steps, with_steps};
use crate::{
    keyed::Keyed,
    replay::{Accountable, Verified, registered},
};
use fog::engine::{
    About, BoxedParty, Branch, Claims, CommittedState, Engine, Exchange, Fault, Game, GameKeys, Seed, Word,
};
use rules::{Color, Sight};
use std::sync::Arc;

/// An engine, with the proofs of own steps in its exchanges. Without what makes them no exchange can be played: only games that are over can be looked at.
pub struct Stepped<E> {
    engine: E,
    about: &'static About,
    steps: Option<Steps>,
}

impl<E> Stepped<E> {
    /// An engine under another name and with other claims, and what makes and checks the proofs.
    pub fn new(engine: E, about: &'static About, steps: Option<Steps>) -> Self {
        Self { engine, about, steps }
    }
}

/// What an engine says of itself once its players prove their steps: the same but for this.
pub const fn about(
    of: &About,
    name: &'static str,
    caveat: &'static str,
    [proven, security]: [&'static str; 2],
) -> About {
    let Claims { cheating_receiver, cheating_sender, .. } = of.claims;
    About {
        name,
        trust: of.trust,
        caveat,
        claims: Claims { proven, cheating_receiver, cheating_sender, security },
        max_message: of.max_message + 2 * OWN_STEP_BYTES,
    }
}

impl<E: Accountable> Engine for Stepped<E> {
    fn about(&self) -> &About {
        self.about
    }

    fn set_up(&self, color: Color, seed: &Seed, game: &Game) -> Result<BoxedParty<Arc<dyn GameKeys>>, Fault> {
        let steps = self.steps.clone().ok_or_else(|| Fault::internal("there is nothing to prove own steps with"))?;
        let branch = registered(self.about, color, seed, game)?;
        Ok(proving(self.engine.by_branch(color, branch, game), steps))
    }
}

impl<E: Accountable> Accountable for Stepped<E> {
    fn by_branch(&self, color: Color, branch: Branch, game: &Game) -> BoxedParty<Arc<dyn GameKeys>> {
        proving(self.engine.by_branch(color, branch, game), Arc::new(Verified { bytes: OWN_STEP_BYTES }))
    }
}

/// A set-up whose keys are for exchanges with proofs.
fn proving(set_up: BoxedParty<Arc<dyn GameKeys>>, steps: Steps) -> BoxedParty<Arc<dyn GameKeys>> {
    Keyed::boxed(set_up, move |keys| Arc::new(Keys { keys, steps: steps.clone() }))
}

/// One player's part of one game.
struct Keys {
    keys: Arc<dyn GameKeys>,
    steps: Steps,
}

impl GameKeys for Keys {
    fn context(&self, exchange: &Exchange, request_digest: &Word) -> Result<Word, Fault> {
        self.keys.context(exchange, request_digest)
    }

    fn receiver(
        &self,
        exchange: &Exchange,
        own: &CommittedState,
        promised: Option<Word>,
    ) -> Result<BoxedParty<Sight>, Fault> {
        with_steps(self.keys.receiver(exchange, own, promised)?, exchange, own, self.steps.clone())
    }

    fn sender(
        &self,
        exchange: &Exchange,
        own: &CommittedState,
        request: &[u8],
    ) -> Result<(BoxedParty<()>, Word), Fault> {
        let (party, digest) = self.keys.sender(exchange, own, request)?;
        Ok((with_steps(party, exchange, own, self.steps.clone())?, digest))
    }
}
