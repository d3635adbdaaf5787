//! What one player holds for one game after the set-up.

use super::{
    Andos, Proofs,
    messages::Messages,
    plan::{Kind, Plan},
    proof::{
        board::{BoardProof, BoardSize},
        chain::{Advance, Chain, Change},
        history::{self, History, Shown},
    },
    public_key::PublicKey,
    query::{Query, Setting},
    random::StreamKey,
    receiver::{self, Receiver},
    reply::{Reply, codes},
    secret_key::SecretKey,
    sender::{self, Sender},
};
use fog::engine::{BoxedParty, Branch, CommittedState, Exchange, Fault, Game, GameKeys, Phase, Word};
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
        exchange.id(self.engine.about, &self.game)
    }

    /// The public plan of an exchange.
    pub fn plan(&self, exchange: &Exchange) -> Plan {
        Plan::new(self.engine.strategy, exchange.phase, exchange.men[exchange.receiver().index()])
    }

    /// What the opening is bound to: the exchange whatever its attempt, since what was promised on chain stays the same.
    pub fn bound(&self, exchange: &Exchange) -> Word {
        self.id(&Exchange { attempt: 0, ..exchange.clone() })
    }

    /// What is public of an exchange's messages.
    fn messages(&self, exchange: &Exchange) -> Messages {
        let proofs = self.engine.proofs;
        let men = exchange.men[exchange.sender().index()].into();
        let board = (proofs == Proofs::OfBoards).then(|| BoardSize { men, moved: history::moves(exchange) });
        Messages { plan: self.plan(exchange), proven: proofs != Proofs::None, board }
    }

    /// The own board as the next of the chain, and its proof. Slow: a second.
    fn board_proof(&self, exchange: &Exchange, board: &Side) -> Result<(Chain, BoardProof), Fault> {
        let bound = self.bound(exchange);
        let randomness = |purpose: &[u8]| StreamKey::derive(&self.branch, [purpose, &bound]);
        let Shown { chain: before, board: shown } = self.history.own_before(self.own.public(), self.color, exchange)?;
        let none = || Fault::internal("no move leads from the board that was shown last to this one");
        let mut advance = None;
        if history::moves(exchange) {
            let change = Change::between(&shown, board).ok_or_else(none)?;
            advance = Some(Advance::new(&self.own, &before, &change, &randomness(b"move")));
        } else if shown.pieces != board.pieces {
            return Err(none());
        }
        let chain = advance.as_ref().map_or(before, |advance| advance.next.clone());
        let codes = codes(Kind::General, board);
        let proof = BoardProof::new(&self.own, &chain, &codes, advance, &randomness(b"board"));
        Ok((chain, proof))
    }
}

impl GameKeys for AndosKeys {
    fn context(&self, exchange: &Exchange, _: &Word) -> Result<Word, Fault> {
        Ok(self.id(exchange))
    }

    fn receiver(
        &self,
        exchange: &Exchange,
        own: &CommittedState,
        promised: Option<Word>,
    ) -> Result<BoxedParty<Sight>, Fault> {
        fog::ensure!(exchange.receiver() == self.color, Fault::internal("the sight is the opponent's"));
        let query = Query::new(Setting {
            plan: self.plan(exchange),
            board: exchange.board(&own.side),
            men: exchange.men[self.color.index()],
            promoted: own.promoted,
            to_move: exchange.phase == Phase::Pre,
            key: self.peer.clone(),
            branch: self.branch.clone(),
            id: self.id(exchange),
        });
        let proofs = match self.engine.proofs {
            Proofs::None => None,
            Proofs::OfMessages => Some(receiver::Proofs::default()),
            Proofs::OfBoards => {
                let before = self.history.peer_before(&self.peer, exchange)?;
                Some(receiver::Proofs::of_board(before, exchange.clone(), self.history.clone()))
            }
        };
        Ok(Box::new(Receiver::new(query, self.messages(exchange), self.bound(exchange), promised, proofs)))
    }

    fn sender(
        &self,
        exchange: &Exchange,
        own: &CommittedState,
        request: &[u8],
    ) -> Result<(BoxedParty<()>, Word), Fault> {
        self.request_digest(request)?;
        fog::ensure!(exchange.sender() == self.color, Fault::internal("the sight is the own one"));
        let (bound, board, messages) = (self.bound(exchange), exchange.board(&own.side), self.messages(exchange));
        let proven = messages.board.map(|_| self.board_proof(exchange, &board)).transpose()?;
        // The first two phases' packets are proven to be the board's.
        let given = proven.iter().flat_map(|(chain, proof)| [chain.packet.clone(), proof.pawn_packet().to_vec()]);
        let men = exchange.men[exchange.receiver().index()];
        let plan = self.plan(exchange);
        let reply = Reply::new(plan, self.own.clone(), &self.branch, &bound, &board, men, given.collect());
        let board_proof = proven.map(|(chain, proof)| {
            self.history.show(exchange, Shown { chain, board });
            proof
        });
        let proofs = messages.proven.then(|| sender::Proofs::new(self.branch.clone(), self.id(exchange), board_proof));
        let (sender, digest) = Sender::new(reply, messages, &bound, proofs);
        Ok((Box::new(sender), digest))
    }
}

fog::redacted!(AndosKeys);
