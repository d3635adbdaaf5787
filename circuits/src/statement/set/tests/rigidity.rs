//! What is free in *shown* and *asked*, to first order: see [`crate::rigidity`].
//!
//! The commitment, through its salt, and the digest, through its own. No private cell is that means anything: the state is bits and flags, the exponent bits,
//! the blinding digits, what became of the men flags and bits, and everything else follows from them and from the weights, which are given. On rows that aren't additions the column of numbers
//! is free against that of bit 0: lookups read both, and what they find there means nothing.

use std::collections::BTreeSet;

use fog::{
    psi::catalogue::{Extent, SetKind},
    statement::set::{asked::AskedInputs, shown::ShownInputs},
    testing::{asked_sets, shown_sets},
};
use halo2_proofs::plonk::ConstraintSystem;

use super::{
    super::{SmallAskedCircuit, SmallShownCircuit, config::SetConfig},
    forgeries,
};
use crate::{
    StatementCircuit,
    gadget::Label,
    rigidity::{CellId, Free, Honest, Rigid, System, named},
};

/// Public inputs that are free, and through what.
const FREE: [(&str, &str); 2] = [("commitment", "its salt"), ("digest", "its own salt")];

/// Witnesses that are looked at: of both colors.
const WITNESSES: usize = 2;

/// What is free at a witness: public inputs by name, and the cells of numbers on rows that aren't additions.
fn free<const SHOWN: bool, const SMALL: bool>(system: &System, names: &[&str]) -> Free {
    let mut meta = ConstraintSystem::default();
    let column = SetConfig::<SHOWN, SMALL>::configure(&mut meta).sum.number.index();
    let usable = system.rows - meta.blinding_factors() - 1;
    let cells = (0..usable).map(|row| column * system.rows + row).filter(|cell| system.advice[*cell].is_none());
    let unused = cells.map(|cell| (cell as CellId, "a number on a row that isn't an addition".to_string()));
    named(system, names, &FREE).into_iter().chain(unused).collect()
}

fn is_output(names: &[&str], row: usize) -> bool {
    names.get(row).is_some_and(|name| FREE.iter().all(|(free, _)| free != name))
}

impl Rigid for SmallShownCircuit {
    const LOOSENED: &'static [usize] = &[14264, 14264];
    const UNBOUND: &'static [usize] = &[13930; WITNESSES];

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
            free: Box::new(|system, _| free::<true, true>(system, &ShownInputs::NAMES)),
        });
        draws.collect()
    }

    fn forged() -> BTreeSet<Label> {
        forgeries::reasons(SetKind::Shown)
    }
}

impl Rigid for SmallAskedCircuit {
    const LOOSENED: &'static [usize] = &[13894, 13919];
    const UNBOUND: &'static [usize] = &[13500; WITNESSES];

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
            free: Box::new(|system, _| free::<false, true>(system, &AskedInputs::NAMES)),
        });
        draws.collect()
    }

    fn forged() -> BTreeSet<Label> {
        forgeries::reasons(SetKind::Asked)
    }
}
