//! The sender of a player at work: the world answers what it asks, and its seat hears what has failed.

use super::super::World;
use super::super::chance::Chance as _;
use super::sim_node::{Answer, Question};
use crate::node::Signed;
use ::chain::SendError;
use ::chain::send::{Call, Fees, Request, Sending, Subject};
use alloy::consensus::{Transaction as _, TxEnvelope};
use alloy::eips::eip2718::Decodable2718 as _;
use alloy::primitives::{B256, Bytes, keccak256};
use client::chain::{ChainError, priority, subject};
use client::runtime::event_of_failure;
use game::Transaction;
use rand::Rng;

impl World {
    /// Whether a player's sender has anything to do.
    pub(in super::super) fn may_send(&self, i: usize) -> bool {
        self.backend.as_ref().is_some_and(|backend| {
            let now = backend.instant(self.chain.now);
            backend.connections[i].sending.has_work(now)
        })
    }

    /// The seat wants a transaction carried out; a repeat of one that is under way it isn't.
    pub(in super::super) fn wish(&mut self, i: usize, transaction: Transaction) {
        let backend = self.backend();
        let wanted = &backend.connections[i].sending.wanted;
        if wanted.iter().any(|(wanted, _)| *wanted == transaction) {
            return;
        }
        let call = backend.node.call(i, &transaction);
        let super::Connection { sending, defect, .. } = &mut backend.connections[i];
        let subject = subject(sending.node.game, &transaction);
        let mut request = Request { call, subject, priority: priority(&transaction) };
        if let Subject::Exclusive(key) = &mut request.subject
            && defect.signs_twice
        {
            // As if it were the move of another ply.
            key.number += 1_000 + u16::from(keccak256(&request.call.input)[0]);
        }
        sending.want(transaction, request);
    }

    /// A player's sender goes on: some questions, and the world may go on before the next.
    pub(in super::super) fn send_below(&mut self, i: usize) {
        let lives = self.connection(i).lives;
        loop {
            let now = self.chain.now;
            let instant = self.backend().instant(now);
            let sending = &mut self.connection(i).sending;
            sending.node.desk().now = (instant, now);
            for (transaction, result) in sending.poll() {
                let result = result.map_err(|error| self.meant(i, &transaction, error));
                let result = result.and_then(|(_, mined)| match mined.succeeded {
                    true => Ok(()),
                    false => Err(self.failed(mined.transaction)),
                });
                if let Some(event) = result.err().and_then(|error| event_of_failure(transaction, &error)) {
                    self.tell(i, event);
                }
                // What a process wanted that was killed meanwhile, nobody wants any more.
                if self.connection(i).lives != lives {
                    return;
                }
            }
            if self.rng.gen_range(0..6) == 0 {
                return;
            }
            let Some((number, question)) = self.connection(i).sending.node.next_question() else {
                return self.connection(i).sending.rest();
            };
            let is_sent = matches!(question, Question::Send(_));
            let torn = if is_sent { self.backend().node_weather.torn } else { 0 };
            if self.rng.per_mille(torn) {
                self.faults.add("killed before sending");
                return self.crash(i, true);
            }
            let answer = self.answer(i, question);
            if self.rng.per_mille(torn) {
                self.faults.add("killed after sending");
                return self.crash(i, true);
            }
            let sending = &mut self.connection(i).sending;
            sending.node.desk().answers.insert(number, answer);
            if is_sent && self.connection(i).defect.neglects {
                self.connection(i).sending.wanted.clear();
            }
        }
    }

    /// What an error of the sender means to the client.
    fn meant(&mut self, i: usize, transaction: &Transaction, error: SendError) -> ChainError {
        match error {
            SendError::Reverts { message, data } => {
                self.faults.add("estimates refused");
                ChainError::of_revert(message, data)
            }
            SendError::Contradicts => {
                self.faults.add("other moves of a ply refused");
                if self.connection(i).is_unbound {
                    let call = self.backend().node.call(i, transaction);
                    self.sign_another(i, call);
                }
                SendError::Contradicts.into()
            }
            error => error.into(),
        }
    }

    /// Why a transaction in a block has failed.
    fn failed(&mut self, transaction: B256) -> ChainError {
        let node = &self.backend().node;
        let reason = node.find(node.view(0), &transaction).and_then(|(_, included)| included.refusal.clone());
        ChainError::Failed { transaction, reason }
    }

    /// Signed bytes reach the node, or don't, and are answered, or aren't.
    pub(super) fn take_raw(&mut self, i: usize, raw: &Bytes) -> Option<Answer> {
        let signed = signed(i, raw);
        if self.verbose {
            let Signed { nonce, fees, hash, .. } = &signed;
            crate::tell!("    player {i}: sends {hash} with nonce {nonce} for {fees:?}");
        }
        self.check_sent(i, &signed);
        let is_busy = self.is_busy();
        // It may have arrived all the same.
        let arrives = !is_busy || self.rng.r#gen();
        let backend = self.backend();
        backend.raw.insert(signed.hash, raw.clone());
        let sending = if arrives { backend.node.send(&signed) } else { Sending::Unanswered };
        (!is_busy).then_some(Answer::Sent(sending))
    }

    /// A wallet without a ledger signs another move with the nonce of the first, for more.
    fn sign_another(&mut self, i: usize, call: Call) {
        let ledger = self.connection(i).disk.read().1;
        let mut moves = ledger.entries().iter().rev().filter(|entry| entry.request.is_exclusive());
        let Some(entry) = moves.find(|entry| !entry.request.call.is_same(&call)) else { return };
        let fees = entry.attempts.last().map_or(Fees { max: 0, tip: 0 }, |attempt| attempt.fees);
        let (nonce, fees) = (entry.nonce, Fees { max: fees.max * 2 + 1, tip: fees.tip * 2 + 1 });
        // Its bytes are no honest sender's business: the node doesn't show them.
        let hash = keccak256(format!("{i} {nonce} {call:?} {fees:?}"));
        self.backend().node.send(&Signed { hash, sender: i, nonce, call, fees });
        self.faults.add("other moves signed by a cheat");
    }
}

/// What signed bytes say.
fn signed(sender: usize, raw: &Bytes) -> Signed {
    let envelope = TxEnvelope::decode_2718(&mut raw.as_ref()).expect("a sender signs transactions");
    let call = Call {
        to: envelope.kind(),
        value: envelope.value(),
        input: envelope.input().clone(),
        gas: envelope.gas_limit(),
    };
    let tip = envelope.max_priority_fee_per_gas().expect("a fee by EIP-1559");
    let fees = Fees { max: envelope.max_fee_per_gas(), tip };
    Signed { hash: keccak256(raw), sender, nonce: envelope.nonce(), call, fees }
}
