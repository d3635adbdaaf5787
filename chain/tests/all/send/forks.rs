//! Nonces that others have, forks, and machines that are behind.

use super::*;

#[test]
fn a_nonce_that_another_has_taken_is_found_out() {
    let mut owner = Owner::default();
    let (id, _) = owner.assigned(&a_move(0, 1), &facts(1, 100, 0));
    // A receipt may come late.
    for block in 2..8 {
        owner.block(&facts(block, 100, 1));
        assert_eq!(owner.ledger.status(id), Some(TxStatus::UnderWay));
    }
    owner.block(&facts(8, 100, 1));
    assert_eq!(owner.ledger.status(id), Some(TxStatus::Failed(Failure::Overtaken)));
    owner.take_signed();
    let (_, nonce) = owner.assigned(&a_move(0, 1), &facts(8, 100, 1));
    assert_eq!((nonce, &owner.take_signed()[0].1), (1, &a_move(0, 1).call));
}

/// A receipt of a block that nobody has seen with enough on top is asked for again, however long nobody has looked.
#[test]
fn what_a_fork_takes_back_while_nobody_looks_is_sent_again() {
    let mut owner = Owner::default();
    let request = action(1, Priority::Normal);
    let (id, _) = owner.assigned(&request, &facts(1, 100, 0));
    let hash = owner.last_hash(id);
    let seen = Facts { receipts: vec![mined(hash, 2)], ..facts(2, 100, 1) };
    owner.block(&seen);
    assert!(matches!(owner.ledger.status(id), Some(TxStatus::Mined(_))));
    // Far beyond the confirmations, but on another branch.
    let later = facts(50, 100, 0);
    assert!(!owner.ledger.is_idle(&RULES));
    assert_eq!(owner.ledger.questions(&RULES, &facts(50, 100, 1)).receipts, [hash]);
    owner.block(&later);
    assert_eq!(owner.ledger.status(id), Some(TxStatus::UnderWay));
    assert!(!std::mem::take(&mut owner.sent).is_empty(), "it is sent again");
    let deep = Facts { receipts: vec![mined(owner.last_hash(id), 51)], ..facts(51 + RULES.confirmations, 100, 1) };
    owner.block(&deep);
    assert!(owner.ledger.is_idle(&RULES));
}

/// A machine behind the node's address may be behind for some blocks: its silence about a receipt says nothing, and the same call isn't
/// made a second time.
#[test]
fn a_receipt_that_a_slow_machine_lacks_is_waited_for() {
    let mut owner = Owner::default();
    let (id, _) = owner.assigned(&action(1, Priority::Normal), &facts(10, 100, 0));
    // Mined in 12; the nonce is told with an old block, then a new block by a machine without the receipt.
    owner.block(&facts(10, 100, 1));
    for block in 13..15 {
        owner.block(&facts(block, 100, 1));
        assert_eq!(owner.ledger.status(id), Some(TxStatus::UnderWay));
    }
    let found = Facts { receipts: vec![mined(owner.last_hash(id), 12)], ..facts(15, 100, 1) };
    owner.block(&found);
    assert!(matches!(owner.ledger.status(id), Some(TxStatus::Mined(_))));
}

/// A wallet that plays several games makes more than sixteen transactions before the first of them is final, above all where that takes two
/// epochs. What a fork can still take back isn't forgotten: or its nonce would be used up by nothing, and nobody would make the call again.
#[test]
fn what_isn_t_final_is_not_forgotten() {
    const MANY: u64 = 20;
    let mut owner = Owner::default();
    let at = facts(1, 100, 0);
    let ids: Vec<_> = (0..MANY).map(|byte| owner.assigned(&action(byte as u8, Priority::Normal), &at).0).collect();
    let receipts = ids.iter().map(|id| mined(owner.last_hash(*id), 2)).collect();
    owner.block(&Facts { receipts, ..facts(2, 100, MANY) });
    owner.take_signed();
    // The block is gone, and the mempool has nothing.
    owner.block(&facts(2, 100, 0));
    let lost = ids.iter().filter(|id| owner.ledger.status(**id) != Some(TxStatus::UnderWay)).count();
    let filled = owner.take_signed().iter().filter(|(_, call, _)| *call == Call::nothing(ACCOUNT)).count();
    assert_eq!((lost, filled), (0, 0), "forgotten, and replaced by nothing");
}

/// A node's number is a node's word: one that is absurd must not take all memory (for each nonce something is stored, and asked), nor have
/// a transaction signed for each.
#[test]
fn an_absurd_number_of_waiting_transactions_is_not_looked_into_one_by_one() {
    let owner = Owner::default();
    let questions = owner.ledger.questions(&RULES, &pending(facts(1, 100, 0), 1 << 20));
    assert!(questions.unknown.len() <= 1_000, "{} nonces are asked for one by one", questions.unknown.len());
}

/// A node's count of the account's transactions is its word, too: what was signed with a nonce that it made up is in nobody's way, and made anew.
#[test]
fn nothing_is_signed_for_all_nonces_up_to_one_that_a_node_made_up() {
    for absurd in [2_000, 1 << 40] {
        let mut owner = Owner::default();
        let request = action(1, Priority::Normal);
        let (id, _) = owner.assigned(&request, &facts(1, 100, absurd));
        owner.take_signed();
        for block in 2..20 {
            owner.block(&facts(block, 100, 5));
            owner.accept_all();
        }
        let fillers = owner.take_signed().len();
        assert_eq!(fillers, 0, "transactions are paid because of one wrong answer");
        assert_eq!(owner.ledger.status(id), Some(TxStatus::Failed(Failure::Overtaken)));
        assert_eq!(owner.assigned(&request, &facts(20, 100, 5)).1, 5);
    }
}

/// The node that was right, and is far behind for a while: what was made is found again.
#[test]
fn what_a_node_far_behind_calls_out_of_reach_is_found_again() {
    let mut owner = Owner::default();
    let (id, _) = owner.assigned(&action(1, Priority::Normal), &facts(100, 100, 100));
    for block in 20..40 {
        owner.block(&facts(block, 100, 20));
    }
    let hash = owner.last_hash(id);
    owner.block(&facts(101, 100, 101));
    assert_eq!(owner.ledger.questions(&RULES, &facts(101, 100, 101)).receipts, [hash]);
    owner.block(&Facts { receipts: vec![mined(hash, 101)], ..facts(101, 100, 101) });
    assert!(matches!(owner.ledger.status(id), Some(TxStatus::Mined(_))));
}

/// A number of a block that a node made up isn't waited for.
#[test]
fn fees_are_raised_whatever_block_a_node_has_made_up() {
    let mut owner = Owner::default();
    owner.assigned(&a_move(0, 1), &facts(1 << 40, 100, 0));
    owner.take_signed();
    for block in 2..3 + PATIENCE {
        owner.block(&pending(facts(block, 100, 0), 1));
    }
    assert_eq!(owner.take_signed().len(), 1, "raised");
}

/// A wallet with many transactions waiting makes one more: it is waited for like the others.
#[test]
fn more_transactions_than_a_mempool_keeps_are_each_signed_once() {
    let mut owner = Owner::default();
    for byte in 0..70 {
        owner.assigned(&action(byte, Priority::Normal), &pending(facts(1, 100, 0), u64::from(byte)));
    }
    let ids: Vec<_> = owner.ledger.entries().iter().map(|entry| entry.id).collect();
    for block in 2..30 {
        owner.block(&pending(facts(block, 100, 0), 64));
        owner.accept_all();
    }
    assert!(ids.iter().all(|id| owner.ledger.status(*id) == Some(TxStatus::UnderWay)));
}
