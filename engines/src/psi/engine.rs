//! What engines over private set intersection have in common: a seed commitment as registration, no set-up, no requests, no proofs of
//! moves. A [`Protocol`] is the rest.

#[cfg(test)]
use super::layout::Layout;
use super::{protocol::Protocol, receiver::Receiver, secrets::Own, sender::Sender};
use crate::replay::{Accountable, registered};
use fog::engine::{
    About, BoxedParty, Branch, CommittedState, Engine, Exchange, Fault, Game, GameKeys, Ready, Seed, Word,
};
use rules::{Color, Sight};
use std::sync::Arc;

/// The engine of a protocol.
pub struct SetEngine<P>(Arc<P>);

impl<P: Default> Default for SetEngine<P> {
    fn default() -> Self {
        Self(Arc::new(P::default()))
    }
}

impl<P: Protocol> SetEngine<P> {
    pub const ABOUT: &'static About = &P::ABOUT;

    /// The engine of a protocol.
    pub fn new(protocol: P) -> Self {
        Self(Arc::new(protocol))
    }

    #[cfg(test)]
    pub(super) const LAYOUT: &'static Layout = &P::LAYOUT;

    #[cfg(test)]
    pub(super) fn protocol(&self) -> &Arc<P> {
        &self.0
    }
}

impl<P: Protocol> Accountable for SetEngine<P> {
    fn by_branch(&self, color: Color, branch: Branch, game: &Game) -> BoxedParty<Arc<dyn GameKeys>> {
        let (protocol, game) = (self.0.clone(), game.clone());
        Box::new(Ready(Arc::new(Keys { protocol, color, branch, game }) as Arc<dyn GameKeys>))
    }
}

impl<P: Protocol> Engine for SetEngine<P> {
    fn about(&self) -> &About {
        Self::ABOUT
    }

    fn set_up(&self, color: Color, seed: &Seed, game: &Game) -> Result<BoxedParty<Arc<dyn GameKeys>>, Fault> {
        Ok(self.by_branch(color, registered(Self::ABOUT, color, seed, game)?, game))
    }
}

/// One player's part of one game.
struct Keys<P> {
    protocol: Arc<P>,
    color: Color,
    branch: Branch,
    game: Game,
}

impl<P: Protocol> Keys<P> {
    fn own(&self, exchange: &Exchange, state: &CommittedState) -> Result<Own, Fault> {
        fog::ensure!(state.side.color == self.color, Fault::internal("the board is the opponent's"));
        Ok(Own {
            exchange: exchange.clone(),
            state: state.clone(),
            id: exchange.id(SetEngine::<P>::ABOUT, &self.game),
            branch: self.branch.clone(),
        })
    }
}

impl<P: Protocol> GameKeys for Keys<P> {
    fn context(&self, exchange: &Exchange, _: &Word) -> Result<Word, Fault> {
        Ok(exchange.id(SetEngine::<P>::ABOUT, &self.game))
    }

    fn receiver(
        &self,
        exchange: &Exchange,
        own: &CommittedState,
        promised: Option<Word>,
    ) -> Result<BoxedParty<Sight>, Fault> {
        fog::ensure!(exchange.receiver() == self.color, Fault::internal("the sight is the opponent's"));
        Ok(Box::new(Receiver::new(self.protocol.clone(), self.own(exchange, own)?, promised)))
    }

    fn sender(
        &self,
        exchange: &Exchange,
        own: &CommittedState,
        request: &[u8],
    ) -> Result<(BoxedParty<()>, Word), Fault> {
        fog::ensure!(exchange.sender() == self.color, Fault::internal("the sight is the own one"));
        self.request_digest(request)?;
        let known = self.own(exchange, own)?;
        let (board, phase) = (known.board(), known.phase());
        let (set, exact) = (P::set(&board, phase), P::exact(&board, phase));
        let (sender, digest) = Sender::new(self.protocol.clone(), known, &set, exact)?;
        Ok((Box::new(sender), digest))
    }
}
