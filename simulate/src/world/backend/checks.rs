//! What senders and followers promise.

use super::super::World;
use super::{Backend, CEILING};
use crate::evm::CONTRACT;
use crate::node::Signed;
use ::chain::send::{Call, Entry};
use game::Transaction;

/// Rounds of fair weather after which nothing may be under way any more.
const CALM: u64 = 80;

impl Backend {
    /// Whether a move with a nonce can still be carried out: nothing final has used the nonce up, or this move itself did.
    fn may_be_included(&self, i: usize, call: &Call, nonce: u64) -> bool {
        let (node, head) = (&self.node, self.node.view(0));
        let last_final = node.block(head).header.block.number.checked_sub(self.node_weather.confirmations);
        match node.with_nonce(head, i, nonce) {
            Some((number, included)) if last_final.is_some_and(|last| number <= last) => {
                included.refusal.is_none() && included.signed.call.is_same(call)
            }
            _ => true,
        }
    }
}

impl World {
    /// What a player sends is on its disk, its fee is allowed, and no other move of the ply can still be included when it is sent first.
    pub(super) fn check_sent(&mut self, i: usize, signed: &Signed) {
        let Signed { hash, nonce, call, fees, .. } = signed;
        self.checks.add("written before sent");
        let (_, ledger) = self.connection(i).disk.read();
        let is_it = |entry: &&Entry| entry.attempts.iter().any(|attempt| attempt.hash == *hash);
        let entry = ledger.entries().iter().find(is_it).expect("something is sent that is not on disk");
        self.checks.add("no fee above the ceiling");
        // What only uses up a nonce may outbid what has it.
        let ceiling = if call.input.is_empty() { CEILING + CEILING.div_ceil(8) } else { CEILING };
        assert!(fees.max <= ceiling, "a fee of {} is above the ceiling", fees.max);
        let ply = match self.backend().node.meaning(&call.input) {
            Some(Transaction::Move { fields, .. }) if call.calls(CONTRACT) && entry.request.is_exclusive() => {
                fields.ply
            }
            _ => return,
        };
        self.checks.add("no other move while one can be included");
        if self.connection(i).is_unbound {
            return;
        }
        let known = self.connection(i).moves.get(&ply).cloned().unwrap_or_default();
        if known.iter().any(|(other, at)| other.is_same(call) && at == nonce) {
            return;
        }
        for (other, at) in known.iter().filter(|(other, _)| !other.is_same(call)) {
            let may_be = self.backend().may_be_included(i, other, *at);
            assert!(!may_be, "a second move of ply {ply} is signed while the first can still be included");
        }
        self.connection(i).moves.entry(ply).or_default().push((call.clone(), *nonce));
    }

    /// The contract refuses an honest transaction in a block only as overtaken.
    pub(super) fn check_block(&mut self) {
        let backend = self.backend.as_ref().expect("a deep world");
        for included in &backend.node.head().included {
            let i = included.signed.sender;
            let (Some(refusal), None) = (&included.refusal, &self.players[i].mischief) else { continue };
            let transaction = backend.node.meaning(&included.signed.call.input).expect("it was sent");
            let is_late = self.is_overtaken(refusal.name(), transaction) || backend.node_weather.fork > 0;
            assert!(is_late, "{}: {transaction:?}", refusal.name());
        }
    }

    /// In fair weather all that is under way comes to its end, and no call was carried out twice.
    ///
    /// # Panics
    /// If not.
    pub fn check_senders(&mut self) {
        if self.backend.is_none() {
            return;
        }
        let backend = self.backend();
        backend.node_weather.clear_up();
        (self.weather.crash, self.weather.torn) = (0, 0);
        // What counts as final by the chain's own word, a sender looks after for longer.
        let confirmations = self.connection(0).sending.sender.rules().confirmations;
        for _ in 0..CALM + confirmations {
            self.chain.now = self.backend().next_block;
            self.make_blocks();
            for i in 0..2 {
                // Nothing is sent again by itself before a look has found the known chain.
                if self.may_look(i) {
                    self.look_at_chain(i);
                }
                self.send_below(i);
            }
        }
        for i in 0..2 {
            self.checks.add("nothing is stuck");
            let connection = self.connection(i);
            let (_, ledger) = connection.disk.read();
            assert!(ledger.is_idle(connection.sending.sender.rules()), "something is under way for ever: {ledger:?}");
            assert!(connection.sending.wanted.is_empty(), "something wanted has no end: {:?}", connection.sending);
        }
        self.checks.add("carried out once");
        let mut taken: Vec<_> =
            self.backend().node.carried_out().into_iter().map(|s| (s.sender, &s.call.input)).collect();
        let all = taken.len();
        taken.sort_unstable();
        taken.dedup();
        assert_eq!(taken.len(), all, "a call was carried out twice");
    }

    /// A deep world whose wallets and nodes nothing is wrong with any more.
    pub(in super::super) fn clear_up(&mut self) {
        if self.backend.is_some() {
            self.backend().node_weather.clear_up();
        }
    }
}
