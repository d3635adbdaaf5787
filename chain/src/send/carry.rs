//! A request from its estimate to its block.

use super::{Answer, Facts, Failure, Ledger, Mined, Request, Rules, SendError, Sender, TxId, TxStatus};
use crate::TxNode;
use alloy::eips::BlockId;
use alloy::primitives::B256;
use std::sync::Arc;
use std::time::Instant;

/// Gas allowed above the estimate, in percent: state may change between the estimate and the block.
pub const GAS_MARGIN_PERCENT: u64 = 20;

impl<N: TxNode + 'static> Sender<N> {
    /// Has a request carried out; waits until it is in a block. What was signed stays under way when this gives up waiting.
    pub async fn send(self: &Arc<Self>, request: &Request) -> Result<(TxId, Mined), SendError> {
        let start = self.node.now();
        loop {
            let id = self.want(request, start).await?;
            if let Some(mined) = self.settled(id, start).await? {
                return Ok((id, mined));
            }
        }
    }

    /// Waits for the status of a request; none if another transaction has taken its nonce.
    pub async fn settled(self: &Arc<Self>, id: TxId, start: Instant) -> Result<Option<Mined>, SendError> {
        loop {
            // A node that fails is asked again: what is on its way is not lost by that.
            let looked = self.poll().await;
            let ledger = self.ledger()?;
            let entry = ledger.entry(id);
            match entry.map(|entry| entry.status()) {
                Some(TxStatus::Mined(mined)) => return Ok(Some(mined)),
                None | Some(TxStatus::Failed(Failure::Overtaken)) => return Ok(None),
                Some(TxStatus::Failed(Failure::CannotPay(message))) => {
                    let call = entry.map(|entry| &entry.request.call);
                    return Err(self.cannot_pay(call, message).await);
                }
                // What was signed may be included until its nonce is used up: it is not refused for certain.
                Some(TxStatus::Failed(Failure::Refused(reason))) => return Err(SendError::GivenUp(reason)),
                Some(TxStatus::Failed(Failure::TakenBack)) => {
                    return Err(SendError::GivenUp("the chain has taken its position back".to_owned()));
                }
                Some(TxStatus::UnderWay) => {}
            }
            let waited = self.node.now().saturating_duration_since(start);
            if waited > self.config.timeout {
                let last = entry.and_then(|entry| entry.attempts.last()).map(|attempt| attempt.hash);
                let transaction = last.unwrap_or_default();
                return Err(looked.err().unwrap_or(SendError::NotConfirmed {
                    transaction,
                    waited,
                    refusal: self.refusal(),
                }));
            }
            self.node.pause(self.config.poll).await;
        }
    }

    /// Brings a request on its way, or finds it there.
    async fn want(self: &Arc<Self>, request: &Request, start: Instant) -> Result<TxId, SendError> {
        loop {
            // Whatever is requested, the ledger would look after all that was signed for another chain.
            self.check_held()?;
            let (revision, ledger) = self.store.read()?;
            let head = self.head().await?;
            let facts = self.facts(&ledger, &head).await?;
            if !facts.pool.is_empty() {
                // What another machine has sent is taken over first: the request may be the same, or contradict it.
                self.learn(revision, facts).await?;
                continue;
            }
            let mut under_way = ledger.entries().iter().filter(|entry| entry.status() == TxStatus::UnderWay);
            ensure!(!under_way.any(|entry| entry.request.contradicts(request)), SendError::Contradicts);
            let mut request = request.clone();
            let known = ledger.same(&request).and_then(|id| ledger.entry(id));
            request.call.gas = match known.filter(|known| known.status() == TxStatus::UnderWay) {
                Some(known) => known.request.call.gas,
                // Also after a move of this ply was made: the contract refuses a second one by name, unless a fork has taken the first
                // back; then the ledger knows.
                None => self.gas(&request).await?,
            };
            let must_not_be_twice = request.is_harmful_twice();
            let change = move |ledger: &mut Ledger, rules: &Rules| ledger.want(rules, &request, &facts);
            // Another process may have been quicker: then everything is asked anew.
            let Some((answer, outgoing)) = self.change(Some(revision), change).await? else {
                continue;
            };
            self.broadcast(outgoing).await?;
            match answer {
                Answer::Assigned(id) | Answer::Known(id) => return Ok(id),
                Answer::Contradicts => return Err(SendError::Contradicts),
                Answer::Wait => {
                    let why = if must_not_be_twice { SendError::BeingReplaced } else { SendError::Unknown };
                    ensure!(self.node.now().saturating_duration_since(start) <= self.config.timeout, why);
                    self.node.pause(self.config.poll).await;
                }
            }
        }
    }

    /// The chain was taken back deeper than its final blocks: see [`Ledger::give_up`].
    pub async fn give_up(self: &Arc<Self>, topic: B256) -> Result<(), SendError> {
        let change = move |ledger: &mut Ledger, _: &Rules| {
            ledger.give_up(topic);
            ((), Vec::new())
        };
        self.change(None, change).await.map(|_| ())
    }

    /// Takes over what the node has of this account and the record hasn't: what was sent from another machine, or before the record
    /// was lost.
    pub async fn take_over(self: &Arc<Self>) -> Result<(), SendError> {
        self.check_held()?;
        let (revision, ledger) = self.store.read()?;
        let head = self.head().await?;
        let facts = self.facts(&ledger, &head).await?;
        self.learn(revision, facts).await
    }

    /// Tells the ledger what the chain says, unless another process was quicker.
    async fn learn(self: &Arc<Self>, revision: u64, facts: Facts) -> Result<(), SendError> {
        let on_block = move |ledger: &mut Ledger, rules: &Rules| ((), ledger.on_block(rules, &facts));
        if let Some(((), outgoing)) = self.change(Some(revision), on_block).await? {
            self.broadcast(outgoing).await?;
        }
        Ok(())
    }

    /// The gas that a request may use. A refusal of the contract is found out here, and nothing is sent.
    async fn gas(&self, request: &Request) -> Result<u64, SendError> {
        // What is exclusive must not look late because of what only the mempool has.
        let at = if request.is_exclusive() { BlockId::latest() } else { BlockId::pending() };
        match self.node.estimate(self.rules.account, &request.call, at).await {
            Ok(estimate) => Ok(estimate.saturating_add(estimate / 100 * GAS_MARGIN_PERCENT)),
            Err(SendError::CannotPay { message, .. }) => Err(self.cannot_pay(Some(&request.call), message).await),
            Err(error) => Err(error),
        }
    }

    fn check_held(&self) -> Result<(), SendError> {
        if self.is_held() { Err(SendError::Held) } else { Ok(()) }
    }
}
