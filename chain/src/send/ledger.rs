//! The ledger of an account: every transaction under way with all its signed attempts, and the last ones that were settled.

use super::entry::Place;
use super::facts::MOST_PENDING;
use super::{
    Attempt, Effect, Entry, Facts, Failure, Fees, Priority, Questions, Request, Rules, Sending, Subject, TxId, TxStatus,
};
use alloy::primitives::{B256, Bytes, TxKind};
use serde::{Deserialize, Serialize};

/// Settled transactions that are remembered: for those who ask what became of them, and for a fork that takes them back.
const REMEMBERED: usize = 16;
/// Settled transactions that are remembered because they would do harm a second time and their callers don't know of them.
const REMEMBERED_UNTOLD: usize = 64;

/// All transactions of an account on a chain.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ledger {
    /// Of the ids given so far.
    #[serde(rename = "last_ticket")]
    pub(super) last_id: u64,
    pub(super) entries: Vec<Entry>,
    /// Transactions of the mempool that whoever has looked at them didn't understand: their nonces, and whom they call. Who plays by that contract looks
    /// again.
    #[serde(default)]
    pub(super) strange: Vec<(u64, TxKind)>,
    /// The block at which a transaction was first seen in the mempool that is neither in the ledger nor shown.
    pub(super) unknown_since: Option<u64>,
}

impl Ledger {
    /// All that is remembered, by nonce.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// What became of a request; none if it is forgotten.
    pub fn status(&self, id: TxId) -> Option<TxStatus> {
        self.entry(id).map(Entry::status)
    }

    /// The entry of a request.
    pub fn entry(&self, id: TxId) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.id == id)
    }

    /// The bytes with a hash.
    pub fn raw(&self, hash: B256) -> Option<&Bytes> {
        let mut attempts = self.entries.iter().flat_map(|entry| &entry.attempts);
        attempts.find(|attempt| attempt.hash == hash).map(|attempt| &attempt.raw)
    }

    /// What was asked for by [`Effect::Sign`] is signed: from now on it is on its way.
    pub fn signed(&mut self, id: TxId, fees: Fees, hash: B256, raw: Bytes) {
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.id == id) {
            let cancellation = entry.dropped.is_some();
            // Signing is deterministic: one that couldn't be paid may come again.
            entry.attempts.retain(|attempt| attempt.hash != hash);
            entry.attempts.push(Attempt { fees, hash, raw, cancellation, sending: None });
        }
    }

    /// The one who requested it knows what became of it.
    pub fn acknowledge(&mut self, id: TxId) {
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.id == id) {
            entry.acknowledged = true;
        }
    }

    /// The chain was taken back deeper than its final blocks: nothing exclusive of this topic goes out again by itself, and the nonces of those that are
    /// in no block are used up by something else.
    pub fn give_up(&mut self, topic: B256) {
        for entry in &mut self.entries {
            if matches!(entry.request.subject, Subject::Exclusive(key) if key.topic == topic) {
                entry.dropped = Some(Failure::TakenBack);
            }
        }
    }

    /// Tickets from here on are counted from this number: no two processes give the same.
    pub fn count_from(&mut self, last: u64) {
        self.last_id = last;
    }

    /// Takes up what another ledger of the same account, which has grown beside this one, has more.
    pub fn absorb(&mut self, other: Self) {
        for entry in other.entries {
            let hashes = |entry: &Entry| entry.attempts.iter().map(|attempt| attempt.hash).collect::<Vec<_>>();
            match self.entries.iter_mut().find(|known| known.id == entry.id) {
                Some(known) => {
                    let known_hashes = hashes(known);
                    known.acknowledged |= entry.acknowledged;
                    let new = entry.attempts.into_iter().filter(|attempt| !known_hashes.contains(&attempt.hash));
                    known.attempts.extend(new);
                }
                None => {
                    let new = hashes(&entry);
                    let is_known = self.entries.iter().any(|known| hashes(known).iter().any(|hash| new.contains(hash)));
                    if !is_known {
                        self.insert(entry);
                    }
                }
            }
        }
    }

    /// Whether nothing is on its way or could still be taken back.
    pub fn is_idle(&self, rules: &Rules) -> bool {
        !self.entries.iter().any(|entry| entry.is_open(rules))
    }

    /// Whether a node must be told of anything without waiting for a block.
    pub fn has_unsent(&self) -> bool {
        let is_open = |attempt: &Attempt| {
            matches!(attempt.sending, None | Some(Sending::Unanswered) | Some(Sending::Underpriced))
        };
        self.pending().any(|entry| entry.attempts.last().is_some_and(is_open))
    }

    /// What else must be known besides what `facts` has: block, fees and nonces.
    pub fn questions(&self, rules: &Rules, facts: &Facts) -> Questions {
        let mut questions = Questions::default();
        let hashes = |entry: &Entry| entry.attempts.iter().map(|attempt| attempt.hash).collect::<Vec<_>>();
        for entry in &self.entries {
            match entry.place {
                Place::Pending if entry.nonce < facts.mined_nonce => questions.receipts.extend(hashes(entry)),
                Place::Mined(_) if entry.is_open(rules) => questions.receipts.extend(hashes(entry)),
                // A node may have the nonce long before it has the receipt.
                Place::Gone if entry.overtaken.is_some() && !entry.acknowledged => {
                    questions.receipts.extend(hashes(entry));
                }
                _ => {}
            }
        }
        let lowest = self.pending().find(|entry| entry.nonce >= facts.mined_nonce);
        if let Some(entry) = lowest.filter(|entry| self.is_doubtful(entry, facts)) {
            questions.calls.push((entry.nonce, entry.request.call.clone()));
        }
        questions.unknown = self.unknown(rules, facts);
        questions
    }

    /// What is on its way, by nonce.
    pub(super) fn pending(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.is_pending())
    }

    /// The first nonce so far above those in blocks, and above what waits right behind them, that no mempool waits for it: whoever has one like that
    /// has it by a node's word, which was wrong.
    pub(super) fn reach(&self, facts: &Facts) -> u64 {
        let mut next = facts.mined_nonce;
        for entry in self.pending() {
            next = next.saturating_add(u64::from(entry.nonce == next));
        }
        next.saturating_add(MOST_PENDING)
    }

    pub(super) fn has_pending(&self, nonce: u64) -> bool {
        self.pending().any(|entry| entry.nonce == nonce)
    }

    /// Nonces for which the mempool has a transaction that isn't in the ledger and may call the contract of [`Rules`].
    pub(super) fn unknown(&self, rules: &Rules, facts: &Facts) -> Vec<u64> {
        let is_another_s =
            |nonce: u64| self.strange.iter().any(|(of, to)| *of == nonce && *to != TxKind::Call(rules.contract));
        let nonces = facts.mined_nonce..facts.pending_nonce();
        nonces.filter(|nonce| !self.has_pending(*nonce) && !is_another_s(*nonce)).collect()
    }

    /// Adds a request with a nonce; gives what is to be signed for it.
    pub(super) fn add(
        &mut self,
        rules: &Rules,
        request: Request,
        nonce: u64,
        fees: Fees,
        block: u64,
    ) -> (TxId, Effect) {
        let mut entry = self.new_entry(request, nonce, block);
        entry.ceiling = Some(rules.ceiling);
        let (id, effect) = (entry.id, entry.sign(rules, fees));
        self.insert(entry);
        (id, effect)
    }

    pub(super) fn new_entry(&mut self, request: Request, nonce: u64, block: u64) -> Entry {
        self.last_id += 1;
        Entry {
            id: TxId(self.last_id),
            nonce,
            request,
            attempts: Vec::new(),
            ceiling: None,
            since: block,
            place: Place::Pending,
            found_at: 0,
            dropped: None,
            refusals: (0, 0),
            overtaken: None,
            told_ceiling: false,
            acknowledged: false,
        }
    }

    pub(super) fn insert(&mut self, entry: Entry) {
        self.entries.push(entry);
        self.entries.sort_by_key(|entry| (entry.nonce, entry.id));
    }

    /// Forgets the oldest of what is settled and can't be taken back any more. What must not be done twice stays for longer, until who requested it knows.
    pub(super) fn forget(&mut self, rules: &Rules, block: u64) {
        // They stand by their nonces, and so by their age.
        let settled = self.entries.iter().filter(|entry| entry.is_settled(rules, block));
        let (untold, told): (Vec<_>, Vec<_>) = settled.partition(|entry| entry.is_untold());
        let oldest = |of: &[&Entry], kept| {
            of[..of.len().saturating_sub(kept)].iter().map(|entry| entry.id).collect::<Vec<TxId>>()
        };
        let forgotten = [oldest(&told, REMEMBERED), oldest(&untold, REMEMBERED_UNTOLD)].concat();
        self.entries.retain(|entry| !forgotten.contains(&entry.id));
    }

    /// The most that may be offered for an entry: what its caller has said, or that of what waits behind it; for what has a topic and waits behind it, all.
    pub(super) fn ceiling(&self, rules: &Rules, entry: &Entry) -> u128 {
        let behind = self.pending().filter(|other| other.nonce > entry.nonce && other.dropped.is_none());
        let offered = |other: &Entry| other.ceiling.filter(|_| !other.request.has_topic()).unwrap_or(rules.ceiling);
        let own = entry.ceiling.unwrap_or(rules.ceiling);
        behind.map(offered).fold(own, u128::max).min(rules.ceiling)
    }

    /// Whether anything urgent has this nonce or a higher one.
    pub(super) fn urgency(&self, nonce: u64) -> Priority {
        let behind = self.pending().filter(|entry| entry.nonce >= nonce && entry.dropped.is_none());
        behind.map(|entry| entry.request.priority).max().unwrap_or(Priority::Normal)
    }
}
