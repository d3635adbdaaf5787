//! What shows that a set is that of the committed board, where players don't trust each other's sets: a proof for each.

use super::group::Group;
use fog::engine::{Cause, Word};

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

impl<G: Group> Said<'_, G> {
    /// Takes a set that comes without evidence. What claims to be some is refused, since nothing here checks it.
    pub(super) fn without_evidence(&self, proof: &[u8]) -> Result<(), Cause> {
        fog::ensure!(self.digest.is_empty() && proof.is_empty(), "this engine proves no sets".into());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::psi::group::Ristretto;

    #[test]
    fn evidence_that_nothing_checks_is_refused() {
        let accepts = |digest: &[u8], proof: &[u8]| {
            let said = Said::<Ristretto> { bound: [0; 32], digest, points: &[] };
            said.without_evidence(proof).is_ok()
        };
        assert!(accepts(&[], &[]));
        assert!(!accepts(&[0; 32], &[]) && !accepts(&[], &[0]));
    }
}
