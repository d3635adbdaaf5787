//! Trees of depth 6 over the 64 squares: of a request's points and of an answer's records (protocol section 5, "Encodings").
//!
//! Leaf index = square; nodes are `H(NODE; left, right)`. Leaves have tags of their own, so a leaf never passes for a node.
//! There is no other depth, and no proof of absence.

use crate::{
    F,
    curve::Point,
    poseidon::{Tag, hash},
};
use ff::Field;

/// Levels below the root.
pub const DEPTH: usize = 6;
/// Leaves, one a square.
pub const LEAVES: usize = 1 << DEPTH;
/// Fields of an answer's record.
pub const RECORD_FIELDS: usize = 14;
/// The 14 fields of an answer for one square.
pub type Record = [F; RECORD_FIELDS];
/// The sibling on each level, the leaf's first.
pub type Path = [F; DEPTH];

/// `H(LEAF; B.x, B.y)`: the leaf of a request's point.
pub fn point_leaf(point: &Point) -> F {
    hash(Tag::Leaf, point.x, point.y)
}

/// The leaf of a record: a chain of 7 hashes that begins with RECORD and takes two fields at a time.
pub fn record_leaf(record: &Record) -> F {
    record.chunks_exact(2).fold(Tag::Record.field(), |sum, pair| crate::poseidon::hash2(sum, pair[0], pair[1])[0])
}

/// The root that a leaf and its path lead to; bit `i` of `index` says that the leaf's side on level `i` is the right one.
pub fn root_from_path(leaf: F, index: usize, path: &Path) -> F {
    path.iter().enumerate().fold(leaf, |node, (level, sibling)| {
        if index >> level & 1 == 1 { hash(Tag::Node, *sibling, node) } else { hash(Tag::Node, node, *sibling) }
    })
}

/// A binary Merkle tree with all of its nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// Node `1` is the root, the children of `n` are `2n` and `2n + 1`, leaf `s` is node `64 + s`.
    nodes: Vec<F>,
}

impl Tree {
    /// The tree of 64 leaves.
    pub fn new(leaves: &[F; LEAVES]) -> Self {
        let mut nodes = vec![F::ZERO; LEAVES];
        nodes.extend_from_slice(leaves);
        for index in (1..LEAVES).rev() {
            nodes[index] = hash(Tag::Node, nodes[2 * index], nodes[2 * index + 1]);
        }
        Self { nodes }
    }

    /// The root of the whole tree.
    pub fn root(&self) -> F {
        self.nodes[1]
    }

    /// The siblings of leaf `index` (below 64) and of the nodes above it.
    pub fn path(&self, index: usize) -> Path {
        std::array::from_fn(|level| self.nodes[((LEAVES + index) >> level) ^ 1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_leads_to_the_root() {
        let leaves: [F; LEAVES] = std::array::from_fn(|i| F::from(1000 + i as u64));
        let tree = Tree::new(&leaves);
        for (index, leaf) in leaves.iter().enumerate() {
            let path = tree.path(index);
            assert_eq!(root_from_path(*leaf, index, &path), tree.root());
            assert_ne!(root_from_path(*leaf, index ^ 1, &path), tree.root());
            assert_ne!(root_from_path(*leaf + F::ONE, index, &path), tree.root());
        }
    }
}
