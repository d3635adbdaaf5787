//! *item* and *view*: a vector, named by its hash, is exactly what a committed board gives (engine `bfv`). On *turn*'s columns, so that the narrow
//! verifier serves them too. The native twin is `engines::bfv::statement::check`.
//!
//! Both open the commitment and turn the [`board`] as the receiver counts ranks, lay the slots of an [`item`] or a [`view`] vector, and pack and [hash](mod@hash) them.
//! Values of slots are laid line by line, in the order of [`engines::bfv::vector`], which is that of White's lines: so a line's slots are known from its place.

pub(in crate::statement) mod board;
mod hash;
mod item;
pub(in crate::statement) mod view;
pub(in crate::statement) mod witness;

#[cfg(test)]
mod tests;

use engines::bfv::{
    statement::{VectorPrivate, VectorPublic, VectorStatement},
    vector::Kind,
};

use self::{board::Board, hash::hash, witness::Witness};
use super::turn::{config::TurnConfig, points::use_every_gate};
use crate::gadget::{Assigned, Cell, CircuitOf, Context};

/// What the prover assigns of *item* or of *view*.
pub struct VectorWitness<const ITEM: bool>(Witness);

/// The circuit of *item*.
pub type ItemCircuit = CircuitOf<VectorWitness<true>>;
/// The circuit of *view*.
pub type ViewCircuit = CircuitOf<VectorWitness<false>>;

impl<const ITEM: bool> VectorWitness<ITEM> {
    const KIND: Kind = if ITEM { Kind::Item } else { Kind::View };
}

impl<const ITEM: bool> Assigned for VectorWitness<ITEM> {
    const NAME: &'static str = if ITEM { "item" } else { "view" };
    const K: u32 = 14;
    type Statement = VectorStatement;
    type Columns = TurnConfig;

    fn of(public: &VectorPublic, private: &VectorPrivate) -> Self {
        Self(Witness::new(public, private))
    }

    fn for_keys() -> Self {
        let (public, private) = witness::blank(Self::KIND);
        Self::of(&public, &private)
    }

    fn lay(&self, config: &TurnConfig, cx: &mut Context<'_>) -> Vec<Cell> {
        use_every_gate(cx, config);
        let labels = if ITEM { &item::LABELS } else { &view::LABELS };
        let board = Board::open(cx, Self::KIND, labels, &self.0);
        let values = if ITEM { item::values(cx, &board) } else { view::values(cx, &board) };
        let vector = hash(cx, Self::KIND, &values, self.0.salt);
        board.inputs(vector)
    }
}
