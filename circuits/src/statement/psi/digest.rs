//! The digest of a list from the cells of its entries, as `engines::psi::digest` makes it.

use engines::psi::catalogue::{NUMBER_BITS, SetKind};
use fog::poseidon::Tag;
use halo2curves::bn256::Fr;

use crate::gadget::{Cell, Context, power, weighted_sum::Laid};

/// The digest of all entries, in their order. That numbers and places have no more than their bits follows from where they are looked up.
pub fn digest(cx: &mut Context<'_>, kind: SetKind, list: &Laid, salt: Fr) -> Cell {
    let mut packed = Vec::new();
    for start in (0..list.numbers.len()).step_by(kind.packed()) {
        let entries = start..list.numbers.len().min(start + kind.packed());
        let mut terms = Vec::new();
        for (place, entry) in entries.enumerate() {
            let lowest = place * kind.entry_bits();
            terms.push((power(2, lowest), list.numbers[entry]));
            terms.extend(list.places.get(entry).map(|place| (power(2, lowest + NUMBER_BITS), *place)));
        }
        packed.push(cx.add_terms(cx.zero, &terms));
    }
    let (first, others) = packed.split_first().expect("a list has entries");
    let root = others.iter().fold(*first, |sum, element| cx.hash(Tag::Node, sum, *element)[0]);
    let salt = cx.witness(salt);
    cx.hash(Tag::Set, root, salt)[0]
}
