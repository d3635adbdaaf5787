//! What an opponent may try (the attacks of section 8 that a client decides), each against an honest machine. H is the honest player, X the other.

use super::games::SHORT;
use client::journal::Entry;
use client::seat::{Effect, Event};
use game::{
    Action, ChainEvent, Command, CommandError, GameResult, Message, Notice, Outcome, PlyFault, Position, SignedPly,
    Transaction, Waking,
};
use rules::Color;
use simulate::channel::pair::{Pair, TERMS};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// After so many plies of the short game.
pub fn after(plies: usize) -> Pair {
    let mut pair = Pair::begin();
    SHORT[..plies].iter().for_each(|mv| pair.play(mv));
    pair
}

/// The positions after each ply that was said, the first ply's first.
pub fn positions(pair: &Pair) -> Vec<Position> {
    let entries = pair.machines.iter().flat_map(|machine| machine.journal.values());
    let plies: BTreeMap<u16, SignedPly> =
        entries.filter_map(ply_of).map(|signed| (signed.fields.ply, signed)).collect();
    let mut position = Position::start(TERMS.base);
    let next = plies.values().map(|signed| {
        position = position.after(&pair.chain.game, &signed.fields, signed.clock);
        position
    });
    next.collect()
}

fn ply_of(entry: &Entry) -> Option<SignedPly> {
    match entry {
        Entry::Ply(kept) => Some(kept.signed.clone()),
        _ => None,
    }
}

/// X has the game stand at a position, with H's signature under it.
pub fn wake_at(pair: &mut Pair, x: usize, position: Position) {
    let signature = |i: usize| pair.machines[i].wallet.sign(&position.digest(&pair.chain.game));
    let signatures = if position.ply == 0 { [None, None] } else { [signature(0), signature(1)] };
    let transaction = Transaction::Wake { position: Box::new(position), signatures };
    let address = pair.address(x);
    pair.chain.execute(address, &transaction).expect("the contract takes it");
}

/// A ply that X signs, as the pair's next.
pub fn signed_by(pair: &Pair, x: usize, signed: &SignedPly, before: &Position) -> Message {
    let digest = before.after(&pair.chain.game, &signed.fields, signed.clock).digest(&pair.chain.game);
    let signature = pair.machines[x].wallet.sign(&digest).expect("a signature");
    Message::Ply(Box::new(SignedPly { signature, ..signed.clone() }))
}

/// The link is back, and the last two moves of the short game are made on the chain.
fn ends_on_the_chain(pair: &mut Pair) {
    (0..2).for_each(|i| pair.tell(i, Event::Connected));
    pair.wait(100, 10);
    for mv in &SHORT[3..] {
        pair.play(mv);
        pair.wait(60, 10);
    }
    assert!((0..2).all(|i| pair.ending(i).map(|ending| ending.outcome) == Some(Outcome::KingCaptured)));
}

pub fn sent(pair: &Pair, i: usize, action: Action) -> usize {
    pair.machines[i].sent.iter().filter(|transaction| transaction.action() == action).count()
}

pub fn is_refused(pair: &Pair, i: usize, fault: PlyFault) -> bool {
    pair.is_told(i, |notice| matches!(notice, Notice::PlyRefused { why, .. } if *why == fault))
}

pub fn woke(pair: &Pair, i: usize, reason: Waking) -> bool {
    pair.is_told(i, |notice| matches!(notice, Notice::Waking { why, .. } if *why == reason))
}

/// X signs two moves of a ply: one is taken, one sight is released, and the second signature proves the attempt.
#[test]
fn of_two_moves_of_a_ply_one_is_taken_and_the_other_is_kept_as_evidence() {
    let mut pair = after(2);
    let (x, h) = (pair.of(Color::Black), pair.of(Color::White));
    let mut other = pair.last_ply_of(x);
    other.clock -= 1;
    let second = signed_by(&pair, x, &other, &positions(&pair)[0]);
    let said = pair.machines[h].said.len();
    pair.tell(h, Event::Received(second));
    pair.settle();
    assert!(is_refused(&pair, h, PlyFault::Another));
    assert!(
        pair.machines[h]
            .journal
            .values()
            .any(|entry| matches!(entry, Entry::Evidence(kept) if kept.clock == other.clock))
    );
    assert_eq!(pair.machines[h].said.len(), said, "nothing is said to it");
    // What X hasn't signed is no evidence.
    let mut forged = other;
    forged.clock -= 1;
    pair.tell(h, Event::Received(Message::Ply(Box::new(forged))));
    assert!(is_refused(&pair, h, PlyFault::Signature));
    assert_eq!(pair.machines[h].journal.values().filter(|entry| matches!(entry, Entry::Evidence(_))).count(), 1);
    pair.play(SHORT[2]);
}

/// X sees by its post sight and doesn't go on: the move stands, and X loses on time.
#[test]
fn an_opponent_that_does_not_go_on_loses_on_time() {
    let mut pair = after(2);
    let (x, h) = (pair.of(Color::White), pair.of(Color::Black));
    pair.machines[x].is_off = true;
    pair.wait(TERMS.delay.into(), 20);
    assert_eq!(sent(&pair, h, Action::Wake), 0, "it has its time");
    pair.wait(4_000, 20);
    assert!(woke(&pair, h, Waking::OpponentOutOfTime));
    assert_eq!(
        pair.ending(h).map(|ending| (ending.color, ending.outcome)),
        Some((Some(Color::Black), Outcome::TimedOut))
    );
    assert_eq!(sent(&pair, h, Action::Wake), 1);
}

/// X wakes at an old position, to take moves back: H shows the later one, and the game goes on from there.
#[test]
fn a_wake_at_an_old_position_is_answered_by_the_latest() {
    let mut pair = after(4);
    let (x, h) = (pair.of(Color::White), pair.of(Color::Black));
    let old = positions(&pair)[0];
    wake_at(&mut pair, x, old);
    pair.settle();
    assert!(pair.is_told(h, |notice| matches!(notice, Notice::Woken { ply: 1, contested: true, .. })));
    let stands = pair.chain.log.iter().rev().find_map(|logged| match &logged.event {
        ChainEvent::Woken { position, .. } => Some(position.ply),
        _ => None,
    });
    assert_eq!(stands, Some(4), "all four plies are signed by both");
    pair.wait(500, 20);
    pair.play(SHORT[4]);
    pair.wait(60, 20);
    assert_eq!(pair.ending(h).map(|ending| ending.outcome), Some(Outcome::KingCaptured));
}

/// Nobody moves in a contest.
#[test]
fn nothing_is_done_in_a_contest_but_to_resign() {
    let mut pair = after(2);
    let (h, x) = (pair.of(Color::White), pair.of(Color::Black));
    let latest = positions(&pair)[1];
    wake_at(&mut pair, x, latest);
    pair.settle();
    pair.command(h, Command::Move { mv: SHORT[2].parse().expect("UCI"), offer_draw: false });
    let refused = CommandError::Contested;
    assert!(pair.is_told(h, |notice| matches!(notice, Notice::Refused { error, .. } if *error == refused)));
    assert_eq!((sent(&pair, h, Action::Move), sent(&pair, h, Action::Wake)), (0, 0));
    pair.command(h, Command::Resign);
    assert_eq!(pair.ending(h).map(|ending| ending.outcome), Some(Outcome::Resigned));
}

/// X wakes at the position before H's last move, as if it had never got that: H makes the same move on the chain, with the same proof.
#[test]
fn a_wake_before_the_own_last_move_has_that_very_move_made_on_the_chain() {
    let mut pair = after(2);
    let (h, x) = (pair.of(Color::White), pair.of(Color::Black));
    // What H says doesn't arrive.
    pair.is_linked = false;
    pair.play(SHORT[2]);
    let said = pair.last_ply_of(h);
    let latest = positions(&pair)[1];
    wake_at(&mut pair, x, latest);
    pair.settle();
    pair.wait(500, 20);
    let made = pair.machines[h].sent.iter().find_map(|transaction| match transaction {
        Transaction::Move { fields, proof, .. } => Some((*fields, proof.clone())),
        _ => None,
    });
    assert_eq!(made, Some((said.fields, said.proof)));
    assert_eq!(sent(&pair, h, Action::Wake), 0);
    pair.is_linked = true;
    ends_on_the_chain(&mut pair);
}

/// A wake in a block that isn't final: from then on nothing is said, and one that is taken back is made up for.
#[test]
fn the_first_sight_of_a_wake_ends_the_play_between_the_machines() {
    let mut pair = after(2);
    let (h, x) = (pair.of(Color::White), pair.of(Color::Black));
    let until = pair.chain.now + 400;
    let said = pair.machines[h].said.len();
    pair.tell(h, Event::WakeSeen { ply: 1, until });
    pair.settle();
    pair.command(h, Command::Move { mv: SHORT[2].parse().expect("UCI"), offer_draw: false });
    let last = pair.last_ply_of(x);
    pair.tell(h, Event::Received(Message::Ply(Box::new(last))));
    pair.tell(h, Event::Connected);
    pair.settle();
    assert_eq!(pair.machines[h].said.len(), said);
    assert_eq!(sent(&pair, h, Action::Wake), 1, "it holds a later position");
    let mut taken_back = after(2);
    taken_back.tell(h, Event::WakeSeen { ply: 2, until });
    taken_back.settle();
    assert_eq!(sent(&taken_back, h, Action::Wake), 0);
    taken_back.tell(h, Event::WakeDropped);
    taken_back.settle();
    assert!(woke(&taken_back, h, Waking::TakenBack) && sent(&taken_back, h, Action::Wake) == 1);
}

/// A ply whose proof is false is as if it had not come: no signature, no sight, and in the end X loses on time.
#[test]
fn a_false_proof_gets_no_signature_and_no_sight() {
    let mut pair = after(2);
    let (h, x) = (pair.of(Color::Black), pair.of(Color::White));
    pair.is_linked = false;
    pair.play(SHORT[2]);
    let mut signed = pair.last_ply_of(x);
    signed.proof[40] ^= 1;
    let said = pair.machines[h].said.len();
    pair.tell(h, Event::Received(Message::Ply(Box::new(signed))));
    pair.settle();
    assert!(is_refused(&pair, h, PlyFault::Proof));
    assert_eq!(pair.machines[h].said.len(), said);
    assert!(!pair.machines[h].journal.values().any(|entry| ply_of(entry).is_some_and(|signed| signed.fields.ply == 2)));
    // The right one is still taken.
    let right = Message::Ply(Box::new(pair.last_ply_of(x)));
    pair.tell(h, Event::Received(right));
    pair.settle();
    assert!(pair.machines[h].said.iter().any(|message| matches!(message, Message::Countersigned { ply: 2, .. })));
}

/// What can't follow, isn't signed, has other points, promises no sight, or shows too much time: none is taken.
#[test]
fn a_ply_that_is_wrong_in_any_way_counts_as_none() {
    type Spoil = fn(&mut SignedPly);
    let spoiled: [(PlyFault, Spoil); 6] = [
        (PlyFault::Impossible, |signed| signed.fields.king_fell = true),
        (PlyFault::Points, |signed| signed.points.rotate_left(64)),
        (PlyFault::NoAnswer, |signed| signed.fields.answer_root = Default::default()),
        (PlyFault::Clock, |signed| signed.clock += 1),
        (PlyFault::Clock, |signed| signed.clock = u32::MAX),
        (PlyFault::Proof, |signed| signed.fields.offer_draw = !signed.fields.offer_draw),
    ];
    for (fault, spoil) in spoiled {
        let mut pair = after(1);
        let (h, x) = (pair.of(Color::White), pair.of(Color::Black));
        pair.is_linked = false;
        pair.play(SHORT[1]);
        let before = positions(&pair)[0];
        let mut signed =
            pair.machines[x].journal.values().filter_map(ply_of).find(|signed| signed.fields.ply == 1).expect("made");
        spoil(&mut signed);
        let message = signed_by(&pair, x, &signed, &before);
        pair.tell(h, Event::Received(message));
        pair.settle();
        if fault == PlyFault::Proof {
            // The offer is no public input: what is signed with it is another position, and a good one.
            assert!(
                pair.machines[h].said.iter().any(|message| matches!(message, Message::Countersigned { ply: 1, .. }))
            );
        } else {
            assert!(is_refused(&pair, h, fault), "{fault:?}: {:?}", pair.machines[h].shown.last());
            assert!(!pair.machines[h].said.iter().any(|message| matches!(message, Message::Countersigned { .. })));
        }
    }
    let mut pair = after(1);
    let (h, x) = (pair.of(Color::White), pair.of(Color::Black));
    pair.is_linked = false;
    pair.play(SHORT[1]);
    let mut signed = pair.last_ply_of(x);
    signed.signature[9] ^= 1;
    pair.tell(h, Event::Received(Message::Ply(Box::new(signed))));
    assert!(is_refused(&pair, h, PlyFault::Signature));
}

/// X keeps its points back until H has moved without them, again and again, in a game that H had to wake.
#[test]
fn late_points_make_no_game_dear() {
    let mut pair = after(2);
    let (h, x) = (pair.of(Color::White), pair.of(Color::Black));
    pair.is_linked = false;
    pair.play(SHORT[2]);
    pair.machines[x].is_off = true;
    pair.wait(u64::from(TERMS.delay + TERMS.base) + 30, 20);
    assert!(woke(&pair, h, Waking::OpponentOutOfTime));
    let kept: Rc<RefCell<Vec<Message>>> = Rc::default();
    let hidden = kept.clone();
    pair.machines[x].filter = Some(Box::new(move |effect| match effect {
        Effect::SendMessage(request @ Message::Request { .. }) => {
            hidden.borrow_mut().push(request.clone());
            false
        }
        // It waits for the late root.
        Effect::SendTransaction(Transaction::DemandSight { .. }) => false,
        _ => true,
    }));
    (pair.machines[x].is_off, pair.is_linked) = (false, true);
    (0..2).for_each(|i| pair.tell(i, Event::Connected));
    pair.wait(u64::from(TERMS.window) + 60, 20);
    for (black, white) in [("a7a6", "a2a3"), ("b7b6", "b2b3"), ("c7c6", "c2c3"), ("h7h6", "h2h3")] {
        pair.command(x, Command::Move { mv: black.parse().expect("UCI"), offer_draw: false });
        pair.wait(60, 10);
        pair.command(h, Command::Move { mv: white.parse().expect("UCI"), offer_draw: false });
        pair.wait(60, 10);
        let late: Vec<Message> = kept.borrow_mut().drain(..).collect();
        late.into_iter().for_each(|request| pair.say(x, request));
        pair.wait(40, 10);
    }
    assert_eq!(sent(&pair, h, Action::FillAnswer), 2);
}

/// X shows H's own last move, signed by both, in the last block of the contest. H waits until that is final, and doesn't make the move again.
#[test]
fn a_contest_is_not_over_while_a_later_wake_is_not_final() {
    let mut pair = after(2);
    let (h, x) = (pair.of(Color::White), pair.of(Color::Black));
    pair.is_linked = false;
    pair.play(SHORT[2]);
    let at = positions(&pair);
    wake_at(&mut pair, x, at[1]);
    pair.settle();
    pair.wait(u64::from(TERMS.window) - 10, 20);
    pair.pending = 1;
    wake_at(&mut pair, x, at[2]);
    pair.settle();
    pair.wait(60, 20);
    let is_awake = |pair: &Pair| pair.is_told(h, |notice| matches!(notice, Notice::Awake { .. }));
    assert!(!is_awake(&pair));
    pair.make_final();
    pair.wait(2, 1);
    assert!(pair.is_told(h, |notice| matches!(notice, Notice::Awake { ply: 3 })));
    assert_eq!(sent(&pair, h, Action::Move), 0);
    pair.is_linked = true;
    ends_on_the_chain(&mut pair);
}

/// H's node tells of that only after H has gone on from the earlier position: H goes on again from the later one.
#[test]
fn a_later_wake_that_is_told_late_is_still_gone_on_from() {
    let mut pair = after(2);
    let (h, x) = (pair.of(Color::White), pair.of(Color::Black));
    pair.is_linked = false;
    pair.play(SHORT[2]);
    let at = positions(&pair);
    wake_at(&mut pair, x, at[1]);
    pair.settle();
    pair.machines[h].filter = Some(Box::new(|effect| !matches!(effect, Effect::SendTransaction(_))));
    pair.wait(u64::from(TERMS.window) - 10, 20);
    let until = pair.chain.now + 10;
    pair.chain.now += 40;
    let now = pair.chain.now;
    pair.tell(h, Event::Tick { now, date: now, deadline: None });
    assert!(pair.is_told(h, |notice| matches!(notice, Notice::Awake { ply: 2 })));
    pair.tell(h, Event::Final(ChainEvent::Woken { position: Box::new(at[2]), until }));
    pair.tell(h, Event::Tick { now: now + 1, date: now + 1, deadline: None });
    assert!(pair.is_told(h, |notice| matches!(notice, Notice::Awake { ply: 3 })));
    assert!(!pair.machines[h].side.seat().can_move());
}

/// H has taken a draw, and X has woken the game in place of closing it. Gives H too.
pub fn drawn_and_woken() -> (Pair, usize) {
    let mut pair = Pair::begin();
    let (x, h) = (pair.of(Color::White), pair.of(Color::Black));
    pair.machines[x].filter = Some(Box::new(|effect| !format!("{effect:?}").contains("Close")));
    pair.command(x, Command::Move { mv: SHORT[0].parse().expect("UCI"), offer_draw: true });
    pair.command(h, Command::AcceptDraw);
    let offered = positions(&pair)[0];
    wake_at(&mut pair, x, offered);
    pair.settle();
    (pair, h)
}

/// H takes the draw on the chain, started again or not.
#[test]
fn a_draw_that_is_signed_stands_in_a_woken_game() {
    for restarts in [false, true] {
        let (mut pair, h) = drawn_and_woken();
        if restarts {
            pair.restart(h);
        }
        pair.wait(1_000, 20);
        assert!(!woke(&pair, h, Waking::NotClosed));
        assert_eq!(pair.ending(h).map(|ending| ending.outcome), Some(Outcome::DrawAgreed), "{restarts}");
    }
}

/// H resigns in a contest, and its machine dies before that has left.
#[test]
fn a_resignation_in_a_contest_is_closed_after_a_restart() {
    let mut pair = after(2);
    let (h, x) = (pair.of(Color::White), pair.of(Color::Black));
    let latest = positions(&pair)[1];
    wake_at(&mut pair, x, latest);
    pair.settle();
    pair.machines[h].filter = Some(Box::new(|effect| matches!(effect, Effect::Journal(_))));
    pair.command(h, Command::Resign);
    pair.machines[h].filter = None;
    pair.restart(h);
    pair.wait(100, 20);
    assert_eq!(pair.ending(h).map(|ending| ending.outcome), Some(Outcome::Resigned));
}

/// X withholds the sight before H's move: H wakes, and demands it there.
#[test]
fn a_sight_that_is_withheld_is_demanded_on_the_chain() {
    let mut pair = after(1);
    let (h, x) = (pair.of(Color::White), pair.of(Color::Black));
    pair.machines[x].filter = Some(Box::new(|effect| !matches!(effect, Effect::SendMessage(Message::Answer { .. }))));
    pair.play(SHORT[1]);
    assert!(!pair.machines[h].side.seat().can_move());
    pair.wait(30, 5);
    assert!(woke(&pair, h, Waking::NoSight));
    pair.wait(600, 20);
    assert_eq!(sent(&pair, h, Action::DemandSight), 1);
    assert!(pair.machines[h].side.seat().can_move(), "it was given there");
    pair.play(SHORT[2]);
    pair.wait(60, 20);
    assert!(pair.on_chain().contains(&"a move"));
}

/// X never answers the first ply.
#[test]
fn an_opponent_that_never_comes_loses_on_time() {
    let mut pair = Pair::begin();
    let (h, x) = (pair.of(Color::White), pair.of(Color::Black));
    pair.machines[x].is_off = true;
    pair.command(h, Command::Move { mv: SHORT[0].parse().expect("UCI"), offer_draw: false });
    pair.wait(6_000, 20);
    assert_eq!((sent(&pair, h, Action::Wake), sent(&pair, h, Action::Move)), (1, 1), "woken at the start, and moved");
    assert_eq!(
        pair.ending(h).map(|ending| (ending.color, ending.outcome)),
        Some((Some(Color::White), Outcome::TimedOut))
    );
}

/// X doesn't sign that it has lost: H wakes, and captures the king on the chain.
#[test]
fn a_lost_game_that_is_not_signed_is_won_on_the_chain() {
    let mut pair = after(4);
    let (h, x) = (pair.of(Color::White), pair.of(Color::Black));
    pair.machines[x].filter = Some(Box::new(|effect| !matches!(effect, Effect::SendMessage(Message::Result { .. }))));
    pair.machines[x].is_off = true;
    pair.play(SHORT[4]);
    assert!(!pair.is_told(h, |notice| matches!(notice, Notice::Over(_))), "it counts once the chain knows it");
    pair.wait(1_000, 20);
    assert!(woke(&pair, h, Waking::NoResult));
    assert_eq!(
        pair.ending(h).map(|ending| (ending.color, ending.outcome)),
        Some((Some(Color::White), Outcome::KingCaptured))
    );
    assert_eq!((sent(&pair, h, Action::Wake), sent(&pair, h, Action::Move)), (1, 1));
}

/// X sends a result that isn't to H's favour, or not of the position in which a draw was offered.
#[test]
fn a_result_is_taken_only_where_it_is_won_or_was_offered() {
    let mut pair = after(2);
    let (h, x) = (pair.of(Color::White), pair.of(Color::Black));
    let (h_created, last) = (h == 0, positions(&pair)[1].digest(&pair.chain.game));
    for (creator_won, outcome) in [
        (Some(!h_created), Outcome::Resigned),
        (None, Outcome::DrawAgreed),
        (None, Outcome::FiftyMoves),
        (Some(h_created), Outcome::TimedOut),
    ] {
        let result = GameResult { creator_won, outcome, last };
        let signature = pair.machines[x].wallet.sign(&result.digest(&pair.chain.game)).expect("a signature");
        pair.tell(h, Event::Received(Message::Result { result, signature }));
        pair.settle();
        assert_eq!(sent(&pair, h, Action::Close), 0, "{outcome}");
        let of_nobody = Message::Result { result: GameResult { creator_won: Some(h_created), ..result }, signature };
        pair.tell(h, Event::Received(of_nobody));
        assert_eq!(sent(&pair, h, Action::Close), 0, "not signed: {outcome}");
    }
    pair.play(SHORT[2]);
}
