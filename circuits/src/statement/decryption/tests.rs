//! *decryption* against its native twin, and a forgery for every constraint.

use std::collections::BTreeSet;

use engines::testing::{decryptions, mutations_decryption};
use fog::testing::seed;

use super::DecryptionCircuit;
use crate::{
    StatementCircuit,
    gadget::ring::tests::{every_constraint_of_the_relations_is_needed, every_digit_has_its_range, refusals},
};

/// The column of the share of the public key.
const SHARE: usize = 1;

/// A true statement's circuit.
fn honest(number: u64) -> DecryptionCircuit {
    let (public, private) = decryptions(seed(number)).next().expect("a sight");
    DecryptionCircuit::new(&public, &private)
}

/// The circuit takes what the native check takes, at the edges of each relation, and refuses what that refuses.
#[test]
fn the_circuit_of_decryptions_agrees_with_its_twin() {
    let (public, private) = decryptions(seed(341)).next().expect("a sight");
    assert_eq!(refusals(&DecryptionCircuit::new(&public, &private)), BTreeSet::new());
    for mutation in mutations_decryption(&public, &private) {
        let refusals = refusals(&DecryptionCircuit::new(&mutation.public, &mutation.private));
        assert_eq!(refusals.is_empty(), mutation.expected.is_none(), "{}: {refusals:?}", mutation.name);
    }
}

#[test]
fn every_constraint_of_the_relations_of_decryptions_is_needed() {
    every_constraint_of_the_relations_is_needed(honest(342), SHARE);
}

#[test]
fn every_digit_of_decryptions_has_its_range() {
    every_digit_has_its_range(&honest(343));
}
