//! The ledger of an account: every transaction under way with all its signed versions, and the last ones that were settled.

use super::facts::{Facts, Mined, Questions};
use super::{Call, Fees, Priority, Sending, Wish};
use alloy::primitives::{Address, B256, Bytes};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Settled transactions that are remembered: for those who ask what became of them, and for a fork that takes them back.
const REMEMBERED: usize = 16;

/// What holds for all transactions of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The account.
    pub account: Address,
    /// The most that is paid for a unit of gas, in wei.
    pub ceiling: u128,
    /// Blocks on top of a block before it counts as final.
    pub confirmations: u64,
}

/// The number of a wish in its ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Ticket(pub u64);

/// A signed transaction. All versions of an entry have its nonce, so at most one is ever included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// Its fees.
    pub fees: Fees,
    /// Its hash.
    pub hash: B256,
    /// Its bytes, as they are sent.
    pub raw: Bytes,
    /// Whether it only uses up the nonce.
    pub filler: bool,
    /// What came of sending it; none so far, or before a crash.
    pub sending: Option<Sending>,
}

/// Where an entry's nonce is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Place {
    /// Nothing with this nonce is in a block.
    Pending,
    /// A version is in a block.
    Mined(Mined),
    /// Another transaction has the nonce, or it was given back unused.
    Gone,
}

/// A wish with its nonce and its signed versions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub(super) ticket: Ticket,
    pub(super) nonce: u64,
    pub(super) wish: Wish,
    /// Oldest first.
    pub(super) versions: Vec<Version>,
    /// The block at which the last version was signed.
    pub(super) since: u64,
    pub(super) place: Place,
    /// Why it was given up.
    pub(super) dropped: Option<Failure>,
    /// How many blocks in a row the contract refused it, and the last of them.
    pub(super) refusals: (u32, u64),
    /// The block at which its nonce was first seen used without a version of it in a block.
    pub(super) overtaken: Option<u64>,
    /// Whether the user knows that the ceiling is reached.
    pub(super) told_ceiling: bool,
    /// Whether the one who wished it knows what became of it.
    pub(super) acknowledged: bool,
}

/// Why a wish came to nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Failure {
    /// The contract refuses it by now.
    Refused(String),
    /// The account can't pay for it; the node's words.
    CannotPay(String),
    /// A transaction that isn't in the ledger has taken its nonce. It may be wished again.
    Overtaken,
}

/// What became of a wish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is on its way.
    UnderWay,
    /// It is in a block.
    Mined(Mined),
    /// It was given up.
    Failed(Failure),
}

/// What is to be done, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Sign this and hand it to [`Ledger::signed`].
    Sign {
        /// For which wish.
        ticket: Ticket,
        /// The nonce.
        nonce: u64,
        /// The call.
        call: Call,
        /// The fees.
        fees: Fees,
    },
    /// Send these bytes, once the ledger is on disk; then tell [`Ledger::on_sent`].
    Broadcast {
        /// Their hash.
        hash: B256,
    },
    /// Tell the user.
    Tell(Advice),
}

/// What the user should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Advice {
    /// A transaction is sent again for a higher fee.
    Raised {
        /// What it is for.
        subject: String,
        /// Its fees now.
        fees: Fees,
    },
    /// The fees are at their bound and the transaction waits.
    Ceiling {
        /// What it is for.
        subject: String,
        /// The bound.
        ceiling: u128,
        /// The present base fee.
        base_fee: u128,
    },
    /// A transaction was given up.
    Dropped {
        /// What it was for.
        subject: String,
        /// The contract's words.
        reason: String,
    },
    /// There isn't enough to pay for a higher fee.
    CannotRaise {
        /// What it is for.
        subject: String,
        /// The node's words.
        reason: String,
    },
    /// A transaction of this account that isn't in the ledger was found in the mempool.
    TakenOver {
        /// What it is for.
        subject: String,
    },
    /// A move waits for transactions of this account that the node has and doesn't show.
    Unknown,
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let gwei = |wei: u128| alloy::primitives::utils::format_units(wei, "gwei").unwrap_or_else(|_| wei.to_string());
        match self {
            Self::Raised { subject, fees } => {
                write!(f, "{subject}: not in a block yet, sent again for up to {} gwei a unit of gas", gwei(fees.max))
            }
            Self::Ceiling { subject, ceiling, base_fee } => write!(
                f,
                "{subject}: waits, because the chain's base fee is {} gwei a unit of gas and no more than {} is offered (--max-fee)",
                gwei(*base_fee),
                gwei(*ceiling)
            ),
            Self::Dropped { subject, reason } => write!(f, "{subject}: given up, because by now {reason}"),
            Self::CannotRaise { subject, reason } => {
                write!(f, "{subject}: waits, because the wallet can't pay a higher fee ({reason})")
            }
            Self::TakenOver { subject } => {
                write!(f, "{subject}: this wallet has sent it from elsewhere; it is on its way and looked after from here")
            }
            Self::Unknown => f.write_str(
                "another transaction of this wallet is on its way that the node doesn't show; no move is signed before it is in a \
                 block or replaced",
            ),
        }
    }
}

/// All transactions of an account on a chain.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ledger {
    /// Of the tickets given so far.
    pub(super) last_ticket: u64,
    pub(super) entries: Vec<Entry>,
    /// Nonces of transactions in the mempool that have nothing to do with the game contract.
    pub(super) foreign: Vec<u64>,
    /// The block at which a transaction was first seen in the mempool that is neither in the ledger nor shown.
    pub(super) unknown_since: Option<u64>,
}

impl Entry {
    /// The wish.
    pub fn wish(&self) -> &Wish {
        &self.wish
    }

    /// Its number.
    pub fn ticket(&self) -> Ticket {
        self.ticket
    }

    /// Its nonce.
    pub fn nonce(&self) -> u64 {
        self.nonce
    }

    /// All that was signed for it, oldest first.
    pub fn versions(&self) -> &[Version] {
        &self.versions
    }

    /// Whether the one who wished it knows what became of it.
    pub fn is_acknowledged(&self) -> bool {
        self.acknowledged
    }

    /// What became of it.
    pub fn fate(&self) -> Fate {
        match (&self.place, &self.dropped) {
            (Place::Mined(mined), _) if !self.only_fills(mined.transaction) => Fate::Mined(*mined),
            (_, Some(failure)) => Fate::Failed(failure.clone()),
            (Place::Pending, None) => Fate::UnderWay,
            (Place::Mined(_) | Place::Gone, None) => Fate::Failed(Failure::Overtaken),
        }
    }

    pub(super) fn is_pending(&self) -> bool {
        self.place == Place::Pending
    }

    fn only_fills(&self, hash: B256) -> bool {
        self.versions.iter().any(|version| version.hash == hash && version.filler)
    }

    /// What is to be signed for it now.
    pub(super) fn sign(&self, rules: &Rules, fees: Fees) -> Effect {
        let call = match self.dropped {
            None => self.wish.call.clone(),
            Some(_) => Call::nothing(rules.account),
        };
        Effect::Sign { ticket: self.ticket, nonce: self.nonce, call, fees }
    }

    /// The fees of the last version that the account could pay.
    pub(super) fn fees(&self) -> Fees {
        let payable = |version: &&Version| !matches!(version.sending, Some(Sending::CannotPay(_)));
        let version = self.versions.iter().rev().find(payable).or(self.versions.last());
        version.map_or(Fees { max: 0, tip: 0 }, |version| version.fees)
    }
}

impl Ledger {
    /// All that is remembered, by nonce.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// What became of a wish; none if it is forgotten.
    pub fn fate(&self, ticket: Ticket) -> Option<Fate> {
        self.entry(ticket).map(Entry::fate)
    }

    /// The entry of a wish.
    pub fn entry(&self, ticket: Ticket) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.ticket == ticket)
    }

    /// The bytes with a hash.
    pub fn raw(&self, hash: B256) -> Option<&Bytes> {
        let mut versions = self.entries.iter().flat_map(|entry| &entry.versions);
        versions.find(|version| version.hash == hash).map(|version| &version.raw)
    }

    /// What was asked for by [`Effect::Sign`] is signed: from now on it is on its way.
    pub fn signed(&mut self, ticket: Ticket, fees: Fees, hash: B256, raw: Bytes) {
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.ticket == ticket) {
            let filler = entry.dropped.is_some();
            // Signing is deterministic: one that couldn't be paid may come again.
            entry.versions.retain(|version| version.hash != hash);
            entry.versions.push(Version { fees, hash, raw, filler, sending: None });
        }
    }

    /// The one who wished it knows what became of it.
    pub fn acknowledge(&mut self, ticket: Ticket) {
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.ticket == ticket) {
            entry.acknowledged = true;
        }
    }

    /// Whether nothing is on its way or could still be taken back, as of a block.
    pub fn is_idle(&self, rules: &Rules, block: u64) -> bool {
        !self.entries.iter().any(|entry| match entry.place {
            Place::Pending => true,
            Place::Mined(mined) => is_shallow(&mined, rules, block),
            Place::Gone => false,
        })
    }

    /// Whether anything has not reached a node so far.
    pub fn has_unsent(&self) -> bool {
        let unsent = |entry: &Entry| entry.versions.last().is_some_and(|v| v.sending != Some(Sending::Accepted));
        self.entries.iter().any(|entry| entry.is_pending() && unsent(entry))
    }

    /// What else must be known besides what `facts` has: block, fees and nonces.
    pub fn questions(&self, rules: &Rules, facts: &Facts) -> Questions {
        let mut questions = Questions::default();
        let hashes = |entry: &Entry| entry.versions.iter().map(|version| version.hash).collect::<Vec<_>>();
        for entry in &self.entries {
            match entry.place {
                Place::Pending if entry.nonce < facts.mined_nonce => questions.receipts.extend(hashes(entry)),
                Place::Mined(mined) if is_shallow(&mined, rules, facts.block) => {
                    questions.receipts.extend(hashes(entry));
                }
                _ => {}
            }
        }
        let lowest = self.pending().find(|entry| entry.nonce >= facts.mined_nonce);
        if let Some(entry) = lowest.filter(|entry| self.is_doubtful(entry, facts)) {
            questions.calls.push((entry.nonce, entry.wish.call.clone()));
        }
        questions.unknown = self.unknown(facts).filter(|nonce| !self.foreign.contains(nonce)).collect();
        questions
    }

    /// What is on its way, by nonce.
    pub(super) fn pending(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.is_pending())
    }

    pub(super) fn has_pending(&self, nonce: u64) -> bool {
        self.pending().any(|entry| entry.nonce == nonce)
    }

    /// Nonces for which the mempool has a transaction and the ledger hasn't.
    pub(super) fn unknown<'a>(&'a self, facts: &Facts) -> impl Iterator<Item = u64> + use<'a> {
        (facts.mined_nonce..facts.pending_nonce).filter(|nonce| !self.has_pending(*nonce))
    }

    /// Adds a wish with a nonce; gives what is to be signed for it.
    pub(super) fn add(&mut self, rules: &Rules, wish: Wish, nonce: u64, fees: Fees, block: u64) -> (Ticket, Effect) {
        let entry = self.new_entry(wish, nonce, block);
        let (ticket, effect) = (entry.ticket, entry.sign(rules, fees));
        self.insert(entry);
        (ticket, effect)
    }

    pub(super) fn new_entry(&mut self, wish: Wish, nonce: u64, block: u64) -> Entry {
        self.last_ticket += 1;
        Entry {
            ticket: Ticket(self.last_ticket),
            nonce,
            wish,
            versions: Vec::new(),
            since: block,
            place: Place::Pending,
            dropped: None,
            refusals: (0, 0),
            overtaken: None,
            told_ceiling: false,
            acknowledged: false,
        }
    }

    pub(super) fn insert(&mut self, entry: Entry) {
        self.entries.push(entry);
        self.entries.sort_by_key(|entry| (entry.nonce, entry.ticket));
    }

    /// Forgets the oldest of what is settled.
    pub(super) fn forget(&mut self) {
        let mut settled: Vec<Ticket> = self.entries.iter().filter(|e| !e.is_pending()).map(|e| e.ticket).collect();
        settled.sort();
        let forgotten = &settled[..settled.len().saturating_sub(REMEMBERED)];
        self.entries.retain(|entry| !forgotten.contains(&entry.ticket));
    }

    /// Whether anything urgent has this nonce or a higher one.
    pub(super) fn urgency(&self, nonce: u64) -> Priority {
        let behind = self.pending().filter(|entry| entry.nonce >= nonce && entry.dropped.is_none());
        behind.map(|entry| entry.wish.priority).max().unwrap_or(Priority::Normal)
    }
}

/// Whether a fork may still take it back.
fn is_shallow(mined: &Mined, rules: &Rules, block: u64) -> bool {
    mined.block.saturating_add(rules.confirmations) > block
}
