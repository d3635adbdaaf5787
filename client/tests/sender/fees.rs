//! What is paid for a transaction: raised where it is slow, up to the ceiling, and what a node says of it.

use super::*;

#[test]
fn what_is_slow_is_replaced_by_the_same_call_for_an_eighth_more() {
    let mut owner = Owner::default();
    let first = facts(1, 100, 0);
    let (ticket, _) = owner.assigned(&a_move(0, 1), &first);
    let (nonce, call, old) = owner.take_signed().remove(0);
    for block in 2..1 + PATIENCE {
        owner.block(&pending(facts(block, 100, 0), 1));
        assert_eq!(owner.take_signed(), [], "block {block}");
    }
    owner.block(&pending(facts(1 + PATIENCE, 100, 0), 1));
    let replaced = owner.take_signed();
    let raised = Fees { max: 237, tip: 12 };
    assert_eq!(replaced, [(nonce, call.clone(), raised)]);
    assert!(raised.max * 8 >= old.max * 9 && raised.tip * 8 >= old.tip * 9);
    assert!(matches!(owner.told[..], [Advice::Raised { .. }]));
    // Either may be in a block: here it is the first.
    let first_hash = hash(nonce, &call, old);
    let included = Facts { receipts: vec![mined(first_hash, 5)], ..facts(5, 100, 1) };
    let questions = owner.ledger.questions(&RULES, &facts(5, 100, 1));
    assert!(questions.receipts.contains(&first_hash) && questions.receipts.len() == 2);
    owner.block(&included);
    assert_eq!(owner.ledger.fate(ticket), Some(Fate::Mined(mined(first_hash, 5))));
}

#[test]
fn a_base_fee_above_the_fee_is_followed_at_once() {
    let mut owner = Owner::default();
    owner.assigned(&a_move(0, 1), &facts(1, 100, 0));
    owner.assigned(&action(2, Priority::Normal), &facts(1, 100, 0));
    owner.take_signed();
    owner.block(&pending(facts(2, 900, 0), 2));
    let signed = owner.take_signed();
    let fees: Vec<_> = signed.iter().map(|(nonce, _, fees)| (*nonce, *fees)).collect();
    let market = Fees { max: 1_812, tip: 12 };
    assert_eq!(fees, [(0, market), (1, market)], "twice the base fee and the tip");
    owner.accept_all();
    owner.block(&pending(facts(2, 900, 0), 2));
    assert_eq!(owner.take_signed(), [], "once a block");
}

#[test]
fn fees_stop_at_the_ceiling_and_the_user_is_told_once() {
    let mut owner = Owner::default();
    owner.assigned(&a_move(0, 1), &facts(1, 100, 0));
    owner.block(&pending(facts(2, 8_000, 0), 1));
    owner.accept_all();
    assert_eq!(owner.take_signed().last().unwrap().2.max, RULES.ceiling);
    owner.told.clear();
    for block in 3..20 {
        owner.block(&pending(facts(block, 12_000, 0), 1));
    }
    assert_eq!(owner.take_signed(), []);
    let [Advice::Ceiling { ceiling, base_fee, .. }] = &owner.told[..] else { panic!("{:?}", owner.told) };
    assert_eq!((*ceiling, *base_fee), (RULES.ceiling, 12_000));
    assert!(owner.told[0].to_string().contains("--max-fee"));
}

#[test]
fn what_nobody_can_pay_gives_its_nonce_back_and_leaves_no_hole() {
    let mut owner = Owner::default();
    let Answer::Assigned(poor) = owner.want(&action(1, Priority::Normal), &facts(1, 100, 0)) else { panic!() };
    let dear = owner.last_hash(poor);
    let Answer::Assigned(behind) = owner.want(&action(2, Priority::Normal), &facts(1, 100, 0)) else { panic!() };
    owner.answer(owner.last_hash(behind), Sending::Accepted);
    owner.answer(dear, Sending::CannotPay("too poor".into()));
    assert_eq!(owner.ledger.fate(poor), Some(Fate::Failed(Failure::CannotPay("too poor".into()))));
    owner.take_signed();
    owner.block(&facts(2, 100, 0));
    let filler = owner.take_signed();
    assert_eq!((filler.len(), filler[0].0, filler[0].1.clone()), (1, 0, Call::nothing(ACCOUNT)));
    assert_eq!(owner.ledger.fate(behind), Some(Fate::UnderWay));
    // Without anything behind it nothing is filled, and the nonce is used again.
    let mut owner = Owner::default();
    let Answer::Assigned(poor) = owner.want(&action(1, Priority::Normal), &facts(1, 100, 0)) else { panic!() };
    owner.answer(owner.last_hash(poor), Sending::CannotPay("too poor".into()));
    owner.block(&facts(2, 100, 0));
    assert_eq!(owner.signed.len(), 1);
    assert_eq!(owner.assigned(&action(2, Priority::Normal), &facts(2, 100, 0)).1, 0);
}

#[test]
fn a_raise_that_cannot_be_paid_leaves_the_version_before_it() {
    let mut owner = Owner::default();
    let (ticket, _) = owner.assigned(&a_move(0, 1), &facts(1, 100, 0));
    owner.block(&pending(facts(4, 100, 0), 1));
    owner.answer(owner.last_hash(ticket), Sending::CannotPay("too poor".into()));
    assert!(matches!(owner.told.last(), Some(Advice::CannotRaise { .. })));
    assert_eq!(owner.ledger.fate(ticket), Some(Fate::UnderWay));
    let first = owner.take_signed()[0].clone();
    owner.sent.clear();
    // The node has forgotten it: the version that can be paid is sent.
    owner.block(&facts(5, 100, 0));
    assert_eq!(owner.sent, [hash(first.0, &first.1, first.2)]);
}

#[test]
fn the_same_bytes_are_sent_until_a_node_takes_them() {
    let mut owner = Owner::default();
    let Answer::Assigned(ticket) = owner.want(&a_move(0, 1), &facts(1, 100, 0)) else { panic!() };
    let bytes = owner.last_hash(ticket);
    for _ in 0..3 {
        owner.sent.clear();
        owner.answer(bytes, Sending::Unanswered);
        assert!(owner.ledger.has_unsent());
        owner.block(&facts(1, 100, 0));
        assert_eq!(owner.sent, [bytes]);
    }
    owner.answer(bytes, Sending::Accepted);
    assert!(!owner.ledger.has_unsent());
    owner.sent.clear();
    owner.block(&pending(facts(2, 100, 0), 1));
    assert!(owner.sent.is_empty(), "the node has it");
    // A node that has lost it gets it again.
    owner.block(&facts(2, 100, 0));
    assert_eq!(owner.sent, [bytes]);
    assert_eq!(owner.signed.len(), 1, "it was signed once");
}

#[test]
fn what_is_underpriced_is_raised_at_once() {
    let mut owner = Owner::default();
    let Answer::Assigned(ticket) = owner.want(&a_move(0, 1), &facts(1, 100, 0)) else { panic!() };
    for versions in 2..6 {
        owner.answer(owner.last_hash(ticket), Sending::Underpriced);
        owner.block(&facts(1, 100, 0));
        assert_eq!(owner.signed.len(), versions);
    }
    assert!(owner.signed.iter().all(|(nonce, call, _)| (*nonce, call) == (0, &a_move(0, 1).call)));
}

/// The usual tip is a node's word. One that is absurd beside a base fee of a gwei isn't paid: the bound on the whole fee is there for spikes of
/// the base fee, which the chain itself tells.
#[test]
fn an_absurd_tip_is_not_paid() {
    const GWEI: u128 = 1_000_000_000;
    let rules = Rules { ceiling: 500 * GWEI, ..RULES };
    let mut ledger = Ledger::default();
    let at = Facts { tip: 2_000 * GWEI, ..facts(1, GWEI, 0) };
    let (_, effects) = ledger.want(&rules, &action(1, Priority::Normal), &at);
    let [Effect::Sign { fees, .. }] = &effects[..] else { panic!("{effects:?}") };
    assert!(fees.tip <= 50 * GWEI, "a tip of {} gwei where the base fee is one", fees.tip / GWEI);
}
