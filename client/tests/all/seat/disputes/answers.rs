//! Answers that are withheld are demanded; what is demanded is given, on whoever's turn, and also of the board before the own
//! latest move.

use super::{begin, corrupt, given, is_answer, moves_made, run_for, wins};
use client::seat::{Effect, Event, JobKind};
use fogmate_test::seed;
use game::{Action, ChainEvent, MessageKind, Notice, Outcome, Phase, Transaction};
use rules::Color;
use simulate::world::{Mischief, World, finish};

/// The answers of a phase don't come by the link, from either player.
fn lose_answers(world: &mut World, phase: Phase) {
    world.network.retain(|(_, message)| (message.id().kind, message.id().phase) != (MessageKind::Answer, phase));
}

#[test]
fn answers_before_moves_that_dont_arrive_are_given_on_chain() {
    let seed = seed(171);
    let mut world = begin(seed);
    while !world.is_over() {
        world.step();
        lose_answers(&mut world, Phase::Pre);
    }
    finish(&mut world);
    let of_phase = |wanted: Phase| {
        let is_it = |event: &&ChainEvent| matches!(event, ChainEvent::SightDemanded { demanded, .. } if demanded.phase == wanted);
        world.events().filter(is_it).count()
    };
    assert_eq!((of_phase(Phase::Pre), of_phase(Phase::Post)), (3, 0));
    assert_eq!(given(&world), 3);
}

#[test]
fn answers_after_moves_that_dont_arrive_are_given_on_chain() {
    let seed = seed(181);
    let mut world = begin(seed);
    // Nobody moves until the sight after the last move is seen.
    while !world.is_over() {
        let latest = moves_made(&world).checked_sub(1);
        let is_seen = latest.is_none_or(|ply| {
            world.players.iter().any(|player| player.shown.iter().any(|notice| {
                matches!(notice, Notice::View(view) if view.phase == Phase::Post && usize::from(view.ply) == ply && view.sight.is_some())
            }))
        });
        world.autoplay = is_seen;
        world.step();
        lose_answers(&mut world, Phase::Post);
    }
    world.autoplay = true;
    finish(&mut world);
    assert_eq!(given(&world), 4, "one after each move but the last");
}

/// Black demands the sight after its move when White has moved since: it is of White's board before that.
#[test]
fn a_demand_about_the_board_before_the_own_move_is_answered() {
    let seed = seed(191);
    let mut world = begin(seed);
    let white = world.seat_of(Color::White);
    // White moves at once, before Black's patience ends.
    while moves_made(&world) < 3 {
        world.step();
        world.network.retain(|(to, message)| *to == white || message.id().kind != MessageKind::Answer);
    }
    world.autoplay = false;
    let is_demand = |event: &&ChainEvent| matches!(event, ChainEvent::SightDemanded { demanded, .. } if demanded.phase == Phase::Post && demanded.receiver == Color::Black);
    while !world.events().any(|event| is_demand(&event)) {
        world.step();
        world.network.clear();
    }
    let Some(ChainEvent::SightDemanded { demanded, .. }) = world.events().find(is_demand).cloned() else {
        panic!("a demand");
    };
    assert_eq!((demanded.ply, world.chain.ply()), (1, 3));
    let now = world.players[white].seat.table().begun().expect("in play").commitments[0];
    assert_ne!(demanded.commitment, now, "White has moved since");
    let is_given = |world: &World| {
        let mut events = world.events();
        events.any(|event| matches!(event, ChainEvent::SightAnswered { ctx, .. } if *ctx == demanded.ctx))
    };
    while !is_given(&world) {
        world.step();
    }
    // Black sees what was the truth after its move: the world compares.
    let is_seen = |notice: &Notice| matches!(notice, Notice::View(view) if view.ply == 1 && view.phase == Phase::Post && view.sight.is_some());
    while !world.players[1 - white].shown.iter().any(is_seen) {
        world.step();
    }
    world.autoplay = true;
    finish(&mut world);
}

#[test]
fn who_gives_no_answer_loses() {
    let seed = seed(201);
    for color in Color::ALL {
        let mut world = begin(seed);
        let cheat = corrupt(&mut world, color, Mischief::withhold(is_answer));
        run_for(&mut world, 1 - cheat);
        wins(&world, 1 - cheat, Outcome::Unanswered);
        assert!(world.players[1 - cheat].count(Action::ClaimTimeout) > 0, "by its own claim");
    }
}

/// An answer on chain that isn't the board's is none.
#[test]
fn a_false_answer_on_chain_is_none() {
    let seed = seed(211);
    let mut world = begin(seed);
    let mischief = Mischief::new(|mut effect| {
        if let Effect::SendTransaction(Transaction::AnswerSight { elements, .. }) = &mut effect {
            elements[31] ^= 1;
            return vec![effect];
        }
        if is_answer(&effect) { Vec::new() } else { vec![effect] }
    });
    let cheat = corrupt(&mut world, Color::Black, mischief);
    run_for(&mut world, 1 - cheat);
    wins(&world, 1 - cheat, Outcome::Unanswered);
    assert!(world.players[cheat].count(Action::AnswerSight) > 0, "it has tried");
}

/// No move needs the sight after a move: who doesn't want to pay for it goes without.
#[test]
fn who_doesnt_want_to_pay_for_sights_after_moves_demands_none() {
    let mut course = super::course(seed(215), simulate::world::short());
    course.config.demand_post = false;
    let mut world = course.begin();
    world.longest_tick = 64;
    while !world.is_over() {
        // Both think for longer than anybody's patience; time passes only where nothing else happens.
        let last = world.chain.log.last().map_or(0, |logged| logged.time);
        world.autoplay = world.chain.now > last + 40;
        world.step();
        lose_answers(&mut world, Phase::Post);
    }
    world.autoplay = true;
    finish(&mut world);
    assert_eq!(super::demands(&world), 0);
}

/// What the chain has given nobody gives a second time: if this side fails to open it, it tries again.
#[test]
fn an_answer_from_the_chain_that_could_not_be_opened_is_opened_again() {
    let mut world = super::course(seed(216), simulate::world::short()).open().begin();
    world.longest_tick = 64;
    let white = world.seat_of(Color::White);
    let is_given = |notice: &Notice| matches!(notice, Notice::SightAnswered { ply: 2, own: true, .. });
    while !world.players[white].shown.iter().any(is_given) {
        if moves_made(&world) == 2 {
            world.cut_link();
        }
        world.step();
    }
    // The session begins; then looking at the answer fails.
    for (fails, wanted) in [(false, 1), (true, 1)] {
        let jobs = world.players[white].take_jobs();
        let jobs: Vec<_> = jobs.into_iter().filter(|(_, job)| matches!(job.kind, JobKind::Receive(_))).collect();
        assert_eq!(jobs.len(), wanted);
        for (id, job) in jobs {
            world.oracle.set_failing(fails);
            let done = job.run();
            world.oracle.set_failing(false);
            world.tell(white, Event::Done(id, done));
        }
    }
    assert!(!world.players[white].seat.can_move());
    finish(&mut world);
}
