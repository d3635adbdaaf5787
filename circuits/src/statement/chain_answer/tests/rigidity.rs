//! What is free in *chain answer*, to first order: see [`crate::rigidity`].
//!
//! What is free in *answer*: the commitment, through its salt; `ctx`; and each point of the request along the curve, one coordinate, which is a private
//! cell here. And `z`, which whoever verifies makes. While these stand still neither root can move, nor `y`; and no other cell is free. That the points may move
//! under a root that moves with them harms nobody: the root is one from a *turn* proof, and others under the same root would be a collision of the hash.

use std::collections::BTreeSet;

use fog::{statement::chain_answer::ChainAnswerInputs, testing::chain_answers};

use super::super::ChainAnswerCircuit;
use crate::{
    StatementCircuit,
    gadget::Label,
    rigidity::{CellId, Free, Honest, Lines, Rigid, System, named, request_points},
    statement::answer::tests::{
        forgeries,
        rigidity::{CASES, FREE},
    },
};

/// What the circuit computes of the rest.
const OUTPUTS: [&str; 3] = ["request_root", "answer_root", "y"];

impl Rigid for ChainAnswerCircuit {
    const LOOSENED: &'static [usize] = &[406; 3];
    const UNBOUND: &'static [usize] = &[67 + 2 + 5; 3];

    fn is_output(row: usize) -> bool {
        OUTPUTS.contains(&ChainAnswerInputs::NAMES[row])
    }

    fn private_inputs(system: &System, lines: &mut Lines) -> Vec<CellId> {
        request_points(system, lines).into_iter().map(|[x, _]| x).collect()
    }

    fn honest(seed: u64) -> Vec<Honest<Self>> {
        let honest = CASES.into_iter().map(|case| {
            let (public, private) = chain_answers(seed, Some(case)).next().expect("an endless row");
            let circuit = ChainAnswerCircuit::new(&public, &private);
            Honest { what: format!("{case:?}"), circuit, free: Box::new(free) }
        });
        honest.collect()
    }

    fn forged() -> BTreeSet<Label> {
        forgeries::reasons()
    }
}

fn free(system: &System, lines: &mut Lines) -> Free {
    let mut free = named(system, &ChainAnswerInputs::NAMES, &FREE);
    free.extend(named(system, &ChainAnswerInputs::NAMES, &[("z", "what it is")]));
    let points = request_points(system, lines).into_iter().enumerate();
    free.extend(points.map(|(square, [x, _])| (x, format!("x of the point of square {square}"))));
    free
}
