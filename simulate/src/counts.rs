//! What drawn games came to, or which one breaks a promise, at which step, and how.

use crate::world::Tally;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::ops::AddAssign;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

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
