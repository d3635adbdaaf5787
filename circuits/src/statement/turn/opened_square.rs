//! An opened square of *turn*: its point is in the request, its record in the answer, and its mask is the prover's to compute.
//!
//! The Merkle index is the square, so the six bits that steer both paths are the square's file and rank. In the opening plies there is nothing to
//! open: the roots aren't compared.

use fog::{merkle::RECORD_FIELDS, poseidon::Tag, statement::turn::Opened};
use halo2curves::bn256::Fr;

use super::{points::Chains, public::Public};
use crate::gadget::{
    Cell, Context,
    merkle::{point_leaf, record_leaf, root_from_path},
};

/// The cells of an opened square.
pub struct OpenedSquare {
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
    pub fn new(cx: &mut Context<'_>, public: &Public, chains: &Chains, slot: &Opened) -> Self {
        let index = cx.free_bits(Fr::from(slot.square.index() as u64), 6);
        let file = cx.number(&index[..3]);
        let rank = cx.number(&index[3..]);
        let square = cx.linear(&[(1, file), (8, rank)], 0);

        let choice = chains.choice(cx, &slot.scalar, slot.choice);
        let leaf = point_leaf(cx, choice.point);
        let root = root_from_path(cx, "T11.path", leaf, &index, &slot.request_path);
        let (live, inputs) = (public.live, &public.inputs);
        cx.assert_equal_if("T11.request_root", live, root, inputs.request_root);

        let (record, leaf) = record_leaf(cx, &slot.record);
        let root = root_from_path(cx, "T14.path", leaf, &index, &slot.answer_path);
        cx.assert_equal_if("T14.answer_root", live, root, inputs.answer_root);

        let key = chains.key(cx, &slot.scalar, &choice);
        let terms = [(1, inputs.context), (8, square), (1, choice.choice)];
        let input = cx.linear(&terms, 0);
        let mask = cx.hash(Tag::Ot, key, input);
        Self { file, rank, square, choice: choice.choice, mask, record }
    }
}
