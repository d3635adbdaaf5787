//! What a seat wants carried out, until it is in a block or has failed, as the client's runtime and its sender go about it.

use super::super::World;
use super::Wished;
use ::chain::SendError;
use ::chain::send::{Answer, Call, Entry, Failure, Request, Subject, TxId, TxStatus};
use alloy::primitives::keccak256;
use client::chain::{ChainError, priority, subject};
use client::runtime::event_of_failure;
use game::Transaction;

impl World {
    /// Whether a player's sender has anything to do.
    pub(in super::super) fn may_send(&self, i: usize) -> bool {
        self.backend.as_ref().is_some_and(|backend| {
            let connection = &backend.connections[i];
            let has_work = !connection.wishes.is_empty() || !connection.disk.is_idle(&backend.rules(i));
            has_work
                && connection.idle_at != Some((backend.node.changes(), connection.revision, connection.wishes.len()))
        })
    }

    /// A player's sender looks after what is under way, and brings on its way what is wanted.
    pub(in super::super) fn send_below(&mut self, i: usize) {
        let backend = self.backend();
        let (changes, faults) = (backend.node.changes(), self.faults.total());
        let lives = self.connection(i).lives;
        self.look_after(i);
        for wished in self.connection(i).wishes.clone() {
            // What a process wanted that was killed meanwhile, nobody wants any more.
            if self.connection(i).lives != lives {
                return;
            }
            let done = match wished.ticket {
                Some(_) => self.settle_wish(i, &wished),
                None => self.want(i, &wished),
            };
            let is_alive = self.connection(i).lives == lives;
            if let Some(result) = done.filter(|_| is_alive) {
                self.connection(i).wishes.retain(|known| known.transaction != wished.transaction);
                let failed = result.err().and_then(|error| event_of_failure(wished.transaction, &error));
                if let Some(event) = failed {
                    self.tell(i, event);
                }
            }
        }
        // What has failed is tried again without a new block.
        let is_calm = self.faults.total() == faults;
        let connection = self.connection(i);
        connection.idle_at = (is_calm && !connection.disk.has_unsent()).then_some((
            changes,
            connection.revision,
            connection.wishes.len(),
        ));
    }

    fn of_wish(&mut self, i: usize, transaction: &Transaction) -> Request {
        let game = self.chain.game.game_id;
        let call = self.backend().node.call(i, transaction);
        Request { call, subject: subject(game, transaction), priority: priority(transaction) }
    }

    fn set_ticket(&mut self, i: usize, wished: &Wished, ticket: Option<TxId>) {
        if let Some(known) = self.connection(i).wishes.iter_mut().find(|known| known.transaction == wished.transaction)
        {
            known.ticket = ticket;
        }
    }

    /// What became of a transaction that has its nonce; none while it is on its way.
    fn settle_wish(&mut self, i: usize, wished: &Wished) -> Option<Result<(), ChainError>> {
        match wished.ticket.and_then(|ticket| self.connection(i).disk.status(ticket)) {
            Some(TxStatus::UnderWay) => None,
            Some(TxStatus::Mined(mined)) if mined.succeeded => Some(Ok(())),
            Some(TxStatus::Mined(mined)) => {
                let transaction = mined.transaction;
                let node = &self.backend().node;
                let found = node.find(node.view(0), &transaction);
                let reason = found.and_then(|(_, included)| included.refusal.clone());
                Some(Err(ChainError::Failed { transaction, reason }))
            }
            None | Some(TxStatus::Failed(Failure::Overtaken)) => {
                self.set_ticket(i, wished, None);
                self.want(i, wished)
            }
            Some(TxStatus::Failed(Failure::Refused(reason) | Failure::CannotPay(reason))) => {
                Some(Err(SendError::GivenUp(reason).into()))
            }
            Some(TxStatus::Failed(Failure::TakenBack)) => {
                Some(Err(SendError::GivenUp("the chain has taken its position back".to_owned()).into()))
            }
        }
    }

    /// Brings a wish on its way, or finds it there. An error is its end; none if it is under way, or must be wanted again.
    fn want(&mut self, i: usize, wished: &Wished) -> Option<Result<(), ChainError>> {
        if self.connection(i).watching.node.is_held() {
            return None;
        }
        let wish = self.of_wish(i, &wished.transaction);
        let rules = self.backend().rules(i);
        let facts = self.facts(i)?;
        let mut ledger = self.connection(i).disk.clone();
        if !facts.pool.is_empty() {
            // What another machine has sent is taken over first.
            let effects = ledger.on_block(&rules, &facts);
            self.perform(i, ledger, effects);
            return None;
        }
        let is_under_way = |entry: &&Entry| entry.status() == TxStatus::UnderWay;
        let contradicts = ledger.entries().iter().filter(is_under_way).any(|entry| entry.request().contradicts(&wish));
        let signs_twice = self.connection(i).defect.signs_twice;
        if contradicts && !signs_twice {
            return Some(Err(self.other_move(i, wish.call)));
        }
        let known = ledger.same(&wish).and_then(|ticket| ledger.entry(ticket));
        if known.is_none_or(|known| known.status() != TxStatus::UnderWay)
            && let Err(error) = self.estimate(i, &wish)
        {
            return Some(Err(error));
        }
        let mut wish = wish;
        if let Subject::Exclusive(key) = &mut wish.subject
            && signs_twice
        {
            // As if it were the move of another ply.
            key.number += 1_000 + u16::from(keccak256(&wish.call.input)[0]);
        }
        let (answer, effects) = ledger.want(&rules, &wish, &facts);
        if !self.perform(i, ledger, effects) {
            return None;
        }
        match answer {
            Answer::Assigned(ticket) | Answer::Known(ticket) => {
                self.set_ticket(i, wished, Some(ticket));
                None
            }
            Answer::Wait => None,
            Answer::Contradicts => Some(Err(self.other_move(i, wish.call))),
        }
    }

    fn other_move(&mut self, i: usize, call: Call) -> ChainError {
        self.faults.add("other moves of a ply refused");
        if self.connection(i).is_unbound {
            self.sign_another(i, call);
        }
        SendError::Contradicts.into()
    }

    /// A refusal of the contract is found out before anything is sent. Of a move, after the latest block; of anything else, as if it were in
    /// the next one.
    fn estimate(&mut self, i: usize, wish: &Request) -> Result<(), ChainError> {
        let (view, now) = (self.draw_view(), self.chain.now);
        let node = &self.backend.as_ref().expect("a deep world").node;
        let at = if wish.is_exclusive() { node.block(view).header.time } else { now };
        let trial = node.trial(view, i, &wish.call, at);
        trial.map(drop).map_err(|refusal| {
            self.faults.add("estimates refused");
            ChainError::Refused(refusal)
        })
    }
}
