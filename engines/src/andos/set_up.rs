//! The set-up: each player sends its public key, White first.

use super::{
    Andos,
    keys::AndosKeys,
    public_key::{PUBLIC_KEY, PublicKey},
    random::StreamKey,
    secret_key::SecretKey,
};
use fog::engine::{Branch, Fault, Game, GameKeys, MessageSize, Party, Step, Work};
use rules::Color;
use std::sync::Arc;

/// A player's part.
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

    fn keys(&self, own: &Arc<SecretKey>, message: &[u8]) -> Result<Arc<dyn GameKeys>, Fault> {
        let index = (!self.color).index();
        let bytes = message.try_into().map_err(Fault::internal)?;
        let peer = PublicKey::from_bytes(bytes);
        let peer = peer.map_err(|cause| Fault::Malformed { index, cause: cause.into() })?;
        Ok(Arc::new(AndosKeys {
            engine: self.engine,
            color: self.color,
            branch: self.branch.clone(),
            game: self.game.clone(),
            own: own.clone(),
            peer,
        }))
    }
}

impl Party for SetUp {
    type Output = Arc<dyn GameKeys>;

    fn shape(&self) -> Vec<MessageSize> {
        vec![MessageSize::of(PUBLIC_KEY); 2]
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<Arc<dyn GameKeys>>, Fault> {
        let make =
            || Arc::new(SecretKey::generate(&StreamKey::derive(&self.branch, [&b"key"[..], &self.game.game_id])));
        let own = self.own.clone().unwrap_or_else(make);
        let message = own.public().to_bytes().to_vec();
        let step = match (received, self.color) {
            (None, Color::White) => Step::send(message),
            (None, Color::Black) => Step::WAIT,
            (Some(theirs), Color::White) => Step::output(self.keys(&own, theirs)?),
            (Some(theirs), Color::Black) => Step::send(message).with_output(self.keys(&own, theirs)?),
        };
        self.own = Some(own);
        Ok(step)
    }

    fn work(&self) -> Work {
        Work::default()
    }
}
