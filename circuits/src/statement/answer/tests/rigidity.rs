//! What is free in *answer*, to first order: see [`crate::rigidity`].
//!
//! Public inputs alone: the commitment, through its salt; `ctx`; and each point of the request along the curve, which is one coordinate.
//! Everything else follows: no private cell is free, and no element while these stand still.

use std::collections::BTreeSet;

use fog::{
    statement::answer::{ANSWER_INPUTS, AnswerInputs},
    testing::{AnswerCase, answers},
};
use rules::PieceType;

use super::{super::AnswerCircuit, forgeries};
use crate::{
    StatementCircuit,
    gadget::Label,
    rigidity::{Free, Honest, Lines, Rigid, System},
};

/// Public inputs before the points.
const SCALARS: usize = AnswerInputs::NAMES.len();
/// And before the elements.
const BEFORE_ELEMENTS: usize = SCALARS + 128;

/// Rows of the elements.
const fn elements() -> [usize; ANSWER_INPUTS - BEFORE_ELEMENTS] {
    let mut rows = [0; ANSWER_INPUTS - BEFORE_ELEMENTS];
    let mut i = 0;
    while i < rows.len() {
        rows[i] = BEFORE_ELEMENTS + i;
        i += 1;
    }
    rows
}

impl Rigid for AnswerCircuit {
    // The circuit makes flags of all that has few values.
    const GIVEN: &'static [usize] = &[];
    const OUTPUTS: &'static [usize] = &elements();
    const LOOSENED: &'static [usize] = &[405, 405, 405];

    fn honest(seed: u64) -> Vec<Honest<Self>> {
        let cases = [
            AnswerCase::PreDoublePush,
            AnswerCase::PrePending(PieceType::Queen),
            AnswerCase::PostPending,
            AnswerCase::Pre,
            AnswerCase::PrePendingPawnRank,
            AnswerCase::PostPendingRight,
        ];
        let honest = cases.into_iter().map(|case| {
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
    let scalars = AnswerInputs::NAMES.iter().enumerate();
    let mut free = Free::new();
    for (row, name) in scalars.filter(|(_, name)| ["commitment", "context"].contains(name)) {
        free.insert(system.instance(row), name.to_string());
    }
    for square in 0..64 {
        free.insert(system.instance(SCALARS + 2 * square), format!("x of the point of square {square}"));
    }
    free
}
