//! A block: what is in it is settled, what isn't is raised, sent again or given up.

use super::entry::Place;
use super::{
    Advice, Effect, Entry, Facts, Failure, Fees, Ledger, Mined, Priority, Request, Rules, Sending, Subject, TxId,
};

/// Blocks that a transaction has to be included before its fee is raised.
pub const PATIENCE: u64 = 3;
/// Blocks after which a transaction with something urgent behind it is raised.
const URGENT_PATIENCE: u64 = 1;
/// Blocks that a transaction of which only the nonce is known holds up what is exclusive before it is replaced.
pub const UNKNOWN_PATIENCE: u64 = 10;
/// Blocks in a row in which the contract must refuse a transaction before it is given up: a node may be behind.
const REFUSALS: u32 = 2;
/// Blocks for which an unknown transaction is waited for with something urgent behind it.
const LAG: u64 = 3;
/// Blocks for which a used nonce without a receipt may be a node's lag: twice as many as the machines behind its address may be behind, since
/// the block, the nonce and the receipt can each be another one's. Taken too early for another's, a call would be made twice.
const RECEIPT_LAG: u64 = 6;

impl Ledger {
    /// What the chain says, at a new block or whenever it is asked.
    pub fn on_block(&mut self, rules: &Rules, facts: &Facts) -> Vec<Effect> {
        let mut effects = Vec::new();
        self.unknown_since = self.unknown_since.map(|at| facts.believed(at));
        let reach = self.reach(facts);
        for entry in &mut self.entries {
            entry.settle(rules, facts, reach);
            entry.judge(facts, &mut effects);
        }
        self.look_at_pool(rules, facts, &mut effects);
        let waiting = |e: &&Entry| (facts.mined_nonce..reach).contains(&e.nonce);
        let waiting: Vec<TxId> = self.pending().filter(waiting).map(|e| e.id).collect();
        for id in waiting {
            self.tend(rules, id, facts, &mut effects);
        }
        self.fill_holes(rules, reach, facts, &mut effects);
        self.forget(rules, facts.block);
        effects
    }

    /// Takes over what the mempool has of the account and the ledger doesn't know.
    fn look_at_pool(&mut self, rules: &Rules, facts: &Facts, effects: &mut Vec<Effect>) {
        self.strange.retain(|(nonce, _)| *nonce >= facts.mined_nonce && *nonce < facts.pending_nonce());
        for found in &facts.pool {
            if self.has_pending(found.nonce) {
                continue;
            }
            match &found.subject {
                None => {
                    self.strange.retain(|(nonce, _)| *nonce != found.nonce);
                    self.strange.push((found.nonce, found.call.to));
                }
                Some(subject) => {
                    effects.push(Effect::Tell(Advice::TakenOver { subject: subject.to_string() }));
                    let (call, subject) = (found.call.clone(), subject.clone());
                    let request = Request { call, subject, priority: Priority::Normal };
                    let mut entry = self.new_entry(request, found.nonce, facts.block);
                    entry.attempts.push(found.attempt.clone());
                    self.insert(entry);
                }
            }
        }
        let unknown = self.unknown(rules, facts);
        if !unknown.is_empty() && self.unknown_since.is_none() {
            effects.push(Effect::Tell(Advice::Unknown));
        }
        self.unknown_since = unknown.first().map(|_| self.unknown_since.unwrap_or(facts.block));
        if unknown.iter().any(|nonce| self.urgency(*nonce) == Priority::Urgent) {
            self.replace_unknown(rules, LAG, facts, effects);
        }
    }

    /// Raises the fees of one that is slow, or sends it again if the node hasn't got it.
    fn tend(&mut self, rules: &Rules, id: TxId, facts: &Facts, effects: &mut Vec<Effect>) {
        let is_lowest = self.pending().find(|e| e.nonce >= facts.mined_nonce).is_some_and(|e| e.id == id);
        let Some(entry) = self.entry(id).filter(|entry| !entry.attempts.is_empty()) else {
            return;
        };
        let last = entry.attempts.last();
        let is_underpriced = last.is_some_and(|v| v.sending == Some(Sending::Underpriced));
        let to_be_filled = entry.is_to_be_filled();
        // One that the contract refuses gets a second opinion first; what only uses up a nonce isn't refused.
        let is_in_doubt = entry.dropped.is_none() && entry.refusals.0 > 0;
        let is_late = (is_lowest && self.is_slow(entry, facts) || is_too_low(entry, facts)) && !is_in_doubt;
        if (is_underpriced || to_be_filled || is_late) && self.raise(rules, id, facts, effects) {
            return;
        }
        let Some(entry) = self.entry(id) else { return };
        // An attempt that the node refused makes way for the one before it. Where there is none, it is tried again: what was too cheap isn't when the
        // base fee has fallen, and a cancellation that doesn't outbid what one machine has needn't at another.
        let is_void = entry.dropped == Some(Failure::TakenBack);
        let payable =
            |v: &&super::Attempt| !matches!(v.sending, Some(Sending::CannotPay(_))) && (v.cancellation || !is_void);
        let mut attempts = entry.attempts.iter().rev().filter(payable);
        let attempt = attempts.clone().find(|v| v.sending != Some(Sending::Underpriced)).or_else(|| attempts.next());
        let unknown_to_node = facts.pending_nonce() <= entry.nonce;
        // A node that has the nonce may have it with an older attempt: one that can't be raised is sent again for as long as it waits.
        let is_unsent = |v: &&super::Attempt| matches!(v.sending, None | Some(Sending::Unanswered));
        let attempt = attempt.filter(|v| unknown_to_node || is_late || is_unsent(v));
        effects.extend(attempt.map(|attempt| Effect::Broadcast { hash: attempt.hash }));
    }

    /// Whether an entry has waited for longer than it should.
    fn is_slow(&self, entry: &Entry, facts: &Facts) -> bool {
        let patience = match self.urgency(entry.nonce) {
            Priority::Normal => PATIENCE,
            Priority::Urgent => URGENT_PATIENCE,
        };
        facts.block >= entry.since.saturating_add(patience)
    }

    /// Whether the contract is to be asked about an entry, because it is late or was refused before.
    pub(super) fn is_doubtful(&self, entry: &Entry, facts: &Facts) -> bool {
        entry.dropped.is_none() && (entry.refusals.0 > 0 || is_too_low(entry, facts) || self.is_slow(entry, facts))
    }

    /// Has an entry signed again for higher fees; says whether that is possible.
    pub(super) fn raise(&mut self, rules: &Rules, id: TxId, facts: &Facts, effects: &mut Vec<Effect>) -> bool {
        let priority = self.entry(id).map_or(Priority::Normal, |entry| self.urgency(entry.nonce));
        let offered = self.entry(id).map_or(rules.ceiling, |entry| self.ceiling(rules, entry));
        let nonce = self.entry(id).map_or(u64::MAX, |entry| entry.nonce);
        let can_t_wait = |entry: &Entry| entry.request.has_topic() || entry.request.priority == Priority::Urgent;
        let holds_up = self.pending().any(|entry| entry.nonce > nonce && entry.dropped.is_none() && can_t_wait(entry));
        let Some(entry) = self.entries.iter_mut().find(|entry| entry.id == id) else {
            return false;
        };
        // What has become dearer than nodes pass on makes way for what can't wait.
        if entry.dropped.is_none() && holds_up && entry.cap() < facts.base_fee {
            let (subject, reason) = (entry.request.subject.to_string(), "nodes pass on nothing so dear".to_owned());
            entry.dropped = Some(Failure::Refused(reason.clone()));
            effects.push(Effect::Tell(Advice::Dropped { subject, reason }));
        }
        // An empty transaction costs little at any fee, and without it all that is behind the nonce may wait for good.
        let offered = match entry.is_to_be_filled() {
            true => offered.max(entry.fees().outbid().max),
            false => offered.min(entry.cap()),
        };
        let subject = entry.request.subject.to_string();
        let is_too_cheap = entry.attempts.last().is_some_and(|attempt| attempt.sending == Some(Sending::Underpriced));
        let (quiet, dear) = (facts.market(priority), facts.dear_market(priority));
        let waiting = |market: Fees| (market, offered.min(market.bound_of_waiting()));
        let fits = |(market, ceiling): (Fees, u128)| entry.fees().raised(market, ceiling).is_some();
        let (market, ceiling) = match is_too_cheap {
            true => (dear, offered),
            // What uses up a nonce must outbid what has it, whatever that has come to.
            false if entry.dropped.is_some() || entry.is_cancellation() => (quiet, offered),
            false if fits(waiting(quiet)) => waiting(quiet),
            // It has waited long: perhaps for a tip that the node names, and that is more than a quiet chain's.
            false => waiting(dear),
        };
        match entry.fees().raised(market, ceiling) {
            Some(fees) => {
                (entry.since, entry.told_ceiling) = (facts.block, false);
                if entry.dropped.is_none() && !entry.is_cancellation() {
                    effects.push(Effect::Tell(Advice::Raised { subject, fees }));
                }
                effects.push(entry.sign(rules, fees));
                true
            }
            None => {
                if ceiling == offered && !std::mem::replace(&mut entry.told_ceiling, true) {
                    let (base_fee, is_of_user) = (facts.base_fee, ceiling < entry.cap());
                    effects.push(Effect::Tell(Advice::Ceiling { subject, ceiling, is_of_user, base_fee }));
                }
                false
            }
        }
    }

    /// Uses up nonces that nothing has and that hold up what is behind them.
    fn fill_holes(&mut self, rules: &Rules, reach: u64, facts: &Facts, effects: &mut Vec<Effect>) {
        let in_reach = self.pending().map(|entry| entry.nonce).filter(|nonce| *nonce < reach);
        let Some(last) = in_reach.max() else {
            return;
        };
        for nonce in facts.pending_nonce()..last {
            let tried =
                |e: &&Entry| e.nonce == nonce && e.is_cancellation() && facts.block < e.since.saturating_add(PATIENCE);
            if !self.has_pending(nonce) && !self.entries.iter().any(|entry| tried(&entry)) {
                let fees = facts.market(Priority::Urgent).at_most(rules.ceiling);
                let request = Request::nothing(rules.account, Subject::Cancellation);
                effects.push(self.add(rules, request, nonce, fees, facts.block).1);
            }
        }
    }
}

/// Whether the base fee has passed an entry's fee since it was signed.
fn is_too_low(entry: &Entry, facts: &Facts) -> bool {
    entry.fees().max < facts.base_fee && facts.block > entry.since
}

impl Entry {
    /// Whether nobody has asked for it.
    fn is_cancellation(&self) -> bool {
        matches!(self.request.subject, Subject::Cancellation | Subject::Replacing)
    }

    /// Whether it is given up, and nothing is signed yet that only uses up its nonce.
    fn is_to_be_filled(&self) -> bool {
        self.dropped.is_some() && self.attempts.last().is_some_and(|attempt| !attempt.cancellation)
    }

    /// Finds out where the nonce is.
    fn settle(&mut self, rules: &Rules, facts: &Facts, reach: u64) {
        self.since = facts.believed(self.since);
        self.overtaken = self.overtaken.map(|at| facts.believed(at));
        let is_of_this = |mined: &&Mined| self.attempts.iter().any(|attempt| attempt.hash == mined.transaction);
        // Without its nonce used up a receipt is of a block that a fork has taken back.
        let found = facts.receipts.iter().find(is_of_this).filter(|_| self.nonce < facts.mined_nonce);
        if let Some(mined) = found {
            (self.place, self.overtaken, self.found_at) = (Place::Mined(*mined), None, facts.block);
            return;
        }
        let is_used = self.nonce < facts.mined_nonce;
        if !is_used {
            self.overtaken = None;
        }
        match self.place {
            // A fork has taken it back.
            Place::Mined(_) if !is_used => {
                (self.place, self.since) = (Place::Pending, facts.block);
                for attempt in &mut self.attempts {
                    attempt.sending = None;
                }
            }
            Place::Pending | Place::Mined(_) if is_used && self.is_open(rules) => {
                let since = *self.overtaken.get_or_insert(facts.block);
                if facts.block >= since.saturating_add(RECEIPT_LAG) {
                    self.place = Place::Gone;
                }
            }
            Place::Pending if self.nonce >= reach => {
                // Unless the node is far behind: then it comes back with its receipt.
                if facts.block >= self.since.saturating_add(RECEIPT_LAG) {
                    self.place = Place::Gone;
                }
            }
            // Whatever has taken its nonce may be taken back, too.
            Place::Gone if is_used => {
                self.overtaken.get_or_insert(facts.block);
            }
            Place::Pending | Place::Mined(_) | Place::Gone => {}
        }
    }

    /// Gives up what the contract refuses again and again.
    fn judge(&mut self, facts: &Facts, effects: &mut Vec<Effect>) {
        if !self.is_pending() || self.dropped.is_some() {
            return;
        }
        let refused = facts.refused.iter().find(|(nonce, _)| *nonce == self.nonce);
        let Some((_, reason)) = refused else {
            if self.refusals.1 < facts.block {
                self.refusals = (0, 0);
            }
            return;
        };
        let (count, at) = self.refusals;
        if count == 0 || at < facts.block {
            self.refusals = (count.saturating_add(1), facts.block);
        }
        if self.refusals.0 >= REFUSALS {
            let (subject, reason) = (self.request.subject.to_string(), reason.clone());
            self.dropped = Some(Failure::Refused(reason.clone()));
            effects.push(Effect::Tell(Advice::Dropped { subject, reason }));
        }
    }
}
