//! Games that nobody cheats in, in all weathers, with the audit and the replay of each.

use fogmate_test::seed;
use game::replay::{ReplayError, replay};
use game::{Notice, Outcome, Phase};
use rules::Color;
use simulate::world::{Course, Players, Weather, World, recorded_games};

fn storm() -> Weather {
    Weather {
        drop: 20,
        duplicate: 20,
        reorder: true,
        reorg: 20,
        lose_transaction: 10,
        inclusion: 5,
        ..Weather::default()
    }
}

/// Plays, audits and replays a game.
fn play(seed: u64, players: Players, weather: Weather) -> World {
    let mut world = Course { weather, ..Course::new(seed, players) }.begin();
    world.run();
    for i in 0..2 {
        assert!(world.accusations(i).is_empty(), "an honest opponent is accused: {:?}", world.accusations(i));
    }
    assert!(matches!(replay(world.chain.game, &world.records()), Err(ReplayError::NoViewKeys)));
    world.check_records();
    world
}

fn recorded(range: std::ops::Range<usize>, weather: Weather) {
    let seed = seed(11);
    for (number, moves) in recorded_games().into_iter().enumerate().skip(range.start).take(range.len()) {
        let plies = moves.len();
        let uci: Vec<_> = moves.iter().map(ToString::to_string).collect();
        let mut world = play(seed + number as u64, Players::Script(moves), weather);
        assert_eq!(world.truth.len() - 1, plies);
        let ending = world.players[0].seat.table().ending().expect("the game is over");
        assert_eq!(ending.outcome, Outcome::KingCaptured);
        let shown = world.players.iter().flat_map(|player| &player.shown);
        for view in shown.filter_map(|notice| if let Notice::View(view) = notice { Some(view) } else { None }) {
            let position = &world.truth[usize::from(view.ply) + usize::from(view.phase == Phase::Post)];
            let points = Color::ALL.map(|color| 16 - position.side(!color).men().count() as u16);
            assert_eq!(view.points, points, "game {number}, {view:?}");
        }
        let records = world.publish();
        let replayed = replay(world.chain.game, &records).expect("both keys are published");
        assert_eq!(replayed.uci(), uci, "game {number}");
        println!("game {number}: {plies} plies, {} steps\n{}", world.steps, replayed.pgn());
    }
}

#[test]
fn the_first_recorded_games_play_through() {
    recorded(0..4, Weather::default());
}

#[test]
fn the_other_recorded_games_play_through() {
    recorded(4..7, Weather::default());
}

#[test]
fn recorded_games_play_through_in_a_storm() {
    recorded(1..3, storm());
}

#[test]
fn random_games_play_through() {
    let seed = seed(21);
    for game in 0..4 {
        play(seed + game, Players::Random { plies: 24 }, Weather::default());
    }
}

#[test]
fn random_games_play_through_in_a_storm() {
    let seed = seed(31);
    for game in 0..4 {
        let world = play(seed + game, Players::Random { plies: 20 }, storm());
        println!("{} plies in {} steps", world.truth.len() - 1, world.steps);
    }
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let seed = seed(41);
    let games = [0, 1].map(|_| {
        let mut world = World::new(seed, Players::Random { plies: 6 }, storm());
        world.run();
        (world.steps, world.chain.log.len(), world.players.map(|player| player.shown))
    });
    assert_eq!(games[0], games[1]);
}
