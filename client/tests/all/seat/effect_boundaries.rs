//! Players killed at every effect boundary: of what an event asks for, any first part is carried out (entries written, messages and
//! transactions sent), the rest is not, and the seat is restarted from what was written. No game is lost by that. What has left stands in
//! the journal at that boundary, and the user, who wants other moves from then on, is told that a signed one stands. Proofs under way and notices die with the machine, so there is one boundary after each other effect.
//!
//! The suite takes every boundary of three plies, and some of a whole game that goes through the chain alone, in which the restarted machine
//! dies once more. `FOGMATE_EFFECTS=all` takes all of that and of the same game over the link: a minute of a core.

use fogmate_test::seed;
use game::{Action, Ending, Outcome};
use rules::Color;
use simulate::world::{Course, Players, World, short};

/// Into how many effects of the restart the second death falls, one after the other.
const AGAIN: usize = 7;

/// A game, what ends it, and when its link is cut.
struct Trial {
    course: Course,
    outcome: Outcome,
    /// After so many final moves.
    cut: Option<usize>,
    /// Whether the restarted machine dies once more.
    twice: bool,
}

impl Trial {
    fn begin(&self) -> World {
        let mut world = self.course.begin();
        world.longest_tick = 16;
        world.weather.otherwise = 100;
        world
    }

    fn step(&self, world: &mut World) {
        if self.cut.is_some_and(|cut| world.truth.len() > cut) {
            world.cut_link();
        }
        world.step();
    }

    /// Plays until a player's machine has died.
    fn live(&self, world: &mut World, who: usize) {
        while !world.players[who].is_dead() && !world.is_over() {
            self.step(world);
        }
    }

    /// Plays to the end, which must be that of the game undisturbed.
    fn finish(&self, world: &mut World, killed: &str) -> usize {
        while !world.is_over() {
            self.step(world);
        }
        let Ending { color, outcome, .. } = world.players[0].seat.table().ending().expect("over");
        assert_eq!((color, outcome), (Some(Color::White), self.outcome), "{killed}");
        for i in 0..2 {
            assert!(world.accusations(i).is_empty(), "{killed}: {:?}", world.accusations(i));
        }
        world.truth.len()
    }

    /// The whole game once for each boundary of a player.
    fn killed_at_every_effect(&self, color: Color) {
        self.killed_at_effects(color, 1);
    }

    /// The whole game once for one boundary of so many of a player.
    fn killed_at_effects(&self, color: Color, step: usize) {
        let mut world = self.begin();
        let who = world.seat_of(color);
        let first = world.players[who].carried;
        let plies = self.finish(&mut world, "undisturbed");
        let last = world.players[who].carried;
        if self.cut.is_some() {
            assert!(world.players[who].count(Action::DemandSight) > 0, "nothing was demanded");
            assert!(world.players[who].count(Action::AnswerSight) > 0, "nothing was given on chain");
        }
        let mut stands = 0;
        for at in (first..=last).step_by(step) {
            // The same game again up to this effect: its proofs are known, and seats can't be copied.
            let mut other = self.begin();
            other.players[who].dies_at = Some(at);
            self.live(&mut other, who);
            if self.twice {
                other.players[who].dies_at = Some(at + at % AGAIN);
                other.crash(who, true);
                self.live(&mut other, who);
            }
            other.players[who].dies_at = None;
            other.crash(who, true);
            let killed = format!("killed after effect {at}");
            assert_eq!(self.finish(&mut other, &killed), plies, "{killed}");
            stands += other.checks.of("a signed move stands");
        }
        assert!(stands > 0, "no signed move was ever unwanted");
        println!("{color:?}, link cut: {:?}: killed at one of {step} of {} boundaries", self.cut, last - first + 1);
    }
}

/// Three plies; then Black resigns.
fn opening() -> Trial {
    let course = Course::new(seed(57), Players::Random { plies: 3 });
    Trial { course, outcome: Outcome::Resigned, cut: None, twice: false }
}

#[test]
fn white_killed_after_any_effect_loses_nothing() {
    opening().killed_at_every_effect(Color::White);
}

#[test]
fn black_killed_after_any_effect_loses_nothing() {
    opening().killed_at_every_effect(Color::Black);
}

#[test]
fn players_killed_after_any_effect_of_a_whole_game_lose_nothing() {
    let all = std::env::var("FOGMATE_EFFECTS").as_deref() == Ok("all");
    let (cuts, step): (&[_], _) = if all { (&[None, Some(1)], 1) } else { (&[Some(1)], 29) };
    let players = [Color::Black, Color::White];
    for cut in cuts {
        for color in players.into_iter().take(if all { 2 } else { 1 }) {
            let course = Course::new(seed(58), short());
            Trial { course, outcome: Outcome::KingCaptured, cut: *cut, twice: true }.killed_at_effects(color, step);
        }
    }
}
