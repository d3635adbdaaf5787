//! Trees of depth 6 over the squares, and the leaves of a record and of a request's points (protocol section 7, Encodings).
//!
//! The native twin is `fog::merkle`.

use fog::{
    merkle::{Path, RECORD_FIELDS, Record},
    poseidon::Tag,
};
use halo2curves::bn256::Fr;

use super::{Cell, Context, Input, Label, Point};

/// The root above `leaf`, whose index has the bits `index`, least significant first: on each level
/// `node = left + bit·(right − left)`.
pub fn root_from_path(cx: &mut Context<'_>, label: Label, leaf: Cell, index: &[Cell], path: &Path) -> Cell {
    index.iter().zip(path).fold(leaf, |node, (&bit, &sibling)| {
        let is_right = bit.value == Fr::one();
        let (left, right) = if is_right { (sibling, node.value) } else { (node.value, sibling) };
        let hash = cx.tagged(Tag::Node, Input::Witness(left), Input::Witness(right));
        let [_, left, right] = hash.inputs;
        let picked = cx.select(bit, right, left);
        cx.equal(label, picked, node);
        hash.outputs[0]
    })
}

/// The cells of a record's fields, and its leaf: the chain of seven hashes over them. The lanes' first columns must be linked.
pub fn record_leaf(cx: &mut Context<'_>, fields: &Record) -> ([Cell; RECORD_FIELDS], Cell) {
    let mut cells = Vec::with_capacity(RECORD_FIELDS);
    let mut sum = None;
    for pair in fields.chunks_exact(2) {
        let [x, y] = [pair[0], pair[1]].map(Input::Witness);
        let hash = match sum {
            None => cx.tagged(Tag::Record, x, y),
            Some(sum) => cx.chained(sum, x, y),
        };
        cells.extend([hash.inputs[1], hash.inputs[2]]);
        sum = Some(hash.outputs[0]);
    }
    let cells = cells.try_into().expect("14 fields");
    (cells, sum.expect("a record has fields"))
}

/// The leaf of a request's point.
pub fn point_leaf(cx: &mut Context<'_>, point: Point) -> Cell {
    cx.hash(Tag::Leaf, point.x, point.y)[0]
}

/// The root of a request: of the tree over its 64 points.
pub fn request_root(cx: &mut Context<'_>, points: impl Iterator<Item = Point>) -> Cell {
    let mut level: Vec<Cell> = points.map(|point| point_leaf(cx, point)).collect();
    while level.len() > 1 {
        let pairs = level.chunks_exact(2);
        level = pairs.map(|pair| cx.hash(Tag::Node, pair[0], pair[1])[0]).collect();
    }
    level[0]
}
