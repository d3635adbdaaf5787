//! The set-up: each player sends its public key, White first; in the hardened engine with the proof that it is well formed.

use super::{
    Andos, Proofs,
    keys::AndosKeys,
    proof::key::{self, KEY_PROOF},
    public_key::{PUBLIC_KEY, PublicKey},
    random::StreamKey,
    secret_key::SecretKey,
};
use fog::engine::{Branch, Fault, Game, GameKeys, MessageSize, Party, Step, Word, digest};
use rules::Color;
use std::sync::Arc;

pub struct SetUp {
    engine: Andos,
    color: Color,
    branch: Branch,
    game: Game,
    /// The own key, once it is made.
    own: Option<Arc<SecretKey>>,
}

impl SetUp {
    /// Before the own key is made.
    pub fn new(engine: Andos, color: Color, branch: Branch, game: Game) -> Self {
        Self { engine, color, branch, game, own: None }
    }

    /// What a proof of a player's key is bound to.
    fn context(&self, color: Color) -> Word {
        digest([&self.game.contract[..], &self.game.game_id, &[color as u8], self.game.registered(color)])
    }

    fn proof_bytes(&self) -> usize {
        if self.engine.proofs != Proofs::None { KEY_PROOF } else { 0 }
    }

    fn message(&self, own: &SecretKey) -> Vec<u8> {
        let mut message = own.public().to_bytes().to_vec();
        if self.engine.proofs != Proofs::None {
            message.extend(key::prove(own, &self.context(self.color)));
        }
        message
    }

    fn keys(&self, own: &Arc<SecretKey>, message: &[u8]) -> Result<Arc<dyn GameKeys>, Fault> {
        let index = (!self.color).index();
        let (peer, proof) = message.split_at(PUBLIC_KEY);
        let peer = PublicKey::from_bytes(peer.try_into().map_err(Fault::internal)?);
        let peer = peer.map_err(|cause| Fault::malformed(index, cause))?;
        if self.engine.proofs != Proofs::None {
            let verified = key::verify(&peer, &self.context(!self.color), proof);
            verified.map_err(|cause| Fault::unproven(index, cause))?;
        }
        Ok(Arc::new(AndosKeys {
            engine: self.engine,
            color: self.color,
            branch: self.branch.clone(),
            game: self.game.clone(),
            own: own.clone(),
            peer,
            history: Arc::default(),
        }))
    }
}

impl Party for SetUp {
    type Output = Arc<dyn GameKeys>;

    fn shape(&self) -> Vec<MessageSize> {
        vec![MessageSize { content: PUBLIC_KEY, proof: self.proof_bytes() }; 2]
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<Arc<dyn GameKeys>>, Fault> {
        let make =
            || Arc::new(SecretKey::generate(&StreamKey::derive(&self.branch, [&b"key"[..], &self.game.game_id])));
        let own = self.own.clone().unwrap_or_else(make);
        let step = match (received, self.color) {
            (None, Color::White) => Step::send(self.message(&own)),
            (None, Color::Black) => Step::WAIT,
            (Some(theirs), Color::White) => Step::output(self.keys(&own, theirs)?),
            (Some(theirs), Color::Black) => {
                let keys = self.keys(&own, theirs)?;
                Step::send(self.message(&own)).with_output(keys)
            }
        };
        self.own = Some(own);
        Ok(step)
    }
}
