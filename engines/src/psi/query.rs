//! The receiver's blinding: `Y = H(x) + r·G` with an `r` of its own for every point, so each point that it asks is uniform and
//! independent of the element, whatever the sender computes. From `Z = a·Y` it takes `r·A` away and has the tag `a·H(x)`, in a quarter
//! of the time of a product with a point that has no table. (ristretto255's are doubles of these, see [there](super::group::ristretto).) What makes it sound that blindings are summands is the proof that `Z` is
//! `a·Y`: see Jarecki, Krawczyk and Xu, "On the (In)Security of the Diffie-Hellman Oblivious PRF with Multiplicative Blinding".

use super::{
    element::Element,
    group::{Encoded, Group},
    secrets::{Own, Secrets, Transcript},
};
use fog::engine::Fault;

/// The sender's announced point.
pub struct Announced<G: Group> {
    pub encoded: Encoded,
    pub point: G::Point,
    multiples: G::Multiples,
}

impl<G: Group> Announced<G> {
    /// A point of a message; not the identity.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let point = G::decode(bytes)?;
        Some(Self { encoded: bytes.try_into().ok()?, point, multiples: G::multiples(&point) })
    }
}

/// What is asked in one round.
pub struct Query<G: Group> {
    /// The elements, without dummies.
    pub elements: Vec<Element>,
    /// The summands that hide them.
    pub blinds: Secrets<G::Scalar>,
    /// The points `Y` that are asked for, dummies included.
    pub points: Vec<G::Point>,
    pub message: Vec<u8>,
}

impl<G: Group> Query<G> {
    /// Asks for elements, and for as many dummies as make `size`.
    pub fn new(own: &Own, transcript: &Transcript, elements: Vec<Element>, size: usize) -> Result<Self, Fault> {
        let Some(missing) = size.checked_sub(elements.len()) else {
            return Err(Fault::internal("there is more to ask for than in any position"));
        };
        let blinds = transcript.scalars::<G>(&own.branch, "blinds", size);
        let all: Vec<Element> = elements.iter().copied().chain((0..missing).map(Element::receiver_dummy)).collect();
        let blinded = G::blind(&G::hashed(&all, own.receiver())?, &blinds);
        Ok(Self { elements, blinds, points: blinded.points, message: blinded.encoded.concat() })
    }

    /// The tags of the elements, from the points that came back. Dummies are unblinded like the others, so that the time tells nothing.
    pub fn tags(&self, announced: &Announced<G>, raised: &[G::Point]) -> Vec<Encoded> {
        let mut tags = G::unblind(&announced.multiples, raised, &self.blinds);
        tags.truncate(self.elements.len());
        tags
    }
}

impl<G: Group> std::fmt::Debug for Query<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Query(…)")
    }
}
