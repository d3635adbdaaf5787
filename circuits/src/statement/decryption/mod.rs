//! *decryption*: a share of a product's decryption is made with the opened key share (engine `bfv-steps`). Verified by the peer alone. The native twin is
//! `engines::bfv::decryption::check`, which says the relations.

#[cfg(test)]
mod tests;

use std::array;

use engines::bfv::{
    decryption::{DECRYPTION_COLUMNS, DecryptionPrivate, DecryptionStatement, FLOOD_FACTOR},
    integers::moduli,
};
use ff::Field;
use halo2curves::bn256::Fr;

use crate::gadget::ring::{
    RingCircuit, RingStatement,
    relation::{Digits, Relation, Relations},
};

/// *decryption*. Only its type is used.
#[derive(Clone, Copy, Debug)]
pub enum Decryption {}

pub type DecryptionCircuit = RingCircuit<Decryption>;

impl RingStatement for Decryption {
    const NAME: &'static str = "decryption";
    type Statement = DecryptionStatement;

    fn relations() -> Relations {
        let [a, share, second, decryption] = array::from_fn(|column| column);
        let key = 0;
        let [_, q_switched] = moduli();
        let relations = vec![
            Relation::with_error(share, vec![(Fr::ONE, a, key)]),
            // Multiplied by a number, a rest stands in so many steps.
            Relation {
                factor: Fr::from(FLOOD_FACTOR),
                modulus: q_switched * FLOOD_FACTOR,
                rest: Digits::topped(8),
                ..Relation::with_error(decryption, vec![(-Fr::ONE, second, key)])
            },
        ];
        Relations { public: DECRYPTION_COLUMNS, secrets: 1, relations, seen: None, sums: Vec::new() }
    }

    fn secrets(private: &DecryptionPrivate) -> Vec<&[i64]> {
        vec![&private.key]
    }
}
