//! The machine that owns a wallet's transactions, rule by rule, without a node: facts in, effects out.

use alloy::primitives::{Address, B256, U256, keccak256};
use client::sender::{
    Advice, Answer, Call, Effect, Facts, Failure, Fate, Fees, Ledger, Mined, PATIENCE, PoolTransaction, Priority,
    Rules, Sending, Subject, Ticket, UNKNOWN_PATIENCE, Version, Wish,
};

const ACCOUNT: Address = Address::repeat_byte(7);
const RULES: Rules = Rules { account: ACCOUNT, ceiling: 10_000, confirmations: 2 };

/// A block in which the account has `mined` transactions, and the mempool nothing more.
fn facts(block: u64, base_fee: u128, mined: u64) -> Facts {
    Facts { block, base_fee, tip: 10, mined_nonce: mined, pending_nonce: mined, ..Facts::default() }
}

fn wish(subject: Subject, byte: u8, priority: Priority) -> Wish {
    let call = Call { to: Address::repeat_byte(1), value: U256::ZERO, input: vec![byte].into(), gas: 100_000 };
    Wish { call, subject, priority }
}

fn a_move(ply: u16, byte: u8) -> Wish {
    wish(Subject::Move { game: B256::repeat_byte(3), ply }, byte, Priority::Normal)
}

fn action(byte: u8, priority: Priority) -> Wish {
    wish(Subject::Action { game: None, name: format!("action {byte}") }, byte, priority)
}

/// A hash that binds what a signature does.
fn hash(nonce: u64, call: &Call, fees: Fees) -> B256 {
    keccak256(format!("{nonce} {call:?} {fees:?}"))
}

/// A ledger whose signatures are made as its caller makes them.
#[derive(Default)]
struct Desk {
    ledger: Ledger,
    /// Nonce, call and fees of all that was signed.
    signed: Vec<(u64, Call, Fees)>,
    /// Hashes that were to be sent.
    sent: Vec<B256>,
    told: Vec<Advice>,
}

impl Desk {
    fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Sign { ticket, nonce, call, fees } => {
                    let hash = hash(nonce, &call, fees);
                    self.ledger.signed(ticket, fees, hash, hash.to_vec().into());
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

    fn want(&mut self, wish: &Wish, facts: &Facts) -> Answer {
        let (answer, effects) = self.ledger.want(&RULES, wish, facts);
        self.perform(effects);
        answer
    }

    /// A wish that gets a nonce, and whose bytes a node takes.
    fn assigned(&mut self, wish: &Wish, facts: &Facts) -> (Ticket, u64) {
        let Answer::Assigned(ticket) = self.want(wish, facts) else { panic!("{wish:?} is not assigned") };
        self.accept_all();
        (ticket, self.ledger.entry(ticket).unwrap().nonce())
    }

    fn block(&mut self, facts: &Facts) {
        let effects = self.ledger.on_block(&RULES, facts);
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

    fn last_hash(&self, ticket: Ticket) -> B256 {
        self.ledger.entry(ticket).unwrap().versions().last().unwrap().hash
    }
}

fn mined(transaction: B256, block: u64) -> Mined {
    let block_hash = B256::with_last_byte(block as u8);
    Mined { transaction, block, block_hash, gas_used: 21_000, fee: 1, succeeded: true }
}

/// The same facts with what the node's mempool has.
fn pending(facts: Facts, pending_nonce: u64) -> Facts {
    Facts { pending_nonce, ..facts }
}

#[test]
fn nonces_are_assigned_without_waiting() {
    let mut desk = Desk::default();
    let at = facts(1, 100, 5);
    let nonces: Vec<u64> = (0..3).map(|byte| desk.assigned(&action(byte, Priority::Normal), &at).1).collect();
    assert_eq!(nonces, [5, 6, 7]);
    assert!(desk.take_signed().iter().all(|(_, _, fees)| *fees == Fees { max: 210, tip: 10 }));
    // The mempool's are not used either.
    let (_, nonce) = desk.assigned(&action(9, Priority::Normal), &pending(facts(2, 100, 6), 8));
    assert_eq!(nonce, 8);
}

#[test]
fn what_is_slow_is_replaced_by_the_same_call_for_an_eighth_more() {
    let mut desk = Desk::default();
    let first = facts(1, 100, 0);
    let (ticket, _) = desk.assigned(&a_move(0, 1), &first);
    let (nonce, call, old) = desk.take_signed().remove(0);
    for block in 2..1 + PATIENCE {
        desk.block(&pending(facts(block, 100, 0), 1));
        assert_eq!(desk.take_signed(), [], "block {block}");
    }
    desk.block(&pending(facts(1 + PATIENCE, 100, 0), 1));
    let replaced = desk.take_signed();
    let raised = Fees { max: 237, tip: 12 };
    assert_eq!(replaced, [(nonce, call.clone(), raised)]);
    assert!(raised.max * 8 >= old.max * 9 && raised.tip * 8 >= old.tip * 9);
    assert!(matches!(desk.told[..], [Advice::Raised { .. }]));
    // Either may be in a block: here it is the first.
    let first_hash = hash(nonce, &call, old);
    let included = Facts { receipts: vec![mined(first_hash, 5)], ..facts(5, 100, 1) };
    let questions = desk.ledger.questions(&RULES, &facts(5, 100, 1));
    assert!(questions.receipts.contains(&first_hash) && questions.receipts.len() == 2);
    desk.block(&included);
    assert_eq!(desk.ledger.fate(ticket), Some(Fate::Mined(mined(first_hash, 5))));
}

#[test]
fn a_base_fee_above_the_fee_is_followed_at_once() {
    let mut desk = Desk::default();
    desk.assigned(&a_move(0, 1), &facts(1, 100, 0));
    desk.assigned(&action(2, Priority::Normal), &facts(1, 100, 0));
    desk.take_signed();
    desk.block(&pending(facts(2, 900, 0), 2));
    let signed = desk.take_signed();
    let fees: Vec<_> = signed.iter().map(|(nonce, _, fees)| (*nonce, *fees)).collect();
    let market = Fees { max: 1_812, tip: 12 };
    assert_eq!(fees, [(0, market), (1, market)], "twice the base fee and the tip");
    desk.accept_all();
    desk.block(&pending(facts(2, 900, 0), 2));
    assert_eq!(desk.take_signed(), [], "once a block");
}

#[test]
fn fees_stop_at_the_ceiling_and_the_user_is_told_once() {
    let mut desk = Desk::default();
    desk.assigned(&a_move(0, 1), &facts(1, 100, 0));
    desk.block(&pending(facts(2, 8_000, 0), 1));
    desk.accept_all();
    assert_eq!(desk.take_signed().last().unwrap().2.max, RULES.ceiling);
    desk.told.clear();
    for block in 3..20 {
        desk.block(&pending(facts(block, 12_000, 0), 1));
    }
    assert_eq!(desk.take_signed(), []);
    let [Advice::Ceiling { ceiling, base_fee, .. }] = &desk.told[..] else { panic!("{:?}", desk.told) };
    assert_eq!((*ceiling, *base_fee), (RULES.ceiling, 12_000));
    assert!(desk.told[0].to_string().contains("--max-fee"));
}

#[test]
fn what_is_urgent_takes_everything_before_it_along() {
    let mut desk = Desk::default();
    let at = facts(1, 100, 0);
    let (first, _) = desk.assigned(&a_move(0, 1), &at);
    let (second, _) = desk.assigned(&action(2, Priority::Normal), &at);
    desk.take_signed();
    // In the very same block.
    let (urgent, nonce) = desk.assigned(&action(3, Priority::Urgent), &pending(at, 2));
    assert_eq!(nonce, 2);
    let signed = desk.take_signed();
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
    for ticket in [first, second, urgent] {
        assert_eq!(desk.ledger.fate(ticket), Some(Fate::UnderWay));
    }
    // And from then on the patience of one block.
    desk.block(&pending(facts(2, 100, 0), 3));
    assert_eq!(desk.take_signed().iter().map(|signed| signed.0).collect::<Vec<_>>(), [0]);
}

#[test]
fn the_same_wish_is_sent_once() {
    let mut desk = Desk::default();
    let at = facts(1, 100, 0);
    let (ticket, _) = desk.assigned(&action(1, Priority::Normal), &at);
    desk.take_signed();
    // A bond follows the base fee, and an estimate the state.
    let mut again = action(1, Priority::Normal);
    (again.call.value, again.call.gas) = (U256::from(9), 5);
    assert_eq!(desk.want(&again, &pending(at.clone(), 1)), Answer::Known(ticket));
    assert_eq!(desk.take_signed(), []);
    // More urgent: it hurries.
    assert_eq!(desk.want(&action(1, Priority::Urgent), &pending(at, 1)), Answer::Known(ticket));
    assert_eq!(desk.take_signed().len(), 1);
    // Once it is in a block, the same may be wanted anew.
    let done = Facts { receipts: vec![mined(desk.last_hash(ticket), 2)], ..facts(2, 100, 1) };
    desk.block(&done);
    assert_eq!(desk.assigned(&action(1, Priority::Normal), &facts(2, 100, 1)).1, 1);
}

#[test]
fn one_move_is_signed_for_a_ply() {
    let mut desk = Desk::default();
    let (ticket, _) = desk.assigned(&a_move(4, 1), &facts(1, 100, 0));
    desk.take_signed();
    let other = a_move(4, 2);
    assert_eq!(desk.want(&other, &pending(facts(1, 100, 0), 1)), Answer::OtherMove);
    // Nor once it is in a block, nor after a fork has taken it back: then the same goes out again.
    let hash = desk.last_hash(ticket);
    desk.block(&Facts { receipts: vec![mined(hash, 2)], ..facts(2, 100, 1) });
    assert_eq!(desk.want(&other, &facts(2, 100, 1)), Answer::OtherMove);
    assert_eq!(desk.want(&a_move(4, 1), &facts(2, 100, 1)), Answer::Known(ticket), "it was made");
    desk.sent.clear();
    desk.block(&facts(3, 100, 0));
    assert_eq!(desk.ledger.fate(ticket), Some(Fate::UnderWay));
    assert_eq!(desk.sent, [hash], "the same bytes");
    assert_eq!(desk.want(&other, &facts(3, 100, 0)), Answer::OtherMove);
    assert_eq!(desk.take_signed(), []);
    // Another ply is another matter.
    desk.assigned(&a_move(6, 2), &pending(facts(3, 100, 0), 1));
}

#[test]
fn what_the_contract_refuses_is_given_up_and_its_nonce_filled() {
    let mut desk = Desk::default();
    let (ticket, nonce) = desk.assigned(&a_move(0, 1), &facts(1, 100, 0));
    let (behind, _) = desk.assigned(&action(2, Priority::Normal), &facts(1, 100, 0));
    let old = desk.take_signed()[0].2;
    let refused =
        |block| Facts { refused: vec![(nonce, "the game is over".into())], ..pending(facts(block, 100, 0), 2) };
    let questions = desk.ledger.questions(&RULES, &pending(facts(1 + PATIENCE, 100, 0), 2));
    assert_eq!(questions.calls, [(nonce, a_move(0, 1).call)]);
    desk.block(&refused(1 + PATIENCE));
    assert_eq!(desk.take_signed(), [], "one node may be behind");
    assert_eq!(desk.ledger.questions(&RULES, &pending(facts(2 + PATIENCE, 100, 0), 2)).calls.len(), 1);
    desk.block(&refused(2 + PATIENCE));
    let filler = desk.take_signed();
    let [(filled, call, fees)] = &filler[..] else { panic!("{filler:?}") };
    assert_eq!((*filled, call.clone()), (nonce, Call::nothing(ACCOUNT)));
    assert!(fees.max * 8 >= old.max * 9 && fees.tip * 8 >= old.tip * 9, "it replaces the move");
    assert_eq!(desk.ledger.fate(ticket), Some(Fate::Failed(Failure::Refused("the game is over".into()))));
    assert!(desk.told.iter().any(|advice| matches!(advice, Advice::Dropped { .. })));
    desk.accept_all();
    // What is behind it goes on; it never was the move after all.
    let hashes = [hash(nonce, call, *fees), desk.last_hash(behind)];
    desk.block(&Facts { receipts: hashes.map(|hash| mined(hash, 6)).to_vec(), ..facts(6, 100, 2) });
    assert_eq!(desk.ledger.fate(behind), Some(Fate::Mined(mined(hashes[1], 6))));
    assert!(matches!(desk.ledger.fate(ticket), Some(Fate::Failed(Failure::Refused(_)))));
}

#[test]
fn another_move_of_a_ply_is_signed_once_the_first_can_never_be_included() {
    // The contract refuses the first, whose position a deep fork has replaced, and its nonce is filled.
    let mut desk = Desk::default();
    let (_, nonce) = desk.assigned(&a_move(4, 1), &facts(1, 100, 0));
    for block in [4, 5] {
        desk.block(&Facts { refused: vec![(nonce, "another context".into())], ..pending(facts(block, 100, 0), 1) });
        assert_eq!(desk.want(&a_move(4, 2), &pending(facts(block, 100, 0), 1)), Answer::OtherMove);
    }
    let (_, call, fees) = desk.signed.last().cloned().expect("a filler");
    let filled = Facts { receipts: vec![mined(hash(nonce, &call, fees), 6)], ..facts(6, 100, 1) };
    desk.block(&filled);
    for block in [6, 7] {
        let at = Facts { block, ..filled.clone() };
        assert_eq!(desk.want(&a_move(4, 2), &at), Answer::OtherMove, "the filler may be taken back");
    }
    assert_eq!(desk.assigned(&a_move(4, 2), &Facts { block: 8, ..filled }).1, 1);

    // Or it is included, in vain.
    let mut desk = Desk::default();
    let (ticket, _) = desk.assigned(&a_move(4, 1), &facts(1, 100, 0));
    let failed = Mined { succeeded: false, ..mined(desk.last_hash(ticket), 2) };
    let at = |block| Facts { receipts: vec![failed], ..facts(block, 100, 1) };
    desk.block(&at(2));
    assert_eq!(desk.want(&a_move(4, 2), &at(3)), Answer::OtherMove);
    assert_eq!(desk.assigned(&a_move(4, 2), &at(4)).1, 1);
}

/// A chain that was taken back deeper than its final blocks: the move isn't sent again, its nonce is used up by something else.
#[test]
fn what_was_signed_for_a_chain_that_is_no_more_is_not_sent_again() {
    let mut desk = Desk::default();
    let (ticket, nonce) = desk.assigned(&a_move(4, 1), &facts(1, 100, 0));
    let hash = desk.last_hash(ticket);
    desk.block(&Facts { receipts: vec![mined(hash, 2)], ..facts(2, 100, 1) });
    let Subject::Move { game, .. } = a_move(4, 1).subject else { panic!("a move") };
    desk.ledger.give_up_moves(game);
    desk.sent.clear();
    desk.take_signed();
    for block in 9..12 {
        desk.block(&facts(block, 100, 0));
    }
    assert!(!desk.sent.contains(&hash), "{:?}", desk.sent);
    let signed = desk.take_signed();
    let filler = signed.first().expect("a filler");
    assert_eq!((filler.0, filler.1.input.len()), (nonce, 0));
    assert!(matches!(desk.ledger.fate(ticket), Some(Fate::Failed(Failure::TakenBack))));

    // Not even where its nonce can't be used up, the fee being at its ceiling.
    let mut desk = Desk::default();
    let (ticket, _) = desk.assigned(&a_move(4, 1), &facts(1, RULES.ceiling, 0));
    let hash = desk.last_hash(ticket);
    desk.ledger.give_up_moves(game);
    desk.sent.clear();
    for block in 2..6 {
        desk.block(&facts(block, RULES.ceiling, 0));
    }
    assert!(!desk.sent.contains(&hash), "{:?}", desk.sent);
}

/// Whatever has taken a nonce may be taken back by a fork, and the first move be included after all.
#[test]
fn a_move_whose_nonce_is_free_again_stands_in_the_way() {
    let mut desk = Desk::default();
    desk.assigned(&a_move(4, 1), &facts(1, 100, 0));
    for block in 2..9 {
        desk.block(&facts(block, 100, 1));
    }
    let free = facts(12, 100, 0);
    desk.block(&free);
    assert_eq!(desk.want(&a_move(4, 2), &free), Answer::OtherMove);
    for block in 13..15 {
        assert_eq!(desk.want(&a_move(4, 2), &facts(block, 100, 1)), Answer::OtherMove, "block {block}");
    }
    desk.assigned(&a_move(4, 2), &facts(15, 100, 1));
}

#[test]
fn what_was_in_a_block_for_good_is_asked_for_again_when_another_move_is_wanted() {
    let made = |desk: &mut Desk| {
        let (ticket, _) = desk.assigned(&a_move(4, 1), &facts(1, 100, 0));
        let receipt = mined(desk.last_hash(ticket), 2);
        desk.block(&Facts { receipts: vec![receipt], ..facts(2, 100, 1) });
        assert_eq!(desk.want(&a_move(4, 2), &facts(9, 100, 1)), Answer::OtherMove);
        let questions = desk.ledger.questions(&RULES, &facts(9, 100, 1));
        assert_eq!(questions.receipts, [receipt.transaction]);
        (ticket, receipt)
    };
    // It is there.
    let mut desk = Desk::default();
    let (ticket, receipt) = made(&mut desk);
    desk.block(&Facts { receipts: vec![receipt], ..facts(9, 100, 1) });
    assert_eq!(desk.ledger.fate(ticket), Some(Fate::Mined(receipt)));
    assert_eq!(desk.want(&a_move(4, 2), &facts(10, 100, 1)), Answer::OtherMove);
    // A fork has taken it back, and its nonce is another's.
    let mut desk = Desk::default();
    let (ticket, _) = made(&mut desk);
    for block in 9..15 {
        desk.block(&facts(block, 100, 1));
        assert_eq!(desk.want(&a_move(4, 2), &facts(block, 100, 1)), Answer::OtherMove);
    }
    desk.block(&facts(15, 100, 1));
    assert_eq!(desk.ledger.fate(ticket), Some(Fate::Failed(Failure::Overtaken)));
    assert_eq!(desk.assigned(&a_move(4, 2), &facts(15, 100, 1)).1, 1);
}

#[test]
fn what_was_given_up_and_is_wanted_again_takes_its_nonce_back() {
    let mut desk = Desk::default();
    let (ticket, nonce) = desk.assigned(&a_move(0, 1), &facts(1, 100, 0));
    for block in [4, 5] {
        desk.block(&Facts { refused: vec![(nonce, "no".into())], ..pending(facts(block, 100, 0), 1) });
    }
    desk.accept_all();
    desk.take_signed();
    assert_eq!(desk.want(&a_move(0, 1), &pending(facts(6, 100, 0), 1)), Answer::Assigned(ticket));
    let signed = desk.take_signed();
    assert_eq!((signed.len(), signed[0].0, &signed[0].1), (1, nonce, &a_move(0, 1).call));
    assert_eq!(desk.ledger.fate(ticket), Some(Fate::UnderWay));
}

#[test]
fn what_nobody_can_pay_gives_its_nonce_back_and_leaves_no_hole() {
    let mut desk = Desk::default();
    let Answer::Assigned(poor) = desk.want(&action(1, Priority::Normal), &facts(1, 100, 0)) else { panic!() };
    let dear = desk.last_hash(poor);
    let Answer::Assigned(behind) = desk.want(&action(2, Priority::Normal), &facts(1, 100, 0)) else { panic!() };
    desk.answer(desk.last_hash(behind), Sending::Accepted);
    desk.answer(dear, Sending::CannotPay("too poor".into()));
    assert_eq!(desk.ledger.fate(poor), Some(Fate::Failed(Failure::CannotPay("too poor".into()))));
    desk.take_signed();
    desk.block(&facts(2, 100, 0));
    let filler = desk.take_signed();
    assert_eq!((filler.len(), filler[0].0, filler[0].1.clone()), (1, 0, Call::nothing(ACCOUNT)));
    assert_eq!(desk.ledger.fate(behind), Some(Fate::UnderWay));
    // Without anything behind it nothing is filled, and the nonce is used again.
    let mut desk = Desk::default();
    let Answer::Assigned(poor) = desk.want(&action(1, Priority::Normal), &facts(1, 100, 0)) else { panic!() };
    desk.answer(desk.last_hash(poor), Sending::CannotPay("too poor".into()));
    desk.block(&facts(2, 100, 0));
    assert_eq!(desk.signed.len(), 1);
    assert_eq!(desk.assigned(&action(2, Priority::Normal), &facts(2, 100, 0)).1, 0);
}

#[test]
fn a_raise_that_cannot_be_paid_leaves_the_version_before_it() {
    let mut desk = Desk::default();
    let (ticket, _) = desk.assigned(&a_move(0, 1), &facts(1, 100, 0));
    desk.block(&pending(facts(4, 100, 0), 1));
    desk.answer(desk.last_hash(ticket), Sending::CannotPay("too poor".into()));
    assert!(matches!(desk.told.last(), Some(Advice::CannotRaise { .. })));
    assert_eq!(desk.ledger.fate(ticket), Some(Fate::UnderWay));
    let first = desk.take_signed()[0].clone();
    desk.sent.clear();
    // The node has forgotten it: the version that can be paid is sent.
    desk.block(&facts(5, 100, 0));
    assert_eq!(desk.sent, [hash(first.0, &first.1, first.2)]);
}

#[test]
fn the_same_bytes_are_sent_until_a_node_takes_them() {
    let mut desk = Desk::default();
    let Answer::Assigned(ticket) = desk.want(&a_move(0, 1), &facts(1, 100, 0)) else { panic!() };
    let bytes = desk.last_hash(ticket);
    for _ in 0..3 {
        desk.sent.clear();
        desk.answer(bytes, Sending::Unanswered);
        assert!(desk.ledger.has_unsent());
        desk.block(&facts(1, 100, 0));
        assert_eq!(desk.sent, [bytes]);
    }
    desk.answer(bytes, Sending::Accepted);
    assert!(!desk.ledger.has_unsent());
    desk.sent.clear();
    desk.block(&pending(facts(2, 100, 0), 1));
    assert!(desk.sent.is_empty(), "the node has it");
    // A node that has lost it gets it again.
    desk.block(&facts(2, 100, 0));
    assert_eq!(desk.sent, [bytes]);
    assert_eq!(desk.signed.len(), 1, "it was signed once");
}

#[test]
fn what_is_underpriced_is_raised_at_once() {
    let mut desk = Desk::default();
    let Answer::Assigned(ticket) = desk.want(&a_move(0, 1), &facts(1, 100, 0)) else { panic!() };
    for versions in 2..6 {
        desk.answer(desk.last_hash(ticket), Sending::Underpriced);
        desk.block(&facts(1, 100, 0));
        assert_eq!(desk.signed.len(), versions);
    }
    assert!(desk.signed.iter().all(|(nonce, call, _)| (*nonce, call) == (0, &a_move(0, 1).call)));
}

#[test]
fn a_nonce_that_another_has_taken_is_found_out() {
    let mut desk = Desk::default();
    let (ticket, _) = desk.assigned(&a_move(0, 1), &facts(1, 100, 0));
    // A receipt may come late.
    for block in 2..8 {
        desk.block(&facts(block, 100, 1));
        assert_eq!(desk.ledger.fate(ticket), Some(Fate::UnderWay));
    }
    desk.block(&facts(8, 100, 1));
    assert_eq!(desk.ledger.fate(ticket), Some(Fate::Failed(Failure::Overtaken)));
    desk.take_signed();
    let (_, nonce) = desk.assigned(&a_move(0, 1), &facts(8, 100, 1));
    assert_eq!((nonce, &desk.take_signed()[0].1), (1, &a_move(0, 1).call));
}

#[test]
fn a_move_in_the_mempool_is_taken_over_by_a_fresh_machine() {
    let mut desk = Desk::default();
    let at = pending(facts(1, 100, 0), 1);
    assert_eq!(desk.ledger.questions(&RULES, &at).unknown, [0]);
    let (theirs, fees) = (a_move(0, 1), Fees { max: 90, tip: 9 });
    let version = |call: &Call| {
        let hash = hash(0, call, fees);
        Version { fees, hash, raw: hash.to_vec().into(), filler: false, sending: Some(Sending::Accepted) }
    };
    let found = PoolTransaction { nonce: 0, wish: Some(theirs.clone()), version: version(&theirs.call) };
    let shown = Facts { pool: vec![found], ..at };
    assert_eq!(desk.want(&a_move(0, 2), &shown), Answer::OtherMove, "no competing move");
    assert_eq!(desk.signed, []);
    assert!(matches!(desk.told[..], [Advice::TakenOver { .. }]));
    assert!(matches!(desk.want(&theirs, &pending(facts(1, 100, 0), 1)), Answer::Known(_)));
    // It is raised like one's own.
    desk.block(&pending(facts(2, 100, 0), 1));
    let raised = desk.take_signed();
    assert_eq!((raised.len(), &raised[0].1), (1, &theirs.call));
}

#[test]
fn a_move_waits_for_what_the_node_does_not_show() {
    let mut desk = Desk::default();
    let at = |block| pending(facts(block, 100, 0), 1);
    for block in 1..1 + UNKNOWN_PATIENCE {
        assert_eq!(desk.want(&a_move(0, 1), &at(block)), Answer::Wait);
    }
    assert_eq!((&desk.told[..], desk.signed.len()), (&[Advice::Unknown][..], 0));
    // It is replaced then; the move is signed when the nonce is used up, by whichever.
    assert_eq!(desk.want(&a_move(0, 1), &at(1 + UNKNOWN_PATIENCE)), Answer::Wait);
    let replacing = desk.take_signed();
    assert_eq!((replacing[0].0, replacing[0].1.clone()), (0, Call::nothing(ACCOUNT)));
    desk.answer(hash(0, &replacing[0].1, replacing[0].2), Sending::Underpriced);
    assert_eq!(desk.want(&a_move(0, 1), &at(2 + UNKNOWN_PATIENCE)), Answer::Wait);
    assert_eq!(desk.take_signed().len(), 1, "outbid again");
    let block = 3 + UNKNOWN_PATIENCE;
    let hash = desk.ledger.entries()[0].versions()[1].hash;
    let used = Facts { receipts: vec![mined(hash, block)], ..facts(block, 100, 1) };
    assert!(matches!(desk.want(&a_move(0, 1), &used), Answer::Assigned(_)));
    // What isn't a move doesn't wait, and what is urgent has it replaced soon.
    let mut desk = Desk::default();
    assert_eq!(desk.assigned(&action(1, Priority::Urgent), &at(1)).1, 1);
    desk.take_signed();
    desk.block(&pending(facts(4, 100, 0), 2));
    assert!(desk.take_signed().iter().any(|(nonce, call, _)| (*nonce, call) == (0, &Call::nothing(ACCOUNT))));
}

#[test]
fn what_has_nothing_to_do_with_a_game_is_left_alone() {
    let mut desk = Desk::default();
    let at = pending(facts(1, 100, 0), 1);
    let fees = Fees { max: 1, tip: 1 };
    let foreign = Call { to: Address::repeat_byte(9), ..a_move(0, 1).call };
    let hash = hash(0, &foreign, fees);
    let version = Version { fees, hash, raw: vec![1].into(), filler: false, sending: Some(Sending::Accepted) };
    let shown = Facts { pool: vec![PoolTransaction { nonce: 0, wish: None, version }], ..at };
    let Answer::Assigned(ticket) = desk.want(&a_move(0, 1), &shown) else { panic!("it is in nobody's way") };
    assert_eq!(desk.ledger.entry(ticket).unwrap().nonce(), 1);
    desk.accept_all();
    desk.take_signed();
    for block in 2..30 {
        desk.block(&pending(facts(block, 50_000, 0), 2));
    }
    assert!(desk.take_signed().iter().all(|(nonce, ..)| *nonce == 1));
}

#[test]
fn a_ledger_reads_back_and_stays_small() {
    let mut desk = Desk::default();
    for nonce in 0..100 {
        let at = facts(nonce, 100, nonce);
        let (ticket, assigned) = desk.assigned(&action(nonce as u8, Priority::Normal), &at);
        assert_eq!(assigned, nonce);
        let receipt = mined(desk.last_hash(ticket), nonce + 1);
        desk.block(&Facts { receipts: vec![receipt], ..facts(nonce + 1, 100, nonce + 1) });
        assert_eq!(desk.ledger.fate(ticket), Some(Fate::Mined(receipt)));
    }
    assert!(desk.ledger.entries().len() <= 16);
    let rules = Rules { ceiling: u128::MAX, ..RULES };
    let (_, effects) = desk.ledger.want(&rules, &a_move(0, 1), &facts(100, u128::from(u64::MAX), 100));
    desk.perform(effects);
    let text = serde_json::to_vec(&desk.ledger).unwrap();
    assert_eq!(serde_json::from_slice::<Ledger>(&text).unwrap(), desk.ledger);
}

/// A receipt of a block that nobody has seen with enough on top is asked for again, however long nobody has looked.
#[test]
fn what_a_fork_takes_back_while_nobody_looks_is_sent_again() {
    let mut desk = Desk::default();
    let wish = action(1, Priority::Normal);
    let (ticket, _) = desk.assigned(&wish, &facts(1, 100, 0));
    let hash = desk.last_hash(ticket);
    let seen = Facts { receipts: vec![mined(hash, 2)], ..facts(2, 100, 1) };
    desk.block(&seen);
    assert!(matches!(desk.ledger.fate(ticket), Some(Fate::Mined(_))));
    // Far beyond the confirmations, but on another branch.
    let later = facts(50, 100, 0);
    assert!(!desk.ledger.is_idle(&RULES));
    assert_eq!(desk.ledger.questions(&RULES, &facts(50, 100, 1)).receipts, [hash]);
    desk.block(&later);
    assert_eq!(desk.ledger.fate(ticket), Some(Fate::UnderWay));
    assert!(!std::mem::take(&mut desk.sent).is_empty(), "it is sent again");
    let deep = Facts { receipts: vec![mined(desk.last_hash(ticket), 51)], ..facts(51 + RULES.confirmations, 100, 1) };
    desk.block(&deep);
    assert!(desk.ledger.is_idle(&RULES));
}

/// A machine behind the node's address may be behind for some blocks: its silence about a receipt says nothing, and the same call isn't
/// made a second time.
#[test]
fn a_receipt_that_a_slow_machine_lacks_is_waited_for() {
    let mut desk = Desk::default();
    let (ticket, _) = desk.assigned(&action(1, Priority::Normal), &facts(10, 100, 0));
    // Mined in 12; the nonce is told with an old block, then a new block by a machine without the receipt.
    desk.block(&facts(10, 100, 1));
    for block in 13..15 {
        desk.block(&facts(block, 100, 1));
        assert_eq!(desk.ledger.fate(ticket), Some(Fate::UnderWay));
    }
    let found = Facts { receipts: vec![mined(desk.last_hash(ticket), 12)], ..facts(15, 100, 1) };
    desk.block(&found);
    assert!(matches!(desk.ledger.fate(ticket), Some(Fate::Mined(_))));
}
