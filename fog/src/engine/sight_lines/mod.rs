//! The flagship engine: the labelled private set intersection over sight-lines (protocol section 5), every move and every answer
//! proven.
//!
//! The request stands from an own move to the next: 64 points, 4,096 bytes. An exchange has one message, the sender's: 733
//! elements, 23,456 bytes, then the proof. The set-up has none: both players registered their fog keys. [`answer`], [`open`] and
//! [`request`] are the cryptography without the machine around it.

pub mod answer;
pub mod context;
pub mod geometry;
mod key_ring;
mod keys;
mod on_chain;
pub mod open;
mod proofs;
mod receiver;
pub mod request;
mod secrets;
mod sender;

pub use proofs::Proofs;
pub use secrets::{RequestScalars, fog_secret, request_key};

use super::{About, BoxedParty, Claims, Engine, Fault, Game, GameKeys, MessageSize, Ready, Registration, Seed, Trust};
use key_ring::KeyRing;
use rules::Color;
use std::sync::Arc;

/// The engine's name, in lists and on chain.
pub const NAME: &str = "sight-lines";

/// The engine, with the proof system that makes and checks its proofs.
pub struct SightLines<P> {
    proofs: Arc<P>,
    about: About,
}

impl<P: Proofs> SightLines<P> {
    /// The engine with a proof system.
    pub fn new(proofs: Arc<P>) -> Self {
        let about = About {
            name: NAME,
            trust: Trust::Malicious,
            caveat: "an opponent may withhold its answer; proofs are as sound as the KZG parameters are secret",
            claims: Claims {
                proven: "every move and every answer, from the committed boards",
                cheating_receiver: "nothing: what its pieces don't see can't be opened",
                cheating_sender: "nothing: a false answer is refused, a withheld one demanded through the chain or the game lost",
                security: "126 bits, Diffie–Hellman in Grumpkin; proofs by KZG over BN254",
            },
            max_message: answer_size(&*proofs).total().max(request::REQUEST_BYTES),
        };
        Self { proofs, about }
    }
}

crate::redacted!(SightLines<P>);

impl<P: Proofs + 'static> Engine for SightLines<P> {
    fn about(&self) -> &About {
        &self.about
    }

    /// The fog key, two big-endian words.
    fn register(&self, seed: &Seed) -> Registration {
        fog_secret(seed).key().to_bytes()
    }

    fn set_up(&self, color: Color, seed: &Seed, game: &Game) -> Result<BoxedParty<Arc<dyn GameKeys>>, Fault> {
        let keys = KeyRing::new(self.proofs.clone(), color, seed, game)?;
        Ok(Box::new(Ready(Arc::new(keys) as Arc<dyn GameKeys>)))
    }
}

/// Bytes of a sender's message.
fn answer_size(proofs: &dyn Proofs) -> MessageSize {
    MessageSize { content: answer::ANSWER_BYTES, proof: proofs.answer_proof_bytes() }
}
