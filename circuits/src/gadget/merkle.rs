//! Trees of depth 6 over the squares: paths, whole trees, and the leaves of records and of a request's points (protocol section 7,
//! Encodings).
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

/// The cells of a record's fields, and its leaf. The lanes' first columns must be linked.
pub fn record_leaf(cx: &mut Context<'_>, fields: &Record) -> ([Cell; RECORD_FIELDS], Cell) {
    let mut leaves = record_leaves(cx, &[fields.map(Input::Witness)]);
    leaves.remove(0)
}

/// The cells of the fields of as many records as there are lanes, and the records' leaves: chains of seven hashes, beside each other, since
/// lanes chain together or not at all.
fn record_leaves(cx: &mut Context<'_>, records: &[[Input; RECORD_FIELDS]]) -> Vec<([Cell; RECORD_FIELDS], Cell)> {
    assert!(cx.is_beside(records.len()), "records that don't stand beside each other");
    let mut cells = vec![Vec::with_capacity(RECORD_FIELDS); records.len()];
    let mut sums = vec![None; records.len()];
    for first in (0..RECORD_FIELDS).step_by(2) {
        for ((record, cells), sum) in records.iter().zip(&mut cells).zip(&mut sums) {
            let [x, y] = [record[first], record[first + 1]];
            let hash = match *sum {
                None => cx.tagged(Tag::Record, x, y),
                Some(sum) => cx.chained(sum, x, y),
            };
            cells.extend([hash.inputs[1], hash.inputs[2]]);
            *sum = Some(hash.outputs[0]);
        }
    }
    let leaves = cells.into_iter().zip(sums);
    leaves.map(|(cells, sum)| (cells.try_into().expect("14 fields"), sum.expect("a record has fields"))).collect()
}

/// The leaf of a request's point.
pub fn point_leaf(cx: &mut Context<'_>, point: Point) -> Cell {
    cx.hash(Tag::Leaf, point.x, point.y)[0]
}

/// The root of a request: of the tree over its 64 points.
pub fn request_root(cx: &mut Context<'_>, points: impl Iterator<Item = Point>) -> Cell {
    let leaves = points.map(|point| point_leaf(cx, point)).collect();
    root(cx, leaves)
}

/// The root of an answer: of the tree over its 64 records. The next permutation must be the first lane's.
pub fn answer_root(cx: &mut Context<'_>, records: &[[Cell; RECORD_FIELDS]]) -> Cell {
    let lanes = cx.lanes();
    let mut leaves = Vec::with_capacity(records.len());
    for beside in records.chunks(lanes) {
        let beside: Vec<_> = beside.iter().map(|fields| fields.map(Input::from)).collect();
        leaves.extend(record_leaves(cx, &beside).into_iter().map(|(_, leaf)| leaf));
    }
    root(cx, leaves)
}

/// The root of the tree over a power of two of leaves.
fn root(cx: &mut Context<'_>, leaves: Vec<Cell>) -> Cell {
    let mut level = leaves;
    while level.len() > 1 {
        let pairs = level.chunks_exact(2);
        level = pairs.map(|pair| cx.hash(Tag::Node, pair[0], pair[1])[0]).collect();
    }
    level[0]
}
