//! The rows that a statement's witness uses, lookup tables not counted: what a floor planner assigns of advice.

use circuits::{AnyCircuit, StatementCircuit};
use halo2_proofs::circuit::Value;
use halo2_proofs::plonk::{
    Advice, Any, Assigned, Assignment, Challenge, Circuit, Column, ConstraintSystem, Error, Fixed, FloorPlanner,
    Instance, Selector,
};
use halo2curves::bn256::Fr;

/// The number of rows from the first to the last one that the blank circuit assigns advice in.
pub fn used_rows<C: StatementCircuit>() -> Result<usize, Error> {
    let circuit = AnyCircuit::of(C::blank());
    let mut constraints = ConstraintSystem::<Fr>::default();
    let config = AnyCircuit::configure_with_params(&mut constraints, circuit.params());
    let mut rows = AdviceRows(0);
    <AnyCircuit as Circuit<Fr>>::FloorPlanner::synthesize(
        &mut rows,
        &circuit,
        config,
        constraints.constants().clone(),
    )?;
    Ok(rows.0)
}

/// How many rows reach to the last one that advice was assigned in.
struct AdviceRows(usize);

impl Assignment<Fr> for AdviceRows {
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

    fn query_instance(&self, _: Column<Instance>, _: usize) -> Result<Value<Fr>, Error> {
        Ok(Value::unknown())
    }

    fn assign_advice<'v>(&mut self, _: Column<Advice>, row: usize, _: Value<Assigned<Fr>>) -> Value<&'v Assigned<Fr>> {
        self.0 = self.0.max(row + 1);
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
