//! Plays drawn games one after the other, and says which one breaks a promise, at which step, and how.

use crate::channel::opponent;
use crate::draw::Plan;
use crate::world::{Tally, World};
use game::Outcome;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::ops::AddAssign;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

/// A game in so many is one between the machines, against an opponent that does anything.
const BETWEEN_MACHINES: u64 = 8;
/// A game in so many ends with the audit and the replay of its records.
const AUDITED: u64 = 16;

/// What games came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Games played to their end.
    pub games: u64,
    /// Moves that became final.
    pub plies: u64,
    /// Steps of the scheduler.
    pub steps: u64,
    /// What went wrong, by kind.
    pub faults: Tally,
    /// What was looked at, by promise.
    pub checks: Tally,
    /// How the games ended.
    pub endings: Tally,
}

impl AddAssign<&Self> for Counts {
    fn add_assign(&mut self, other: &Self) {
        self.games += other.games;
        self.plies += other.plies;
        self.steps += other.steps;
        self.faults += &other.faults;
        self.checks += &other.checks;
        self.endings += &other.endings;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, plies, steps, faults, checks, endings } = self;
        write!(f, "{games} games ({endings}), {plies} plies, {steps} steps, {} faults ({faults}), ", faults.total())?;
        write!(f, "{} checks ({checks})", checks.total())
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The seed of the run.
    pub seed: u64,
    /// The number of the game.
    pub number: u64,
    /// The step at which it was found.
    pub step: usize,
    pub what: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, number, step, what } = self;
        writeln!(f, "game {number} of seed {seed} fails at step {step}: {what}")?;
        write!(f, "make simulate SEED={seed} GAME={number}    plays it again, step by step")
    }
}

/// Plays game `number` of a seed.
///
/// # Errors
/// The first broken promise.
pub fn play(seed: u64, number: u64, is_verbose: bool) -> Result<Counts, Failure> {
    if number % BETWEEN_MACHINES == BETWEEN_MACHINES - 1 {
        return opponent::play(seed, number, is_verbose);
    }
    let plan = Plan::draw(seed, number);
    let mut world = plan.begin();
    world.verbose = is_verbose;
    if is_verbose {
        crate::tell!(
            "{:?}, {:?}, {:?}, {:?}\ncheat {:?}, link cut at {:?}",
            plan.course.terms,
            plan.course.weather,
            plan.course.node_weather,
            plan.course.link_weather,
            plan.cheat,
            plan.cut_link
        );
    }
    let is_audited = number.is_multiple_of(AUDITED);
    let mut endings = Tally::default();
    let played = watched(|| {
        while !world.is_over_for_honest() {
            plan.interfere(&mut world);
            world.step();
        }
        let i = world.honest()[0];
        let ending = world.players[i].seat.table().ending().expect("the game is over");
        endings.add(Outcome::NAMES[ending.outcome as usize].1);
        world.check_ending();
        if plan.is_fair {
            world.check_cost();
        }
        if is_audited && world.honest().len() == 2 {
            world.check_records();
        }
        world.check_senders();
        world.check_settlement();
        world.check_link();
    });
    played.map_err(|what| Failure { seed, number, step: world.steps, what })?;
    let World { truth, steps, faults, checks, .. } = world;
    let (plies, steps) = (truth.len() as u64 - 1, steps as u64);
    Ok(Counts { games: 1, plies, steps, faults, checks, endings })
}

thread_local! {
    /// The first panic of the game that this thread plays.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
    static IS_WATCHED: Cell<bool> = const { Cell::new(false) };
}

/// Runs a game, and gives the first panic in it as an error: also one that the seat's jobs have caught, for no step of an engine
/// may panic whatever it is given.
pub fn watched(play: impl FnOnce()) -> Result<(), String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let others = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| match IS_WATCHED.get() {
            true => PANIC.with_borrow_mut(|first| *first = first.take().or_else(|| Some(info.to_string()))),
            false => others(info),
        }));
    });
    IS_WATCHED.set(true);
    let played = catch_unwind(AssertUnwindSafe(play));
    IS_WATCHED.set(false);
    let first = PANIC.take();
    match (first, played) {
        (Some(what), _) => Err(what),
        (None, Err(_)) => Err("a panic without a word".to_owned()),
        (None, Ok(())) => Ok(()),
    }
}
