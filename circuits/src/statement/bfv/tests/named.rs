//! A vector named by its hash, as a circuit of its own: so its slots are held against native ones without a ciphertext.

use engines::{
    bfv::vector::{Kind, SLOTS},
    testing::named::{VectorPrivate, VectorPublic, VectorStatement},
};
use fog::poseidon::Tag;
use halo2curves::bn256::Fr;

use super::super::{BoardWitness, witness::Witness};
use crate::{
    gadget::{Assigned, Cell, CircuitOf, Context, power},
    statement::own_step::config::OwnStepConfig,
};

/// What is assigned of it.
pub struct Named<const ITEM: bool>(BoardWitness<ITEM>);

pub type NamedItem = CircuitOf<Named<true>>;
pub type NamedView = CircuitOf<Named<false>>;

impl<const ITEM: bool> Assigned for Named<ITEM> {
    const NAME: &'static str = if ITEM { "item" } else { "view" };
    const K: u32 = 14;
    type Statement = VectorStatement;
    type Columns = OwnStepConfig;

    fn of(public: &VectorPublic, private: &VectorPrivate) -> Self {
        Self(BoardWitness(Witness::named(public, private)))
    }

    fn for_keys() -> Self {
        Self(BoardWitness(Witness::blank()))
    }

    fn lay(&self, _: &OwnStepConfig, cx: &mut Context<'_>) -> Vec<Cell> {
        let (board, slots) = self.0.slots(cx);
        let vector = hash(cx, BoardWitness::<ITEM>::KIND, &slots, self.0.0.salt);
        [board.inputs(), vec![vector]].concat()
    }
}

/// The hash of all slots, in their order, as [`Kind`] makes it.
fn hash(cx: &mut Context<'_>, kind: Kind, slots: &[Cell], salt: Fr) -> Cell {
    assert_eq!(slots.len(), SLOTS, "a slot has no cell");
    let weight = |place: usize| power(2, place * kind.bits());
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
