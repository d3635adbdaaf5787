//! The points in messages.

use super::group::{Encoded, Group, POINT_BYTES};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Why bytes are no points of a message.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotPoints {
    /// No canonical encoding of a point, or the identity's.
    #[error("entry {0} encodes no point of the group, or the identity")]
    Encoding(usize),
    /// A point that came before comes again.
    #[error("a point comes twice")]
    Repeated,
    /// A set out of order, or with an entry twice.
    #[error("the set is not in ascending order")]
    Order,
}

/// All points of a message, none of them the identity.
pub fn decode_all<G: Group>(bytes: &[u8]) -> Result<Vec<G::Point>, NotPoints> {
    let entries = bytes.par_chunks(POINT_BYTES).enumerate();
    entries.map(|(index, entry)| G::decode(entry).ok_or(NotPoints::Encoding(index))).collect()
}

/// All points of a message, none of them twice.
pub fn decode_distinct<G: Group>(bytes: &[u8]) -> Result<Vec<G::Point>, NotPoints> {
    let distinct: BTreeSet<&[u8]> = bytes.chunks(POINT_BYTES).collect();
    fog::ensure!(distinct.len() == bytes.chunks(POINT_BYTES).len(), NotPoints::Repeated);
    decode_all::<G>(bytes)
}

/// The points of a set that was sent in ascending order of their encodings.
pub fn decode_set<G: Group>(bytes: &[u8]) -> Result<Vec<G::Point>, NotPoints> {
    let entries: Vec<&[u8]> = bytes.chunks(POINT_BYTES).collect();
    fog::ensure!(entries.is_sorted_by(|a, b| a < b), NotPoints::Order);
    decode_all::<G>(bytes)
}

/// The entries of a set.
pub fn entries(bytes: &[u8]) -> BTreeSet<Encoded> {
    bytes.as_chunks().0.iter().copied().collect()
}
