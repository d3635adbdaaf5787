//! What a screen, a bot and a page are told of a game besides its events: whom it waits for, and the plies that were made.

use client::seat::Event;
use fogmate_test::seed;
use game::replay::replay;
use game::{ChainEvent, Notice, Past, What, Who};
use rules::{Color, Move};
use simulate::world::{Weather, World, short};

/// Whom the game waits for, as a player was told last.
fn awaited(world: &World, i: usize) -> Option<(Who, What)> {
    world.players[i].shown.iter().rev().find_map(|notice| match notice {
        Notice::Awaiting(awaiting) => Some((awaiting.who, awaiting.what)),
        _ => None,
    })
}

fn histories(world: &World, i: usize) -> Vec<&[Past]> {
    let told = world.players[i].shown.iter();
    told.filter_map(|notice| match notice {
        Notice::History { plies } => Some(&plies[..]),
        _ => None,
    })
    .collect()
}

#[test]
fn whom_the_game_waits_for_is_told_whenever_that_changes() {
    let mut world = World::new(seed(81), short(), Weather::default());
    world.tick(1);
    let mut waits = [0, 0];
    while !world.is_over() {
        world.step();
        for (i, count) in waits.iter_mut().enumerate() {
            let seat = &world.players[i].seat;
            if seat.table().ending().is_none() {
                let is_own_turn = awaited(&world, i) == Some((Who::You, What::Move));
                assert_eq!(is_own_turn, seat.can_move(), "{:?}", awaited(&world, i));
                *count += u32::from(is_own_turn);
            }
        }
    }
    assert!(waits.iter().all(|count| *count > 0), "{waits:?}");
    for player in &world.players {
        let told = player.shown.iter().filter_map(|notice| match notice {
            Notice::Awaiting(awaiting) => Some((awaiting.who, awaiting.what, awaiting.until)),
            _ => None,
        });
        let told: Vec<_> = told.collect();
        assert!(told.windows(2).all(|pair| pair[0] != pair[1]), "{told:?}");
        for wanted in [(Who::Opponent, What::Move), (Who::Machine, What::Proof), (Who::Chain, What::Block)] {
            assert!(told.contains(&(wanted.0, wanted.1, None)), "{wanted:?}: {told:?}");
        }
    }
}

#[test]
fn the_plies_are_told_at_the_end_and_after_a_restart() {
    let mut world = World::new(seed(81), short(), Weather::default());
    let black = world.seat_of(Color::Black);
    let has_captured = |notice: &Notice| matches!(notice, Notice::Moved { capture: Some(_), .. });
    while !world.players[black].shown.iter().any(has_captured) {
        world.step();
    }
    assert_eq!(histories(&world, black), [&[][..]; 0]);
    let before = world.players[black].seat.table().begun().expect("in play").ply;
    world.crash(black, true);
    let [again] = histories(&world, black)[..] else { panic!("no history after a restart") };
    assert_eq!(again.len(), usize::from(before));
    assert!(again.iter().any(|past| past.own && past.captured.is_some()), "what was captured isn't forgotten");
    world.run();
    for i in [0, 1] {
        world.crash(i, true);
    }

    let plies = world.players[black].seat.table().begun().expect("it has begun").ply;
    let [whites, blacks] = [1 - black, black].map(|i| *histories(&world, i).last().expect("a history"));
    assert_eq!((whites.len(), blacks.len()), (plies.into(), plies.into()));
    let mut captures = 0;
    for (ply, (of_white, of_black)) in whites.iter().zip(blacks).enumerate() {
        let (own, opponents) = if ply % 2 == 0 { (of_white, of_black) } else { (of_black, of_white) };
        assert!(own.own && own.mv.is_some() && own.piece.is_some());
        let hidden = Past { own: false, mv: None, piece: None, captured: opponents.captured, ..*own };
        assert_eq!((usize::from(own.ply), *opponents), (ply, hidden));
        assert_eq!(own.capture.is_some(), opponents.captured.is_some(), "who lost a piece knows which");
        if own.capture.is_some() {
            captures += 1;
            assert_eq!(own.captured, opponents.captured, "{own:?} {opponents:?}");
        }
    }
    assert!(captures > 0);
    for i in [0, 1] {
        let last = world.players[i].shown.iter().position(|notice| matches!(notice, Notice::Over(_))).expect("over");
        assert!(matches!(world.players[i].shown[last - 1], Notice::History { .. }));
    }
}

/// All moves, as a player was told them, and what is wrong with the key that has opened them.
fn replays(world: &World, i: usize) -> Vec<(&[Move], Option<&str>)> {
    let told = world.players[i].shown.iter();
    told.filter_map(|notice| match notice {
        Notice::Replay { moves, fault } => Some((&moves[..], fault.as_deref())),
        _ => None,
    })
    .collect()
}

#[test]
fn all_moves_are_told_once_the_opponent_has_published_its_view_key() {
    let mut world = World::new(seed(81), short(), Weather::default());
    world.run();
    assert!([0, 1].iter().all(|i| replays(&world, *i).is_empty()));
    let records = world.publish();
    let moves: Vec<Move> =
        replay(world.chain.game, &records).expect("both keys").moves.into_iter().map(|played| played.mv).collect();
    while [0, 1].iter().any(|i| replays(&world, *i).is_empty()) {
        world.step();
    }
    for i in [0, 1] {
        assert_eq!(replays(&world, i), [(&moves[..], None)]);
        world.crash(i, true);
        assert_eq!(replays(&world, i).last(), Some(&(&moves[..], None)), "after a restart");
    }
    let player = world.players[1].me;
    world.tell(0, Event::Final(ChainEvent::ViewKeyPublished { player, key: [7; 32] }));
    assert_eq!(replays(&world, 0).last(), Some(&(&moves[..], None)), "a false key hides no true one");
}
