//! Machines killed at every effect boundary: of what an event asks for any first part is carried out, the rest is not, and the machine is started again
//! with what it has written. Between the machines nothing else remembers the game.

use super::games::SHORT;
use client::seat::Event;
use game::{Command, Notice, Outcome};
use rules::Color;
use simulate::channel::pair::Pair;
use simulate::oracle::Oracle;

/// Plays on until the game is over or a machine has died; the link may be cut after so many plies.
fn play_on(pair: &mut Pair, cut: Option<usize>) {
    for _ in 0..400 {
        if pair.is_over() || (0..2).any(|i| pair.is_dead(i)) {
            return;
        }
        let plies = pair.machines.iter().filter_map(|machine| machine.side.seat().table().begun()).map(|play| play.ply);
        if cut.is_some_and(|cut| plies.clone().max().is_some_and(|ply| usize::from(ply) >= cut)) && pair.is_linked {
            pair.is_linked = false;
            for i in 0..2 {
                pair.tell(i, Event::LinkCut);
            }
        }
        for i in 0..2 {
            let seat = pair.machines[i].side.seat();
            let due = seat.table().playing().map(|play| usize::from(play.ply)).filter(|_| seat.can_move());
            if let Some(mv) = due.and_then(|ply| SHORT.get(ply)) {
                let command = Command::Move { mv: mv.parse().expect("UCI"), offer_draw: false };
                if !pair.is_dead(i) {
                    pair.tell(i, Event::Command(command));
                }
            }
        }
        pair.settle();
        if !pair.is_over() {
            pair.tick(3);
        }
    }
    panic!("the game hangs: {:?}", [0, 1].map(|i| pair.machines[i].shown.last().map(|notice| format!("{notice:?}"))));
}

/// `restart`: what the machine is started again with.
fn killed_at_every_effect(color: Color, cut: Option<usize>, restart: fn(&mut Pair, usize)) {
    let oracle = Oracle::default();
    let mut pair = Pair::begin_with(&oracle);
    let who = pair.of(color);
    let first = pair.machines[who].carried;
    play_on(&mut pair, cut);
    let last = pair.machines[who].carried;
    let mut woken = 0;
    for at in first..=last {
        let mut other = Pair::begin_with(&oracle);
        other.machines[who].dies_at = Some(at);
        play_on(&mut other, cut);
        restart(&mut other, who);
        if !other.is_linked {
            other.tell(who, Event::LinkCut);
            other.settle();
        }
        play_on(&mut other, cut);
        for i in 0..2 {
            let ending = other.ending(i).expect("over");
            assert_eq!(
                (ending.color, ending.outcome),
                (Some(Color::White), Outcome::KingCaptured),
                "killed after {at}"
            );
        }
        let is_woken = other.is_told(who, |notice| matches!(notice, Notice::Awake { .. }));
        assert!(cut.is_some() || !is_woken, "an honest opponent needs no chain: killed after {at}");
        woken += usize::from(is_woken);
    }
    println!("{color:?}: killed at each of {} boundaries, woken in {woken}", last - first + 1);
}

#[test]
fn white_killed_after_any_effect_between_the_machines_loses_nothing() {
    killed_at_every_effect(Color::White, None, Pair::restart);
}

#[test]
fn black_killed_after_any_effect_between_the_machines_loses_nothing() {
    killed_at_every_effect(Color::Black, None, Pair::restart);
}

/// The disk is gone with the machine. What the backup has acknowledged is all that another one has; nothing else has left.
#[test]
fn players_whose_disk_is_lost_after_any_effect_go_on_from_their_backups() {
    for color in Color::ALL {
        killed_at_every_effect(color, None, Pair::restart_from_backup);
    }
}

/// The game is woken in its middle: the wake, the contest and what comes after it are boundaries as well.
#[test]
fn players_killed_after_any_effect_of_a_woken_game_lose_nothing() {
    for restart in [Pair::restart, Pair::restart_from_backup] {
        for color in Color::ALL {
            killed_at_every_effect(color, Some(2), restart);
        }
    }
}
