//! The receiver's blinding: `Y = 2·H(x) + 2r·G` with an `r` of its own for every point, so each point that it asks is uniform and
//! independent of the element, whatever the sender computes. From `Z = a·Y` it takes `2r·A` away and has the tag `4a·H(x)`, in a quarter
//! of the time of a product with a point that has no table. What makes it sound that blindings are summands is the proof that `Z` is
//! `a·Y`: see Jarecki, Krawczyk and Xu, "On the (In)Security of the Diffie-Hellman Oblivious PRF with Multiplicative Blinding".

use super::{
    element::Element,
    points::{Encoded, decode, encode_doubled, point},
    secrets::{Own, Transcript},
};
use curve25519_dalek::{
    ristretto::{RistrettoBasepointTable, RistrettoPoint},
    scalar::Scalar,
};
use fog::engine::Fault;
use rayon::prelude::*;
use zeroize::Zeroizing;

/// The sender's announced point.
pub struct Announced {
    /// Its encoding.
    pub encoded: Encoded,
    /// The point `A`.
    pub point: RistrettoPoint,
    /// Multiples of `2A`.
    doubled: RistrettoBasepointTable,
}

impl Announced {
    /// A point of a message; not the identity.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let point = decode(bytes)?;
        let doubled = RistrettoBasepointTable::create(&(point + point));
        Some(Self { encoded: bytes.try_into().ok()?, point, doubled })
    }
}

/// What is asked in one round.
pub struct Query {
    /// The elements, without dummies.
    pub elements: Vec<Element>,
    blinds: Zeroizing<Vec<Scalar>>,
    /// `Y`, dummies included.
    pub points: Vec<RistrettoPoint>,
    /// Their encodings: the message.
    pub message: Vec<u8>,
}

impl Query {
    /// Asks for elements, and for as many dummies as make `size`.
    pub fn new(own: &Own, transcript: &Transcript, elements: Vec<Element>, size: usize) -> Result<Self, Fault> {
        let Some(missing) = size.checked_sub(elements.len()) else {
            return Err(Fault::internal("there is more to ask for than in any position"));
        };
        let blinds = transcript.scalars(&own.branch, "blinds", size);
        let all: Vec<Element> = elements.iter().copied().chain((0..missing).map(Element::receiver_dummy)).collect();
        let halves = all.par_iter().zip(&**blinds);
        let halves = halves.map(|(element, blind)| Ok(point(*element)? + RistrettoPoint::mul_base(blind)));
        let halves = halves.collect::<Result<Vec<_>, Fault>>()?;
        let message = encode_doubled(&halves).concat();
        let points = halves.iter().map(|half| half + half).collect();
        Ok(Self { elements, blinds, points, message })
    }

    /// The tags of the elements, from the points that came back. Dummies are unblinded like the others, so that the time tells nothing.
    pub fn tags(&self, announced: &Announced, raised: &[RistrettoPoint]) -> Vec<Encoded> {
        let pairs = raised.par_iter().zip(&**self.blinds);
        let unblinded: Vec<RistrettoPoint> = pairs.map(|(point, blind)| point - &announced.doubled * blind).collect();
        let mut tags = encode_doubled(&unblinded);
        tags.truncate(self.elements.len());
        tags
    }
}

fog::redacted!(Query);
