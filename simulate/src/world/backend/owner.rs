//! The sender of a player's transactions at work, as `chain::send` has it: gathers facts, applies the ledger, signs, writes, and only then sends.

use super::super::World;
use super::TIP;
use crate::evm::CONTRACT;
use crate::node::Signed;
use ::chain::send::{Attempt, Call, Effect, Facts, Fees, Ledger, PoolTransaction, Questions, Sending, Subject};
use alloy::primitives::keccak256;
use client::chain::subject;
use rand::Rng;

impl World {
    /// Looks after all that is under way. Nothing is sent again by itself while the chain isn't the one that it was signed for.
    pub(super) fn look_after(&mut self, i: usize) {
        let backend = self.backend();
        let (rules, connection) = (backend.rules(i), &backend.connections[i]);
        if connection.defect.neglects || connection.watching.node.is_held() || connection.disk.is_idle(&rules) {
            return;
        }
        let view = self.draw_view();
        let backend = self.backend();
        let (hash, connection) = (backend.node.block(view).header.block.hash, &mut backend.connections[i]);
        if connection.looked == Some((hash, connection.revision)) && !connection.disk.has_unsent() {
            return;
        }
        let Some(facts) = self.facts(i) else { return };
        let mut ledger = self.connection(i).disk.clone();
        let effects = ledger.on_block(&rules, &facts);
        if self.perform(i, ledger, effects) {
            let connection = self.connection(i);
            connection.looked = Some((hash, connection.revision));
        }
    }

    /// What the node says of an account, each answer perhaps by another machine; none if it is asked too often.
    pub(super) fn facts(&mut self, i: usize) -> Option<Facts> {
        if self.is_busy() {
            return None;
        }
        let [of_block, of_nonces, of_receipts] = [0; 3].map(|_| self.draw_view());
        let now = self.chain.now;
        let this: &Self = self;
        let backend = this.backend.as_ref().expect("a deep world");
        let (node, rules) = (&backend.node, backend.rules(i));
        let (head, mined_nonce) = (node.block(of_block), node.block(of_nonces).nonces[i]);
        let mut facts = Facts {
            block: head.header.block.number,
            base_fee: head.base_fee,
            tip: TIP,
            mined_nonce,
            pending_nonce: node.pending_nonce(i, mined_nonce),
            ..Facts::default()
        };
        let Questions { receipts, calls, unknown } = backend.connections[i].disk.questions(&rules, &facts);
        facts.receipts = receipts.iter().filter_map(|hash| node.receipt(of_receipts, hash)).collect();
        for (nonce, call) in calls.into_iter().filter(|(_, call)| call.calls(CONTRACT)) {
            if let Err(refusal) = node.trial(of_receipts, i, &call, now) {
                facts.refused.push((nonce, refusal.to_string()));
            }
        }
        for nonce in unknown {
            facts.pool.extend(node.in_mempool(i, nonce).map(|signed| this.shown(signed)));
        }
        Some(facts)
    }

    /// A transaction of the mempool as the client understands it.
    fn shown(&self, signed: &Signed) -> PoolTransaction {
        let Signed { hash, nonce, call, fees, .. } = signed.clone();
        let raw = hash.to_vec().into();
        let attempt = Attempt { fees, hash, raw, cancellation: false, sending: Some(Sending::Accepted) };
        let node = &self.backend.as_ref().expect("a deep world").node;
        let subject = match node.meaning(&call.input).filter(|_| call.calls(CONTRACT)) {
            Some(transaction) => match subject(self.chain.game.game_id, transaction) {
                of_move @ Subject::Exclusive(_) => of_move,
                _ => Subject::Action { topic: None, name: "a call of the game contract".to_owned() },
            },
            None => Subject::Cancellation,
        };
        PoolTransaction { nonce, call, subject: Some(subject), attempt }
    }

    /// Signs, writes, and only then sends; false if the player is killed in between.
    pub(super) fn perform(&mut self, i: usize, mut ledger: Ledger, effects: Vec<Effect>) -> bool {
        let (mut outgoing, mut signed_now) = (Vec::new(), Vec::new());
        let verbose = self.verbose;
        for effect in effects {
            match effect {
                Effect::Sign { id, nonce, call, fees } => {
                    if verbose {
                        let what =
                            ledger.entry(id).map(|entry| entry.request().subject.to_string()).unwrap_or_default();
                        crate::tell!(
                            "    player {i}: signs nonce {nonce} of {what}, {} bytes, {fees:?}",
                            call.input.len()
                        );
                    }
                    self.check_sign(i, &ledger, id, nonce, &call, fees);
                    let signed = sign(i, nonce, call, fees);
                    ledger.signed(id, fees, signed.hash, signed.hash.to_vec().into());
                    outgoing.push(signed.hash);
                    signed_now.push(signed);
                }
                Effect::Broadcast { hash } => outgoing.push(hash),
                Effect::Tell(advice) => {
                    if verbose {
                        crate::tell!("    player {i}: is told: {advice}");
                    }
                }
            }
        }
        let connection = self.connection(i);
        let is_new = connection.disk != ledger;
        let writes_last = connection.defect.writes_last;
        if !writes_last {
            connection.disk = ledger;
        }
        connection.revision += u64::from(is_new);
        if outgoing.is_empty() {
            return true;
        }
        self.backend().keep(signed_now);
        let torn = self.backend().node_weather.torn;
        if self.per_mille(torn) {
            self.faults.add("killed before sending");
            self.crash(i, true);
            return false;
        }
        let mut answers = Vec::new();
        for hash in outgoing {
            self.checks.add("written before sent");
            assert!(self.connection(i).disk.raw(hash).is_some(), "something is sent that is not on disk");
            answers.push((hash, self.broadcast(hash)));
            if verbose {
                crate::tell!("    player {i}: sends {hash}: {:?}", answers.last().map(|answer| &answer.1));
            }
        }
        if self.per_mille(torn) {
            self.faults.add("killed after sending");
            self.crash(i, true);
            return false;
        }
        let connection = self.connection(i);
        let before = connection.disk.clone();
        for (hash, sending) in answers {
            connection.disk.on_sent(hash, sending);
        }
        connection.revision += u64::from(connection.disk != before);
        true
    }

    fn broadcast(&mut self, hash: alloy::primitives::B256) -> Sending {
        let is_busy = self.is_busy();
        // It may have arrived all the same.
        let arrives = !is_busy || self.rng.r#gen();
        let backend = self.backend();
        let signed = backend.signed.get(&hash).expect("it was signed").clone();
        let sending = if arrives { backend.node.send(&signed) } else { Sending::Unanswered };
        if is_busy { Sending::Unanswered } else { sending }
    }

    /// A wallet without a ledger signs another move with the nonce of the first, for more.
    pub(super) fn sign_another(&mut self, i: usize, call: Call) {
        let backend = self.backend();
        let entries = backend.connections[i].disk.entries().iter().rev();
        let Some(entry) =
            entries.filter(|entry| entry.request().is_exclusive()).find(|entry| !entry.request().call.is_same(&call))
        else {
            return;
        };
        let fees = entry.attempts().last().map_or(Fees { max: 0, tip: 0 }, |attempt| attempt.fees);
        let fees = Fees { max: fees.max * 2 + 1, tip: fees.tip * 2 + 1 };
        let signed = sign(i, entry.nonce(), call, fees);
        backend.node.send(&signed);
        backend.keep(vec![signed]);
        self.faults.add("other moves signed by a cheat");
    }
}

/// A signed transaction: its hash stands for its bytes.
fn sign(sender: usize, nonce: u64, call: Call, fees: Fees) -> Signed {
    let bytes = [
        &(sender as u64).to_be_bytes()[..],
        &nonce.to_be_bytes(),
        call.to.to().map_or(&[][..], |to| to.as_slice()),
        &call.value.to_be_bytes::<32>(),
        &call.input,
        &fees.max.to_be_bytes(),
        &fees.tip.to_be_bytes(),
    ];
    Signed { hash: keccak256(bytes.concat()), sender, nonce, call, fees }
}
