//! What is free in *shown* and *asked*, to first order: see [`crate::rigidity`].
//!
//! The commitment, through its salt, and the digest, through its own. No private cell is: the state is bits and flags, the exponent bits, the blinding digits,
//! and everything else follows from them and from the weights, which are given.

use std::collections::BTreeSet;

use fog::{
    psi::catalogue::{Extent, SetKind},
    statement::set::{asked::AskedInputs, shown::ShownInputs},
    testing::{asked_sets, shown_sets},
};

use super::{
    super::{SmallAskedCircuit, SmallShownCircuit},
    forgeries,
};
use crate::{
    StatementCircuit,
    gadget::Label,
    rigidity::{Honest, Rigid, named},
};

/// Public inputs that are free, and through what.
const FREE: [(&str, &str); 2] = [("commitment", "its salt"), ("digest", "its own salt")];

/// Witnesses that are looked at: of both colors.
const WITNESSES: usize = 2;

fn is_output(names: &[&str], row: usize) -> bool {
    names.get(row).is_some_and(|name| FREE.iter().all(|(free, _)| free != name))
}

impl Rigid for SmallShownCircuit {
    const LOOSENED: &'static [usize] = &[0; WITNESSES];
    const UNBOUND: &'static [usize] = &[0; WITNESSES];

    fn is_given(row: usize) -> bool {
        row >= ShownInputs::NAMES.len()
    }

    fn is_output(row: usize) -> bool {
        is_output(&ShownInputs::NAMES, row)
    }

    fn honest(seed: u64) -> Vec<Honest<Self>> {
        let draws = shown_sets(Extent::Small, seed).take(WITNESSES).map(|(public, private)| Honest {
            what: format!("{}, {:?}", public.set.color, public.set.phase),
            circuit: Self::new(&public, &private),
            free: Box::new(|system, _| named(system, &ShownInputs::NAMES, &FREE)),
        });
        draws.collect()
    }

    fn forged() -> BTreeSet<Label> {
        forgeries::reasons(SetKind::Shown)
    }
}

impl Rigid for SmallAskedCircuit {
    const LOOSENED: &'static [usize] = &[0; WITNESSES];
    const UNBOUND: &'static [usize] = &[0; WITNESSES];

    fn is_given(row: usize) -> bool {
        row >= AskedInputs::NAMES.len()
    }

    fn is_output(row: usize) -> bool {
        is_output(&AskedInputs::NAMES, row)
    }

    fn honest(seed: u64) -> Vec<Honest<Self>> {
        let draws = asked_sets(Extent::Small, seed).take(WITNESSES).map(|(public, private)| Honest {
            what: format!("{}, {:?}", public.set.color, public.set.phase),
            circuit: Self::new(&public, &private),
            free: Box::new(|system, _| named(system, &AskedInputs::NAMES, &FREE)),
        });
        draws.collect()
    }

    fn forged() -> BTreeSet<Label> {
        forgeries::reasons(SetKind::Asked)
    }
}
