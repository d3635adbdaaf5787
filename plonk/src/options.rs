//! How a proof is made. Nothing of it changes what the proof says.

use crate::products::{LookupOrder, ascending};
use crate::watch::Watch;
use lanes::Lanes;

#[derive(Clone, Copy)]
pub struct Options<'a> {
    pub watch: &'a dyn Watch,
    /// What computes eight elements at once, if anything does.
    pub lanes: Option<Lanes>,
    /// By what the inputs of each lookup, by its number, are sorted: anything by which different values have different ranks.
    pub order: &'a LookupOrder<'a>,
}

impl<'a> Options<'a> {
    /// Lookups in the order of numbers, and what the processor has.
    pub fn new(watch: &'a dyn Watch) -> Self {
        Self { watch, lanes: Lanes::chosen().unwrap_or(None), order: &|_, value| ascending(value) }
    }
}
