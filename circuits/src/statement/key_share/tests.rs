//! *key share* against its native twin, and a forgery for every constraint.

use std::collections::BTreeSet;

use engines::{
    bfv::shares::KEY_SHARE_COLUMNS,
    testing::{key_shares, mutations_key_share},
};

use super::KeyShareCircuit;
use crate::{
    StatementCircuit,
    gadget::ring::tests::{every_constraint_of_the_relations_is_needed, every_digit_has_its_range, refusals},
};

/// The column of the share of the public key.
const SHARE: usize = 1;

/// A true statement's circuit.
fn honest() -> KeyShareCircuit {
    let (public, private) = key_shares().remove(0);
    KeyShareCircuit::new(&public, &private)
}

#[test]
fn shares_of_both_players_are_satisfied() {
    let shares = key_shares();
    assert_eq!(shares.len(), 2);
    for (public, private) in shares {
        assert_eq!(KeyShareCircuit::instance(&public).len(), KEY_SHARE_COLUMNS);
        assert_eq!(refusals(&KeyShareCircuit::new(&public, &private)), BTreeSet::new());
    }
}

/// The circuit takes what the native check takes, at the edges of each relation, and refuses what that refuses.
#[test]
fn the_circuit_of_shares_agrees_with_its_twin() {
    let (public, private) = key_shares().remove(1);
    for mutation in mutations_key_share(&public, &private) {
        let refusals = refusals(&KeyShareCircuit::new(&mutation.public, &mutation.private));
        assert_eq!(refusals.is_empty(), mutation.expected.is_none(), "{}: {refusals:?}", mutation.name);
    }
}

#[test]
fn every_constraint_of_the_relations_of_shares_is_needed() {
    every_constraint_of_the_relations_is_needed(honest(), SHARE);
}

#[test]
fn every_digit_of_shares_has_its_range() {
    every_digit_has_its_range(&honest());
}
