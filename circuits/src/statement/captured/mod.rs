//! *captured*: the sight before a capture shows a man on the captured square (engine `bfv-steps`). Verified by the peer alone. The native twin is
//! `engines::bfv::captured::check`, which says the relations.

#[cfg(test)]
mod tests;

use std::array;

use engines::bfv::{
    captured::{CAPTURED_COLUMNS, CapturedStatement},
    integers::{KeyAndMask, moduli},
    parameters::PLAINTEXT,
};
use ff::Field;
use halo2curves::bn256::Fr;

use crate::gadget::ring::{
    RingCircuit, RingStatement,
    relation::{Digits, Relation, Relations, Seen},
};

/// *captured*. Only its type is used.
#[derive(Clone, Copy, Debug)]
pub enum Captured {}

pub type CapturedCircuit = RingCircuit<Captured>;

impl RingStatement for Captured {
    const NAME: &'static str = "captured";
    type Statement = CapturedStatement;

    fn relations() -> Relations {
        let [a, share, joint, first, second, opened, product, weights] = array::from_fn(|column| column);
        let [key, mask] = [0, 1];
        let [_, q_switched] = moduli();
        let opens = Relation::with_error(opened, vec![(Fr::ONE, product, key)]);
        Relations {
            public: CAPTURED_COLUMNS,
            secrets: 2,
            relations: vec![
                Relation::with_error(share, vec![(Fr::ONE, a, key)]),
                Relation::with_error(second, vec![(-Fr::ONE, a, mask)]),
                Relation::with_error(first, vec![(-Fr::ONE, joint, mask)]).of_plaintext(Digits::halved(2)),
                Relation { modulus: q_switched, ..opens }.of_plaintext(Digits::topped(9)),
            ],
            seen: Some(Seen { relation: 3, weights, modulus: PLAINTEXT }),
            sums: Vec::new(),
        }
    }

    fn secrets(private: &KeyAndMask) -> Vec<&[i64]> {
        vec![&private.key, &private.mask]
    }
}
