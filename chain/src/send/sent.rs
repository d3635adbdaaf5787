//! What came of sending a transaction to a node.

use super::entry::Place;
use super::{Advice, Effect, Failure, Ledger, Sending};
use alloy::primitives::B256;

impl Ledger {
    /// The answer of a node to the bytes with a hash.
    pub fn on_sent(&mut self, hash: B256, sending: Sending) -> Vec<Effect> {
        let has_it = |entry: &&mut super::Entry| entry.attempts.iter().any(|attempt| attempt.hash == hash);
        let Some(entry) = self.entries.iter_mut().find(has_it) else {
            return Vec::new();
        };
        let mut refused = None;
        for attempt in entry.attempts.iter_mut().filter(|attempt| attempt.hash == hash) {
            // What was once accepted may be in a mempool for ever.
            let accepted = attempt.sending == Some(Sending::Accepted);
            if let (Sending::CannotPay(reason), false) = (&sending, accepted) {
                refused = Some(reason.clone());
            }
            if !accepted || !matches!(sending, Sending::Unanswered | Sending::CannotPay(_)) {
                attempt.sending = Some(sending.clone());
            }
        }
        let Some(reason) = refused else {
            return Vec::new();
        };
        let nobody_has_it = entry.attempts.iter().all(|v| matches!(v.sending, Some(Sending::CannotPay(_))));
        if nobody_has_it && entry.is_pending() {
            // No node has anything with this nonce: it is free again.
            (entry.place, entry.dropped) = (Place::Gone, Some(Failure::CannotPay(reason)));
            return Vec::new();
        }
        vec![Effect::Tell(Advice::CannotRaise { subject: entry.request.subject.to_string(), reason })]
    }
}
