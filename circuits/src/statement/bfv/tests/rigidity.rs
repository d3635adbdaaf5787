//! What is free in *item* and *view*, to first order: see [`crate::rigidity`].
//!
//! The commitment, through its salt, and the vector's hash, through its own. No private cell is: the state is bits and flags, which don't move, and
//! slots follow from them. So while the salts stand still no slot can move, nor a zero that fills the shape.

use std::collections::BTreeSet;

use engines::{
    bfv::vector::Kind,
    testing::{named::VectorInputs, vectors},
};

use super::{
    forgeries,
    named::{NamedItem, NamedView},
};
use crate::{
    gadget::Label,
    rigidity::{Honest, Rigid, named},
};

/// Public inputs that are free, and through what.
const FREE: [(&str, &str); 2] = [("commitment", "its salt"), ("vector", "the salt of its hash")];

/// Witnesses that are looked at: of both colors.
const WITNESSES: usize = 2;

fn honest<C: crate::gadget::Layout<Public = super::VectorPublic, Private = super::VectorPrivate>>(
    kind: Kind,
    seed: u64,
) -> Vec<Honest<C>> {
    let draws = vectors(kind, seed).take(WITNESSES).map(|(public, private)| Honest {
        what: format!("{}, {:?}", public.color, public.phase),
        circuit: C::new(&public, &private),
        free: Box::new(|system, _| named(system, &VectorInputs::NAMES, &FREE)),
    });
    draws.collect()
}

fn is_output(row: usize) -> bool {
    VectorInputs::NAMES.get(row).is_none_or(|name| FREE.iter().all(|(free, _)| free != name))
}

impl Rigid for NamedItem {
    const LOOSENED: &'static [usize] = &[277; WITNESSES];
    const UNBOUND: &'static [usize] = &[2; WITNESSES];

    fn is_output(row: usize) -> bool {
        is_output(row)
    }

    fn honest(seed: u64) -> Vec<Honest<Self>> {
        honest(Kind::Item, seed)
    }

    fn forged() -> BTreeSet<Label> {
        forgeries::reasons(Kind::Item)
    }
}

impl Rigid for NamedView {
    const LOOSENED: &'static [usize] = &[277; WITNESSES];
    const UNBOUND: &'static [usize] = &[2; WITNESSES];

    fn is_output(row: usize) -> bool {
        is_output(row)
    }

    fn honest(seed: u64) -> Vec<Honest<Self>> {
        honest(Kind::View, seed)
    }

    fn forged() -> BTreeSet<Label> {
        forgeries::reasons(Kind::View)
    }
}
