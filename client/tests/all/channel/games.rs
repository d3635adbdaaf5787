//! Games that both want to play to their end, with what may come between.

use client::journal::Entry;
use game::{ChainEvent, Command, CommandError, Message, Notice, Outcome, Transaction, Waking, What, Who};
use rules::Color;
use simulate::channel::pair::Pair;

/// A capture, and then the king falls.
pub const SHORT: [&str; 5] = ["e2e4", "d7d5", "f1b5", "d5e4", "b5e8"];

#[test]
fn a_whole_game_is_played_between_the_machines_and_closed() {
    let mut pair = Pair::begin();
    SHORT.iter().for_each(|mv| pair.play(mv));
    for i in 0..2 {
        let ending = pair.ending(i).expect("over");
        assert_eq!((ending.color, ending.outcome), (Some(Color::White), Outcome::KingCaptured));
        let trouble = |notice: &&Notice| match notice {
            Notice::Fault { fault } => !fault.may_be_honest(),
            notice => matches!(notice, Notice::Failed { .. } | Notice::PlyRefused { .. } | Notice::Refused { .. }),
        };
        let found: Vec<&Notice> = pair.machines[i].shown.iter().filter(trouble).collect();
        assert!(found.is_empty(), "{found:?}");
    }
    assert_eq!(pair.on_chain(), ["a signed result", "the end of the game"]);
    // Of each ply but the last both signatures are on each disk, and the chain has the digest of the last position.
    for machine in &pair.machines {
        let count = |is: fn(&Entry) -> bool| machine.journal.values().filter(|entry| is(entry)).count();
        assert_eq!(count(|entry| matches!(entry, Entry::Ply(_))), 5);
        assert_eq!(count(|entry| matches!(entry, Entry::Countersigned { .. })), 4);
    }
    let result = pair.machines.iter().flat_map(|machine| machine.journal.values()).find_map(|entry| match entry {
        Entry::Result { result, .. } => Some(result.last),
        _ => None,
    });
    let closed = pair.chain.log.iter().find_map(|logged| match logged.event {
        ChainEvent::Closed { last } => Some(last),
        _ => None,
    });
    assert!(closed.is_some() && closed == result);
    let view_keys = [0, 1].map(|i| {
        pair.command(i, Command::PublishViewKey);
        pair.machines[i].sent.iter().any(|sent| matches!(sent, Transaction::PublishViewKey { .. }))
    });
    assert_eq!(view_keys, [true; 2]);
    let replayed = |notice: &Notice| matches!(notice, Notice::Replay { moves, fault: None } if moves.len() == 5);
    assert!((0..2).all(|i| pair.is_told(i, replayed)));
}

#[test]
fn nothing_is_played_before_the_start_is_final() {
    let mut pair = Pair::join(&Default::default());
    while pair.chain.log.len() < 4 {
        assert!((0..2).any(|i| pair.goes_on(i)), "both reveal their shares");
    }
    pair.pending = 1;
    pair.settle();
    assert!(pair.machines.iter().all(|machine| machine.side.seat().color().is_none() && machine.said.is_empty()));
    pair.pending = 0;
    pair.tick(1);
    pair.play("e2e4");
}

#[test]
fn a_resignation_is_closed_by_who_wins() {
    let mut pair = Pair::begin();
    pair.play("e2e4");
    let black = pair.of(Color::Black);
    pair.command(black, Command::Resign);
    assert_eq!(
        pair.ending(1 - black).map(|ending| (ending.color, ending.outcome)),
        Some((Some(Color::White), Outcome::Resigned))
    );
    assert!(pair.machines[1 - black].sent.iter().any(|sent| matches!(sent, Transaction::Close { .. })));
    assert!(!pair.machines[black].sent.iter().any(|sent| matches!(sent, Transaction::Close { .. })));
}

#[test]
fn a_resignation_is_closed_by_who_loses_where_nobody_hears_it() {
    let mut pair = Pair::begin();
    pair.play("e2e4");
    let black = pair.of(Color::Black);
    pair.machines[1 - black].is_off = true;
    pair.command(black, Command::Resign);
    assert!(!pair.is_over());
    pair.wait(60, 5);
    assert_eq!(pair.ending(black).map(|ending| ending.outcome), Some(Outcome::Resigned));
}

/// Who accepts a draw signs nothing after it, whatever comes.
#[test]
fn a_draw_is_signed_and_closed() {
    let mut pair = Pair::begin();
    let white = pair.of(Color::White);
    let mv = "e2e4".parse().expect("UCI");
    pair.command(white, Command::Move { mv, offer_draw: true });
    pair.command(1 - white, Command::AcceptDraw);
    assert!((0..2).all(|i| pair.ending(i).map(|ending| ending.outcome) == Some(Outcome::DrawAgreed)));
    assert_eq!(pair.on_chain(), ["a signed result", "the end of the game"]);
}

/// It isn't closed: the game is woken, and the draw is accepted there.
#[test]
fn a_draw_that_is_not_closed_is_accepted_on_the_chain() {
    let mut pair = Pair::begin();
    let white = pair.of(Color::White);
    pair.machines[white].filter = Some(Box::new(|effect| !format!("{effect:?}").contains("Close")));
    let mv = "e2e4".parse().expect("UCI");
    pair.command(white, Command::Move { mv, offer_draw: true });
    pair.command(1 - white, Command::AcceptDraw);
    let refused = CommandError::ResultSigned;
    pair.command(1 - white, Command::Move { mv: "e7e5".parse().expect("UCI"), offer_draw: false });
    assert!(pair.is_told(1 - white, |notice| matches!(notice, Notice::Refused { error, .. } if *error == refused)));
    pair.wait(2_000, 20);
    assert!(pair.is_told(1 - white, |notice| matches!(notice, Notice::Waking { why: Waking::NotClosed, .. })));
    assert_eq!(pair.ending(1 - white).map(|ending| ending.outcome), Some(Outcome::DrawAgreed));
}

/// The link is gone for good: the game is woken, contested by nobody, and goes on to its end on the chain.
#[test]
fn a_game_whose_link_is_cut_goes_on_on_the_chain() {
    let mut pair = Pair::begin();
    SHORT[..2].iter().for_each(|mv| pair.play(mv));
    pair.is_linked = false;
    (0..2).for_each(|i| pair.tell(i, client::seat::Event::LinkCut));
    pair.settle();
    pair.wait(500, 20);
    assert!((0..2).all(|i| pair.is_told(i, |notice| matches!(notice, Notice::Awake { .. }))));
    for mv in &SHORT[2..] {
        pair.wait(40, 10);
        pair.play(mv);
        pair.wait(40, 10);
    }
    let ending = pair.ending(0).expect("over");
    assert_eq!((ending.color, ending.outcome), (Some(Color::White), Outcome::KingCaptured));
    assert_eq!(pair.on_chain().iter().filter(|name| **name == "a move").count(), 3);
}

/// A ply and its signature that got lost with a machine's memory of the link are said again once it is back.
#[test]
fn what_got_lost_is_said_again_when_the_link_is_back() {
    let mut pair = Pair::begin();
    pair.play("e2e4");
    pair.is_linked = false;
    pair.play("d7d5");
    let (white, black) = (pair.of(Color::White), pair.of(Color::Black));
    assert!(!pair.machines[white].side.seat().can_move());
    pair.is_linked = true;
    pair.restart(black);
    assert!(pair.machines[white].side.seat().can_move());
    let of_black = pair.machines[black].said.iter().filter(|message| matches!(message, Message::Ply(_))).count();
    assert!(of_black > 1, "said, and said again");
    pair.play("f1b5");
}

/// What a player reads while the opponent thinks: a ply waits for no block.
#[test]
fn after_the_own_ply_the_opponent_is_to_move() {
    let mut pair = Pair::begin();
    for (ply, mv) in SHORT[..3].iter().enumerate() {
        let mover = pair.of(Color::of_ply(ply as u64));
        pair.play(mv);
        let told = pair.machines[mover].shown.iter().rev().find_map(|notice| match notice {
            Notice::Awaiting(awaiting) => Some((awaiting.who, awaiting.what)),
            _ => None,
        });
        assert_eq!(told, Some((Who::Opponent, What::Move)), "{mv}");
    }
}
