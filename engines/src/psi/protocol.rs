//! What differs between engines over private set intersection: which sets are built, and what the receiver looks for.

use super::{element::Element, evidence::Evidence, group::Group, layout::Layout, lines};
use fog::engine::{About, Cause, Fault, Phase};
use rules::{Side, Sight};

/// One way of seeing by exchanges of sets.
pub trait Protocol: Send + Sync + 'static {
    const ABOUT: About;
    const LAYOUT: Layout;
    /// The group that its sets meet in.
    type Group: Group;
    /// What its receiver does.
    type Search: Search + 'static;

    /// What shows that sets are those of the committed boards; unless a protocol says otherwise, nothing does, and players trust each other's.
    fn evidence(&self) -> Option<&dyn Evidence<Self::Group>> {
        None
    }

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
