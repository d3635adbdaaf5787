//! *key share* against its native twin, and a forgery for every constraint.

use std::collections::BTreeSet;

use engines::{
    bfv::{
        parameters::DEGREE,
        shares::{KEY_SHARE_COLUMNS, check},
    },
    testing::{key_shares, key_shares_at_edges, mutations_key_share_at_large},
};

use super::{KeyShare, KeyShareCircuit};
use crate::{
    StatementCircuit,
    gadget::ring::{
        RingStatement,
        relation::Place,
        tests::{
            every_constraint_of_the_relations_is_needed, every_digit_has_its_range, lookup_of, refusals,
            refusals_in_rows,
        },
    },
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

/// The circuit refuses what the native check refuses; with all relations at their edges it takes the statement, and one beyond them each relation's digit is refused in
/// its row.
#[test]
fn the_circuit_of_shares_agrees_with_its_twin() {
    let (public, private) = key_shares().remove(1);
    for mutation in mutations_key_share_at_large(&public, &private) {
        let refusals = refusals(&KeyShareCircuit::new(&mutation.public, &mutation.private));
        assert_eq!(refusals.is_empty(), mutation.expected.is_none(), "{}: {refusals:?}", mutation.name);
    }
    let relations = KeyShare::relations();
    let of_rest = |[_, rest]: [Place; 2]| lookup_of(&relations, relations.limbs() + rest.small / 2);
    let beyond: BTreeSet<_> = relations.places().into_iter().map(of_rest).zip((0..DEGREE).rev()).collect();
    for (name, is_true, public) in key_shares_at_edges(&public, &private) {
        assert_eq!(check(&public, &private).is_ok(), is_true, "{name}");
        let expected = if is_true { BTreeSet::new() } else { beyond.clone() };
        assert_eq!(refusals_in_rows(&KeyShareCircuit::new(&public, &private)), expected, "{name}");
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
