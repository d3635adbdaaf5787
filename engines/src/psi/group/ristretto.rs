//! ristretto255 (RFC 9496): the group of the forms without proofs of sets.
//!
//! Many points are encoded at once with one inversion, by a routine that encodes their *doubles*: so doubles are what stands in messages,
//! throughout. A tag is `4a·H(x)`; what is asked, `Y = 2·H(x) + 2r·G`.
//!
//! `H(x) = map(SHA-512("fogmate/psi/element/1" ‖ x))`, the map of RFC 9496 section 4.3.4. There are some 24,000 elements: each is hashed
//! once in a process.

use super::{Blinded, Encoded, Group};
use crate::psi::{
    element::{Element, Fact},
    lines::attack_vectors,
};
use curve25519_dalek::{
    constants::RISTRETTO_BASEPOINT_POINT,
    ristretto::{CompressedRistretto, RistrettoBasepointTable, RistrettoPoint},
    scalar::Scalar,
    traits::{Identity, IsIdentity, VartimeMultiscalarMul},
};
use fog::engine::Fault;
use rayon::prelude::*;
use rules::{Color, PieceType, Square};
use sha2::{Digest, Sha512};
use std::{
    collections::{BTreeSet, HashMap},
    sync::LazyLock,
};
use zeroize::Zeroizing;

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

/// The point `H(x)` of an element `x`.
fn point(element: Element) -> Result<&'static RistrettoPoint, Fault> {
    let table = match (element.is_dummy(), element.is_attack()) {
        (true, _) => &DUMMY,
        (_, true) => &ATTACKS,
        _ => &BOARD,
    };
    table.get(&element).ok_or_else(|| Fault::internal("the own board holds what no board can"))
}

/// The encodings of the points' doubles.
fn encode_doubled(points: &[RistrettoPoint]) -> Vec<Encoded> {
    let batches = points.par_chunks(BATCH).map(RistrettoPoint::double_and_compress_batch);
    batches.flatten_iter().map(|encoded| encoded.to_bytes()).collect()
}

pub struct Ristretto;

impl Group for Ristretto {
    type Scalar = Scalar;
    type Point = RistrettoPoint;
    /// Of the point's double.
    type Multiples = RistrettoBasepointTable;

    fn scalar(uniform: &[u8; 64]) -> Scalar {
        Scalar::from_bytes_mod_order_wide(uniform)
    }

    fn exponent(uniform: &[u8; 64]) -> Scalar {
        Self::scalar(uniform)
    }

    fn small(number: u128) -> Scalar {
        number.into()
    }

    fn scalar_bytes(scalar: &Scalar) -> [u8; 32] {
        scalar.to_bytes()
    }

    fn read_scalar(bytes: &[u8; 32]) -> Option<Scalar> {
        Scalar::from_canonical_bytes(*bytes).into()
    }

    fn generator() -> RistrettoPoint {
        RISTRETTO_BASEPOINT_POINT
    }

    fn times_generator(scalar: &Scalar) -> RistrettoPoint {
        RistrettoPoint::mul_base(scalar)
    }

    fn times(scalar: &Scalar, point: &RistrettoPoint) -> RistrettoPoint {
        scalar * point
    }

    fn sum(scalars: &[Scalar], points: &[RistrettoPoint]) -> RistrettoPoint {
        let half = points.len().div_ceil(2).max(1);
        let halves = scalars.par_chunks(half).zip(points.par_chunks(half));
        let sums = halves.map(|(scalars, points)| RistrettoPoint::vartime_multiscalar_mul(scalars, points));
        sums.reduce(RistrettoPoint::identity, |a, b| a + b)
    }

    fn encode(point: &RistrettoPoint) -> Encoded {
        point.compress().to_bytes()
    }

    fn decode(encoded: &[u8]) -> Option<RistrettoPoint> {
        let point = CompressedRistretto::from_slice(encoded).ok()?.decompress()?;
        (!point.is_identity()).then_some(point)
    }

    fn hashed(elements: &[Element], _: Color) -> Result<Vec<RistrettoPoint>, Fault> {
        elements.iter().map(|element| point(*element).copied()).collect()
    }

    fn tags(exponent: &Scalar, hashed: &[RistrettoPoint]) -> Vec<Encoded> {
        let twice = Zeroizing::new(exponent + exponent);
        let raised: Vec<RistrettoPoint> = hashed.par_iter().map(|point| *twice * point).collect();
        encode_doubled(&raised)
    }

    fn raise(exponent: &Scalar, points: &[RistrettoPoint]) -> Vec<Encoded> {
        let half = Zeroizing::new(exponent.div_by_2());
        let raised: Vec<RistrettoPoint> = points.par_iter().map(|point| *half * point).collect();
        encode_doubled(&raised)
    }

    fn blind(hashed: &[RistrettoPoint], blinds: &[Scalar]) -> Blinded<Self> {
        let pairs = hashed.par_iter().zip(blinds);
        let halves: Vec<RistrettoPoint> = pairs.map(|(point, blind)| point + RistrettoPoint::mul_base(blind)).collect();
        let encoded = encode_doubled(&halves);
        Blinded { points: halves.iter().map(|half| half + half).collect(), encoded }
    }

    fn multiples(point: &RistrettoPoint) -> RistrettoBasepointTable {
        RistrettoBasepointTable::create(&(point + point))
    }

    fn unblind(announced: &RistrettoBasepointTable, raised: &[RistrettoPoint], blinds: &[Scalar]) -> Vec<Encoded> {
        let pairs = raised.par_iter().zip(blinds);
        let unblinded: Vec<RistrettoPoint> = pairs.map(|(point, blind)| point - announced * blind).collect();
        encode_doubled(&unblinded)
    }
}
