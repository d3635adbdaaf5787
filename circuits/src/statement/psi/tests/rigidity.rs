//! What is free in *shown* and *asked*, to first order: see [`crate::rigidity`].
//!
//! The commitment, through its salt, and the digest, through its own. No private cell is that means anything: the state is bits and flags, the exponent bits,
//! the blinding digits, what became of the men flags and bits, and everything else follows from them and from the weights, which are given. On rows that aren't additions the column of numbers
//! is free against that of bit 0: lookups read both, and what they find there means nothing.

use std::collections::BTreeSet;

use engines::{
    psi::{
        catalogue::SetKind,
        statement::{asked::AskedInputs, shown::ShownInputs},
    },
    testing::{asked_sets, shown_sets},
};
use halo2_proofs::plonk::ConstraintSystem;
use halo2curves::bn256::Fr;

use super::{
    super::{AskedCircuit, ShownCircuit, config::SetConfig},
    forgeries,
};
use crate::{
    StatementCircuit,
    gadget::{Columns as _, Label},
    rigidity::{CellId, Free, Honest, Rigid, System, named},
};

/// Public inputs that are free, and through what.
const FREE: [(&str, &str); 2] = [("commitment", "its salt"), ("digest", "its own salt")];

/// What is free at a witness: public inputs by name, and the cells of numbers on rows that aren't additions.
fn free<const SHOWN: bool, const SMALL: bool>(
    configure: fn(&mut ConstraintSystem<Fr>) -> SetConfig<SHOWN, SMALL>,
    system: &System,
    names: &[&str],
) -> Free {
    let mut meta = ConstraintSystem::default();
    let column = configure(&mut meta).sum.number.index();
    let usable = system.rows - meta.blinding_factors() - 1;
    let cells = (0..usable).map(|row| column * system.rows + row).filter(|cell| system.advice[*cell].is_none());
    let unused = cells.map(|cell| (cell as CellId, "a number on a row that isn't an addition".to_string()));
    named(system, names, &FREE).into_iter().chain(unused).collect()
}

fn is_output(names: &[&str], row: usize) -> bool {
    names.get(row).is_some_and(|name| FREE.iter().all(|(free, _)| free != name))
}

/// Makes a set's circuit rigid, of an extent: with the dimensions at its first witnesses, which are of both colors. Full sets, whose constraints are laid by the same lines, are
/// looked at in the tangent space alone and at one witness, since that takes long.
macro_rules! rigid {
    ($circuit:ty, $kind:ident, $draws:ident, $inputs:ident, $witnesses:literal, $loosened:expr, $unbound:expr) => {
        impl Rigid for $circuit {
            const LOOSENED: &'static [usize] = $loosened;
            const UNBOUND: &'static [usize] = $unbound;

            fn is_given(row: usize) -> bool {
                row >= $inputs::NAMES.len()
            }

            fn is_output(row: usize) -> bool {
                is_output(&$inputs::NAMES, row)
            }

            fn honest(seed: u64) -> Vec<Honest<Self>> {
                let extent = <Self as StatementCircuit>::Columns::EXTENT;
                let draws = $draws(extent, seed).take($witnesses).map(|(public, private)| Honest {
                    what: format!("{}, {:?}", public.set.color, public.set.phase),
                    circuit: Self::new(&public, &private),
                    free: Box::new(|system, _| {
                        free(<Self as StatementCircuit>::Columns::configure, system, &$inputs::NAMES)
                    }),
                });
                draws.collect()
            }

            fn forged() -> BTreeSet<Label> {
                forgeries::reasons(SetKind::$kind)
            }
        }
    };
}

rigid!(ShownCircuit<true>, Shown, shown_sets, ShownInputs, 2, &[14264, 14264], &[13930, 13930]);
rigid!(AskedCircuit<true>, Asked, asked_sets, AskedInputs, 2, &[13894, 13919], &[13500, 13500]);
rigid!(ShownCircuit<false>, Shown, shown_sets, ShownInputs, 1, &[], &[]);
rigid!(AskedCircuit<false>, Asked, asked_sets, AskedInputs, 1, &[], &[]);
