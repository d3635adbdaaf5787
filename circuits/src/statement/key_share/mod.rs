//! *key share*: a player's shares of the joint keys are made from one small secret (engine `bfv-steps`). Verified by the peer alone. The native twin is
//! `engines::bfv::shares::check`, which says the relations.

#[cfg(test)]
mod tests;

use std::array;

use engines::bfv::{
    integers::KeyAndMask,
    shares::{KEY_SHARE_COLUMNS, KeyShareStatement, weights},
};
use ff::Field;
use halo2curves::bn256::Fr;

use crate::gadget::ring::{
    RingCircuit, RingStatement, element,
    relation::{Relation, Relations},
};

/// *key share*. Only its type is used.
#[derive(Clone, Copy, Debug)]
pub enum KeyShare {}

pub type KeyShareCircuit = RingCircuit<KeyShare>;

impl RingStatement for KeyShare {
    const NAME: &'static str = "key-share";
    type Statement = KeyShareStatement;

    fn relations() -> Relations {
        let [key, mask] = [0, 1];
        let mut relations = vec![Relation::with_error(1, vec![(Fr::ONE, 0, key)])];
        for (number, weight) in weights().into_iter().enumerate() {
            // The columns of a prime, after those of `a` and `b`.
            let [common, first, second, difference, joint, round_2] = array::from_fn(|column| 2 + 6 * number + column);
            let weight = -element(&weight.into());
            relations.extend([
                Relation {
                    multiples: vec![(weight, key)],
                    ..Relation::with_error(first, vec![(Fr::ONE, common, mask)])
                },
                Relation::with_error(second, vec![(-Fr::ONE, common, key)]),
                Relation::with_error(round_2, vec![(-Fr::ONE, difference, key), (-Fr::ONE, joint, mask)]),
            ]);
        }
        Relations { public: KEY_SHARE_COLUMNS, secrets: 2, relations, seen: None, sums: Vec::new() }
    }

    fn secrets(private: &KeyAndMask) -> Vec<&[i64]> {
        vec![&private.key, &private.mask]
    }
}
