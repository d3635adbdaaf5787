//! The circuit's cells: what its floor planner assigns when it is given the private inputs.

use crate::constraints::usable_rows;
use crate::invert::invert_or_zero;
use halo2_proofs::circuit::Value;
use halo2_proofs::plonk::{
    Advice, Any, Assigned, Assignment, Challenge, Circuit, Column, ConstraintSystem, Error, Fixed, FloorPlanner,
    Instance, Selector,
};
use halo2curves::bn256::Fr;
use halo2curves::ff::Field;
use std::collections::BTreeMap;

/// Fills the advice columns of a circuit of 2^k rows, of which the last few are left zero for random values.
pub(crate) fn witness<C: Circuit<Fr>>(
    circuit: &C,
    cs: &ConstraintSystem<Fr>,
    k: u32,
    instances: &[&[Fr]],
) -> Result<Vec<Vec<Fr>>, Error> {
    let rows = 1 << k;
    let usable = usable_rows(cs, k);
    let advice = vec![vec![Fr::ZERO; rows]; cs.num_advice_columns()];
    let mut witness = Witness { k, usable, instances, advice, fractions: BTreeMap::new(), missing: false };
    let mut own = ConstraintSystem::default();
    let config = C::configure_with_params(&mut own, circuit.params());
    C::FloorPlanner::synthesize(&mut witness, circuit, config, cs.constants().clone())?;
    if witness.missing {
        return Err(Error::Synthesis);
    }
    Ok(witness.finish())
}

struct Witness<'a> {
    k: u32,
    usable: usize,
    instances: &'a [&'a [Fr]],
    advice: Vec<Vec<Fr>>,
    /// The denominators of cells that are fractions, by column and row. `advice` has the numerators.
    fractions: BTreeMap<(usize, usize), Fr>,
    /// A cell was given no value, or has no place.
    missing: bool,
}

impl Witness<'_> {
    /// Carries out the divisions. By zero they give zero.
    fn finish(mut self) -> Vec<Vec<Fr>> {
        let mut denominators: Vec<Fr> = self.fractions.values().copied().collect();
        invert_or_zero(&mut denominators);
        for ((column, row), inverse) in self.fractions.keys().zip(denominators) {
            self.advice[*column][*row] *= inverse;
        }
        self.advice
    }
}

/// Values are taken from the circuit and never given back: a circuit that asks an assigned cell for its value is told that it isn't known,
/// and can't be proven. (The library hands out references with a lifetime of the caller's choice, which takes unsafe code.)
impl Assignment<Fr> for Witness<'_> {
    fn enter_region<NR: Into<String>, N: FnOnce() -> NR>(&mut self, _: N) {}

    fn annotate_column<A: FnOnce() -> AR, AR: Into<String>>(&mut self, _: A, _: Column<Any>) {}

    fn exit_region(&mut self) {}

    fn enable_selector<A: FnOnce() -> AR, AR: Into<String>>(
        &mut self,
        _: A,
        _: &Selector,
        _: usize,
    ) -> Result<(), Error> {
        Ok(())
    }

    fn query_instance(&self, column: Column<Instance>, row: usize) -> Result<Value<Fr>, Error> {
        if row >= self.usable {
            return Err(Error::NotEnoughRowsAvailable { current_k: self.k });
        }
        let value = self.instances.get(column.index()).and_then(|column| column.get(row));
        value.map(|value| Value::known(*value)).ok_or(Error::BoundsFailure)
    }

    fn assign_advice<'v>(
        &mut self,
        column: Column<Advice>,
        row: usize,
        to: Value<Assigned<Fr>>,
    ) -> Value<&'v Assigned<Fr>> {
        let mut assigned = None;
        to.map(|value| assigned = Some(value));
        match assigned.filter(|_| row < self.usable) {
            None => self.missing = true,
            Some(value) => {
                self.advice[column.index()][row] = value.numerator();
                match value.denominator() {
                    Some(denominator) => self.fractions.insert((column.index(), row), denominator),
                    None => self.fractions.remove(&(column.index(), row)),
                };
            }
        }
        Value::unknown()
    }

    fn assign_fixed(&mut self, _: Column<Fixed>, _: usize, _: Assigned<Fr>) {}

    fn copy(&mut self, _: Column<Any>, _: usize, _: Column<Any>, _: usize) {}

    fn fill_from_row(&mut self, _: Column<Fixed>, _: usize, _: Value<Assigned<Fr>>) -> Result<(), Error> {
        Ok(())
    }

    fn get_challenge(&self, _: Challenge) -> Value<Fr> {
        Value::unknown()
    }

    fn push_namespace<NR: Into<String>, N: FnOnce() -> NR>(&mut self, _: N) {}

    fn pop_namespace(&mut self, _: Option<String>) {}
}
