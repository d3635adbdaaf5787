//! What differs between engines over private set intersection: which sets are built, and what the receiver looks for.

use super::{
    element::Element,
    evidence::Said,
    group::Group,
    layout::Layout,
    lines,
    secrets::{Own, Secrets, Transcript},
};
use fog::engine::{About, Cause, Fault, Phase, Word};
use rules::{Side, Sight};

/// One way of seeing by exchanges of sets.
///
/// The methods with `self` make and check the evidence that sets are those of the committed boards; unless a protocol says otherwise, there is none,
/// and players trust each other's sets. Of the proving methods `own` is the prover's, of the verifying ones the verifier's. `before` is all that was
/// said before the set, from which the own secrets follow; `bound` is a hash of all that was said, the set, its digest and the announced point
/// included.
pub trait Protocol: Send + Sync + 'static {
    const ABOUT: About;
    const LAYOUT: Layout;
    /// The group that its sets meet in.
    type Group: Group;
    /// What its receiver does.
    type Search: Search + 'static;

    /// The sender's set: unless a protocol says otherwise, what it shows along all lines that the receiver could have.
    fn set(board: &Side, phase: Phase) -> Vec<Element> {
        lines::shown(board, phase)
    }

    /// What the sender confirms in the round that brings a set of its own, if there is one.
    fn exact(_board: &Side, _phase: Phase) -> Vec<Element> {
        Vec::new()
    }

    /// What the receiver does.
    fn search(board: &Side, phase: Phase) -> Self::Search;

    /// The digest of the own set of a sender, whose tags stand at `places` among the sorted ones.
    fn digest_shown(&self, _own: &Own, _before: &Transcript, _places: &[usize]) -> Result<Vec<u8>, Fault> {
        Ok(Vec::new())
    }

    /// Slow. The proof that the sender's set is its board's, and that the tags are its elements' under the sender's exponent.
    fn prove_shown(&self, _own: &Own, _before: &Transcript, _places: &[usize], _bound: Word) -> Result<Vec<u8>, Fault> {
        Ok(Vec::new())
    }

    /// Checks the sender's proof; `announced` is the point of its exponent.
    fn verify_shown(
        &self,
        _own: &Own,
        _announced: &<Self::Group as Group>::Point,
        said: &Said<Self::Group>,
        proof: &[u8],
    ) -> Result<(), Cause> {
        said.without_evidence(proof)
    }

    /// The digest of the own set of a receiver.
    fn digest_asked(&self, _own: &Own, _before: &Transcript) -> Result<Vec<u8>, Fault> {
        Ok(Vec::new())
    }

    /// Slow. The proof that the receiver's set is its board's, and that its points are the set's, each blinded by `blinds`.
    fn prove_asked(
        &self,
        _own: &Own,
        _before: &Transcript,
        _blinds: &Secrets<<Self::Group as Group>::Scalar>,
        _bound: Word,
    ) -> Result<Vec<u8>, Fault> {
        Ok(Vec::new())
    }

    /// Checks the receiver's proof.
    fn verify_asked(&self, _own: &Own, said: &Said<Self::Group>, proof: &[u8]) -> Result<(), Cause> {
        said.without_evidence(proof)
    }
}

/// What a receiver looks for, round by round.
pub trait Search: Clone + Send {
    /// What it asks in a round, at most as much as the layout says.
    fn asked(&self, round: usize) -> Result<Vec<Element>, Fault>;

    /// Learns for each element asked in a round whether the sender has it.
    fn learn(&mut self, round: usize, findings: &[(Element, bool)]);

    /// The sight, after the last round; an error if no board could give these findings.
    fn sight(&self) -> Result<Sight, Cause>;
}
