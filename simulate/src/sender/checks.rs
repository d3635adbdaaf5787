//! What the sender promises.

use super::node::{Node, calls};
use super::{CEILING, CONTRACT, Owner, RULES};
use chain::send::{Call, Key, Ledger, Request, Subject, TxId, TxStatus};

impl Owner {
    /// One move a ply, at a fee that is allowed.
    pub(super) fn check_signed(&mut self, ledger: &Ledger, ticket: TxId, call: &Call, fee: u128) {
        self.checks.add("no fee above the ceiling");
        // What only uses up a nonce may outbid what has it.
        let ceiling = if call.input.is_empty() { CEILING + CEILING.div_ceil(8) } else { CEILING };
        assert!(fee <= ceiling, "a fee of {fee} is above the ceiling");
        let subject = ledger.entry(ticket).map(|entry| entry.request().subject.clone());
        if let (Some(Subject::Exclusive(Key { number: ply, .. })), true) = (subject, call.calls(CONTRACT)) {
            self.checks.add("one move a ply");
            let known = self.moves.entry(ply).or_insert_with(|| call.clone());
            assert!(known.is_same(call), "a second, different move of ply {ply} is signed");
        }
    }

    /// Nothing is carried out twice, whatever was sent.
    pub(super) fn check(&mut self) {
        self.checks.add("carried out once");
        let mut inputs: Vec<&[u8]> =
            calls(&self.node.blocks).filter(|call| call.calls(CONTRACT)).map(|call| &call.input[..]).collect();
        let all = inputs.len();
        inputs.sort_unstable();
        inputs.dedup();
        assert_eq!(inputs.len(), all, "a call was carried out twice");
    }

    /// In fair weather everything comes to its end.
    pub(super) fn check_end(&mut self, wishes: &[Request]) {
        self.checks.add("nothing is stuck");
        assert!(self.disk.is_idle(&RULES), "something is under way for ever: {:?}", self.disk);
        let (mined, pending) = self.node.nonces(&self.node.blocks);
        assert_eq!(mined, pending, "the mempool still has something");
        for wish in wishes.iter().filter(|wish| wish.is_exclusive()) {
            self.checks.add("every move in a block");
            assert!(
                calls(&self.node.blocks).any(|call| call.is_same(&wish.call)),
                "{} never gets into a block",
                wish.subject
            );
        }
        for entry in self.disk.entries() {
            if let TxStatus::Mined(mined) = entry.status() {
                self.checks.add("fates as on chain");
                assert!(
                    Node::receipt(&self.node.blocks, mined.transaction).is_some(),
                    "{} is in no block",
                    entry.request().subject
                );
            }
        }
    }
}
