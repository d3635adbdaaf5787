//! The owner of a wallet's transactions at work: asks the node what its ledger wants to know, signs, writes, and sends. What is to be
//! done is decided by the machine in [`crate::sender`]; the ledger is shared with the other processes of the wallet.

mod node;
mod store;
mod words;

use super::error::ChainError;
use crate::sender::{Answer, Call, Effect, Failure, Fate, Fees, Ledger, Mined, Priority, Rules, Subject, Ticket, Wish};
use alloy::consensus::{SignableTransaction as _, TxEip1559, TxEnvelope};
use alloy::eips::BlockId;
use alloy::eips::eip2718::Encodable2718 as _;
use alloy::network::TxSignerSync as _;
use alloy::primitives::{Address, B256, Bytes, TxKind};
use alloy::providers::DynProvider;
use alloy::rpc::types::TransactionRequest;
use alloy::signers::local::PrivateKeySigner;
use node::Node;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use store::Store;
use tokio::sync::broadcast;

pub(super) use node::request;
pub use store::{Owned, StoreError};

/// Gas allowed above the estimate, in percent: state may change between the estimate and the block.
const GAS_MARGIN_PERCENT: u64 = 20;
/// Longest pause after a node has failed.
const LONGEST_PAUSE: Duration = Duration::from_secs(15);
/// How often a node that says it is busy is asked before the caller is told.
const BUSY_TRIES: u32 = 6;
/// Its first pause; each is twice as long as the one before.
const BUSY_PAUSE: Duration = Duration::from_millis(300);
/// Pieces of advice that wait for a listener.
const ADVICE: usize = 64;

/// Signed bytes to be sent, by their hash.
type Outgoing = Vec<(B256, Bytes)>;

/// The owner of an account's transactions.
pub(super) struct Owner {
    node: Node,
    signer: PrivateKeySigner,
    chain_id: u64,
    rules: Rules,
    store: Store,
    /// How often to look, and how long to wait for a transaction before its caller is told.
    poll: Duration,
    timeout: Duration,
    advice: broadcast::Sender<String>,
    /// One look at a time; the head and the revision of the last one.
    looked: tokio::sync::Mutex<Option<(B256, u64)>>,
    pause: Mutex<Pause>,
}

/// When a node that has failed is asked again.
struct Pause {
    until: Instant,
    next: Duration,
}

/// How an owner works.
pub(super) struct Manner<'a> {
    pub rules: Rules,
    pub folder: Option<&'a Path>,
    pub poll: Duration,
    pub timeout: Duration,
}

impl Owner {
    /// Opens the ledger of a wallet.
    pub fn open(
        provider: DynProvider,
        contract: Address,
        signer: PrivateKeySigner,
        owned: Owned,
        manner: Manner<'_>,
    ) -> Result<Self, StoreError> {
        let (store, note) = Store::open(manner.folder, owned)?;
        let (advice, _) = broadcast::channel(ADVICE);
        let owner = Self {
            node: Node { provider, contract },
            signer,
            chain_id: owned.chain_id,
            rules: manner.rules,
            store,
            poll: manner.poll,
            timeout: manner.timeout,
            advice,
            looked: tokio::sync::Mutex::default(),
            pause: Mutex::new(Pause { until: Instant::now(), next: manner.poll }),
        };
        note.into_iter().for_each(|note| owner.tell(note));
        Ok(owner)
    }

    /// The account.
    pub fn account(&self) -> Address {
        self.rules.account
    }

    /// What the user should know, from now on.
    pub fn advice(&self) -> broadcast::Receiver<String> {
        self.advice.subscribe()
    }

    fn tell(&self, advice: String) {
        // Nobody may be listening.
        let _ = self.advice.send(advice);
    }

    /// The ledger as it is.
    pub fn ledger(&self) -> Result<Ledger, ChainError> {
        Ok(self.store.read()?.1)
    }

    /// The caller of a wish knows what became of it.
    pub async fn acknowledge(self: &Arc<Self>, ticket: Ticket) -> Result<(), ChainError> {
        let change = move |ledger: &mut Ledger, _: &Rules| {
            ledger.acknowledge(ticket);
            ((), Vec::new())
        };
        self.change(None, change).await.map(|_| ())
    }

    /// Has a call made; waits until it is in a block. What was signed stays under way when this gives up waiting.
    pub async fn carry_out(
        self: &Arc<Self>,
        request: &TransactionRequest,
        subject: Subject,
        priority: Priority,
    ) -> Result<(Ticket, Mined), ChainError> {
        let start = Instant::now();
        let to = request.to.and_then(|to| to.to().copied()).unwrap_or_default();
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
                    return Err(ChainError::CannotPay { account: self.rules.account, message });
                }
                Some(Fate::Failed(Failure::Refused(reason))) => {
                    let call = entry.map(|entry| entry.wish().call.clone());
                    return Err(self.refusal(call, reason).await);
                }
                Some(Fate::UnderWay) => {}
            }
            let waited = start.elapsed();
            if waited > self.timeout {
                let last = entry.and_then(|entry| entry.versions().last()).map(|version| version.hash);
                let transaction = last.unwrap_or_default();
                return Err(looked.err().unwrap_or(ChainError::NotConfirmed { transaction, waited }));
            }
            tokio::time::sleep(self.poll).await;
        }
    }

    /// Why a call was given up: the contract's refusal by name, if it still refuses it.
    async fn refusal(&self, call: Option<Call>, reason: String) -> ChainError {
        let Some(call) = call else {
            return ChainError::GivenUp(reason);
        };
        match self.node.estimate(self.rules.account, &call, BlockId::latest()).await {
            Err(error @ (ChainError::Refused(_) | ChainError::Reverts { .. })) => error,
            _ => ChainError::GivenUp(reason),
        }
    }

    /// Brings a wish on its way, or finds it there.
    async fn want(self: &Arc<Self>, wish: &Wish, start: Instant) -> Result<Ticket, ChainError> {
        loop {
            let (revision, ledger) = self.store.read()?;
            let head = self.unless_busy(|| self.node.head()).await?;
            let facts = self.unless_busy(|| self.node.facts(&self.rules, &ledger, &head)).await?;
            if !facts.pool.is_empty() {
                // What another machine has sent is taken over first: the wish may be the same, or contradict it.
                let take_over = move |ledger: &mut Ledger, rules: &Rules| ((), ledger.on_block(rules, &facts));
                if let Some(((), outgoing)) = self.change(Some(revision), take_over).await? {
                    self.send(outgoing).await?;
                }
                continue;
            }
            fog::ensure!(!ledger.contradicts(wish), ChainError::OtherMove);
            let mut wish = wish.clone();
            wish.call.gas = match ledger.same(&wish).and_then(|ticket| ledger.entry(ticket)) {
                Some(known) => known.wish().call.gas,
                None => self.gas(&wish).await?,
            };
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
                    fog::ensure!(start.elapsed() <= self.timeout, ChainError::Unknown);
                    tokio::time::sleep(self.poll).await;
                }
            }
        }
    }

    /// The gas that a wish may use. A refusal of the contract is found out here, and nothing is sent.
    async fn gas(&self, wish: &Wish) -> Result<u64, ChainError> {
        // A move of this ply that only the mempool has must not make this one look late.
        let at = if wish.is_move() { BlockId::latest() } else { BlockId::pending() };
        let estimate = self.unless_busy(|| self.node.estimate(self.rules.account, &wish.call, at)).await?;
        Ok(estimate.saturating_add(estimate / 100 * GAS_MARGIN_PERCENT))
    }

    /// Looks after all that is under way, of this process or another: settles, raises and sends again. One look at a time, and none
    /// while a node that has failed is left alone.
    pub async fn look_after(self: &Arc<Self>) -> Result<(), ChainError> {
        let mut looked = self.looked.lock().await;
        if Instant::now() < self.pause().until {
            return Ok(());
        }
        let result = self.look(&mut looked).await;
        match &result {
            Ok(true) => self.succeeded(),
            Ok(false) => {}
            Err(_) => self.failed(),
        }
        result.map(|_| ())
    }

    /// A look; says whether the node took all that it was sent.
    async fn look(self: &Arc<Self>, looked: &mut Option<(B256, u64)>) -> Result<bool, ChainError> {
        let (revision, ledger) = self.store.read()?;
        // What is in a block is asked for until it is final, which needs no look without a block.
        if ledger.is_idle(&self.rules, 0) {
            return Ok(true);
        }
        let head = self.node.head().await?;
        let same = *looked == Some((head.header.hash, revision));
        if ledger.is_idle(&self.rules, head.header.number) || (same && !ledger.has_unsent()) {
            return Ok(true);
        }
        let facts = self.node.facts(&self.rules, &ledger, &head).await?;
        let change = move |ledger: &mut Ledger, rules: &Rules| ((), ledger.on_block(rules, &facts));
        let Some(((), outgoing)) = self.change(Some(revision), change).await? else {
            return Ok(true);
        };
        let taken = self.send(outgoing).await?;
        *looked = Some((head.header.hash, self.store.read()?.0));
        Ok(taken)
    }

    /// Changes the ledger, signs what is to be signed, and writes it. Gives what is to be sent; none if another process was quicker.
    async fn change<R: Send + 'static>(
        self: &Arc<Self>,
        expected: Option<u64>,
        change: impl FnOnce(&mut Ledger, &Rules) -> (R, Vec<Effect>) + Send + 'static,
    ) -> Result<Option<(R, Outgoing)>, ChainError> {
        let owner = self.clone();
        let work = move || {
            let mut told = Vec::new();
            let result = owner.store.update(expected, |ledger| {
                let (answer, effects) = change(ledger, &owner.rules);
                let mut outgoing = Outgoing::new();
                for effect in effects {
                    match effect {
                        Effect::Sign { ticket, nonce, call, fees } => {
                            let (hash, raw) = owner.sign(nonce, call, fees)?;
                            ledger.signed(ticket, fees, hash, raw.clone());
                            outgoing.push((hash, raw));
                        }
                        Effect::Broadcast { hash } => {
                            outgoing.extend(ledger.raw(hash).map(|raw| (hash, raw.clone())));
                        }
                        Effect::Tell(advice) => told.push(advice.to_string()),
                    }
                }
                Ok::<_, alloy::signers::Error>((answer, outgoing))
            });
            (result, told)
        };
        let done = tokio::task::spawn_blocking(work).await;
        let (result, told) = done.map_err(|error| ChainError::Stopped(error.to_string()))?;
        let result = result?.transpose().map_err(|error| ChainError::Stopped(error.to_string()))?;
        if result.is_some() {
            told.into_iter().for_each(|advice| self.tell(advice));
        }
        Ok(result)
    }

    fn sign(&self, nonce: u64, call: Call, fees: Fees) -> Result<(B256, Bytes), alloy::signers::Error> {
        let mut transaction = TxEip1559 {
            chain_id: self.chain_id,
            nonce,
            gas_limit: call.gas,
            max_fee_per_gas: fees.max,
            max_priority_fee_per_gas: fees.tip,
            to: TxKind::Call(call.to),
            value: call.value,
            access_list: Default::default(),
            input: call.input,
        };
        let signature = self.signer.sign_transaction_sync(&mut transaction)?;
        let signed = TxEnvelope::from(transaction.into_signed(signature));
        Ok((*signed.tx_hash(), signed.encoded_2718().into()))
    }

    /// Sends what is written, and writes what came of it; says whether the node took it all.
    async fn send(self: &Arc<Self>, outgoing: Outgoing) -> Result<bool, ChainError> {
        let mut answers = Vec::new();
        let mut taken = true;
        for (hash, raw) in outgoing {
            let (sending, trouble) = self.node.send(&raw).await;
            if let Some(trouble) = trouble {
                taken = false;
                self.tell(format!("a transaction was not taken and is sent again: {trouble}"));
                self.failed();
            }
            answers.push((hash, sending));
        }
        if !answers.is_empty() {
            let change = move |ledger: &mut Ledger, _: &Rules| {
                let told = answers.into_iter().flat_map(|(hash, sending)| ledger.on_sent(hash, sending));
                ((), told.collect())
            };
            self.change(None, change).await?;
        }
        Ok(taken)
    }

    /// Asks again, a few times, if the node says that it is asked too often.
    async fn unless_busy<T, F: Future<Output = Result<T, ChainError>>>(
        &self,
        ask: impl Fn() -> F,
    ) -> Result<T, ChainError> {
        let mut pause = BUSY_PAUSE;
        for _ in 1..BUSY_TRIES {
            match ask().await {
                Err(error) if error.is_busy() => tokio::time::sleep(pause).await,
                result => return result,
            }
            pause *= 2;
        }
        ask().await
    }

    fn pause(&self) -> std::sync::MutexGuard<'_, Pause> {
        self.pause.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn failed(&self) {
        let mut pause = self.pause();
        pause.until = Instant::now() + pause.next;
        pause.next = (pause.next * 2).min(LONGEST_PAUSE);
    }

    fn succeeded(&self) {
        let mut pause = self.pause();
        pause.next = self.poll;
    }
}
