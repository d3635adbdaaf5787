//! The digest of a list of elements, `D`: what a player says of its set before the weights of a proof are drawn. A salt hides the list.
//!
//! Entries are packed into field elements, the first lowest, and these are chained: `H(SET; H(NODE; … H(NODE; e₀, e₁) …, e_m), salt)`. The
//! entry of an asked set is the number of its element. That of a shown set has above it the place (from 1) at which the element's tag stands
//! among the sorted ones.

use super::catalogue::{NUMBER_BITS, SetKind};
use fog::{
    F,
    poseidon::{Tag, hash},
};

/// Bits of a place: below it a number.
pub const PLACE_BITS: usize = 11;
/// Bits that one field element holds.
const PACKED_BITS: usize = 240;

impl SetKind {
    /// Bits of an entry.
    pub const fn entry_bits(self) -> usize {
        match self {
            Self::Shown => NUMBER_BITS + PLACE_BITS,
            Self::Asked => NUMBER_BITS,
        }
    }

    /// Entries that one field element holds.
    pub const fn packed(self) -> usize {
        PACKED_BITS / self.entry_bits()
    }

    /// The digest of entries, each below `2^entry_bits`.
    fn digest(self, entries: impl Iterator<Item = u64>, salt: F) -> F {
        let entries: Vec<u64> = entries.collect();
        let base = F::from(1 << self.entry_bits());
        let pack = |entries: &[u64]| entries.iter().rev().fold(F::zero(), |sum, entry| sum * base + F::from(*entry));
        let root = entries.chunks(self.packed()).map(pack).reduce(|sum, packed| hash(Tag::Node, sum, packed));
        hash(Tag::Set, root.unwrap_or_default(), salt)
    }
}

/// The digest of an asked set: the numbers of its elements, in their order.
pub fn asked_digest(numbers: &[u64], salt: F) -> F {
    SetKind::Asked.digest(numbers.iter().copied(), salt)
}

/// The digest of a shown set: the numbers of its elements in their order, and for each the place (from 0) of its tag among the sorted ones.
pub fn shown_digest(numbers: &[u64], places: &[usize], salt: F) -> F {
    let entry = |(number, place): (&u64, &usize)| number + ((*place as u64 + 1) << NUMBER_BITS);
    SetKind::Shown.digest(numbers.iter().zip(places).map(entry), salt)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every entry has bits of its own, and every field element a place in the chain.
    #[test]
    fn each_entry_changes_the_digest() {
        let salt = F::from(5);
        let numbers: Vec<u64> = (1..=40).collect();
        let places: Vec<usize> = (0..40).rev().collect();
        let [asked, shown] = [asked_digest(&numbers, salt), shown_digest(&numbers, &places, salt)];
        assert_ne!(asked, shown);
        for changed in 0..numbers.len() {
            let mut other = numbers.clone();
            other[changed] += 1 << (NUMBER_BITS - 1);
            assert_ne!(asked_digest(&other, salt), asked);
            assert_ne!(shown_digest(&other, &places, salt), shown);
            let mut other = places.clone();
            other[changed] += 1;
            assert_ne!(shown_digest(&numbers, &other, salt), shown);
        }
        assert_ne!(asked_digest(&numbers, salt + F::one()), asked);
        // The last entry of a field element and the first of the next, by hand.
        let packed = SetKind::Asked.packed();
        assert_eq!(packed, 16);
        let mut two = vec![0; packed + 1];
        (two[packed - 1], two[packed]) = (1, 3);
        let first = F::from(1 << 60) * F::from(1 << 60) * F::from(1 << 60) * F::from(1 << 45);
        assert_eq!(asked_digest(&two, salt), hash(Tag::Set, hash(Tag::Node, first, F::from(3)), salt));
    }
}
