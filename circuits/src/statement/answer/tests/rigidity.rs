//! What is free in *answer*, to first order: see [`crate::rigidity`].
//!
//! Public inputs alone: the commitment, through its salt; `ctx`; and each point of the request along the curve, which is one coordinate.
//! Everything else follows: no private cell is free, and no element while these stand still.

use std::collections::BTreeSet;

use fog::{
    statement::answer::AnswerInputs,
    testing::{AnswerCase, answers},
};
use rules::PieceType;

use super::{super::AnswerCircuit, forgeries};
use crate::{
    StatementCircuit,
    gadget::Label,
    rigidity::{Free, Honest, Lines, Rigid, System, named},
};

/// Public inputs before the points.
const SCALARS: usize = AnswerInputs::NAMES.len();
/// And before the elements.
const BEFORE_ELEMENTS: usize = SCALARS + 128;

/// What the honest answers are of.
pub const CASES: [AnswerCase; 6] = [
    AnswerCase::PreDoublePush,
    AnswerCase::PrePending(PieceType::Queen),
    AnswerCase::PostPending,
    AnswerCase::Pre,
    AnswerCase::PrePendingPawnRank,
    AnswerCase::PostPendingRight,
];

/// Public inputs before the points that are free, and through what.
pub const FREE: [(&str, &str); 2] = [("commitment", "its salt"), ("context", "what it is")];

impl Rigid for AnswerCircuit {
    const LOOSENED: &'static [usize] = &[405, 405, 405];
    // And the generator and the fog key along the curve, and five slopes.
    const UNBOUND: &'static [usize] = &[66 + 2 + 5; 3];

    fn is_output(row: usize) -> bool {
        row >= BEFORE_ELEMENTS
    }

    fn honest(seed: u64) -> Vec<Honest<Self>> {
        let honest = CASES.into_iter().map(|case| {
            let (public, private) = answers(seed, Some(case)).next().expect("an endless row");
            let circuit = AnswerCircuit::new(&public, &private);
            Honest { what: format!("{case:?}"), circuit, free: Box::new(free) }
        });
        honest.collect()
    }

    fn forged() -> BTreeSet<Label> {
        forgeries::reasons()
    }
}

fn free(system: &System, _: &mut Lines) -> Free {
    let mut free = named(system, &AnswerInputs::NAMES, &FREE);
    for square in 0..64 {
        free.insert(system.instance(SCALARS + 2 * square), format!("x of the point of square {square}"));
    }
    free
}
