//! Players killed at every step of a game and started again, with their journal, without it, and both at once.

use alloy::primitives::B256;
use client::journal::{Entry, Journal};
use fogmate_test::seed;
use game::{Message, Notice};
use halo2curves::bn256::Fr;
use rand::Rng;
use simulate::world::{Course, Players, Weather, World, before_whites_second_move, keyed, recorded_games, short};

/// The hash of the chain's first block.
const GENESIS: B256 = B256::repeat_byte(8);

fn breeze() -> Weather {
    Weather { drop: 5, duplicate: 5, reorder: true, reorg: 5, lose_transaction: 5, inclusion: 3, ..Weather::default() }
}

/// From each step of the short game on, with the open engine, and from some with sight-lines: a crash, then the game to its end.
/// With its journal the user wants another move from then on, and is told that a signed one stands. Without one a signed move that is in no
/// block is known to nobody; the script then makes the same move again, as the seat's promise demands of a user.
fn killed_at_every_step(color: rules::Color, journal: bool) {
    let course = Course::new(seed(51), short());
    killed(&course.clone().open(), color, journal, 1);
    killed(&course, color, journal, 12);
}

/// One step in so many.
fn killed(course: &Course, color: rules::Color, journal: bool, every: usize) {
    let mut world = course.begin();
    let (who, begun) = (world.seat_of(color), world.steps);
    let mut stands = 0;
    while !world.is_over() {
        if !world.steps.is_multiple_of(every) {
            world.step();
            continue;
        }
        // The same game again up to this step: its proofs are known, and seats can't be copied.
        let mut other = course.begin();
        (begun..world.steps).for_each(|_| other.step());
        other.weather.otherwise = 100;
        other.crash(who, journal);
        other.run();
        assert_eq!(other.truth.len(), 6, "killed at step {}", world.steps);
        stands += other.checks.of("a signed move stands");
        for i in 0..2 {
            assert!(other.accusations(i).is_empty(), "{:?}", other.accusations(i));
        }
        world.step();
    }
    assert_eq!(stands > 0, journal, "a signed move was unwanted {stands} times");
    println!("{color:?}, journal {journal}: killed at every {every}th of {} steps", world.steps);
}

#[test]
fn white_killed_at_any_step_finishes_the_game() {
    killed_at_every_step(rules::Color::White, true);
}

#[test]
fn white_killed_at_any_step_finishes_the_game_without_its_journal() {
    killed_at_every_step(rules::Color::White, false);
}

#[test]
fn black_killed_at_any_step_finishes_the_game() {
    killed_at_every_step(rules::Color::Black, true);
}

#[test]
fn black_killed_at_any_step_finishes_the_game_without_its_journal() {
    killed_at_every_step(rules::Color::Black, false);
}

#[test]
fn players_killed_again_and_again_finish_the_game() {
    let seed = seed(61);
    let moves = recorded_games().swap_remove(1);
    let mut world = World::new(seed, Players::Script(moves), breeze());
    let mut crashes = 0;
    while !world.is_over() {
        if world.rng.gen_range(0..100) < 4 {
            let (who, journal) = (world.rng.gen_range(0..2), world.rng.gen_range(0..3) > 0);
            world.crash(who, journal);
            crashes += 1;
        }
        world.step();
    }
    println!("{crashes} crashes in {} steps, {} plies", world.steps, world.truth.len() - 1);
    for i in 0..2 {
        assert!(world.accusations(i).is_empty(), "{:?}", world.accusations(i));
    }
}

#[test]
fn both_players_killed_after_every_few_steps_finish_the_game() {
    let mut world = Course::new(seed(71), short()).open().begin();
    let mut idle = 0;
    while !world.is_over() {
        let plies = world.truth.len();
        // A process must live for more than one step to get a proof made: it is given ever more of them.
        for _ in 0..1 + idle / 4 {
            world.step();
        }
        world.crash(0, true);
        world.crash(1, true);
        idle = if world.truth.len() > plies { 0 } else { idle + 1 };
    }
    println!("{} steps", world.steps);
}

/// The journal goes through a real file before each crash; once the file is damaged.
#[test]
fn a_journal_on_disk_serves_and_a_damaged_one_harms_nothing() {
    let mut world = World::new(seed(72), short(), Weather::default());
    let dir = tempfile::tempdir().expect("a folder");
    let (me, game) = (world.players[0].me, world.chain.game);
    let path = Journal::path(dir.path(), me, &game);
    while !world.is_over() {
        world.step();
        if !world.steps.is_multiple_of(10) {
            continue;
        }
        let (journal, _) = Journal::open(dir.path(), me, &game, GENESIS).expect("a journal");
        for entry in world.players[0].journal.values() {
            journal.write(entry).expect("written");
        }
        drop(journal);
        if world.steps == 40 {
            let mut bytes = std::fs::read(&path).expect("the file");
            let middle = bytes.len() / 2;
            bytes[middle..].fill(0xee);
            std::fs::write(&path, bytes).expect("written");
        }
        let (_, contents) = Journal::open(dir.path(), me, &game, GENESIS).expect("a journal");
        assert_eq!(contents.notes.is_empty(), world.steps != 40, "{:?}", contents.notes);
        world.players[0].journal = contents.entries.into_iter().map(keyed).collect();
        world.crash(0, true);
    }
    assert_eq!(world.truth.len(), 6);
}

#[test]
fn a_wrong_answer_in_the_journal_accuses_nobody() {
    let (mut world, white) = before_whites_second_move(seed(73));
    let wrong = world.players[white].journal.values_mut().find_map(|entry| match entry {
        Entry::Received(Message::Answer { ply: 2, elements, .. }) => Some(elements),
        _ => None,
    });
    wrong.expect("the answer")[5] += Fr::one();
    let before = world.players[white].shown.len();
    world.crash(white, true);
    world.settle(white);
    assert!(world.accusations(white).is_empty(), "{:?}", world.accusations(white));
    let shown = &world.players[white].shown[before..];
    assert!(shown.iter().any(|notice| matches!(notice, Notice::JournalNote { .. })), "{shown:?}");
    world.run();
}
