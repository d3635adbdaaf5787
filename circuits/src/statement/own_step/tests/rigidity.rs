//! What is free in *own step*, to first order: see [`crate::rigidity`].
//!
//! Both commitments, each through its salt. No private cell is but what 0 is multiplied with where it is asked whether it is 0: flags and digits don't move.

use std::collections::BTreeSet;

use fog::{
    statement::own_step::OwnStepInputs,
    testing::{TurnCase, own_step_of, own_steps},
};
use rand::{SeedableRng, rngs::StdRng};

use super::{super::OwnStepCircuit, forgeries};
use crate::{
    StatementCircuit,
    gadget::Label,
    rigidity::{Honest, Rigid, named},
    statement::turn::tests::rigidity::{questions_of_zero, rare},
};

/// Public inputs that are free, and through what.
const FREE: [(&str, &str); 2] = [("commitment", "its salt"), ("next_commitment", "the next salt")];

impl Rigid for OwnStepCircuit {
    const LOOSENED: &'static [usize] = &[
        343, 343, 343, 344, 343, 342, 343, 343, 342, 343, 343, 343, 335, 335, 338, 342, 339, 345, 343, 342, 341, 344,
        336, 338, 340, 337, 335, 335, 336, 335, 336, 335,
    ];
    const UNBOUND: &'static [usize] = &[8, 8, 8, 7];

    /// Whoever verifies makes the color.
    fn is_given(row: usize) -> bool {
        OwnStepInputs::NAMES[row] == "color"
    }

    fn is_output(row: usize) -> bool {
        ["next_commitment", "capture"].contains(&OwnStepInputs::NAMES[row])
    }

    /// A step of each kind, and the moves that hardly a game draws.
    fn honest(seed: u64) -> Vec<Honest<Self>> {
        let rng = &mut StdRng::seed_from_u64(seed);
        let draw = |case| own_steps(seed, Some(case)).next().expect("an endless row");
        let drawn = TurnCase::ALL.into_iter().map(|case| (format!("{case:?}"), draw(case)));
        let rare = rare(rng).into_iter().map(|(public, private)| ("rare".to_owned(), own_step_of(&public, &private)));
        let honest = drawn.chain(rare).map(|(what, (public, private))| Honest {
            what: format!("{what} {}", private.mv),
            circuit: OwnStepCircuit::new(&public, &private),
            free: Box::new(|system, lines| {
                let free = named(system, &OwnStepInputs::NAMES, &FREE);
                free.into_iter().chain(questions_of_zero(system, lines)).collect()
            }),
        });
        honest.collect()
    }

    fn forged() -> BTreeSet<Label> {
        forgeries::reasons()
    }
}
