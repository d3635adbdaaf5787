//! *captured* against its native twin, and a forgery for every constraint.

use std::collections::BTreeSet;

use engines::{
    bfv::{
        captured::CAPTURED_COLUMNS,
        parameters::{DEGREE, PLAINTEXT},
    },
    testing::{captured, mutations_captured},
};
use ff::Field;
use fog::testing::seed;
use halo2curves::bn256::Fr;

use super::{Captured, CapturedCircuit};
use crate::{
    StatementCircuit,
    gadget::ring::{
        RingStatement,
        tests::{
            Numbers, assert_only, every_constraint_of_the_relations_is_needed, every_digit_has_its_range, lookup_of,
            refusals,
        },
    },
};

/// The columns of public inputs that a test changes.
const SHARE: usize = 1;
const WEIGHTS: usize = 7;

/// A true statement's circuit.
fn honest(number: u64) -> CapturedCircuit {
    let (public, private) = captured(seed(number)).next().expect("a capture");
    CapturedCircuit::new(&public, &private)
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

#[test]
fn every_constraint_of_the_relations_of_captures_is_needed() {
    every_constraint_of_the_relations_is_needed(honest(313), SHARE);
}

#[test]
fn every_digit_of_captures_has_its_range() {
    every_digit_has_its_range(&honest(315));
}

/// Where nobody was seen, each way to say so but for one constraint.
#[test]
fn every_constraint_of_what_is_seen_is_needed() {
    let circuit = honest(314);
    let relations = Captured::relations();
    let mut public = circuit.public();
    // A square of which no slot has anything.
    public[WEIGHTS] = vec![Fr::ZERO; DEGREE];
    let [plain, times] = relations.places()[3];
    let with = |change: &dyn Fn(&mut Numbers)| {
        let mut numbers = circuit.numbers();
        numbers.sums[0] = vec![Fr::ZERO; DEGREE + 1];
        for column in numbers.limbs.iter_mut().chain(&mut numbers.small) {
            column[DEGREE] = Fr::ZERO;
        }
        change(&mut numbers);
        CapturedCircuit::forged(public.clone(), numbers)
    };
    assert_only(&with(&|_| ()), "something is seen");
    assert_only(&with(&|numbers| numbers.sums[0].fill(-Fr::ONE)), "the sum is complete");
    assert_only(&with(&|numbers| numbers.sums[0][1..].fill(-Fr::ONE)), "sum = plaintext·weight + sum'");
    // Nothing at all, and a number that isn't whole.
    let seen = lookup_of(&relations, plain.limb);
    assert_only(&with(&|numbers| numbers.limbs[plain.limb][DEGREE] = -Fr::ONE), &seen);
    let part = Fr::from(PLAINTEXT).invert().unwrap();
    let of_times = lookup_of(&relations, times.limb);
    assert_only(&with(&|numbers| numbers.limbs[times.limb][DEGREE] = -part), &of_times);
}
