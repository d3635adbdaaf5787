//! A vector's hash from the cells of its slots, as `engines::bfv::vector::Kind::hash` makes it.

use engines::bfv::vector::{Kind, SLOTS};
use ff::Field;
use fog::poseidon::Tag;
use halo2curves::bn256::Fr;

use crate::gadget::{Cell, Context};

/// The hash of all slots, in their order.
pub fn hash(cx: &mut Context<'_>, kind: Kind, slots: &[Cell], salt: Fr) -> Cell {
    assert_eq!(slots.len(), SLOTS, "a slot has no cell");
    let weight = |place: usize| Fr::from(2).pow([(place * kind.bits()) as u64]);
    let elements: Vec<Cell> = slots
        .chunks(kind.packed())
        .map(|slots| {
            let terms: Vec<_> = (0..).map(weight).zip(slots.iter().copied()).collect();
            cx.add_terms(cx.zero, &terms)
        })
        .collect();
    let (first, others) = elements.split_first().expect("a vector has slots");
    let root = others.iter().fold(*first, |sum, element| cx.hash(Tag::Node, sum, *element)[0]);
    let salt = cx.witness(salt);
    cx.hash(Tag::Vector, root, salt)[0]
}
