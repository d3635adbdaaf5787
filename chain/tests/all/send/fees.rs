//! What is paid for a transaction: raised where it is slow, up to the ceiling, and what a node says of it.

use super::*;

#[test]
fn what_is_slow_is_replaced_by_the_same_call_for_an_eighth_more() {
    let mut owner = Owner::default();
    let first = facts(1, 100, 0);
    let (id, _) = owner.assigned(&a_move(0, 1), &first);
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
    assert_eq!(owner.ledger.status(id), Some(TxStatus::Mined(mined(first_hash, 5))));
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
    let (id, _) = owner.assigned(&a_move(0, 1), &facts(1, 100, 0));
    owner.block(&pending(facts(2, 8_000, 0), 1));
    owner.accept_all();
    assert_eq!(owner.take_signed().last().unwrap().2.max, RULES.ceiling);
    let last = owner.last_hash(id);
    owner.told.clear();
    for block in 3..20 {
        owner.block(&pending(facts(block, 12_000, 0), 1));
    }
    assert_eq!(owner.take_signed(), []);
    // Some machine may have an older attempt only.
    assert_eq!(owner.sent.len(), 17, "the last attempt is sent again at each block");
    assert!(owner.sent.iter().all(|hash| *hash == last));
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
    assert_eq!(owner.ledger.status(poor), Some(TxStatus::Failed(Failure::CannotPay("too poor".into()))));
    owner.take_signed();
    owner.block(&facts(2, 100, 0));
    let cancellation = owner.take_signed();
    assert_eq!((cancellation.len(), cancellation[0].0, cancellation[0].1.clone()), (1, 0, Call::nothing(ACCOUNT)));
    assert_eq!(owner.ledger.status(behind), Some(TxStatus::UnderWay));
    // Without anything behind it nothing is filled, and the nonce is used again.
    let mut owner = Owner::default();
    let Answer::Assigned(poor) = owner.want(&action(1, Priority::Normal), &facts(1, 100, 0)) else { panic!() };
    owner.answer(owner.last_hash(poor), Sending::CannotPay("too poor".into()));
    owner.block(&facts(2, 100, 0));
    assert_eq!(owner.signed.len(), 1);
    assert_eq!(owner.assigned(&action(2, Priority::Normal), &facts(2, 100, 0)).1, 0);
}

#[test]
fn a_raise_that_cannot_be_paid_leaves_the_attempt_before_it() {
    let mut owner = Owner::default();
    let (id, _) = owner.assigned(&a_move(0, 1), &facts(1, 100, 0));
    owner.block(&pending(facts(4, 100, 0), 1));
    owner.answer(owner.last_hash(id), Sending::CannotPay("too poor".into()));
    assert!(matches!(owner.told.last(), Some(Advice::CannotRaise { .. })));
    assert_eq!(owner.ledger.status(id), Some(TxStatus::UnderWay));
    let first = owner.take_signed()[0].clone();
    owner.sent.clear();
    // The node has forgotten it: the attempt that can be paid is sent.
    owner.block(&facts(5, 100, 0));
    assert_eq!(owner.sent, [hash(first.0, &first.1, first.2)]);
}

#[test]
fn the_same_bytes_are_sent_until_a_node_takes_them() {
    let mut owner = Owner::default();
    let Answer::Assigned(id) = owner.want(&a_move(0, 1), &facts(1, 100, 0)) else { panic!() };
    let bytes = owner.last_hash(id);
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
    let Answer::Assigned(id) = owner.want(&a_move(0, 1), &facts(1, 100, 0)) else { panic!() };
    for attempts in 2..6 {
        owner.answer(owner.last_hash(id), Sending::Underpriced);
        owner.block(&facts(1, 100, 0));
        assert_eq!(owner.signed.len(), attempts);
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

/// On a quiet chain a node's usual tip is what was paid last: twice that for each urgent transaction would double it without end.
#[test]
fn what_a_node_repeats_of_our_own_tips_does_not_grow_without_end() {
    const GWEI: u128 = 1_000_000_000;
    let rules = Rules { ceiling: 500 * GWEI, ..RULES };
    let mut usual = GWEI;
    for nonce in 0..20 {
        let at = Facts { tip: usual, ..facts(1, 7, nonce) };
        let (_, effects) = Ledger::default().want(&rules, &action(1, Priority::Urgent), &at);
        let [Effect::Sign { fees, .. }] = &effects[..] else { panic!("{effects:?}") };
        usual = fees.tip;
    }
    assert!(usual <= 4 * GWEI, "{usual}");
}

/// A node that takes transactions and passes none on can't have any price paid; one that calls them too cheap is believed up to the ceiling.
#[test]
fn waiting_alone_is_no_reason_for_any_price() {
    let mut owner = Owner::default();
    owner.assigned(&action(1, Priority::Normal), &facts(1, 100, 0));
    owner.accept_all();
    for block in 2..200 {
        owner.block(&pending(facts(block, 100, 0), 1));
        owner.accept_all();
    }
    let highest = owner.take_signed().iter().map(|(_, _, fees)| fees.max).max();
    let market = facts(1, 100, 0).market(Priority::Normal);
    assert!(highest.is_some_and(|fee| fee > market.max && fee <= 4 * market.max), "{highest:?}");
}

/// What the command said that signed it holds, whichever process looks after it; but a game doesn't wait behind it.
#[test]
fn who_wished_a_transaction_says_what_it_may_cost() {
    const LOW: u128 = 300;
    let modest = Rules { ceiling: LOW, ..RULES };
    let mut owner = Owner::default();
    let opening = Subject::Action { topic: None, name: "opening the game".to_owned() };
    let opening = Request { subject: opening, ..action(7, Priority::Normal) };
    let (_, effects) = owner.ledger.want(&modest, &opening, &facts(1, 100, 0));
    owner.perform(effects);
    owner.take_signed();
    for block in 2..20 {
        owner.block(&pending(facts(block, 1_000, 0), 1));
    }
    assert!(owner.take_signed().iter().all(|(_, _, fees)| fees.max <= LOW), "another process offers more");
    owner.assigned(&a_move(0, 1), &pending(facts(20, 1_000, 0), 1));
    for block in 21..30 {
        owner.block(&pending(facts(block, 1_000, 0), 2));
    }
    let raised = owner.take_signed().iter().any(|(nonce, _, fees)| *nonce == 0 && fees.max > LOW);
    assert!(raised, "the move waits behind it for good");
}

/// A node that keeps nothing below the base fee: what it has refused is sent again, so that it is there when the base fee has fallen.
#[test]
fn what_was_too_cheap_is_sent_again() {
    let modest = Rules { ceiling: 300, ..RULES };
    let mut owner = Owner::default();
    let (_, effects) = owner.ledger.want(&modest, &action(7, Priority::Normal), &facts(1, 1_000, 0));
    owner.perform(effects);
    for (block, base_fee) in [(2, 1_000), (3, 1_000), (4, 100)] {
        for hash in std::mem::take(&mut owner.sent) {
            owner.answer(hash, Sending::Underpriced);
        }
        let effects = owner.ledger.on_block(&modest, &facts(block, base_fee, 0));
        owner.perform(effects);
        assert_eq!(owner.sent.len(), 1, "block {block}");
    }
}

/// Who offers more for what comes later offers it for what that waits behind.
#[test]
fn what_waits_behind_lends_its_ceiling() {
    let opening = |byte| Request {
        subject: Subject::Action { topic: None, name: "opening a game".to_owned() },
        ..action(byte, Priority::Normal)
    };
    let mut owner = Owner::default();
    let (_, effects) = owner.ledger.want(&Rules { ceiling: 300, ..RULES }, &opening(7), &facts(1, 100, 0));
    owner.perform(effects);
    let (_, effects) =
        owner.ledger.want(&Rules { ceiling: 5_000, ..RULES }, &opening(8), &pending(facts(1, 100, 0), 1));
    owner.perform(effects);
    owner.take_signed();
    for block in 2..20 {
        owner.block(&pending(facts(block, 1_000, 0), 2));
    }
    let highest = owner.take_signed().iter().filter(|signed| signed.0 == 0).map(|(_, _, fees)| fees.max).max();
    assert!(highest.is_some_and(|max| max > 1_000 && max <= 5_000), "{highest:?}");
}

/// Where nodes take nothing below 30 gwei, say so in the tip that they name, and drop what offers less without a word.
#[test]
fn a_floor_of_tips_is_reached_by_waiting() {
    const GWEI: u128 = 1_000_000_000;
    let rules = Rules { ceiling: 500 * GWEI, ..RULES };
    let at = |block| Facts { tip: 30 * GWEI, ..facts(block, 7, 0) };
    let mut owner = Owner::default();
    let (_, effects) = owner.ledger.want(&rules, &action(1, Priority::Normal), &at(1));
    owner.perform(effects);
    for block in 2..100 {
        let effects = owner.ledger.on_block(&rules, &at(block));
        owner.perform(effects);
        owner.accept_all();
    }
    let highest = owner.take_signed().iter().map(|(_, _, fees)| fees.tip).max();
    assert!(highest.is_some_and(|tip| tip >= 30 * GWEI), "{highest:?}");
}

/// Nodes pass on nothing that may cost more than an ether. What has become dearer than that and isn't about a game that is played makes way for what can't
/// wait; without such it waits.
#[test]
fn what_is_about_no_game_is_offered_what_nodes_pass_on_and_makes_way_where_that_is_too_little() {
    const GWEI: u128 = 1_000_000_000;
    const RICH: Rules = Rules { ceiling: 500 * GWEI, ..RULES };
    for behind in [None, Some(action(2, Priority::Urgent)), Some(a_move(0, 2))] {
        let mut owner = Owner { rules: RICH, ..Owner::default() };
        let mut request = action(1, Priority::Normal);
        request.call.gas = 6_000_000;
        let (id, nonce) = owner.assigned(&request, &facts(1, 90 * GWEI, 0));
        let offered = owner.take_signed().remove(0).2.max;
        assert_eq!(offered, 10u128.pow(18) / 6_000_000);
        if let Some(request) = &behind {
            owner.assigned(request, &pending(facts(1, 90 * GWEI, 0), 1));
        }
        for block in 2..8 {
            owner.block(&pending(facts(block, 170 * GWEI, 0), 2));
            owner.accept_all();
        }
        let of_nonce = owner.take_signed().into_iter().filter(|(of, ..)| *of == nonce);
        let filled: Vec<_> = of_nonce.filter(|(_, call, _)| *call == Call::nothing(ACCOUNT)).collect();
        assert_eq!(!filled.is_empty(), behind.is_some(), "{filled:?}");
        let is_refused = matches!(owner.ledger.status(id), Some(TxStatus::Failed(Failure::Refused(_))));
        assert_eq!(is_refused, behind.is_some());
        if behind.is_none() {
            assert!(matches!(owner.told.last(), Some(Advice::Ceiling { is_of_user: false, .. })), "{:?}", owner.told);
            continue;
        }
        // Wished again it isn't signed with another nonce: the first may be included still, and is the one then.
        let at = pending(facts(8, 170 * GWEI, 0), 2);
        assert_eq!(owner.want(&request, &at), Answer::Wait);
        let first = owner.ledger.entry(id).unwrap().attempts[0].hash;
        owner.block(&Facts { receipts: vec![mined(first, 9)], ..pending(facts(9, GWEI, 1), 2) });
        assert!(matches!(owner.ledger.status(id), Some(TxStatus::Mined(_))));
    }
}

/// What a game needs is offered whatever the user allows: its nodes may have another bound, or none.
#[test]
fn a_game_s_transaction_is_offered_more_than_an_ether() {
    const GWEI: u128 = 1_000_000_000;
    let mut owner = Owner { rules: Rules { ceiling: 6_000 * GWEI, ..RULES }, ..Owner::default() };
    let mut request = a_move(0, 1);
    request.call.gas = 580_000;
    owner.assigned(&request, &facts(1, 1_000 * GWEI, 0));
    for block in 2..8 {
        owner.block(&pending(facts(block, 2_500 * GWEI, 0), 1));
        owner.accept_all();
    }
    assert!(owner.take_signed().last().unwrap().2.max >= 2_500 * GWEI);
}
