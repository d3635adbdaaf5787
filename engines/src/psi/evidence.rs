//! What shows that a set is that of the committed board, where players don't trust each other's sets: a proof for each.

use super::{
    group::Group,
    secrets::{Own, Secrets, Transcript},
};
use fog::engine::{Cause, Fault, Word};

/// Bytes that evidence adds to messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EvidenceBytes {
    /// The digest of a set, `D`, in the content of the message that brings the set.
    pub digest: usize,
    /// The proof of the sender's set.
    pub shown: usize,
    /// The proof of the receiver's.
    pub asked: usize,
}

impl EvidenceBytes {
    pub const NONE: Self = Self { digest: 0, shown: 0, asked: 0 };
}

/// What both players know of a set that was said.
pub struct Said<'a, G: Group> {
    /// A hash of all that was said, this set, its digest and the announced point included.
    pub bound: Word,
    /// The digest of the set.
    pub digest: &'a [u8],
    /// The set's points, in the order of the message.
    pub points: &'a [G::Point],
}

/// Makes and checks what shows that sets are those of the committed boards. Of the proving methods `own` is the prover's, of the verifying ones
/// the verifier's. `before` is all that was said before the set, from which the own secrets follow; `bound` is a hash of all that was said, the set,
/// its digest and the announced point included.
pub trait Evidence<G: Group>: Send + Sync {
    /// The digest of the own set of a sender, whose tags stand at `places` among the sorted ones.
    fn digest_shown(&self, own: &Own, before: &Transcript, places: &[usize]) -> Result<Vec<u8>, Fault>;

    /// Slow. The proof that the sender's set is its board's, and that the tags are its elements' under the sender's exponent.
    fn prove_shown(&self, own: &Own, before: &Transcript, places: &[usize], bound: Word) -> Result<Vec<u8>, Fault>;

    /// Checks the sender's proof; `announced` is the point of its exponent.
    fn verify_shown(&self, own: &Own, announced: &G::Point, said: &Said<G>, proof: &[u8]) -> Result<(), Cause>;

    /// The digest of the own set of a receiver.
    fn digest_asked(&self, own: &Own, before: &Transcript) -> Result<Vec<u8>, Fault>;

    /// Slow. The proof that the receiver's set is its board's, and that its points are the set's, each blinded by `blinds`.
    fn prove_asked(
        &self,
        own: &Own,
        before: &Transcript,
        blinds: &Secrets<G::Scalar>,
        bound: Word,
    ) -> Result<Vec<u8>, Fault>;

    /// Checks the receiver's proof.
    fn verify_asked(&self, own: &Own, said: &Said<G>, proof: &[u8]) -> Result<(), Cause>;
}

/// Without evidence digests and proofs are empty, and players trust each other's sets.
impl<G: Group> Evidence<G> for Option<&dyn Evidence<G>> {
    fn digest_shown(&self, own: &Own, before: &Transcript, places: &[usize]) -> Result<Vec<u8>, Fault> {
        self.map_or(Ok(Vec::new()), |evidence| evidence.digest_shown(own, before, places))
    }

    fn prove_shown(&self, own: &Own, before: &Transcript, places: &[usize], bound: Word) -> Result<Vec<u8>, Fault> {
        self.map_or(Ok(Vec::new()), |evidence| evidence.prove_shown(own, before, places, bound))
    }

    fn verify_shown(&self, own: &Own, announced: &G::Point, said: &Said<G>, proof: &[u8]) -> Result<(), Cause> {
        self.map_or(Ok(()), |evidence| evidence.verify_shown(own, announced, said, proof))
    }

    fn digest_asked(&self, own: &Own, before: &Transcript) -> Result<Vec<u8>, Fault> {
        self.map_or(Ok(Vec::new()), |evidence| evidence.digest_asked(own, before))
    }

    fn prove_asked(
        &self,
        own: &Own,
        before: &Transcript,
        blinds: &Secrets<G::Scalar>,
        bound: Word,
    ) -> Result<Vec<u8>, Fault> {
        self.map_or(Ok(Vec::new()), |evidence| evidence.prove_asked(own, before, blinds, bound))
    }

    fn verify_asked(&self, own: &Own, said: &Said<G>, proof: &[u8]) -> Result<(), Cause> {
        self.map_or(Ok(()), |evidence| evidence.verify_asked(own, said, proof))
    }
}
