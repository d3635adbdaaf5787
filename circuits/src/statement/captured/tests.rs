//! *captured* against its native twin, and a forgery for every constraint.

mod forgeries;

use std::collections::BTreeSet;

use engines::{
    bfv::captured::CAPTURED_COLUMNS,
    testing::{captured, mutations_captured},
};
use fog::testing::seed;
use halo2_proofs::dev::{MockProver, VerifyFailure};
use halo2curves::bn256::Fr;

use super::{CapturedCircuit, values::Values};
use crate::StatementCircuit;

/// What a cheat makes of the columns of the second phase.
pub type Lie = fn(&CapturedCircuit, Values, [Fr; 2]) -> Values;

/// The constraints that don't hold, lookups by their numbers.
fn refusals(circuit: &CapturedCircuit) -> BTreeSet<String> {
    let prover = MockProver::run(CapturedCircuit::K, circuit, circuit.public.to_vec());
    let failures = prover.expect("it fits its rows").verify_par().err().unwrap_or_default();
    let name = |failure: VerifyFailure| match failure {
        VerifyFailure::ConstraintNotSatisfied { constraint, .. } => constraint.to_string(),
        VerifyFailure::Lookup { lookup_index, .. } => format!("lookup {lookup_index}"),
        other => format!("{other:?}"),
    };
    failures.into_iter().map(name).collect()
}

/// The circuit takes what the native check takes, at the edges of each relation, and refuses what that refuses.
#[test]
fn the_circuit_agrees_with_its_twin() {
    let (public, private) = captured(seed(311)).next().expect("a capture");
    assert_eq!(refusals(&CapturedCircuit::new(&public, &private)), BTreeSet::new());
    for mutation in mutations_captured(&public, &private) {
        let refusals = refusals(&CapturedCircuit::new(&mutation.public, &mutation.private));
        assert_eq!(refusals.is_empty(), mutation.expected.is_none(), "{}: {refusals:?}", mutation.name);
    }
}

#[test]
fn captures_of_both_colors_are_satisfied() {
    let mut colors = BTreeSet::new();
    for (public, private) in captured(seed(312)) {
        if colors.insert(public.color.index()) {
            let circuit = CapturedCircuit::new(&public, &private);
            assert_eq!(CapturedCircuit::instance(&public).len(), CAPTURED_COLUMNS);
            assert_eq!(refusals(&circuit), BTreeSet::new());
        }
        if colors.len() == 2 {
            return;
        }
    }
}
