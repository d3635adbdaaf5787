//! The sender at work: asks the node what its ledger wants to know, signs, writes, and sends. What is to be done is decided by the [`Ledger`], which
//! is shared with the other processes of the wallet.

use super::store::{Account, Storage, Store};
use super::{Call, Effect, Entry, Fees, Ledger, Rules, SendError, Sending, Subject, TxId};
use crate::{Finality, NodeError, TxNode, is_local};
use alloy::consensus::{SignableTransaction as _, TxEip1559, TxEnvelope};
use alloy::eips::eip2718::Encodable2718 as _;
use alloy::network::TxSignerSync as _;
use alloy::primitives::{Address, B256, Bytes};
use alloy::signers::local::PrivateKeySigner;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::broadcast;

/// Longest pause after a node has failed.
const LONGEST_PAUSE: Duration = Duration::from_secs(15);
/// Pieces of advice that wait for a listener.
const ADVICE: usize = 64;
/// Blocks after which a transaction is taken for final in the wallet's record, where the chain says by itself what is: more than two epochs.
const EPOCHS: u64 = 96;

/// Signed bytes to be sent, by their hash.
type Outgoing = Vec<(B256, Bytes)>;

/// Sends an account's transactions.
pub struct Sender<N> {
    pub(super) node: N,
    signer: PrivateKeySigner,
    pub(super) config: SenderConfig,
    pub(super) rules: Rules,
    pub(super) store: Store,
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

/// How a sender works.
#[derive(Clone, Debug)]
pub struct SenderConfig {
    pub chain_id: u64,
    /// The contract that the account mostly calls.
    pub contract: Address,
    /// What a call of it is for, by its calldata.
    pub subject: fn(&[u8]) -> Subject,
    /// Why it refuses, by the data of a revert; none for what it doesn't say.
    pub reason: fn(&[u8]) -> Option<String>,
    /// When a block counts as final.
    pub finality: Finality,
    /// Most that is paid for a unit of gas, in wei.
    pub max_fee: u128,
    /// Where the record of the wallet's transactions is.
    pub storage: Storage,
    /// How often to look.
    pub poll: Duration,
    /// How long to wait for a transaction to be included, before its caller is told. It stays under way.
    pub timeout: Duration,
}

/// How often to look at a chain, and how long to wait there for a transaction.
pub fn patience(chain_id: u64) -> (Duration, Duration) {
    match is_local(chain_id) {
        true => (Duration::from_millis(50), Duration::from_secs(30)),
        false => (Duration::from_millis(2_000), Duration::from_secs(300)),
    }
}

impl<N: TxNode + 'static> Sender<N> {
    /// Opens the ledger of a wallet: all of its transactions are in one record, whichever contract they call.
    pub async fn open(node: N, signer: PrivateKeySigner, config: SenderConfig) -> Result<Self, SendError> {
        let first = node.block(0.into()).await?.ok_or(NodeError::Nonsense("the chain has no first block"))?;
        Self::new(node, signer, config, first.block.hash)
    }

    /// Opens the ledger of a wallet on the chain with this first block.
    pub fn new(node: N, signer: PrivateKeySigner, config: SenderConfig, genesis: B256) -> Result<Self, SendError> {
        let account = Account { chain_id: config.chain_id, genesis, address: signer.address() };
        let (store, note) = Store::open(&config.storage, account)?;
        let (advice, _) = broadcast::channel(ADVICE);
        let confirmations = match config.finality {
            Finality::Confirmations(blocks) => blocks,
            Finality::Finalized => EPOCHS,
        };
        let rules =
            Rules { account: account.address, contract: config.contract, ceiling: config.max_fee, confirmations };
        let pause = Mutex::new(Pause { until: node.now(), next: config.poll });
        Ok(Self {
            node,
            signer,
            config,
            rules,
            store,
            advice,
            note: Mutex::new(note),
            looked: tokio::sync::Mutex::default(),
            pause,
            refusal: Mutex::default(),
            is_held: AtomicBool::new(false),
        })
    }

    pub fn account(&self) -> Address {
        self.rules.account
    }

    /// What holds for its transactions.
    pub fn rules(&self) -> &Rules {
        &self.rules
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
    pub fn ledger(&self) -> Result<Ledger, SendError> {
        Ok(self.store.read()?.1)
    }

    /// The caller of a request knows what became of it.
    pub async fn acknowledge(self: &Arc<Self>, id: TxId) -> Result<(), SendError> {
        let change = move |ledger: &mut Ledger, _: &Rules| {
            ledger.acknowledge(id);
            ((), Vec::new())
        };
        self.change(None, change).await.map(|_| ())
    }

    /// Looks after all that is under way, of this process or another: settles, raises and sends again. One look at a time, and none
    /// while a node that has failed is left alone.
    pub async fn poll(self: &Arc<Self>) -> Result<(), SendError> {
        let mut looked = self.looked.lock().await;
        if self.is_held() || self.node.now() < self.pause().until {
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

    pub(super) fn is_held(&self) -> bool {
        self.is_held.load(Ordering::Relaxed)
    }

    /// A look; says whether the node took all that it was sent.
    async fn look(self: &Arc<Self>, looked: &mut Option<(B256, u64)>) -> Result<bool, SendError> {
        let (revision, ledger) = self.store.read()?;
        if ledger.is_idle(&self.rules) {
            return Ok(true);
        }
        let head = self.head().await?;
        let same = *looked == Some((head.block.hash, revision));
        if same && !ledger.has_unsent() {
            return Ok(true);
        }
        let facts = self.facts(&ledger, &head).await?;
        let change = move |ledger: &mut Ledger, rules: &Rules| ((), ledger.on_block(rules, &facts));
        let Some(((), outgoing)) = self.change(Some(revision), change).await? else {
            return Ok(true);
        };
        let taken = self.broadcast(outgoing).await?;
        *looked = Some((head.block.hash, self.store.read()?.0));
        Ok(taken)
    }

    /// Changes the ledger, signs what is to be signed, and writes it. Gives what is to be sent; none if another process was quicker.
    pub(super) async fn change<R: Send + 'static>(
        self: &Arc<Self>,
        expected: Option<u64>,
        change: impl FnOnce(&mut Ledger, &Rules) -> (R, Vec<Effect>) + Send + 'static,
    ) -> Result<Option<(R, Outgoing)>, SendError> {
        let sender = self.clone();
        let work = move || {
            let mut told = Vec::new();
            let result = sender.store.update(expected, |ledger| {
                let (answer, effects) = change(ledger, &sender.rules);
                let (mut outgoing, mut must_last) = (Outgoing::new(), false);
                for effect in effects {
                    match effect {
                        Effect::Sign { id, nonce, call, fees } => {
                            let (hash, raw) = sender.sign(nonce, call, fees)?;
                            must_last |= ledger.entry(id).is_some_and(Entry::is_harmful_twice);
                            ledger.signed(id, fees, hash, raw.clone());
                            outgoing.push((hash, raw));
                        }
                        Effect::Broadcast { hash } => {
                            outgoing.extend(ledger.raw(hash).map(|raw| (hash, raw.clone())));
                        }
                        Effect::Tell(advice) => told.push(advice.to_string()),
                    }
                }
                Ok::<_, alloy::signers::Error>(((answer, outgoing), must_last))
            });
            (result, told)
        };
        let (result, told) = match self.config.storage {
            Storage::Memory(_) => work(),
            Storage::Folder(_) => {
                let done = tokio::task::spawn_blocking(work).await;
                done.map_err(|error| SendError::Stopped(error.to_string()))?
            }
        };
        self.store.take_note().into_iter().for_each(|note| self.tell(note));
        let result = result?.transpose().map_err(|error| SendError::Stopped(error.to_string()))?;
        if result.is_some() {
            told.into_iter().for_each(|advice| self.tell(advice));
        }
        Ok(result)
    }

    fn sign(&self, nonce: u64, call: Call, fees: Fees) -> Result<(B256, Bytes), alloy::signers::Error> {
        let mut transaction = TxEip1559 {
            chain_id: self.config.chain_id,
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
    pub(super) async fn broadcast(self: &Arc<Self>, outgoing: Outgoing) -> Result<bool, SendError> {
        let mut answers = Vec::new();
        let mut taken = true;
        for (hash, raw) in outgoing {
            let sent = self.node.send_raw(&raw).await;
            let trouble = sent.as_ref().err().map(ToString::to_string);
            if let Some(trouble) = &trouble {
                taken = false;
                self.tell(format!("a transaction was not taken and is sent again: {trouble}"));
                self.failed();
            }
            *self.refusal.lock().unwrap_or_else(PoisonError::into_inner) = trouble;
            answers.push((hash, sent.unwrap_or(Sending::Unanswered)));
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
    pub(super) fn refusal(&self) -> Option<String> {
        self.refusal.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn pause(&self) -> std::sync::MutexGuard<'_, Pause> {
        self.pause.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn failed(&self) {
        let mut pause = self.pause();
        pause.until = self.node.now() + pause.next;
        pause.next = (pause.next * 2).min(LONGEST_PAUSE);
    }

    fn succeeded(&self) {
        let mut pause = self.pause();
        pause.next = self.config.poll;
    }
}
