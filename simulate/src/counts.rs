//! What drawn games came to, or which one breaks a promise, at which step, and how.

use crate::world::Tally;
use derive_more::{AddAssign, Display};
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

/// What games came to.
#[derive(AddAssign, Clone, Debug, Default, Display, PartialEq, Eq)]
#[display(
    "{games} games ({endings}), {plies} plies, {steps} steps, {} faults ({faults}), {} checks ({checks})",
    faults.total(),
    checks.total()
)]
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

#[derive(Clone, Debug, Display, PartialEq, Eq)]
#[display(
    "game {number} of seed {seed} fails at step {step}: {what}\nmake simulate SEED={seed} GAME={number}    plays it again, step by step"
)]
pub struct Failure {
    /// The seed of the run.
    pub seed: u64,
    /// The number of the game.
    pub number: u64,
    /// The step at which it was found.
    pub step: usize,
    pub what: String,
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
