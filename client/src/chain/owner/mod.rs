//! The owner of a wallet's transactions at work: asks the node what its ledger wants to know, signs, writes, and sends. What is to be
//! done is decided by the machine in [`crate::sender`]; the ledger is shared with the other processes of the wallet.

mod carry;
mod node;
mod store;
mod words;

use super::error::ChainError;
use crate::sender::{Call, Effect, Entry, Fees, Ledger, Rules, Ticket};
use alloy::consensus::{SignableTransaction as _, TxEip1559, TxEnvelope};
use alloy::eips::eip2718::Encodable2718 as _;
use alloy::network::TxSignerSync as _;
use alloy::primitives::{Address, B256, Bytes};
use alloy::providers::DynProvider;
use alloy::signers::local::PrivateKeySigner;
use node::Node;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use store::{Lasting, Store};
use tokio::sync::broadcast;

pub(super) use carry::GAS_MARGIN_PERCENT;
pub(crate) use node::Dialect;
pub(super) use node::request;
pub use store::{Owned, StoreError};

/// Longest pause after a node has failed.
const LONGEST_PAUSE: Duration = Duration::from_secs(15);
/// Pieces of advice that wait for a listener.
const ADVICE: usize = 64;

/// Signed bytes to be sent, by their hash.
type Outgoing = Vec<(B256, Bytes)>;

/// The owner of an account's transactions.
pub(crate) struct Owner {
    node: Node,
    signer: PrivateKeySigner,
    chain_id: u64,
    rules: Rules,
    store: Store,
    /// How often to look, and how long to wait for a transaction before its caller is told.
    poll: Duration,
    timeout: Duration,
    advice: broadcast::Sender<String>,
    /// What was to be told before anybody listened.
    note: Mutex<Option<String>>,
    /// One look at a time; the head and the revision of the last one.
    looked: tokio::sync::Mutex<Option<(B256, u64)>>,
    pause: Mutex<Pause>,
    /// Why the node has not taken what was last sent, in its own words; none if it has.
    refusal: Mutex<Option<String>>,
    /// Whether nothing is sent again by itself.
    is_held: AtomicBool,
}

/// When a node that has failed is asked again.
struct Pause {
    until: Instant,
    next: Duration,
}

/// How an owner works.
pub(crate) struct Manner<'a> {
    pub rules: Rules,
    pub folder: Option<&'a Path>,
    pub poll: Duration,
    pub timeout: Duration,
}

impl Owner {
    /// Opens the ledger of a wallet.
    pub fn open(
        provider: DynProvider,
        dialect: Dialect,
        signer: PrivateKeySigner,
        owned: Owned,
        manner: Manner<'_>,
    ) -> Result<Self, StoreError> {
        let (store, note) = Store::open(manner.folder, owned)?;
        let (advice, _) = broadcast::channel(ADVICE);
        Ok(Self {
            node: Node { provider, dialect, chain_id: owned.chain_id },
            signer,
            chain_id: owned.chain_id,
            rules: manner.rules,
            store,
            poll: manner.poll,
            timeout: manner.timeout,
            advice,
            note: Mutex::new(note),
            looked: tokio::sync::Mutex::default(),
            pause: Mutex::new(Pause { until: Instant::now(), next: manner.poll }),
            refusal: Mutex::default(),
            is_held: AtomicBool::new(false),
        })
    }

    pub fn account(&self) -> Address {
        self.rules.account
    }

    /// What the user should know, from now on.
    pub fn advice(&self) -> broadcast::Receiver<String> {
        let receiver = self.advice.subscribe();
        let note = self.note.lock().unwrap_or_else(PoisonError::into_inner).take();
        note.into_iter().for_each(|note| self.tell(note));
        receiver
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

    /// Looks after all that is under way, of this process or another: settles, raises and sends again. One look at a time, and none
    /// while a node that has failed is left alone.
    pub async fn look_after(self: &Arc<Self>) -> Result<(), ChainError> {
        let mut looked = self.looked.lock().await;
        if self.is_held() || Instant::now() < self.pause().until {
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

    /// Whether nothing is to be sent: the chain isn't the one that what was signed before is for.
    pub fn hold(&self, is_held: bool) {
        self.is_held.store(is_held, Ordering::Relaxed);
    }

    fn is_held(&self) -> bool {
        self.is_held.load(Ordering::Relaxed)
    }

    /// A look; says whether the node took all that it was sent.
    async fn look(self: &Arc<Self>, looked: &mut Option<(B256, u64)>) -> Result<bool, ChainError> {
        let (revision, ledger) = self.store.read()?;
        if ledger.is_idle(&self.rules) {
            return Ok(true);
        }
        let head = self.node.head().await?;
        let same = *looked == Some((head.header.hash, revision));
        if same && !ledger.has_unsent() {
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
                let (mut outgoing, mut lasting) = (Outgoing::new(), Lasting::Should);
                for effect in effects {
                    match effect {
                        Effect::Sign { ticket, nonce, call, fees } => {
                            let (hash, raw) = owner.sign(nonce, call, fees)?;
                            if ledger.entry(ticket).is_some_and(Entry::is_harmful_twice) {
                                lasting = Lasting::Must;
                            }
                            ledger.signed(ticket, fees, hash, raw.clone());
                            outgoing.push((hash, raw));
                        }
                        Effect::Broadcast { hash } => {
                            outgoing.extend(ledger.raw(hash).map(|raw| (hash, raw.clone())));
                        }
                        Effect::Tell(advice) => told.push(advice.to_string()),
                    }
                }
                Ok::<_, alloy::signers::Error>(((answer, outgoing), lasting))
            });
            (result, told)
        };
        let done = tokio::task::spawn_blocking(work).await;
        let (result, told) = done.map_err(|error| ChainError::Stopped(error.to_string()))?;
        self.store.take_note().into_iter().for_each(|note| self.tell(note));
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
            to: call.to,
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
            *self.refusal.lock().unwrap_or_else(PoisonError::into_inner) = trouble.as_ref().map(ToString::to_string);
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

    /// Why the node has not taken what was last sent.
    fn refusal(&self) -> Option<String> {
        self.refusal.lock().unwrap_or_else(PoisonError::into_inner).clone()
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
