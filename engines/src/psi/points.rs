//! The group, ristretto255, and the points of elements.
//!
//! The group has prime order and one encoding a point, so there are no small subgroups to confine a peer to; of all encodings only
//! the identity's and those that aren't canonical are refused. Many points are encoded at once with one inversion, by a routine that
//! encodes their *doubles*: so doubles are what stands in messages, throughout.
//!
//! `H(x) = map(SHA-512("fogmate/psi/element/1" ‖ x))`, the map of RFC 9496 section 4.3.4. There are some 24,000 elements: each is hashed
//! once in a process.

use super::{
    element::{Element, Fact},
    lines::{all_jumps, element, facts},
};
use curve25519_dalek::{
    ristretto::{CompressedRistretto, RistrettoPoint},
    scalar::Scalar,
    traits::IsIdentity,
};
use fog::engine::Fault;
use rayon::prelude::*;
use rules::{Color, PieceType, Square, lines::all_lines};
use sha2::{Digest, Sha512};
use std::{
    collections::{BTreeSet, HashMap},
    sync::LazyLock,
};

/// Bytes of a point's encoding.
pub const POINT_BYTES: usize = 32;
/// A point's encoding.
pub type Encoded = [u8; POINT_BYTES];

/// Most dummies of one player in one set.
pub const DUMMIES: usize = 1344;

/// Points encoded by one inversion; enough for its cost to vanish, few enough for all threads to have some.
const BATCH: usize = 168;

type Table = HashMap<Element, RistrettoPoint>;

static ATTACKS: LazyLock<Table> = LazyLock::new(|| table(attack_vectors()));
static BOARD: LazyLock<Table> = LazyLock::new(|| table(board_facts()));
static DUMMY: LazyLock<Table> = LazyLock::new(|| {
    let both = |index| [Element::sender_dummy(index), Element::receiver_dummy(index)];
    table((0..DUMMIES).flat_map(both).collect())
});

/// Every attack vector there is, of both colors.
pub fn attack_vectors() -> BTreeSet<Element> {
    let mut elements = BTreeSet::new();
    for color in Color::ALL {
        for line in all_lines(color) {
            for square in &line.squares {
                elements.extend(facts(&line, *square).map(|fact| element(&line, fact, *square)));
            }
        }
        elements.extend(all_jumps(color));
    }
    elements
}

fn board_facts() -> BTreeSet<Element> {
    let pieces = PieceType::ALL.map(Fact::Piece);
    let facts = pieces.into_iter().chain([Fact::Occupied, Fact::Jumped]);
    facts.flat_map(|fact| Square::all().map(move |square| Element::board(fact, square))).collect()
}

fn table(elements: BTreeSet<Element>) -> Table {
    elements.into_par_iter().map(|element| (element, hash_to_point(element))).collect()
}

fn hash_to_point(element: Element) -> RistrettoPoint {
    let hash = Sha512::new().chain_update(b"fogmate/psi/element/1").chain_update(element.to_bytes());
    RistrettoPoint::from_uniform_bytes(&hash.finalize().into())
}

/// `H(x)`. An element that can't be (a pawn on the last rank, say) is a defect of the own board.
pub fn point(element: Element) -> Result<&'static RistrettoPoint, Fault> {
    let table = match (element.is_dummy(), element.is_attack()) {
        (true, _) => &DUMMY,
        (_, true) => &ATTACKS,
        _ => &BOARD,
    };
    table.get(&element).ok_or_else(|| Fault::internal("the own board holds what no board can"))
}

/// The encodings of the points' doubles.
pub fn encode_doubled(points: &[RistrettoPoint]) -> Vec<Encoded> {
    let batches = points.par_chunks(BATCH).map(RistrettoPoint::double_and_compress_batch);
    batches.flatten_iter().map(|encoded| encoded.to_bytes()).collect()
}

/// Why bytes are no points of a message.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotPoints {
    /// No canonical encoding of a point, or the identity's.
    #[error("entry {0} encodes no point of the group, or the identity")]
    Encoding(usize),
    /// The same point again.
    #[error("a point comes twice")]
    Repeated,
    /// A set out of order, or with an entry twice.
    #[error("the set is not in ascending order")]
    Order,
}

/// A point that isn't the identity.
pub fn decode(encoded: &[u8]) -> Option<RistrettoPoint> {
    let point = CompressedRistretto::from_slice(encoded).ok()?.decompress()?;
    (!point.is_identity()).then_some(point)
}

/// All points of a message, none of them the identity.
pub fn decode_all(bytes: &[u8]) -> Result<Vec<RistrettoPoint>, NotPoints> {
    let entries = bytes.par_chunks(POINT_BYTES).enumerate();
    entries.map(|(index, entry)| decode(entry).ok_or(NotPoints::Encoding(index))).collect()
}

/// All points of a message, none of them twice.
pub fn decode_distinct(bytes: &[u8]) -> Result<Vec<RistrettoPoint>, NotPoints> {
    let distinct: BTreeSet<&[u8]> = bytes.chunks(POINT_BYTES).collect();
    fog::ensure!(distinct.len() == bytes.chunks(POINT_BYTES).len(), NotPoints::Repeated);
    decode_all(bytes)
}

/// The entries of a set that was sent in ascending order.
pub fn decode_set(bytes: &[u8]) -> Result<BTreeSet<Encoded>, NotPoints> {
    let entries: Vec<&[u8]> = bytes.chunks(POINT_BYTES).collect();
    fog::ensure!(entries.is_sorted_by(|a, b| a < b), NotPoints::Order);
    decode_all(bytes)?;
    Ok(entries.iter().filter_map(|entry| Encoded::try_from(*entry).ok()).collect())
}

/// A scalar from 64 uniform bytes.
pub fn scalar(uniform: &[u8; 64]) -> Scalar {
    Scalar::from_bytes_mod_order_wide(uniform)
}
