//! Whose time goes, by whose measure: false times, dates that jump, links that are down. H is the honest player, X the other.

use super::attacks::{after, is_refused, woke};
use super::games::SHORT;
use client::seat::{Done, Effect, Event, JobKind};
use fog::engine::Fault;
use game::{Message, Notice, PlyFault, Waking};
use rules::Color;
use simulate::channel::pair::{Pair, TERMS};
use std::cell::RefCell;
use std::rc::Rc;

/// X takes longer than it says.
#[test]
fn a_clock_is_held_against_the_own_measure() {
    let mut pair = after(1);
    let (h, x) = (pair.of(Color::White), pair.of(Color::Black));
    pair.is_linked = false;
    pair.play(SHORT[1]);
    let signed = pair.last_ply_of(x);
    // By H's measure it is made so much later.
    pair.machines[x].is_off = true;
    let trusted = u64::from(TERMS.delay + TERMS.base / 4 + TERMS.increment);
    pair.wait(trusted, 5);
    pair.tell(h, Event::Received(Message::Ply(Box::new(signed.clone()))));
    assert!(!is_refused(&pair, h, PlyFault::Clock), "the link may have been down");
    let mut late = after(1);
    late.is_linked = false;
    late.play(SHORT[1]);
    late.machines[x].is_off = true;
    late.wait(trusted + 15, 5);
    late.tell(h, Event::Received(Message::Ply(Box::new(signed))));
    assert!(is_refused(&late, h, PlyFault::Clock));
}

/// The link is down while a ply is made, twice: what the opponent is trusted with is for the whole game.
#[test]
fn an_outage_of_the_link_wakes_no_game_as_long_as_it_is_short() {
    let mut pair = after(1);
    let h = pair.of(Color::White);
    let outage = u64::from(TERMS.delay) + 60;
    for (ply, mv) in [(1, SHORT[1]), (3, SHORT[3])] {
        pair.is_linked = false;
        pair.play(mv);
        pair.wait(outage, 20);
        pair.is_linked = true;
        (0..2).for_each(|i| pair.tell(i, Event::Connected));
        pair.wait(5, 1);
        assert!(!is_refused(&pair, h, PlyFault::Clock), "ply {ply}");
        pair.play(SHORT[ply + 1]);
    }
    assert!(!pair.is_woken_by(h));
}

/// H's clock is set right by an hour, either way: X has all its time.
#[test]
fn a_clock_that_jumps_takes_nobody_s_time() {
    for jump in [-3_600, 3_600] {
        let mut pair = after(1);
        let h = pair.of(Color::White);
        pair.tick(1);
        let now = pair.chain.now.saturating_add_signed(jump);
        for second in 0..i64::from(TERMS.delay) {
            let now = now.saturating_add_signed(second);
            pair.tell(h, Event::Tick { now, date: now, deadline: None });
        }
        assert!(!pair.is_woken_by(h), "{jump}");
    }
}

/// H's node tells of a block of the next hour while H thinks: by that H's own clock doesn't go, nor X's.
#[test]
fn a_false_time_of_a_block_takes_nobody_s_time() {
    let mut pair = after(2);
    let h = pair.of(Color::White);
    pair.tick(1);
    let date = pair.chain.now;
    pair.tell(h, Event::Tick { now: date + 3_600, date, deadline: None });
    pair.play(SHORT[2]);
    assert!(pair.last_ply_of(h).clock >= TERMS.base, "{}", pair.last_ply_of(h).clock);
    pair.tell(h, Event::Tick { now: date + 7_200, date: date + 1, deadline: None });
    assert!(!pair.is_woken_by(h));
}

/// X withholds the sight while H's machine starts again, and gives it at the last moment: that is not H's time.
#[test]
fn a_sight_that_comes_late_after_a_restart_takes_nothing_off_the_clock() {
    let mut pair = after(1);
    let (h, x) = (pair.of(Color::White), pair.of(Color::Black));
    pair.machines[x].filter = Some(Box::new(|effect| !matches!(effect, Effect::SendMessage(Message::Answer { .. }))));
    pair.play(SHORT[1]);
    assert!(!pair.machines[h].side.seat().can_move());
    pair.is_linked = false;
    pair.restart_in_secret(h);
    pair.wait(u64::from(TERMS.base) - 20, 20);
    pair.machines[x].filter = None;
    pair.is_linked = true;
    (0..2).for_each(|i| pair.tell(i, Event::Connected));
    pair.settle();
    pair.play(SHORT[2]);
    assert!(pair.last_ply_of(h).clock >= TERMS.base, "{}", pair.last_ply_of(h).clock);
}

/// H's clock was an hour ahead when it made its move, and is right again: X's time still runs.
#[test]
fn what_a_clock_that_was_ahead_has_dated_is_measured() {
    for restarts in [false, true] {
        let mut pair = Pair::begin();
        let (h, x) = (pair.of(Color::White), pair.of(Color::Black));
        let ahead = pair.chain.now + 3_600;
        pair.tell(h, Event::Tick { now: ahead, date: ahead, deadline: None });
        pair.play(SHORT[0]);
        pair.machines[x].is_off = true;
        pair.tick(1);
        if restarts {
            pair.restart(h);
        }
        pair.wait(u64::from(TERMS.delay + TERMS.base) + 100, 20);
        assert!(woke(&pair, h, Waking::OpponentOutOfTime), "{restarts}");
    }
}

/// H's date is set back by an hour: its own clock goes on.
#[test]
fn a_date_that_is_set_back_stops_nothing() {
    let mut pair = after(2);
    let h = pair.of(Color::White);
    pair.tick(1);
    pair.chain.now -= 3_600;
    pair.wait(u64::from(TERMS.delay) + 40, 10);
    pair.play(SHORT[2]);
    let clock = pair.last_ply_of(h).clock;
    assert!(clock <= TERMS.base + 2 * TERMS.increment - 30, "{clock}");
}

/// H's machine fails at verifying X's ply, each time: it says so once, and wakes the game all the same when X's time is up.
#[test]
fn a_ply_that_cannot_be_verified_holds_no_game_up() {
    let mut pair = after(1);
    let (h, x) = (pair.of(Color::White), pair.of(Color::Black));
    let jobs = Rc::new(RefCell::new(Vec::new()));
    let asked = jobs.clone();
    pair.machines[h].filter = Some(Box::new(move |effect| match effect {
        Effect::Run(id, job) if matches!(job.kind, JobKind::VerifyMove(_)) => {
            asked.borrow_mut().push(*id);
            false
        }
        _ => true,
    }));
    pair.play(SHORT[1]);
    pair.machines[x].is_off = true;
    for _ in 0..(TERMS.delay + TERMS.base + 100) / 20 {
        for id in jobs.take() {
            pair.tell(h, Event::Done(id, Done::VerifyMove(Err(Fault::internal("no memory")))));
        }
        pair.tick(20);
    }
    let is_failure =
        |notice: &&Notice| matches!(notice, Notice::Failed { reason } if reason.contains("can't be verified"));
    assert_eq!(pair.machines[h].shown.iter().filter(is_failure).count(), 1);
    assert!(woke(&pair, h, Waking::OpponentOutOfTime));
}

/// Who starts again is told the clocks before the next ply: the opponent's as it has run on meanwhile, the own one from when it can move.
#[test]
fn clocks_are_told_after_a_restart() {
    for (color, gone) in [(Color::White, 0..20), (Color::Black, 40..80)] {
        let mut pair = after(2);
        let who = pair.of(color);
        pair.wait(40, 10);
        pair.restart(who);
        let clocks = pair.machines[who].shown.iter().find_map(|notice| match notice {
            Notice::Clocks { turn, runs_from, now, .. } => Some((*turn, now + u64::from(TERMS.delay) - runs_from)),
            _ => None,
        });
        let (turn, since) = clocks.expect("the clocks");
        assert!(turn == Some(Color::White) && gone.contains(&since), "{color}: {since}");
    }
}
