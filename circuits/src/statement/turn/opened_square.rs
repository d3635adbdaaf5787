//! An opened square of *turn*, or of another statement by what single pieces see: its point is in the request, its record in the answer, and its mask is the prover's to compute.
//!
//! The Merkle index is the square, so the six bits that steer both paths are the square's file and rank. Where there is nothing to open, as in
//! the opening plies, the roots aren't compared.

use fog::{merkle::RECORD_FIELDS, poseidon::Tag, statement::turn::Opened};
use halo2curves::bn256::Fr;

use super::points::Chains;
use crate::gadget::{
    Cell, Context,
    merkle::{point_leaf, record_leaf, root_from_path},
};

/// What an opened square is held against.
pub struct Roots {
    /// Whether the roots count.
    pub live: Cell,
    pub request_root: Cell,
    pub answer_root: Cell,
    /// `ctx`, which the answer is bound to.
    pub context: Cell,
}

/// The cells of an opened square.
pub struct OpenedSquare {
    /// The bits of the square, least significant first.
    pub index: Vec<Cell>,
    /// The square's file, 0 to 7.
    pub file: Cell,
    /// The square's rank, 0 to 7.
    pub rank: Cell,
    /// The square, 0 to 63.
    pub square: Cell,
    /// What was asked for there, 0 to 7.
    pub choice: Cell,
    /// `M_{s,c}`, outputs 0 and 1.
    pub mask: [Cell; 2],
    /// The answer's 14 fields.
    pub record: [Cell; RECORD_FIELDS],
}

impl OpenedSquare {
    pub fn new(cx: &mut Context<'_>, roots: &Roots, chains: &Chains, slot: &Opened) -> Self {
        let labels = chains.labels;
        let index = cx.free_bits(Fr::from(slot.square.index() as u64), 6);
        let file = cx.number(&index[..3]);
        let rank = cx.number(&index[3..]);
        let square = cx.linear(&[(1, file), (8, rank)], 0);

        let choice = chains.choice(cx, &slot.scalar, slot.choice);
        let leaf = point_leaf(cx, choice.point);
        let root = root_from_path(cx, labels.request_path, leaf, &index, &slot.request_path);
        cx.assert_equal_if(labels.request_root, roots.live, root, roots.request_root);

        let (record, leaf) = record_leaf(cx, &slot.record);
        let root = root_from_path(cx, labels.answer_path, leaf, &index, &slot.answer_path);
        cx.assert_equal_if(labels.answer_root, roots.live, root, roots.answer_root);

        let key = chains.key(cx, &slot.scalar, &choice);
        let terms = [(1, roots.context), (8, square), (1, choice.choice)];
        let input = cx.linear(&terms, 0);
        let mask = cx.hash(Tag::Ot, key, input);
        Self { index, file, rank, square, choice: choice.choice, mask, record }
    }

    /// With cells that hold what a test says, bound by nothing.
    #[cfg(test)]
    pub fn of_values(cx: &mut Context<'_>, opened: &Opened, mask: [Fr; 2]) -> Self {
        let mut value = |value: u64| cx.witness(value.into());
        let (square, number) = (opened.square, opened.square.index() as u64);
        Self {
            index: (0..6).map(|bit| value(number >> bit & 1)).collect(),
            file: value(square.file().into()),
            rank: value(square.rank().into()),
            square: value(number),
            choice: value(opened.choice.into()),
            mask: mask.map(|value| cx.witness(value)),
            record: opened.record.map(|value| cx.witness(value)),
        }
    }
}
