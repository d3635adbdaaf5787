//! A transaction is wanted: it is one that is under way, or gets a nonce at once, or must wait, or contradicts one of its key that was signed.

use super::entry::Place;
use super::{Effect, Entry, Facts, Ledger, Priority, Request, Rules, Subject, TxId, TxStatus};

/// What becomes of a request at first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It has a nonce and is to be signed.
    Assigned(TxId),
    /// An equal request is under way, or was carried out as the one of its key.
    Known(TxId),
    /// It can't be signed now; it is to be asked for again at the next block.
    Wait,
    /// Another request of the same key was signed and may still be included, or was: this one isn't signed.
    Contradicts,
}

impl Ledger {
    /// The entry that a request equals: what is under way, or was carried out as the one of its key.
    pub fn same(&self, request: &Request) -> Option<TxId> {
        let equal = self.entries.iter().rev().filter(|entry| entry.request.call.is_same(&request.call));
        let mut known = equal.filter(|entry| match entry.place {
            Place::Pending => entry.dropped.is_none(),
            // Not where what is in a block only used up its nonce.
            Place::Mined(mined) => {
                request.is_exclusive()
                    && entry.dropped.is_none()
                    && mined.succeeded
                    && matches!(entry.status(), TxStatus::Mined(_))
            }
            Place::Gone => false,
        });
        known.next().map(|entry| entry.id)
    }

    /// Whether another request of the same key was signed that may still be included, or was. One whose nonce is used up for good, by
    /// something else or by itself in vain, stands in nobody's way: where the chain was taken back so far that the move doesn't fit
    /// its position any more, another may be made.
    fn contradicts(&self, rules: &Rules, request: &Request, block: u64) -> bool {
        self.entries.iter().any(|entry| entry.request.contradicts(request) && !entry.is_void(rules, block))
    }

    /// Asks anew what became of other requests of the same key that were in blocks thought final: whoever wants another knows of a chain
    /// without them.
    fn doubt(&mut self, rules: &Rules, request: &Request, block: u64) {
        for entry in self.entries.iter_mut().filter(|entry| entry.request.contradicts(request)) {
            entry.doubt(rules, block);
        }
    }

    /// A transaction is wanted.
    pub fn want(&mut self, rules: &Rules, request: &Request, facts: &Facts) -> (Answer, Vec<Effect>) {
        let mut effects = self.on_block(rules, facts);
        if self.contradicts(rules, request, facts.block) {
            self.doubt(rules, request, facts.block);
            return (Answer::Contradicts, effects);
        }
        if let Some(id) = self.same(request) {
            if let Some(entry) = self.entries.iter_mut().find(|entry| entry.id == id) {
                entry.ceiling = Some(rules.ceiling);
            }
            self.hurry(rules, id, request.priority, facts, &mut effects);
            return (Answer::Known(id), effects);
        }
        if request.is_exclusive() && self.has_unknown() {
            self.replace_unknown(rules, super::UNKNOWN_PATIENCE, facts, &mut effects);
            return (Answer::Wait, effects);
        }
        if let Some(id) = self.take_back(rules, request, facts, &mut effects) {
            return (Answer::Assigned(id), effects);
        }
        // The same was given up and may be included still: with another nonce it would be done twice.
        let is_being_replaced = |e: &Entry| {
            e.nonce >= facts.mined_nonce && request.is_harmful_twice() && e.request.call.is_same(&request.call)
        };
        if self.pending().any(is_being_replaced) {
            return (Answer::Wait, effects);
        }
        let Some(nonce) = self.free_nonce(facts) else {
            return (Answer::Wait, effects);
        };
        let fees = facts.market(request.priority).at_most(rules.ceiling.min(request.cap()));
        let (id, effect) = self.add(rules, request.clone(), nonce, fees, facts.block);
        effects.push(effect);
        if request.priority == Priority::Urgent {
            self.raise_before(rules, id, facts, &mut effects);
        }
        (Answer::Assigned(id), effects)
    }

    /// The lowest nonce that neither the chain nor the mempool nor the ledger has; none if a node says that nearly all are used, of which no chain
    /// takes the highest (EIP-2681).
    fn free_nonce(&self, facts: &Facts) -> Option<u64> {
        (facts.pending_nonce()..u64::MAX).find(|nonce| !self.has_pending(*nonce))
    }

    /// What is under way gets more urgent.
    fn hurry(&mut self, rules: &Rules, id: TxId, priority: Priority, facts: &Facts, effects: &mut Vec<Effect>) {
        let entry = self.entries.iter_mut().find(|entry| entry.id == id && entry.is_pending());
        if let Some(entry) = entry.filter(|entry| entry.request.priority < priority) {
            entry.request.priority = priority;
            self.raise_before(rules, id, facts, effects);
        }
    }

    /// A request that was given up and whose nonce isn't used up so far is signed again with that nonce.
    fn take_back(
        &mut self,
        rules: &Rules,
        request: &Request,
        facts: &Facts,
        effects: &mut Vec<Effect>,
    ) -> Option<TxId> {
        let given_up = |entry: &&mut super::Entry| entry.is_pending() && entry.request.call.is_same(&request.call);
        let entry = self.entries.iter_mut().find(given_up)?;
        let (market, ceiling) = (facts.market(request.priority), rules.ceiling.min(request.cap()));
        // The cancellation may be about to be signed: its effect is replaced by this one, unless only a cancellation may cost that much.
        let cancellation = effects.iter().position(|e| matches!(e, Effect::Sign { id, .. } if *id == entry.id));
        let fees = match cancellation.map(|at| &effects[at]) {
            Some(Effect::Sign { fees, .. }) => (fees.max <= ceiling).then_some(*fees)?,
            _ => entry.fees().raised(market, ceiling)?,
        };
        if let Some(at) = cancellation {
            effects.remove(at);
        }
        (entry.dropped, entry.refusals, entry.since) = (None, (0, 0), facts.block);
        entry.request = request.clone();
        effects.push(entry.sign(rules, fees));
        Some(entry.id)
    }

    /// Raises everything before an urgent transaction, and itself, to what an urgent one offers.
    fn raise_before(&mut self, rules: &Rules, id: TxId, facts: &Facts, effects: &mut Vec<Effect>) {
        let Some(nonce) = self.entry(id).map(|entry| entry.nonce) else {
            return;
        };
        let market = facts.market(Priority::Urgent).at_most(rules.ceiling);
        let waiting = facts.mined_nonce..=nonce;
        let before: Vec<TxId> = self.pending().filter(|e| waiting.contains(&e.nonce)).map(|e| e.id).collect();
        for id in before {
            let asked = effects.iter().any(|e| matches!(e, Effect::Sign { id: t, .. } if *t == id));
            if !asked && self.entry(id).is_some_and(|entry| !entry.fees().reach(market)) {
                self.raise(rules, id, facts, effects);
            }
        }
    }

    /// Whether something may be on its way that nobody shows: its status is known once the nonce is used up.
    pub fn has_unknown(&self) -> bool {
        self.unknown_since.is_some() || self.pending().any(|entry| entry.request.subject == Subject::Replacing)
    }

    /// Uses up the nonces of transactions that nobody shows, once they have been waited for.
    pub(super) fn replace_unknown(&mut self, rules: &Rules, patience: u64, facts: &Facts, effects: &mut Vec<Effect>) {
        let Some(since) = self.unknown_since else {
            return;
        };
        if facts.block < since.saturating_add(patience) {
            return;
        }
        for nonce in self.unknown(rules, facts) {
            // What is to be outbid is unknown too: a node's refusal as underpriced raises it.
            let fees = facts.market(Priority::Urgent).at_most(rules.ceiling);
            let request = Request::nothing(rules.account, Subject::Replacing);
            effects.push(self.add(rules, request, nonce, fees, facts.block).1);
        }
    }
}
