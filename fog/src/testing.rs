//! Seeded generators of statements for tests (feature `testing`): valid draws by kind of move, broken draws by relation.
//!
//! Positions come from random games of the rules, secrets from the same seed. This is for tests of this crate and of the
//! circuits only: no shipped code uses it.

mod answers;
mod illegal;
mod mutations;
mod proofs;
mod turns;
mod walk;

pub use answers::{AnswerCase, answers};
pub use illegal::{Illegal, any_turn, illegal_turns};
pub use mutations::{
    AnswerMutation, Mutation, TurnMutation, break_each, mutations_answer, mutations_turn,
};
pub use proofs::NativeProofs;
pub use turns::{TurnCase, cases_of, turns};
pub use walk::{RandomExchange, Walk};

/// The seed of a test run: FOGMATE_SEED, or the given one; printed, so that a failure can be repeated.
pub fn seed(default: u64) -> u64 {
    let seed = std::env::var("FOGMATE_SEED")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default);
    println!("seed {seed} (FOGMATE_SEED repeats it)");
    seed
}
