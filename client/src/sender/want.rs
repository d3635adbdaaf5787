//! A transaction is wanted: it is one that is under way, or gets a nonce at once, or must wait, or contradicts a move that was signed.

use super::entry::Place;
use super::{Effect, Entry, Facts, Fate, Fees, Ledger, Priority, Rules, Subject, Ticket, Wish};

/// What becomes of a wish at first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It has a nonce and is to be signed.
    Assigned(Ticket),
    /// An equal wish is under way, or is a move that was made.
    Known(Ticket),
    /// It can't be signed now; wish it again at the next block.
    Wait,
    /// Another move was signed for the same ply and may still be included, or was: this one isn't signed.
    OtherMove,
}

impl Ledger {
    /// The entry that a wish equals: what is under way, or a move that was made.
    pub fn same(&self, wish: &Wish) -> Option<Ticket> {
        let equal = self.entries.iter().rev().filter(|entry| entry.wish.call.is_same(&wish.call));
        let mut known = equal.filter(|entry| match entry.place {
            Place::Pending => entry.dropped.is_none(),
            // Not where what is in a block only used up its nonce.
            Place::Mined(mined) => {
                wish.is_move() && entry.dropped.is_none() && mined.succeeded && matches!(entry.fate(), Fate::Mined(_))
            }
            Place::Gone => false,
        });
        known.next().map(|entry| entry.ticket)
    }

    /// Whether another move was signed for the same ply that may still be included, or was. One whose nonce is used up for good, by
    /// something else or by itself in vain, stands in nobody's way: where the chain was taken back so far that the move doesn't fit
    /// its position any more, another may be made.
    fn contradicts(&self, rules: &Rules, wish: &Wish, block: u64) -> bool {
        self.entries.iter().any(|entry| entry.wish.contradicts(wish) && !entry.is_void(rules, block))
    }

    /// Asks anew what became of other moves of the same ply that were in blocks thought final: whoever wants another knows of a chain
    /// without them.
    fn doubt(&mut self, rules: &Rules, wish: &Wish, block: u64) {
        for entry in self.entries.iter_mut().filter(|entry| entry.wish.contradicts(wish)) {
            entry.doubt(rules, block);
        }
    }

    /// A transaction is wanted.
    pub fn want(&mut self, rules: &Rules, wish: &Wish, facts: &Facts) -> (Answer, Vec<Effect>) {
        let mut effects = self.on_block(rules, facts);
        if self.contradicts(rules, wish, facts.block) {
            self.doubt(rules, wish, facts.block);
            return (Answer::OtherMove, effects);
        }
        if let Some(ticket) = self.same(wish) {
            if let Some(entry) = self.entries.iter_mut().find(|entry| entry.ticket == ticket) {
                entry.ceiling = Some(rules.ceiling);
            }
            self.hurry(rules, ticket, wish.priority, facts, &mut effects);
            return (Answer::Known(ticket), effects);
        }
        if wish.is_move() && self.has_unknown() {
            self.replace_unknown(rules, super::UNKNOWN_PATIENCE, facts, &mut effects);
            return (Answer::Wait, effects);
        }
        if let Some(ticket) = self.take_back(rules, wish, facts, &mut effects) {
            return (Answer::Assigned(ticket), effects);
        }
        // The same was given up and may be included still: with another nonce it would be done twice.
        let is_being_replaced =
            |e: &Entry| e.nonce >= facts.mined_nonce && wish.is_harmful_twice() && e.wish.call.is_same(&wish.call);
        if self.pending().any(is_being_replaced) {
            return (Answer::Wait, effects);
        }
        let Some(nonce) = self.free_nonce(facts) else {
            return (Answer::Wait, effects);
        };
        let fees = Fees::market(facts, wish.priority).at_most(rules.ceiling.min(wish.cap()));
        let (ticket, effect) = self.add(rules, wish.clone(), nonce, fees, facts.block);
        effects.push(effect);
        if wish.priority == Priority::Urgent {
            self.raise_before(rules, ticket, facts, &mut effects);
        }
        (Answer::Assigned(ticket), effects)
    }

    /// The lowest nonce that neither the chain nor the mempool nor the ledger has; none if a node says that nearly all are used, of which no chain
    /// takes the highest (EIP-2681).
    fn free_nonce(&self, facts: &Facts) -> Option<u64> {
        (facts.pending_nonce()..u64::MAX).find(|nonce| !self.has_pending(*nonce))
    }

    /// What is under way gets more urgent.
    fn hurry(&mut self, rules: &Rules, ticket: Ticket, priority: Priority, facts: &Facts, effects: &mut Vec<Effect>) {
        let entry = self.entries.iter_mut().find(|entry| entry.ticket == ticket && entry.is_pending());
        if let Some(entry) = entry.filter(|entry| entry.wish.priority < priority) {
            entry.wish.priority = priority;
            self.raise_before(rules, ticket, facts, effects);
        }
    }

    /// A wish that was given up and whose nonce isn't used up so far is signed again with that nonce.
    fn take_back(&mut self, rules: &Rules, wish: &Wish, facts: &Facts, effects: &mut Vec<Effect>) -> Option<Ticket> {
        let given_up = |entry: &&mut super::Entry| entry.is_pending() && entry.wish.call.is_same(&wish.call);
        let entry = self.entries.iter_mut().find(given_up)?;
        let (market, ceiling) = (Fees::market(facts, wish.priority), rules.ceiling.min(wish.cap()));
        // The filler may be about to be signed: its effect is replaced by this one, unless only a filler may cost that much.
        let filler = effects.iter().position(|e| matches!(e, Effect::Sign { ticket, .. } if *ticket == entry.ticket));
        let fees = match filler.map(|at| &effects[at]) {
            Some(Effect::Sign { fees, .. }) => (fees.max <= ceiling).then_some(*fees)?,
            _ => entry.fees().raised(market, ceiling)?,
        };
        if let Some(at) = filler {
            effects.remove(at);
        }
        (entry.dropped, entry.refusals, entry.since) = (None, (0, 0), facts.block);
        entry.wish = wish.clone();
        effects.push(entry.sign(rules, fees));
        Some(entry.ticket)
    }

    /// Raises everything before an urgent transaction, and itself, to what an urgent one offers.
    fn raise_before(&mut self, rules: &Rules, ticket: Ticket, facts: &Facts, effects: &mut Vec<Effect>) {
        let Some(nonce) = self.entry(ticket).map(|entry| entry.nonce) else {
            return;
        };
        let market = Fees::market(facts, Priority::Urgent).at_most(rules.ceiling);
        let waiting = facts.mined_nonce..=nonce;
        let before: Vec<Ticket> = self.pending().filter(|e| waiting.contains(&e.nonce)).map(|e| e.ticket).collect();
        for ticket in before {
            let asked = effects.iter().any(|e| matches!(e, Effect::Sign { ticket: t, .. } if *t == ticket));
            if !asked && self.entry(ticket).is_some_and(|entry| !entry.fees().reach(market)) {
                self.raise(rules, ticket, facts, effects);
            }
        }
    }

    /// Whether a move may be on its way that nobody shows: its fate is known once the nonce is used up.
    pub fn has_unknown(&self) -> bool {
        self.unknown_since.is_some() || self.pending().any(|entry| entry.wish.subject == Subject::Replacing)
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
            let fees = Fees::market(facts, Priority::Urgent).at_most(rules.ceiling);
            let wish = Wish::nothing(rules.account, Subject::Replacing);
            effects.push(self.add(rules, wish, nonce, fees, facts.block).1);
        }
    }
}
