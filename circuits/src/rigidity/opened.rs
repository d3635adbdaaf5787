//! What is free of opened squares ([`OpenedSquare`](crate::statement::turn::opened_square::OpenedSquare)), in *turn* and in *no move*:
//!
//! | cells | why |
//! | --- | --- |
//! | one coordinate of Θ | the prover's point, where all chains of points start and of which they are freed again; the other one follows from the curve |
//! | the siblings on both paths of every slot, but for the uppermost of a live one | preimages of a root; the uppermost follows from the root |
//! | the uppermost siblings of a slot that isn't live | nothing is compared: no root is said to be this slot's |
//! | the record's 14 fields of every slot, but for those that are read | preimages too: what a statement doesn't read, it says nothing of |
//!
//! Of a record on chain only a preimage can be known, so whoever moved such a cell away from the honest one would have found a collision of the hash.

use std::collections::BTreeSet;

use rules::Square;

use super::{Free, Lines, System};

/// Levels of a path.
const LEVELS: usize = 6;

/// A slot for an opened square.
pub struct Slot {
    pub square: Square,
    /// Whether its paths are compared with the roots.
    pub is_live: bool,
    /// The fields of its record that the statement reads: they follow from what was found there.
    pub read: BTreeSet<usize>,
}

/// The cells that are free in a statement that opens squares in these slots.
pub fn free(system: &System, lines: &mut Lines, slots: &[Slot]) -> Free {
    let mut free = Free::new();
    let offset = lines.laid(system, "turn/points.rs", "ecc.place(cx, Input::Witness(offset.x)");
    free.insert(offset[0][0], "x of Θ".to_string());

    // A row for each level of each path: the request's and the answer's of each slot.
    let levels =
        lines.laid(system, "gadget/merkle.rs", "cx.tagged(Tag::Node, Input::Witness(left), Input::Witness(right))");
    assert_eq!(levels.len(), slots.len() * 2 * LEVELS);
    for (number, hash) in levels.iter().enumerate() {
        let (slot, tree, level) = (number / (2 * LEVELS), number / LEVELS % 2, number % LEVELS);
        if level == LEVELS - 1 && slots[slot].is_live {
            continue;
        }
        let is_right = slots[slot].square.index() >> level & 1 == 1;
        let sibling = hash[if is_right { 1 } else { 2 }];
        let tree = ["request", "answer"][tree];
        free.insert(sibling, format!("the sibling on level {level} of the {tree}'s path in slot {slot}"));
    }

    let begun = lines.laid(system, "gadget/merkle.rs", "None => cx.tagged(Tag::Record, x, y)");
    let chained = lines.laid(system, "gadget/merkle.rs", "Some(sum) => cx.chained(sum, x, y)");
    assert_eq!((begun.len(), chained.len()), (slots.len(), slots.len() * 6));
    for (number, slot) in slots.iter().enumerate() {
        let hashes = [&begun[number]].into_iter().chain(&chained[6 * number..6 * (number + 1)]);
        for (field, cell) in hashes.flat_map(|hash| &hash[1..3]).enumerate() {
            if !slot.read.contains(&field) {
                free.insert(*cell, format!("field {field} of the record in slot {number}"));
            }
        }
    }
    free
}
