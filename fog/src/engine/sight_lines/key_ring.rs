//! What one player of sight-lines holds for one game, and what exchanges and proofs are made of it.

use super::{
    Proofs,
    context::{SightContext, element},
    request::Request,
    secrets::{RequestScalars, fog_secret, request_key},
};
use crate::{
    F,
    curve::{FogKey, FogSecret},
    engine::{Branch, CommittedState, Exchange, Fault, Game, Seed},
};
use rules::Color;
use std::sync::Arc;

/// A player's keys, and the opponent's.
#[derive(Clone)]
pub(super) struct KeyRing {
    pub proofs: Arc<dyn Proofs>,
    pub game: Game,
    pub color: Color,
    /// The fog secret `a`.
    pub secret: FogSecret,
    /// The opponent's fog key.
    peer_key: FogKey,
    request_key: Branch,
}

impl KeyRing {
    /// The keys of a player of this color, from its seed of the game.
    pub fn new(proofs: Arc<dyn Proofs>, color: Color, seed: &Seed, game: &Game) -> Result<Self, Fault> {
        let secret = fog_secret(seed);
        let own = secret.key();
        let is_own = *game.registered(color) == own.to_bytes();
        ensure!(is_own, Fault::internal("the fog key on chain is not this seed's"));
        let peer_key =
            FogKey::from_bytes(game.registered(!color)).map_err(|error| Fault::Registration(error.into()))?;
        Ok(Self { proofs, game: game.clone(), color, secret, peer_key, request_key: request_key(seed) })
    }

    /// The opponent's fog key.
    pub fn peer_key(&self) -> &FogKey {
        &self.peer_key
    }

    /// The scalars of the request that goes with a state.
    pub fn scalars(&self, own: &CommittedState) -> Result<RequestScalars, Fault> {
        Ok(RequestScalars::derive(&self.request_key, element(&own.commitment)?, self.peer_key()))
    }

    /// The request that goes with a state.
    pub fn own_request(&self, own: &CommittedState) -> Result<Request, Fault> {
        Ok(self.own_request_with_scalars(own)?.1)
    }

    /// The scalars of a state's request, and the request that is made of them.
    pub fn own_request_with_scalars(&self, own: &CommittedState) -> Result<(RequestScalars, Request), Fault> {
        let scalars = self.scalars(own)?;
        let request = Request::make(&own.side, &scalars, self.peer_key()).map_err(Fault::internal)?;
        Ok((scalars, request))
    }

    /// What binds an exchange. There is no second attempt: an answer follows from what is bound, so a receiver that lost one is
    /// sent the same again.
    pub fn sight_context(&self, exchange: &Exchange, request_root: F) -> Result<SightContext, Fault> {
        ensure!(exchange.attempt == 0, Fault::internal("this engine has no second attempts"));
        SightContext::new(&self.game, exchange, request_root)
            .ok_or_else(|| Fault::internal("a word of the chain is no field element"))
    }
}
