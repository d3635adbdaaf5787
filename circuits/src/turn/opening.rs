//! An opened square of *turn*: its point is in the request, its record in the answer, and its mask is the prover's to compute.
//!
//! The Merkle index is the square, so the six bits that steer both paths are the square's file and rank. In the opening plies there is nothing to
//! open: the roots aren't compared.

use fog::poseidon::Tag;
use halo2curves::bn256::Fr;

use super::{desk::Desk, points::Chains, public::Public, witness::Slot};
use crate::gadget::{Cell, Input};

/// The cells of an opened square.
pub struct Opening {
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
    pub record: [Cell; 14],
}

impl Opening {
    pub fn new(d: &mut Desk<'_, '_>, public: &Public, chains: &Chains, slot: &Slot) -> Self {
        let index = d
            .arith
            .free_bits(d.sheet, Fr::from(slot.square.index() as u64), 6);
        let file = d.arith.weigh(d.sheet, &index[..3]);
        let rank = d.arith.weigh(d.sheet, &index[3..]);
        let square = d.arith.linear(d.sheet, &[(1, file), (8, rank)], 0);

        let choice = chains.choice(d, &slot.scalar, slot.choice);
        let leaf = d.hash(Tag::Leaf, choice.point.x, choice.point.y).outputs[0];
        let root = climb(d, leaf, &index, &slot.request_path);
        d.arith
            .assert_equal_if(d.sheet, public.live, root, public.request_root);

        let (record, leaf) = record_leaf(d, &slot.record);
        let root = climb(d, leaf, &index, &slot.answer_path);
        d.arith
            .assert_equal_if(d.sheet, public.live, root, public.answer_root);

        let key = chains.key(d, &slot.scalar, &choice);
        let input = d.arith.linear(
            d.sheet,
            &[(1, public.ctx), (8, square), (1, choice.choice)],
            0,
        );
        let mask = d.hash(Tag::Ot, key, input).outputs;
        Self {
            file,
            rank,
            square,
            choice: choice.choice,
            mask,
            record,
        }
    }
}

/// The chain of seven hashes over a record's fields.
fn record_leaf(d: &mut Desk<'_, '_>, fields: &[Fr; 14]) -> ([Cell; 14], Cell) {
    let mut sum = d.tag(Tag::Record);
    let mut cells = Vec::with_capacity(14);
    for pair in fields.chunks_exact(2) {
        let hash = d.permute(sum, Input::Witness(pair[0]), Input::Witness(pair[1]));
        cells.extend([hash.inputs[1], hash.inputs[2]]);
        sum = hash.outputs[0];
    }
    (cells.try_into().expect("14 fields"), sum)
}

/// The root above `leaf`: on each level `node = left + bit·(right − left)`.
fn climb(d: &mut Desk<'_, '_>, leaf: Cell, index: &[Cell], path: &[Fr; 6]) -> Cell {
    index.iter().zip(path).fold(leaf, |node, (&bit, &sibling)| {
        let right_side = bit.value == Fr::one();
        let (left, right) = if right_side {
            (sibling, node.value)
        } else {
            (node.value, sibling)
        };
        let hash = d.hash(Tag::Node, Input::Witness(left), Input::Witness(right));
        let [_, left, right] = hash.inputs;
        let difference = d.arith.sub(d.sheet, right, left);
        let picked = d.arith.mul_add(d.sheet, bit, difference, left);
        d.sheet.equal(picked, node);
        hash.outputs[0]
    })
}

/// The root of the tree over 64 points.
pub fn request_root(
    d: &mut Desk<'_, '_>,
    points: impl Iterator<Item = crate::gadget::Point>,
) -> Cell {
    let mut level: Vec<Cell> = points
        .map(|point| d.hash(Tag::Leaf, point.x, point.y).outputs[0])
        .collect();
    while level.len() > 1 {
        level = level
            .chunks_exact(2)
            .map(|pair| d.hash(Tag::Node, pair[0], pair[1]).outputs[0])
            .collect();
    }
    level[0]
}
