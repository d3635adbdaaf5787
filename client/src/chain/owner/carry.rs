//! A wish from its estimate to its block.

use super::Owner;
use crate::chain::ChainError;
use crate::sender::{Answer, Call, Facts, Failure, Fate, Ledger, Mined, Priority, Rules, Subject, Ticket, Wish};
use alloy::eips::BlockId;
use alloy::primitives::B256;
use alloy::rpc::types::TransactionRequest;
use std::sync::Arc;
use std::time::Instant;

/// Gas allowed above the estimate, in percent: state may change between the estimate and the block.
pub const GAS_MARGIN_PERCENT: u64 = 20;

impl Owner {
    /// Has a call made; waits until it is in a block. What was signed stays under way when this gives up waiting.
    pub async fn carry_out(
        self: &Arc<Self>,
        request: &TransactionRequest,
        subject: Subject,
        priority: Priority,
    ) -> Result<(Ticket, Mined), ChainError> {
        let start = Instant::now();
        let to = request.to.unwrap_or_default();
        let (value, input) = (request.value.unwrap_or_default(), request.input.input().cloned().unwrap_or_default());
        let call = Call { to, value, input, gas: 0 };
        let wish = Wish { call, subject, priority };
        loop {
            let ticket = self.want(&wish, start).await?;
            if let Some(mined) = self.settled(ticket, start).await? {
                return Ok((ticket, mined));
            }
        }
    }

    /// Waits for the fate of a wish; none if another transaction has taken its nonce.
    pub async fn settled(self: &Arc<Self>, ticket: Ticket, start: Instant) -> Result<Option<Mined>, ChainError> {
        loop {
            // A node that fails is asked again: what is on its way is not lost by that.
            let looked = self.look_after().await;
            let ledger = self.ledger()?;
            let entry = ledger.entry(ticket);
            match entry.map(|entry| entry.fate()) {
                Some(Fate::Mined(mined)) => return Ok(Some(mined)),
                None | Some(Fate::Failed(Failure::Overtaken)) => return Ok(None),
                Some(Fate::Failed(Failure::CannotPay(message))) => {
                    let call = entry.map(|entry| &entry.wish().call);
                    return Err(self.cannot_pay(call, message).await);
                }
                // What was signed may be included until its nonce is used up: it is not refused for certain.
                Some(Fate::Failed(Failure::Refused(reason))) => return Err(ChainError::GivenUp(reason)),
                Some(Fate::Failed(Failure::TakenBack)) => {
                    return Err(ChainError::GivenUp("the chain has taken its position back".to_owned()));
                }
                Some(Fate::UnderWay) => {}
            }
            let waited = start.elapsed();
            if waited > self.timeout {
                let last = entry.and_then(|entry| entry.versions().last()).map(|version| version.hash);
                let transaction = last.unwrap_or_default();
                return Err(looked.err().unwrap_or(ChainError::NotConfirmed {
                    transaction,
                    waited,
                    refusal: self.refusal(),
                }));
            }
            tokio::time::sleep(self.poll).await;
        }
    }

    /// Brings a wish on its way, or finds it there.
    async fn want(self: &Arc<Self>, wish: &Wish, start: Instant) -> Result<Ticket, ChainError> {
        loop {
            // Whatever is wished, the ledger would look after all that was signed for another chain.
            fog::ensure!(!self.is_held(), ChainError::Held);
            let (revision, ledger) = self.store.read()?;
            let head = self.node.head().await?;
            let facts = self.node.facts(&self.rules, &ledger, &head).await?;
            if !facts.pool.is_empty() {
                // What another machine has sent is taken over first: the wish may be the same, or contradict it.
                self.learn(revision, facts).await?;
                continue;
            }
            let mut under_way = ledger.entries().iter().filter(|entry| entry.fate() == Fate::UnderWay);
            fog::ensure!(!under_way.any(|entry| entry.wish().contradicts(wish)), ChainError::OtherMove);
            let mut wish = wish.clone();
            let known = ledger.same(&wish).and_then(|ticket| ledger.entry(ticket));
            wish.call.gas = match known.filter(|known| known.fate() == Fate::UnderWay) {
                Some(known) => known.wish().call.gas,
                // Also after a move of this ply was made: the contract refuses a second one by name, unless a fork has taken the first
                // back; then the ledger knows.
                None => self.gas(&wish).await?,
            };
            let must_not_be_twice = wish.is_harmful_twice();
            let change = move |ledger: &mut Ledger, rules: &Rules| ledger.want(rules, &wish, &facts);
            // Another process may have been quicker: then everything is asked anew.
            let Some((answer, outgoing)) = self.change(Some(revision), change).await? else {
                continue;
            };
            self.send(outgoing).await?;
            match answer {
                Answer::Assigned(ticket) | Answer::Known(ticket) => return Ok(ticket),
                Answer::OtherMove => return Err(ChainError::OtherMove),
                Answer::Wait => {
                    let why = if must_not_be_twice { ChainError::BeingReplaced } else { ChainError::Unknown };
                    fog::ensure!(start.elapsed() <= self.timeout, why);
                    tokio::time::sleep(self.poll).await;
                }
            }
        }
    }

    /// The chain was taken back deeper than its final blocks: see [`Ledger::give_up_moves`].
    pub async fn give_up_moves(self: &Arc<Self>, game: B256) -> Result<(), ChainError> {
        let change = move |ledger: &mut Ledger, _: &Rules| {
            ledger.give_up_moves(game);
            ((), Vec::new())
        };
        self.change(None, change).await.map(|_| ())
    }

    /// Takes over what the node has of this account and the record hasn't: what was sent from another machine, or before the record
    /// was lost.
    pub async fn take_over(self: &Arc<Self>) -> Result<(), ChainError> {
        fog::ensure!(!self.is_held(), ChainError::Held);
        let (revision, ledger) = self.store.read()?;
        let head = self.node.head().await?;
        let facts = self.node.facts(&self.rules, &ledger, &head).await?;
        self.learn(revision, facts).await
    }

    /// Tells the ledger what the chain says, unless another process was quicker.
    async fn learn(self: &Arc<Self>, revision: u64, facts: Facts) -> Result<(), ChainError> {
        let on_block = move |ledger: &mut Ledger, rules: &Rules| ((), ledger.on_block(rules, &facts));
        if let Some(((), outgoing)) = self.change(Some(revision), on_block).await? {
            self.send(outgoing).await?;
        }
        Ok(())
    }

    /// The gas that a wish may use. A refusal of the contract is found out here, and nothing is sent.
    async fn gas(&self, wish: &Wish) -> Result<u64, ChainError> {
        // A move of this ply that only the mempool has must not make this one look late.
        let at = if wish.is_move() { BlockId::latest() } else { BlockId::pending() };
        let estimate = self.node.estimate(self.rules.account, &wish.call, at).await;
        let estimate = match estimate {
            Err(ChainError::CannotPay { message, .. }) => return Err(self.cannot_pay(Some(&wish.call), message).await),
            estimate => estimate?,
        };
        Ok(estimate.saturating_add(estimate / 100 * GAS_MARGIN_PERCENT))
    }

    /// That the account can't pay for a call, with what it has and what it needs; in the node's words if that isn't it, or can't be found out.
    async fn cannot_pay(&self, call: Option<&Call>, words: String) -> ChainError {
        let account = self.rules.account;
        let shortage = match call {
            Some(call) => self.node.shortage(account, call).await.ok().flatten(),
            None => None,
        };
        ChainError::CannotPay { account, message: shortage.unwrap_or(words) }
    }
}
