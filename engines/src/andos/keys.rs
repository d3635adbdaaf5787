//! What one player holds for one game after the set-up.

use super::{
    Andos, Proofs,
    asker::{Asker, Setting},
    chained::History,
    hardened,
    plan::Plan,
    public_key::PublicKey,
    receiver::Receiver,
    secret_key::SecretKey,
    sender::Sender,
    teller::Teller,
};
use fog::engine::{BoxedParty, Branch, CommittedState, Engine, Exchange, Fault, Game, GameKeys, MoveStep, Phase, Word};
use rules::{Color, Side, Sight};
use std::sync::Arc;

pub struct AndosKeys {
    pub engine: Andos,
    pub color: Color,
    pub branch: Branch,
    pub game: Game,
    /// Its key, for sights that it gives.
    pub own: Arc<SecretKey>,
    /// The opponent's, for those that it gets.
    pub peer: PublicKey,
    /// Boards that were shown, for the engine that proves them.
    pub history: Arc<History>,
}

impl AndosKeys {
    /// The exchange, its attempt included.
    pub fn id(&self, exchange: &Exchange) -> Word {
        exchange.id(self.engine.about(), &self.game)
    }

    /// The public plan of an exchange.
    pub fn plan(&self, exchange: &Exchange) -> Plan {
        Plan::new(self.engine.strategy(), exchange.phase, exchange.men[exchange.receiver().index()])
    }

    /// What the opening is bound to: the exchange whatever its attempt, since what was promised on chain stays the same.
    pub fn bound(&self, exchange: &Exchange) -> Word {
        self.id(&Exchange { attempt: 0, ..exchange.clone() })
    }

    /// The sender's packets; those of the first phases may be given.
    pub fn teller(&self, exchange: &Exchange, board: &Side, given: Vec<Vec<u8>>) -> Teller {
        let men = exchange.men[exchange.receiver().index()];
        Teller::new(self.plan(exchange), self.own.clone(), &self.branch, &self.bound(exchange), board, men, given)
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
            men: exchange.men[self.color.index()],
            promoted: own.promoted,
            to_move: exchange.phase == Phase::Pre,
            key: self.peer.clone(),
            branch: self.branch.clone(),
            id: self.id(exchange),
        });
        let bound = self.bound(exchange);
        match self.engine.proofs() {
            Proofs::None => Ok(Box::new(Receiver::new(asker, bound, promised))),
            Proofs::OfMessages => Ok(Box::new(hardened::receiver::Receiver::new(asker, bound, promised))),
            Proofs::OfBoards => self.chained_receiver(exchange, asker, promised),
        }
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
        if self.engine.proofs() == Proofs::OfBoards {
            return self.chained_sender(exchange, own);
        }
        let bound = self.bound(exchange);
        let teller = self.teller(exchange, &exchange.board(&own.side), Vec::new());
        if self.engine.proofs() == Proofs::OfMessages {
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
