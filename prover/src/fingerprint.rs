//! A circuit's fingerprint, by which tests, key files and the changelog name it: it changes whenever the circuit does.
//!
//! It hashes all that keys are made from besides the parameters: the constraint system, and every selector, fixed value and
//! copy that the blank circuit lays out. So any change to a circuit that would change its keys changes it.

use crate::{KeyError, Sha256Hash, Statement};
use circuits::AnyCircuit;
use halo2_proofs::circuit::Value;
use halo2_proofs::plonk::{
    Advice, Any, Assigned, Assignment, Challenge, Circuit, Column, ConstraintSystem, Error, Fixed, FloorPlanner,
    Instance, Selector,
};
use halo2curves::bn256::Fr;
use halo2curves::ff::PrimeField;
use sha2::{Digest, Sha256};

/// The version of the proof system, whose own changes may change keys. A test compares it with the
/// lock file.
const PROOF_SYSTEM: &str = "halo2-axiom 0.5.3";

/// The fingerprint of a statement's circuit.
pub fn fingerprint<C: Statement>() -> Result<Sha256Hash, KeyError> {
    Ok(Sha256Hash(layout::<C>()?.hash.finalize().into()))
}

/// The number of rows that a statement's circuit uses for its witness, lookup tables not counted.
pub(crate) fn rows<C: Statement>() -> Result<usize, KeyError> {
    Ok(layout::<C>()?.rows)
}

fn layout<C: Statement>() -> Result<Layout, KeyError> {
    let mut layout = Layout::default();
    layout.text(PROOF_SYSTEM);
    layout.text(C::NAME);
    layout.number(C::K as usize);
    layout.circuit(&AnyCircuit::of(C::blank()), &format!("{:?} {:?}", C::TRANSCRIPT, C::INSTANCES))?;
    Ok(layout)
}

/// Hashes what a floor planner assigns.
#[derive(Default)]
struct Layout {
    hash: Sha256,
    rows: usize,
}

impl Layout {
    /// The constraint system, after what is said of proofs, and all that is laid.
    fn circuit(&mut self, circuit: &AnyCircuit, proofs: &str) -> Result<(), Error> {
        let mut constraints = ConstraintSystem::<Fr>::default();
        let config = AnyCircuit::configure_with_params(&mut constraints, circuit.params());
        self.text(&format!("{proofs} {:?}", constraints.pinned()));
        let constants = constraints.constants().clone();
        <AnyCircuit as Circuit<Fr>>::FloorPlanner::synthesize(self, circuit, config, constants)
    }

    fn number(&mut self, number: usize) {
        self.hash.update((number as u64).to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.number(text.len());
        self.hash.update(text);
    }

    fn event(&mut self, kind: u8, column: usize, row: usize) {
        self.hash.update([kind]);
        self.number(column);
        self.number(row);
    }

    fn value(&mut self, value: &Assigned<Fr>) {
        self.hash.update(value.numerator().to_repr());
        self.hash.update(value.denominator().map_or([0; 32], |denominator| denominator.to_repr()));
    }

    fn cell(&mut self, column: Column<Any>, row: usize) {
        let kind = match column.column_type() {
            Any::Advice(_) => b'a',
            Any::Fixed => b'f',
            Any::Instance => b'i',
        };
        self.event(kind, column.index(), row);
    }
}

impl Assignment<Fr> for Layout {
    fn enter_region<NR: Into<String>, N: FnOnce() -> NR>(&mut self, _: N) {}

    fn annotate_column<A: FnOnce() -> AR, AR: Into<String>>(&mut self, _: A, _: Column<Any>) {}

    fn exit_region(&mut self) {}

    fn enable_selector<A: FnOnce() -> AR, AR: Into<String>>(
        &mut self,
        _: A,
        selector: &Selector,
        row: usize,
    ) -> Result<(), Error> {
        self.event(b's', selector.index(), row);
        Ok(())
    }

    fn query_instance(&self, _: Column<Instance>, _: usize) -> Result<Value<Fr>, Error> {
        Ok(Value::unknown())
    }

    fn assign_advice<'v>(&mut self, _: Column<Advice>, row: usize, _: Value<Assigned<Fr>>) -> Value<&'v Assigned<Fr>> {
        self.rows = self.rows.max(row + 1);
        Value::unknown()
    }

    fn assign_fixed(&mut self, column: Column<Fixed>, row: usize, to: Assigned<Fr>) {
        self.event(b'=', column.index(), row);
        self.value(&to);
    }

    fn copy(&mut self, left: Column<Any>, left_row: usize, right: Column<Any>, right_row: usize) {
        self.hash.update(b"c");
        self.cell(left, left_row);
        self.cell(right, right_row);
    }

    fn fill_from_row(&mut self, column: Column<Fixed>, row: usize, to: Value<Assigned<Fr>>) -> Result<(), Error> {
        self.event(b'*', column.index(), row);
        to.map(|value| self.value(&value));
        Ok(())
    }

    fn get_challenge(&self, _: Challenge) -> Value<Fr> {
        Value::unknown()
    }

    fn push_namespace<NR: Into<String>, N: FnOnce() -> NR>(&mut self, _: N) {}

    fn pop_namespace(&mut self, _: Option<String>) {}
}

#[cfg(test)]
mod tests {
    use super::PROOF_SYSTEM;

    #[test]
    fn the_version_is_the_one_in_the_lock_file() {
        let lock = include_str!("../../Cargo.lock");
        let (name, version) = PROOF_SYSTEM.split_once(' ').unwrap();
        assert!(lock.contains(&format!("name = \"{name}\"\nversion = \"{version}\"\n")));
    }
}
