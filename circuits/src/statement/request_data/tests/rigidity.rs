//! What is free in *request data*, to first order: see [`crate::rigidity`].
//!
//! Its inputs: `z`, which whoever verifies makes, and the 128 coordinates, which are private cells of which nothing is said but the root and the value. While they stand still the
//! root can't move, nor `y`, nor one of the zeros that fill the shape; and no other cell is free. That the coordinates may move under a root that moves with them
//! harms nobody: the root is one from a *turn* proof, and others under the same root would be a collision of the hash.

use std::collections::BTreeSet;

use fog::{statement::request_data::RequestDataInputs, testing::requests};

use super::super::RequestDataCircuit;
use crate::{
    StatementCircuit,
    gadget::Label,
    rigidity::{CellId, Free, Honest, Lines, Rigid, System, named, request_points},
};

/// Public inputs that are free, and through what.
const FREE: [(&str, &str); 1] = [("z", "what it is")];

impl Rigid for RequestDataCircuit {
    // Without ranges a digit moves, and what is looked up: one of each is laid, so that no fixed column is empty.
    const LOOSENED: &'static [usize] = &[129 + 1 + 3; 2];
    // It has no binding with a label.
    const UNBOUND: &'static [usize] = &[129; 2];

    fn is_output(row: usize) -> bool {
        RequestDataInputs::NAMES.get(row) != Some(&"z")
    }

    fn private_inputs(system: &System, lines: &mut Lines) -> Vec<CellId> {
        request_points(system, lines).concat()
    }

    fn honest(seed: u64) -> Vec<Honest<Self>> {
        let honest = requests(seed).take(2).enumerate().map(|(number, (public, private))| Honest {
            what: format!("request {number}"),
            circuit: RequestDataCircuit::new(&public, &private),
            free: Box::new(free),
        });
        honest.collect()
    }

    /// It has no label: all is copies.
    fn forged() -> BTreeSet<Label> {
        BTreeSet::new()
    }
}

fn free(system: &System, lines: &mut Lines) -> Free {
    let mut free = named(system, &RequestDataInputs::NAMES, &FREE);
    for (square, point) in request_points(system, lines).into_iter().enumerate() {
        for (cell, name) in point.into_iter().zip(["x", "y"]) {
            free.insert(cell, format!("{name} of the point of square {square}"));
        }
    }
    free
}
