//! One move a ply, whatever becomes of the first.

use super::*;

#[test]
fn one_move_is_signed_for_a_ply() {
    let mut owner = Owner::default();
    let (id, _) = owner.assigned(&a_move(4, 1), &facts(1, 100, 0));
    owner.take_signed();
    let other = a_move(4, 2);
    assert_eq!(owner.want(&other, &pending(facts(1, 100, 0), 1)), Answer::Contradicts);
    // Nor once it is in a block, nor after a fork has taken it back: then the same goes out again.
    let hash = owner.last_hash(id);
    owner.block(&Facts { receipts: vec![mined(hash, 2)], ..facts(2, 100, 1) });
    assert_eq!(owner.want(&other, &facts(2, 100, 1)), Answer::Contradicts);
    assert_eq!(owner.want(&a_move(4, 1), &facts(2, 100, 1)), Answer::Known(id), "it was made");
    owner.sent.clear();
    owner.block(&facts(3, 100, 0));
    assert_eq!(owner.ledger.status(id), Some(TxStatus::UnderWay));
    assert_eq!(owner.sent, [hash], "the same bytes");
    assert_eq!(owner.want(&other, &facts(3, 100, 0)), Answer::Contradicts);
    assert_eq!(owner.take_signed(), []);
    // Another ply is another matter.
    owner.assigned(&a_move(6, 2), &pending(facts(3, 100, 0), 1));
}

#[test]
fn what_the_contract_refuses_is_given_up_and_its_nonce_filled() {
    let mut owner = Owner::default();
    let (id, nonce) = owner.assigned(&a_move(0, 1), &facts(1, 100, 0));
    let (behind, _) = owner.assigned(&action(2, Priority::Normal), &facts(1, 100, 0));
    let old = owner.take_signed()[0].2;
    let refused =
        |block| Facts { refused: vec![(nonce, "the game is over".into())], ..pending(facts(block, 100, 0), 2) };
    let questions = owner.ledger.questions(&RULES, &pending(facts(1 + PATIENCE, 100, 0), 2));
    assert_eq!(questions.calls, [(nonce, a_move(0, 1).call)]);
    owner.block(&refused(1 + PATIENCE));
    assert_eq!(owner.take_signed(), [], "one node may be behind");
    assert_eq!(owner.ledger.questions(&RULES, &pending(facts(2 + PATIENCE, 100, 0), 2)).calls.len(), 1);
    owner.block(&refused(2 + PATIENCE));
    let cancellation = owner.take_signed();
    let [(filled, call, fees)] = &cancellation[..] else { panic!("{cancellation:?}") };
    assert_eq!((*filled, call.clone()), (nonce, Call::nothing(ACCOUNT)));
    assert!(fees.max * 8 >= old.max * 9 && fees.tip * 8 >= old.tip * 9, "it replaces the move");
    assert_eq!(owner.ledger.status(id), Some(TxStatus::Failed(Failure::Refused("the game is over".into()))));
    assert!(owner.told.iter().any(|advice| matches!(advice, Advice::Dropped { .. })));
    owner.accept_all();
    // What is behind it goes on; it never was the move after all.
    let hashes = [hash(nonce, call, *fees), owner.last_hash(behind)];
    owner.block(&Facts { receipts: hashes.map(|hash| mined(hash, 6)).to_vec(), ..facts(6, 100, 2) });
    assert_eq!(owner.ledger.status(behind), Some(TxStatus::Mined(mined(hashes[1], 6))));
    assert!(matches!(owner.ledger.status(id), Some(TxStatus::Failed(Failure::Refused(_)))));
}

#[test]
fn another_move_of_a_ply_is_signed_once_the_first_can_never_be_included() {
    // The contract refuses the first, whose position a deep fork has replaced, and its nonce is filled.
    let mut owner = Owner::default();
    let (_, nonce) = owner.assigned(&a_move(4, 1), &facts(1, 100, 0));
    for block in [4, 5] {
        owner.block(&Facts { refused: vec![(nonce, "another context".into())], ..pending(facts(block, 100, 0), 1) });
        assert_eq!(owner.want(&a_move(4, 2), &pending(facts(block, 100, 0), 1)), Answer::Contradicts);
    }
    let (_, call, fees) = owner.signed.last().cloned().expect("a cancellation");
    let filled = Facts { receipts: vec![mined(hash(nonce, &call, fees), 6)], ..facts(6, 100, 1) };
    owner.block(&filled);
    for block in [6, 7] {
        let at = Facts { block, ..filled.clone() };
        assert_eq!(owner.want(&a_move(4, 2), &at), Answer::Contradicts, "the cancellation may be taken back");
    }
    assert_eq!(owner.assigned(&a_move(4, 2), &Facts { block: 8, ..filled }).1, 1);

    // Or it is included, in vain.
    let mut owner = Owner::default();
    let (id, _) = owner.assigned(&a_move(4, 1), &facts(1, 100, 0));
    let failed = Mined { succeeded: false, ..mined(owner.last_hash(id), 2) };
    let at = |block| Facts { receipts: vec![failed], ..facts(block, 100, 1) };
    owner.block(&at(2));
    assert_eq!(owner.want(&a_move(4, 2), &at(3)), Answer::Contradicts);
    assert_eq!(owner.assigned(&a_move(4, 2), &at(4)).1, 1);
}

/// A chain that was taken back deeper than its final blocks: the move isn't sent again, its nonce is used up by something else.
#[test]
fn what_was_signed_for_a_chain_that_is_no_more_is_not_sent_again() {
    let mut owner = Owner::default();
    let (id, nonce) = owner.assigned(&a_move(4, 1), &facts(1, 100, 0));
    let hash = owner.last_hash(id);
    owner.block(&Facts { receipts: vec![mined(hash, 2)], ..facts(2, 100, 1) });
    let Subject::Exclusive(key) = a_move(4, 1).subject else { panic!("a move") };
    owner.ledger.give_up(key.topic);
    owner.sent.clear();
    owner.take_signed();
    for block in 9..12 {
        owner.block(&facts(block, 100, 0));
    }
    assert!(!owner.sent.contains(&hash), "{:?}", owner.sent);
    let signed = owner.take_signed();
    let cancellation = signed.first().expect("a cancellation");
    assert_eq!((cancellation.0, cancellation.1.input.len()), (nonce, 0));
    assert!(matches!(owner.ledger.status(id), Some(TxStatus::Failed(Failure::TakenBack))));

    // With its fee at the ceiling, what uses up its nonce may cost an eighth more, and no more than that.
    let mut owner = Owner::default();
    let (id, nonce) = owner.assigned(&a_move(4, 1), &facts(1, RULES.ceiling, 0));
    let (hash, at_ceiling) = (owner.last_hash(id), owner.take_signed()[0].2);
    assert_eq!(at_ceiling.max, RULES.ceiling);
    owner.ledger.give_up(key.topic);
    owner.sent.clear();
    for block in 2..20 {
        owner.block(&facts(block, RULES.ceiling, 0));
    }
    assert!(!owner.sent.contains(&hash), "{:?}", owner.sent);
    let signed = owner.take_signed();
    let [(of, call, fees)] = &signed[..] else { panic!("one cancellation: {signed:?}") };
    assert_eq!((*of, call), (nonce, &Call::nothing(ACCOUNT)));
    assert_eq!((*fees, fees.max), (at_ceiling.outbid(), RULES.ceiling + RULES.ceiling / 8));
    // A machine that has the move calls it too cheap; another one hasn't, and takes it.
    owner.answer(owner.last_hash(id), Sending::Underpriced);
    owner.sent.clear();
    owner.block(&facts(20, RULES.ceiling, 0));
    assert_eq!((owner.take_signed(), owner.sent.clone()), (vec![], vec![owner.last_hash(id)]));
}

/// What uses up the nonce of something refused is raised like anything else: what is behind it isn't held up by a base fee that has risen.
#[test]
fn what_uses_up_a_refused_nonce_follows_the_base_fee() {
    let mut owner = Owner::default();
    let (_, nonce) = owner.assigned(&action(1, Priority::Normal), &facts(1, 100, 0));
    owner.assigned(&a_move(4, 2), &facts(1, 100, 0));
    for block in [6, 7] {
        owner.block(&Facts { refused: vec![(nonce, "no".into())], ..pending(facts(block, 100, 0), 2) });
    }
    owner.accept_all();
    owner.take_signed();
    owner.block(&pending(facts(8, 1_000, 0), 2));
    let signed = owner.take_signed();
    let (_, call, fees) = signed.iter().find(|signed| signed.0 == nonce).expect("a cancellation for more");
    assert!(*call == Call::nothing(ACCOUNT) && fees.max >= 1_000, "{fees:?}");
}

/// A move that the contract refuses, with its fee at the ceiling: what is behind it isn't held up.
#[test]
fn what_is_given_up_at_the_ceiling_is_outbid() {
    let mut owner = Owner::default();
    let (refused, nonce) = owner.assigned(&a_move(4, 1), &facts(1, RULES.ceiling, 0));
    let (behind, _) = owner.assigned(&action(2, Priority::Normal), &facts(1, 100, 0));
    owner.accept_all();
    owner.take_signed();
    for block in [6, 7] {
        owner.block(&Facts { refused: vec![(nonce, "no".into())], ..pending(facts(block, 100, 0), 2) });
    }
    let signed = owner.take_signed();
    let (_, call, fees) = signed.iter().find(|signed| signed.0 == nonce).expect("a cancellation");
    assert_eq!((call, fees.max), (&Call::nothing(ACCOUNT), RULES.ceiling + RULES.ceiling / 8));
    // Wished again, the move doesn't cost that much: it gets a nonce of its own.
    assert_eq!(owner.assigned(&a_move(4, 1), &pending(facts(8, 100, 0), 2)).1, 2);
    assert!(owner.take_signed().iter().all(|(_, _, fees)| fees.max <= RULES.ceiling));
    assert_eq!(owner.ledger.status(behind), Some(TxStatus::UnderWay));
    assert!(matches!(owner.ledger.status(refused), Some(TxStatus::Failed(Failure::Refused(_)))));
}

/// Whatever has taken a nonce may be taken back by a fork, and the first move be included after all.
#[test]
fn a_move_whose_nonce_is_free_again_stands_in_the_way() {
    let mut owner = Owner::default();
    owner.assigned(&a_move(4, 1), &facts(1, 100, 0));
    for block in 2..9 {
        owner.block(&facts(block, 100, 1));
    }
    let free = facts(12, 100, 0);
    owner.block(&free);
    assert_eq!(owner.want(&a_move(4, 2), &free), Answer::Contradicts);
    for block in 13..15 {
        assert_eq!(owner.want(&a_move(4, 2), &facts(block, 100, 1)), Answer::Contradicts, "block {block}");
    }
    owner.assigned(&a_move(4, 2), &facts(15, 100, 1));
}

#[test]
fn what_was_in_a_block_for_good_is_asked_for_again_when_another_move_is_wanted() {
    let made = |owner: &mut Owner| {
        let (id, _) = owner.assigned(&a_move(4, 1), &facts(1, 100, 0));
        let receipt = mined(owner.last_hash(id), 2);
        owner.block(&Facts { receipts: vec![receipt], ..facts(2, 100, 1) });
        assert_eq!(owner.want(&a_move(4, 2), &facts(9, 100, 1)), Answer::Contradicts);
        let questions = owner.ledger.questions(&RULES, &facts(9, 100, 1));
        assert_eq!(questions.receipts, [receipt.transaction]);
        (id, receipt)
    };
    let mut owner = Owner::default();
    let (id, receipt) = made(&mut owner);
    owner.block(&Facts { receipts: vec![receipt], ..facts(9, 100, 1) });
    assert_eq!(owner.ledger.status(id), Some(TxStatus::Mined(receipt)));
    assert_eq!(owner.want(&a_move(4, 2), &facts(10, 100, 1)), Answer::Contradicts);
    // A fork has taken it back, and its nonce is another's.
    let mut owner = Owner::default();
    let (id, _) = made(&mut owner);
    for block in 9..15 {
        owner.block(&facts(block, 100, 1));
        assert_eq!(owner.want(&a_move(4, 2), &facts(block, 100, 1)), Answer::Contradicts);
    }
    owner.block(&facts(15, 100, 1));
    assert_eq!(owner.ledger.status(id), Some(TxStatus::Failed(Failure::Overtaken)));
    assert_eq!(owner.assigned(&a_move(4, 2), &facts(15, 100, 1)).1, 1);
}

#[test]
fn what_was_given_up_and_is_wanted_again_takes_its_nonce_back() {
    let mut owner = Owner::default();
    let (id, nonce) = owner.assigned(&a_move(0, 1), &facts(1, 100, 0));
    for block in [4, 5] {
        owner.block(&Facts { refused: vec![(nonce, "no".into())], ..pending(facts(block, 100, 0), 1) });
    }
    owner.accept_all();
    let fillers = owner.take_signed();
    assert_eq!(owner.want(&a_move(0, 1), &pending(facts(6, 100, 0), 1)), Answer::Assigned(id));
    let signed = owner.take_signed();
    assert_eq!((signed.len(), signed[0].0, &signed[0].1), (1, nonce, &a_move(0, 1).call));
    assert_eq!(owner.ledger.status(id), Some(TxStatus::UnderWay));

    // What only uses the nonce up is in a block before it: the move wasn't made, and gets another nonce.
    let (_, call, fees) = fillers.last().expect("a cancellation");
    let filled = Facts { receipts: vec![mined(hash(nonce, call, *fees), 7)], ..facts(7, 100, 1) };
    owner.block(&filled);
    assert_eq!(owner.ledger.status(id), Some(TxStatus::Failed(Failure::Overtaken)));
    assert_eq!(owner.assigned(&a_move(0, 1), &filled).1, nonce + 1);
}

#[test]
fn a_move_in_the_mempool_is_taken_over_by_a_fresh_machine() {
    let mut owner = Owner::default();
    let at = pending(facts(1, 100, 0), 1);
    assert_eq!(owner.ledger.questions(&RULES, &at).unknown, [0]);
    let (theirs, fees) = (a_move(0, 1), Fees { max: 90, tip: 9 });
    let attempt = |call: &Call| {
        let hash = hash(0, call, fees);
        Attempt { fees, hash, raw: hash.to_vec().into(), cancellation: false, sending: Some(Sending::Accepted) }
    };
    let found = PoolTransaction {
        nonce: 0,
        call: theirs.call.clone(),
        subject: Some(theirs.subject.clone()),
        attempt: attempt(&theirs.call),
    };
    let shown = Facts { pool: vec![found], ..at };
    assert_eq!(owner.want(&a_move(0, 2), &shown), Answer::Contradicts, "no competing move");
    assert_eq!(owner.signed, []);
    assert!(matches!(owner.told[..], [Advice::TakenOver { .. }]));
    assert!(matches!(owner.want(&theirs, &pending(facts(1, 100, 0), 1)), Answer::Known(_)));
    // It is raised like one's own.
    owner.block(&pending(facts(2, 100, 0), 1));
    let raised = owner.take_signed();
    assert_eq!((raised.len(), &raised[0].1), (1, &theirs.call));
}

#[test]
fn a_move_waits_for_what_the_node_does_not_show() {
    let mut owner = Owner::default();
    let at = |block| pending(facts(block, 100, 0), 1);
    for block in 1..1 + UNKNOWN_PATIENCE {
        assert_eq!(owner.want(&a_move(0, 1), &at(block)), Answer::Wait);
    }
    assert_eq!((&owner.told[..], owner.signed.len()), (&[Advice::Unknown][..], 0));
    // It is replaced then; the move is signed when the nonce is used up, by whichever.
    assert_eq!(owner.want(&a_move(0, 1), &at(1 + UNKNOWN_PATIENCE)), Answer::Wait);
    let replacing = owner.take_signed();
    assert_eq!((replacing[0].0, replacing[0].1.clone()), (0, Call::nothing(ACCOUNT)));
    owner.answer(hash(0, &replacing[0].1, replacing[0].2), Sending::Underpriced);
    assert_eq!(owner.want(&a_move(0, 1), &at(2 + UNKNOWN_PATIENCE)), Answer::Wait);
    assert_eq!(owner.take_signed().len(), 1, "outbid again");
    let block = 3 + UNKNOWN_PATIENCE;
    let hash = owner.ledger.entries()[0].attempts[1].hash;
    let used = Facts { receipts: vec![mined(hash, block)], ..facts(block, 100, 1) };
    assert!(matches!(owner.want(&a_move(0, 1), &used), Answer::Assigned(_)));
    // What isn't a move doesn't wait, and what is urgent has it replaced soon.
    let mut owner = Owner::default();
    assert_eq!(owner.assigned(&action(1, Priority::Urgent), &at(1)).1, 1);
    owner.take_signed();
    owner.block(&pending(facts(4, 100, 0), 2));
    assert!(owner.take_signed().iter().any(|(nonce, call, _)| (*nonce, call) == (0, &Call::nothing(ACCOUNT))));
}
