//! *request data* against its native twin; every cell of it is bound; and its shape is *turn*'s.

mod rigidity;
mod values;

use std::collections::BTreeSet;

use ff::Field;
use fog::{
    statement::{
        request_data::{REQUEST_DATA_INPUTS, RequestDataPrivate, RequestDataPublic, check, gather},
        turn::TURN_INPUTS,
    },
    testing::{break_each, mutations_request_data, requests, seed},
};
use halo2_proofs::plonk::ConstraintSystem;
use halo2curves::bn256::Fr;
use rand::{SeedableRng, rngs::StdRng};

use super::RequestDataCircuit;
use crate::{
    StatementCircuit, TurnCircuit,
    gadget::{
        Columns as _, Layout, Tamper,
        trace::{assert_copies, lay},
    },
    laid::{self, LaidCircuit, is_satisfied},
};

fn instance(public: &RequestDataPublic) -> Vec<Fr> {
    RequestDataCircuit::instance(public).remove(0)
}

fn draw(seed: u64) -> (RequestDataPublic, RequestDataPrivate) {
    requests(seed).next().expect("an endless row")
}

#[test]
fn requests_satisfy_the_circuit() {
    for (public, private) in requests(seed(81)).take(3) {
        assert_eq!(LaidCircuit::statement::<RequestDataCircuit>(&public, &private).refusals(), []);
    }
}

/// The circuit says nothing of the curve, as its twin doesn't.
#[test]
fn any_coordinates_satisfy_the_circuit() {
    let (_, mut private) = draw(seed(82));
    private.request.points[5].y += Fr::ONE;
    private.request.points[6] = Default::default();
    let (public, private) = gather(private.request);
    assert_eq!(check(&public, &private), Ok(()));
    assert!(is_satisfied::<RequestDataCircuit>(&public, &private));
}

#[test]
fn a_broken_value_breaks_the_circuit() {
    break_each(&mutations_request_data(), 1, [("", draw(seed(83)))], |name, public, private, expected| {
        assert_eq!(check(public, private), Err(expected), "{name}");
        assert!(!is_satisfied::<RequestDataCircuit>(public, private), "{name}: the circuit doesn't notice");
    });
}

/// Those that it uses, and the zeros after them.
#[test]
fn every_public_input_is_bound() {
    let (public, private) = draw(seed(84));
    let valid = instance(&public);
    assert_eq!(valid.len(), TURN_INPUTS);
    assert!(valid[REQUEST_DATA_INPUTS..].iter().all(|value| *value == Fr::ZERO));
    laid::every_public_input_is_bound::<RequestDataCircuit>(&public, &private);
}

/// Whoever changes a copied cell, and makes all that follows from it fit, is refused at that very cell.
#[test]
fn every_copy_is_bound() {
    let seed = seed(85);
    let (public, private) = draw(seed);
    let honest = RequestDataCircuit::new(&public, &private);
    let instance = instance(&public);
    let (_, trace) = lay(&honest, &instance);
    let copies: BTreeSet<_> = trace.copies().collect();
    let taken = RequestDataCircuit::rows();
    let first = crate::statement::turn::config::TurnConfig::first_rows(taken);
    let hashed = copies.iter().filter(|(_, row)| (first.hashes..first.arithmetic).contains(row)).count();
    // A tag and two inputs for each of 64 leaves and 63 nodes.
    assert_eq!(hashed, 3 * 127);
    let computed = copies.iter().filter(|(_, row)| *row >= first.arithmetic).count();
    // Four operands an operation, of which z and the 128 coordinates are free. The two constants are no operations.
    assert_eq!(computed, 4 * (taken.arithmetic - 2) - 129);

    let mut rng = StdRng::seed_from_u64(seed);
    let tampers = copies.iter().map(|&(column, row)| Tamper { column, row, delta: Fr::random(&mut rng) });
    let broken = RequestDataCircuit { tampers: tampers.collect(), ..honest };
    assert_copies(&broken, &instance, &copies);
}

/// One verifier's code serves both: the constraint systems are the same, and so are the counts of public inputs.
#[test]
fn its_shape_is_turn_s() {
    let [mut own, mut turn] = [(); 2].map(|()| ConstraintSystem::<Fr>::default());
    RequestDataCircuit::configure(&mut own);
    TurnCircuit::configure(&mut turn);
    assert_eq!(format!("{:?}", own.pinned()), format!("{:?}", turn.pinned()));
    assert_eq!(RequestDataCircuit::K, TurnCircuit::K);
}

/// No fixed column is empty: its commitment would be the point at infinity, of which no Solidity verifier can be made.
#[test]
fn no_fixed_column_is_empty() {
    let (public, private) = draw(seed(86));
    let laid = LaidCircuit::statement::<RequestDataCircuit>(&public, &private);
    for (i, column) in laid.fixed.iter().enumerate() {
        assert!(column.iter().any(|value| *value != Fr::ZERO), "fixed column {i}");
    }
}
