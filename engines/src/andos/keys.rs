//! What one player holds for one game after the set-up.

use super::{
    Andos,
    asker::{Asker, Setting},
    hardened,
    plan::Plan,
    public_key::PublicKey,
    receiver::Receiver,
    secret_key::SecretKey,
    sender::Sender,
    teller::Teller,
};
use fog::engine::{BoxedParty, Branch, CommittedState, Engine, Exchange, Fault, Game, GameKeys, MoveStep, Phase, Word};
use rules::{Color, Sight};
use std::sync::Arc;

/// A player's keys.
pub struct AndosKeys {
    /// Which engine.
    pub engine: Andos,
    /// The player.
    pub color: Color,
    /// Its secret.
    pub branch: Branch,
    /// The game.
    pub game: Game,
    /// Its key, for sights that it gives.
    pub own: Arc<SecretKey>,
    /// The opponent's, for those that it gets.
    pub peer: PublicKey,
}

impl AndosKeys {
    fn id(&self, exchange: &Exchange) -> Word {
        exchange.id(self.engine.about(), &self.game)
    }

    fn plan(&self, exchange: &Exchange) -> Plan {
        Plan::new(self.engine.strategy(), exchange.phase, exchange.men[exchange.receiver().index()])
    }

    /// What the opening is bound to: the exchange whatever its attempt, since what was promised on chain stays the same.
    fn bound(&self, exchange: &Exchange) -> Word {
        self.id(&Exchange { attempt: 0, ..exchange.clone() })
    }
}

impl GameKeys for AndosKeys {
    fn request(&self, _: &CommittedState) -> Result<Vec<u8>, Fault> {
        Ok(Vec::new())
    }

    fn request_digest(&self, request: &[u8]) -> Result<Word, Fault> {
        let none = request.is_empty().then_some([0; 32]);
        none.ok_or_else(|| Fault::Request("this engine has no requests".into()))
    }

    fn context(&self, exchange: &Exchange, _: &Word) -> Result<Word, Fault> {
        Ok(self.id(exchange))
    }

    fn receiver(
        &self,
        exchange: &Exchange,
        own: &CommittedState,
        promised: Option<Word>,
    ) -> Result<BoxedParty<Sight>, Fault> {
        if exchange.receiver() != self.color {
            return Err(Fault::internal("the sight is the opponent's"));
        }
        let asker = Asker::new(Setting {
            plan: self.plan(exchange),
            board: exchange.board(&own.side),
            promoted: own.promoted,
            to_move: exchange.phase == Phase::Pre,
            key: self.peer.clone(),
            branch: self.branch.clone(),
            id: self.id(exchange),
        });
        let bound = self.bound(exchange);
        Ok(match self.engine.is_hardened() {
            true => Box::new(hardened::receiver::Receiver::new(asker, bound, promised)),
            false => Box::new(Receiver::new(asker, bound, promised)),
        })
    }

    fn sender(
        &self,
        exchange: &Exchange,
        own: &CommittedState,
        request: &[u8],
    ) -> Result<(BoxedParty<()>, Word), Fault> {
        self.request_digest(request)?;
        if exchange.sender() != self.color {
            return Err(Fault::internal("the sight is the own one"));
        }
        let bound = self.bound(exchange);
        let men = exchange.men[exchange.receiver().index()];
        let board = exchange.board(&own.side);
        let teller = Teller::new(self.plan(exchange), self.own.clone(), &self.branch, &bound, &board, men);
        if self.engine.is_hardened() {
            let id = self.id(exchange);
            let (sender, digest) = hardened::sender::Sender::new(teller, &bound, self.branch.clone(), id);
            return Ok((Box::new(sender), digest));
        }
        let (sender, digest) = Sender::new(teller, &bound);
        Ok((Box::new(sender), digest))
    }

    fn prove_move(&self, _: &MoveStep) -> Result<Vec<u8>, Fault> {
        Ok(Vec::new())
    }
}

fog::redacted!(AndosKeys);
