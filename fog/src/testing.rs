//! Seeded generators of statements for tests (feature `testing`): valid draws by kind of move, broken draws by relation.
//!
//! Positions come from random games of the rules, secrets from the same seed. This is for tests of this crate and of the
//! circuits only: no shipped code uses it.

/// An enumeration of cases without data, and the list of all.
macro_rules! cases {
    ($(#[$meta:meta])* $name:ident, $count:literal: $($(#[$doc:meta])* $case:ident,)*) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$doc])* $case,)*
        }

        impl $name {
            pub const ALL: [Self; $count] = [$(Self::$case),*];
        }
    };
}

mod answers;
mod blocked;
mod fifties;
mod illegal;
mod mutations;
mod no_moves;
mod on_chain;
mod own_steps;
mod proofs;
mod seed;
mod turns;
mod walk;
pub mod written;

pub use answers::{AnswerCase, answers};
pub use fifties::fifties;
pub use illegal::{Illegal, any_turn, illegal_turns, illegal_turns_of};
pub use mutations::{
    AnswerMutation, ChainAnswerMutation, FiftyMutation, Mutation, NoMoveMutation, OwnStepMutation, RequestDataMutation,
    TurnMutation, break_each, mutations_answer, mutations_chain_answer, mutations_fifty, mutations_no_move,
    mutations_own_step, mutations_request_data, mutations_turn,
};
pub use no_moves::{NoMoveCase, OnlyMove, any_no_move, cases_of_blocked, near_misses, near_misses_of, no_moves};
pub use on_chain::{chain_answers, requests, wrong_answers};
pub use own_steps::{own_step_of, own_steps};
pub use proofs::NativeProofs;
pub use seed::{cases, is_long, seed};
pub use turns::{TurnCase, cases_of, turns};
pub use walk::{RandomExchange, Walk};
