//! An engine that hides nothing, with the messages of sight-lines in number and size: a request shows the board, an answer says in the
//! clear what is seen of it. Its proofs are tickets of the [`Oracle`] for the public inputs that the contract checks, so that a
//! simulated game meets the same contract, and takes a fraction of the time.
//!
//! It is no engine for the program: see `client::runtime::PlayedEngine`.

mod answer;
mod exchange;
mod keys;
mod on_chain;
mod player;
mod request;

use crate::oracle::{Oracle, TICKET_BYTES};
use fog::curve::FogKey;
use fog::engine::sight_lines::fog_secret;
use fog::engine::{
    About, BoxedParty, Claims, Engine, Fault, Game, GameKeys, MessageSize, Ready, Registration, Seed, Trust,
};
use game::message::ELEMENTS_BYTES;
use keys::Keys;
use rules::Color;
use std::sync::Arc;

/// The engine, with the oracle that issues its tickets.
#[derive(Clone, Debug)]
pub struct OpenEngine {
    oracle: Oracle,
    about: About,
}

impl OpenEngine {
    /// The engine with an oracle.
    pub fn new(oracle: Oracle) -> Self {
        let about = About {
            name: "open",
            trust: Trust::Malicious,
            caveat: "for simulations: it hides nothing",
            claims: Claims::NONE,
            max_message: answer_size().total(),
        };
        Self { oracle, about }
    }
}

impl Engine for OpenEngine {
    fn about(&self) -> &About {
        &self.about
    }

    /// The fog key, as the contract keeps one; nothing is encrypted to it.
    fn register(&self, seed: &Seed) -> Registration {
        fog_secret(seed).key().to_bytes()
    }

    fn set_up(&self, color: Color, seed: &Seed, game: &Game) -> Result<BoxedParty<Arc<dyn GameKeys>>, Fault> {
        if *game.registered(color) != self.register(seed) {
            return Err(Fault::internal("the fog key on chain is not this seed's"));
        }
        let key = |color| FogKey::from_bytes(game.registered(color)).map_err(|error| Fault::Registration(error.into()));
        let fog_keys = [key(Color::White)?, key(Color::Black)?];
        let keys = Keys { oracle: self.oracle.clone(), game: game.clone(), color, fog_keys };
        Ok(Box::new(Ready(Arc::new(keys) as Arc<dyn GameKeys>)))
    }
}

/// Bytes of a sender's message.
fn answer_size() -> MessageSize {
    MessageSize { content: ELEMENTS_BYTES, proof: TICKET_BYTES }
}
