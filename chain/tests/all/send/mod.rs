//! The machine that owns a wallet's transactions, rule by rule, without a node: facts in, effects out.

mod fees;
mod forks;
mod moves;
mod numbers;

use alloy::primitives::{Address, B256, U256, keccak256};
use chain::send::{
    Advice, Answer, Attempt, Call, Effect, Facts, Failure, Fees, Key, Ledger, Mined, PATIENCE, PoolTransaction,
    Priority, Request, Rules, Sending, Subject, TxId, TxStatus, UNKNOWN_PATIENCE,
};

const ACCOUNT: Address = Address::repeat_byte(7);
/// The contract that is played by.
const CONTRACT: Address = Address::repeat_byte(1);
const RULES: Rules = Rules { account: ACCOUNT, contract: CONTRACT, ceiling: 10_000, confirmations: 2 };

/// A block in which the account has `mined` transactions, and the mempool nothing more.
fn facts(block: u64, base_fee: u128, mined: u64) -> Facts {
    Facts { block, base_fee, tip: 10, mined_nonce: mined, pending_nonce: mined, ..Facts::default() }
}

fn request(subject: Subject, byte: u8, priority: Priority) -> Request {
    let call = Call { to: CONTRACT.into(), value: U256::ZERO, input: vec![byte].into(), gas: 100_000 };
    Request { call, subject, priority }
}

fn a_move(ply: u16, byte: u8) -> Request {
    request(Subject::Exclusive(Key { topic: B256::repeat_byte(3), number: ply }), byte, Priority::Normal)
}

fn action(byte: u8, priority: Priority) -> Request {
    request(Subject::Action { topic: None, name: format!("action {byte}") }, byte, priority)
}

/// A hash that binds what a signature does.
fn hash(nonce: u64, call: &Call, fees: Fees) -> B256 {
    keccak256(format!("{nonce} {call:?} {fees:?}"))
}

/// A ledger whose signatures are made as its caller makes them.
struct Owner {
    rules: Rules,
    ledger: Ledger,
    /// Nonce, call and fees of all that was signed.
    signed: Vec<(u64, Call, Fees)>,
    /// Hashes that were to be sent.
    sent: Vec<B256>,
    told: Vec<Advice>,
}

impl Default for Owner {
    fn default() -> Self {
        Self { rules: RULES, ledger: Ledger::default(), signed: Vec::new(), sent: Vec::new(), told: Vec::new() }
    }
}

impl Owner {
    fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Sign { id, nonce, call, fees } => {
                    let hash = hash(nonce, &call, fees);
                    self.ledger.signed(id, fees, hash, hash.to_vec().into());
                    self.signed.push((nonce, call, fees));
                    self.sent.push(hash);
                }
                Effect::Broadcast { hash } => {
                    assert!(self.ledger.raw(hash).is_some(), "only what is in the ledger is sent");
                    self.sent.push(hash);
                }
                Effect::Tell(advice) => self.told.push(advice),
            }
        }
    }

    fn want(&mut self, request: &Request, facts: &Facts) -> Answer {
        let (answer, effects) = self.ledger.want(&self.rules, request, facts);
        self.perform(effects);
        answer
    }

    /// A request that gets a nonce, and whose bytes a node takes.
    fn assigned(&mut self, request: &Request, facts: &Facts) -> (TxId, u64) {
        let Answer::Assigned(id) = self.want(request, facts) else { panic!("{request:?} is not assigned") };
        self.accept_all();
        (id, self.ledger.entry(id).unwrap().nonce)
    }

    fn block(&mut self, facts: &Facts) {
        let effects = self.ledger.on_block(&self.rules, facts);
        self.perform(effects);
    }

    fn answer(&mut self, hash: B256, sending: Sending) {
        let effects = self.ledger.on_sent(hash, sending);
        self.perform(effects);
    }

    fn accept_all(&mut self) {
        for hash in std::mem::take(&mut self.sent) {
            self.answer(hash, Sending::Accepted);
        }
    }

    /// What was signed since the last call.
    fn take_signed(&mut self) -> Vec<(u64, Call, Fees)> {
        std::mem::take(&mut self.signed)
    }

    fn last_hash(&self, id: TxId) -> B256 {
        self.ledger.entry(id).unwrap().attempts.last().unwrap().hash
    }
}

fn mined(transaction: B256, block: u64) -> Mined {
    let block_hash = B256::with_last_byte(block as u8);
    Mined { transaction, block, block_hash, gas_used: 21_000, fee: 1, succeeded: true }
}

/// These facts with what the node's mempool has.
fn pending(facts: Facts, pending_nonce: u64) -> Facts {
    Facts { pending_nonce, ..facts }
}

#[test]
fn nonces_are_assigned_without_waiting() {
    let mut owner = Owner::default();
    let at = facts(1, 100, 5);
    let nonces: Vec<u64> = (0..3).map(|byte| owner.assigned(&action(byte, Priority::Normal), &at).1).collect();
    assert_eq!(nonces, [5, 6, 7]);
    assert!(owner.take_signed().iter().all(|(_, _, fees)| *fees == Fees { max: 210, tip: 10 }));
    // The mempool's are not used either.
    let (_, nonce) = owner.assigned(&action(9, Priority::Normal), &pending(facts(2, 100, 6), 8));
    assert_eq!(nonce, 8);
}

#[test]
fn what_is_urgent_takes_everything_before_it_along() {
    let mut owner = Owner::default();
    let at = facts(1, 100, 0);
    let (first, _) = owner.assigned(&a_move(0, 1), &at);
    let (second, _) = owner.assigned(&action(2, Priority::Normal), &at);
    owner.take_signed();
    // In the very same block.
    let (urgent, nonce) = owner.assigned(&action(3, Priority::Urgent), &pending(at, 2));
    assert_eq!(nonce, 2);
    let signed = owner.take_signed();
    let offered = Fees { max: 220, tip: 20 };
    let mut nonces: Vec<u64> = signed
        .iter()
        .map(|(nonce, _, fees)| {
            assert!(fees.reach(offered));
            *nonce
        })
        .collect();
    nonces.sort();
    assert_eq!(nonces, [0, 1, 2]);
    for id in [first, second, urgent] {
        assert_eq!(owner.ledger.status(id), Some(TxStatus::UnderWay));
    }
    // And from then on the patience of one block.
    owner.block(&pending(facts(2, 100, 0), 3));
    assert_eq!(owner.take_signed().iter().map(|signed| signed.0).collect::<Vec<_>>(), [0]);
}

#[test]
fn the_same_wish_is_sent_once() {
    let mut owner = Owner::default();
    let at = facts(1, 100, 0);
    let (id, _) = owner.assigned(&action(1, Priority::Normal), &at);
    owner.take_signed();
    // A bond follows the base fee, and an estimate the state.
    let mut again = action(1, Priority::Normal);
    (again.call.value, again.call.gas) = (U256::from(9), 5);
    assert_eq!(owner.want(&again, &pending(at.clone(), 1)), Answer::Known(id));
    assert_eq!(owner.take_signed(), []);
    // More urgent: it hurries.
    assert_eq!(owner.want(&action(1, Priority::Urgent), &pending(at, 1)), Answer::Known(id));
    assert_eq!(owner.take_signed().len(), 1);
    // Once it is in a block, the same may be wanted anew.
    let done = Facts { receipts: vec![mined(owner.last_hash(id), 2)], ..facts(2, 100, 1) };
    owner.block(&done);
    assert_eq!(owner.assigned(&action(1, Priority::Normal), &facts(2, 100, 1)).1, 1);
}

#[test]
fn what_has_nothing_to_do_with_a_game_is_left_alone() {
    let mut owner = Owner::default();
    let at = pending(facts(1, 100, 0), 1);
    let fees = Fees { max: 1, tip: 1 };
    let foreign = Call { to: Address::repeat_byte(9).into(), ..a_move(0, 1).call };
    let hash = hash(0, &foreign, fees);
    let attempt = Attempt { fees, hash, raw: vec![1].into(), cancellation: false, sending: Some(Sending::Accepted) };
    let shown = Facts { pool: vec![PoolTransaction { nonce: 0, call: foreign, subject: None, attempt }], ..at };
    let Answer::Assigned(id) = owner.want(&a_move(0, 1), &shown) else { panic!("it is in nobody's way") };
    assert_eq!(owner.ledger.entry(id).unwrap().nonce, 1);
    owner.accept_all();
    owner.take_signed();
    for block in 2..30 {
        owner.block(&pending(facts(block, 50_000, 0), 2));
    }
    assert!(owner.take_signed().iter().all(|(nonce, ..)| *nonce == 1));
}

/// The record is shared by the games of a wallet, of whichever contract: what one of them has nothing to do with may be another one's move.
#[test]
fn what_another_contract_s_game_has_put_aside_is_looked_at_again() {
    let mut owner = Owner::default();
    let at = pending(facts(1, 100, 0), 1);
    let other = Address::repeat_byte(9);
    let call = Call { to: other.into(), ..a_move(0, 1).call };
    let fees = Fees { max: 1, tip: 1 };
    let attempt = Attempt {
        fees,
        hash: hash(0, &call, fees),
        raw: vec![1].into(),
        cancellation: false,
        sending: Some(Sending::Accepted),
    };
    owner.block(&Facts { pool: vec![PoolTransaction { nonce: 0, call, subject: None, attempt }], ..at.clone() });
    let asked = |contract| owner.ledger.questions(&Rules { contract, ..RULES }, &at).unknown;
    assert_eq!((asked(CONTRACT), asked(other)), (vec![], vec![0]));
}

#[test]
fn a_ledger_reads_back_and_stays_small() {
    let mut owner = Owner::default();
    let mut receipts = Vec::new();
    for nonce in 0..200 {
        let at = facts(nonce, 100, nonce);
        let (id, assigned) = owner.assigned(&action(nonce as u8, Priority::Normal), &at);
        assert_eq!(assigned, nonce);
        // Of half of them nobody knows.
        if nonce % 2 == 0 {
            owner.ledger.acknowledge(id);
        }
        let receipt = mined(owner.last_hash(id), nonce + 1);
        receipts.push(receipt);
        owner.block(&Facts { receipts: receipts.clone(), ..facts(nonce + 1, 100, nonce + 1) });
        assert_eq!(owner.ledger.status(id), Some(TxStatus::Mined(receipt)));
    }
    assert!(owner.ledger.entries().len() as u64 <= 16 + 64 + RULES.confirmations);
    let rules = Rules { ceiling: u128::MAX, ..RULES };
    let (_, effects) = owner.ledger.want(&rules, &a_move(0, 1), &facts(200, u128::from(u64::MAX), 200));
    owner.perform(effects);
    let text = serde_json::to_vec(&owner.ledger).unwrap();
    assert_eq!(serde_json::from_slice::<Ledger>(&text).unwrap(), owner.ledger);
}
