//! What is below the seats: each promise of senders and followers is broken on purpose, and the world says which; and what a player with second
//! thoughts comes to, with a ledger and without.

use client::seat::{Effect, Event};
use game::{Action, Command, Message};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use simulate::draw::{PATIENT, QUICK, node_weather, weather};
use simulate::node::Making;
use simulate::run::watched;
use simulate::world::{BelowDefect, Course, Mischief, NodeWeather, Players, Tally, Weather, World, short};

/// Two blocks on top of what is final.
fn calm() -> NodeWeather {
    NodeWeather { confirmations: 2, ..NodeWeather::clear() }
}

fn begin(node_weather: NodeWeather, weather: Weather) -> World {
    let course = Course {
        terms: QUICK,
        config: PATIENT,
        node_weather: Some(node_weather),
        weather,
        ..Course::new(7, short()).open()
    };
    let mut world = course.join();
    (world.longest_tick, world.autoplay) = (64, true);
    world
}

fn finish(world: &mut World) {
    while !world.is_over_for_honest() {
        world.step();
    }
    world.check_ending();
    world.check_senders();
    world.check_settlement();
}

/// What the world says to the creator's defect.
fn found(node_weather: NodeWeather, defect: BelowDefect, prepare: impl FnOnce(&mut World)) -> String {
    let mut world = begin(node_weather, Weather::default());
    world.backend.as_mut().expect("a deep world").break_program(0, defect);
    let said = watched(|| {
        prepare(&mut world);
        finish(&mut world);
    });
    said.expect_err("the world finds nothing")
}

fn expect(said: &str, wanted: &str) {
    assert!(said.contains(wanted), "{said}");
}

#[test]
fn without_a_defect_nothing_is_found() {
    for confirmations in 0..4 {
        for is_tagged in [false, confirmations == 3] {
            let mut world = begin(NodeWeather { confirmations, is_tagged, ..NodeWeather::clear() }, Weather::default());
            assert_eq!(watched(|| finish(&mut world)), Ok(()));
        }
    }
}

/// Each block is first said to be empty, and its events come only when it is final.
#[test]
fn events_that_a_machine_tells_late_are_not_lost() {
    for confirmations in 1..4 {
        let weather = NodeWeather { confirmations, logs_behind: 100, ..NodeWeather::clear() };
        let mut world = begin(weather, Weather::default());
        assert_eq!(watched(|| finish(&mut world)), Ok(()));
        assert!(world.faults.of("answers without logs that are there") > 0, "{}", world.faults);
    }
}

/// What the world says of what a game in fair weather costs, with whatever is wrong with the creator's seat.
fn dear(effects: Option<Mischief>) -> Result<(), String> {
    let mut world = begin(NodeWeather::clear(), Weather::default());
    world.players[0].defect.effects = effects;
    watched(|| {
        finish(&mut world);
        world.check_cost();
    })
}

#[test]
fn what_a_game_costs_more_than_it_must_is_found() {
    assert_eq!(dear(None), Ok(()));
    let withholds = Mischief::withhold(|effect| matches!(effect, Effect::SendMessage(Message::Answer { .. })));
    expect(&dear(Some(withholds)).expect_err("the world finds nothing"), "demands a sight in fair weather");
    let repeats = |effect| match effect {
        Effect::SendMessage(message) => vec![message; 3].into_iter().map(Effect::SendMessage).collect(),
        effect => vec![effect],
    };
    let said = dear(Some(Mischief::new(repeats))).expect_err("the world finds nothing");
    expect(&said, "sends a message again and again");
}

#[test]
fn what_is_sent_before_it_is_on_disk_is_found() {
    let defect = BelowDefect { writes_nothing: true, ..BelowDefect::default() };
    expect(&found(calm(), defect, |_| {}), "not on disk");
}

#[test]
fn a_fee_above_the_ceiling_is_found() {
    let defect = BelowDefect { is_lavish: true, ..BelowDefect::default() };
    let node_weather = NodeWeather { making: Making { spike: 100, late: 100, ..Making::default() }, ..calm() };
    expect(&found(node_weather, defect, |_| {}), "above the ceiling");
}

/// Steps until a player's move is on its way, and lets it want another.
fn change_its_mind(world: &mut World, i: usize) {
    while !world.is_moving(i) {
        world.step();
    }
    world.players[i].mischief = Some(Mischief::new(|effect| vec![effect]));
    world.players[i].mood = 99;
    world.crash(i, false);
}

#[test]
fn a_second_move_signed_while_the_first_can_still_be_included_is_found() {
    let defect = BelowDefect { signs_twice: true, ..BelowDefect::default() };
    let course = Course {
        terms: QUICK,
        config: PATIENT,
        // Its first move waits long enough.
        node_weather: Some(NodeWeather { making: Making { late: 90, ..Making::default() }, ..calm() }),
        ..Course::new(7, Players::Random { plies: 6 }).open()
    };
    let said = (0..6).find_map(|seed| {
        let mut world = Course { seed, ..course.clone() }.join();
        (world.longest_tick, world.autoplay) = (64, true);
        world.backend.as_mut().expect("a deep world").break_program(0, defect);
        watched(|| {
            change_its_mind(&mut world, 0);
            finish(&mut world);
        })
        .err()
    });
    expect(&said.expect("the world finds nothing"), "while the first can still be included");
}

#[test]
fn a_call_that_is_carried_out_twice_is_found() {
    let said = found(calm(), BelowDefect::default(), |world| {
        while !world.is_over_for_honest() {
            world.step();
        }
        // No other call of a player does the contract take twice.
        for _ in 0..2 {
            let before = world.players[0].count(Action::PublishViewKey);
            while world.players[0].count(Action::PublishViewKey) == before {
                world.tell(0, Event::Command(Command::PublishViewKey));
            }
            world.check_senders();
        }
    });
    expect(&said, "carried out twice");
}

/// No poll goes on with a final block that one of two nodes has made up.
#[test]
fn made_up_blocks_are_believed_by_nobody() {
    let node_weather =
        NodeWeather { confirmations: 3, is_tagged: true, cross_checks: 1, lie: 20, ..NodeWeather::clear() };
    let mut world = begin(node_weather, Weather::default());
    assert_eq!(watched(|| finish(&mut world)), Ok(()));
    let (lies, failed) = (world.faults.of("lies about blocks"), world.faults.of("polls that failed"));
    assert!(lies > 0 && failed == lies, "{}", world.faults);
}

/// A mempool that knows nothing of an account says that it has sent nothing so far.
#[test]
fn a_sender_that_counts_by_mempools_is_found() {
    let node_weather = NodeWeather { blind: 100, ..calm() };
    let mut world = begin(node_weather, Weather::default());
    assert_eq!(watched(|| finish(&mut world)), Ok(()));
    assert!(world.faults.of("mempools that know nothing of the account") > 0, "{}", world.faults);
    let said = found(node_weather, BelowDefect { trusts_mempools: true, ..BelowDefect::default() }, |_| {});
    let wanted = ["under way for ever", "the game hangs", "has lost"];
    assert!(wanted.iter().any(|wanted| said.contains(wanted)), "{said}");
}

#[test]
fn what_nobody_looks_after_is_found() {
    let defect = BelowDefect { neglects: true, ..BelowDefect::default() };
    let said = found(calm(), defect, |_| {});
    assert!(
        said.contains("under way for ever") || said.contains("the game hangs") || said.contains("has lost"),
        "{said}"
    );
}

#[test]
fn a_follower_that_takes_too_much_for_final_is_found() {
    let defect = BelowDefect { is_hasty: true, ..BelowDefect::default() };
    let node_weather = NodeWeather { confirmations: 3, interval: 12, ..NodeWeather::clear() };
    let said = found(node_weather, defect, |world| {
        // From its start on.
        world.crash(0, true);
    });
    let wanted =
        ["as final, which is on a fork that was left", "that isn't final is shown", "before its move is final"];
    assert!(wanted.iter().any(|wanted| said.contains(wanted)), "{said}");
}

#[test]
fn a_fork_that_is_deeper_than_final_blocks_is_found() {
    let said = found(NodeWeather { fork: 40, deeper: 2, ..calm() }, BelowDefect::default(), |_| {});
    expect(&said, "takes weather for");
}

#[test]
fn a_follower_that_never_finds_its_game_is_found() {
    let said = found(NodeWeather { busy: 100, ..calm() }, BelowDefect::default(), |world| world.crash(0, true));
    expect(&said, "never finds its game");
}

/// A player that forgets its moves that aren't final and wants others: its ledger refuses them while the first can still be included, in any
/// weather. A wallet without one signs them, and forks bring either; the opponent keeps every promise.
#[test]
fn second_thoughts_are_refused_by_the_ledger_and_harm_nobody_without_one() {
    for (is_unbound, kind) in [(false, "other moves of a ply refused"), (true, "other moves signed by a cheat")] {
        let mut faults = Tally::default();
        for seed in 0..24 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let (weather, node_weather) =
                (weather(&mut rng), NodeWeather { fork: 15, confirmations: 3, ..node_weather(&mut rng) });
            let course = Course {
                terms: QUICK,
                config: PATIENT,
                node_weather: Some(node_weather),
                weather,
                ..Course::new(seed, Players::Random { plies: 6 }).open()
            };
            let mut world = course.join();
            (world.longest_tick, world.autoplay) = (64, true);
            world.backend.as_mut().expect("a deep world").connections[0].is_unbound = is_unbound;
            let played = watched(|| {
                change_its_mind(&mut world, 0);
                finish(&mut world);
            });
            assert_eq!(played, Ok(()), "seed {seed}");
            faults += world.faults.clone();
        }
        assert!(faults.of(kind) > 0, "no {kind}: {faults}");
    }
}
