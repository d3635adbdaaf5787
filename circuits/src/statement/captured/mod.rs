//! *captured*: the sight before a capture shows a man on the captured square (engine `bfv-steps`). Verified by the peer alone. The native twin is
//! `engines::bfv::captured::check`, which says the relations.

#[cfg(test)]
mod tests;

use std::array;

use engines::bfv::{
    captured::{CAPTURED_COLUMNS, CapturedPrivate, CapturedPublic},
    integers::moduli,
    parameters::PLAINTEXT,
};
use ff::Field;
use halo2curves::bn256::Fr;
use num_bigint::BigUint;

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
    type Public = CapturedPublic;
    type Private = CapturedPrivate;

    fn relations() -> Relations {
        let [a, share, joint, first, second, opened, product, weights] = array::from_fn(|column| column);
        let [key, mask] = [0, 1];
        let ([q, q_switched], t) = (moduli(), Fr::from(PLAINTEXT));
        let of = |public, product, factor, modulus: &BigUint, over, rest| {
            let modulus = modulus.clone();
            Relation { public, products: vec![product], multiples: Vec::new(), factor, modulus, over, rest }
        };
        let (over, plaintext) = (Digits::halved(1), Digits::topped(2));
        Relations {
            public: CAPTURED_COLUMNS,
            secrets: 2,
            relations: vec![
                of(share, (Fr::ONE, a, key), Fr::ONE, &q, over, Digits::SMALL),
                of(second, (-Fr::ONE, a, mask), Fr::ONE, &q, over, Digits::SMALL),
                of(first, (-Fr::ONE, joint, mask), t, &q, plaintext, Digits::halved(2)),
                of(opened, (Fr::ONE, product, key), t, &q_switched, plaintext, Digits::topped(9)),
            ],
            seen: Some(Seen { relation: 3, weights, modulus: PLAINTEXT }),
            sums: Vec::new(),
        }
    }

    fn columns(public: &CapturedPublic) -> Vec<Vec<Fr>> {
        public.columns().to_vec()
    }

    fn secrets(private: &CapturedPrivate) -> Vec<&[i64]> {
        vec![&private.key, &private.mask]
    }
}
