//! The form with a Bloom filter: the filter, the receiver's set, the same raised; then what was found, confirmed against an exact set.
//!
//! A false positive is a piece that isn't there and hides what stands behind it. So every finding is confirmed in the second round, as
//! a fact of the sender's board and under a fresh exponent: the piece on its square, a presence, a jump. A filter has no
//! false negatives, so the first piece on a line is among the findings and is confirmed. A false finding before it has nothing on its
//! square and falls; one behind it may be confirmed, and is left out for standing behind. The sight is then the right one without
//! another attempt.

use super::{CAVEAT, CLAIMS, RECEIVER_SET, SENDER_SET};
use crate::psi::{
    Protocol, Search,
    element::Element,
    evidence::EvidenceBytes,
    group::Ristretto,
    layout::{Layout, Round, SetForm},
    lines::{asked, board, occupied},
    reading::{nearest, sight},
};
use fog::engine::{About, Cause, Fault, Phase, Trust};
use rules::{Side, Sight};
use std::collections::{BTreeSet, HashSet};

/// Findings that are confirmed. Of true ones there are 25 at most: 16 pieces, presences ahead of 8 pawns, a jump.
pub const FINDINGS: usize = 32;
/// What is confirmed against: 16 pieces, as many presences, a jump.
pub const BOARD_SET: usize = 33;

#[derive(Default)]
pub struct Bloom;

impl Protocol for Bloom {
    const ABOUT: About = About {
        name: "dh-psi",
        trust: Trust::SemiHonest,
        caveat: CAVEAT,
        claims: CLAIMS,
        max_message: Self::LAYOUT.largest(),
    };
    const LAYOUT: Layout = Layout {
        form: SetForm::Filter,
        set_size: SENDER_SET,
        rounds: &[Round { asked: RECEIVER_SET, exact: None }, Round { asked: FINDINGS, exact: Some(BOARD_SET) }],
        evidence: EvidenceBytes::NONE,
    };
    type Group = Ristretto;
    type Search = Confirmed;

    fn exact(side: &Side, phase: Phase) -> Vec<Element> {
        [board(side, phase), occupied(side)].concat()
    }

    fn search(board: &Side, phase: Phase) -> Confirmed {
        Confirmed { board: board.clone(), phase, found: HashSet::new() }
    }
}

/// Asks along all own lines, then for what was found.
#[derive(Clone)]
pub struct Confirmed {
    board: Side,
    phase: Phase,
    found: HashSet<Element>,
}

impl Confirmed {
    fn facts(&self) -> BTreeSet<Element> {
        self.found.iter().filter_map(|element| element.of_board()).collect()
    }
}

impl Search for Confirmed {
    fn asked(&self, round: usize) -> Result<Vec<Element>, Fault> {
        if round == 0 {
            return Ok(asked(&self.board, self.phase));
        }
        let facts = self.facts();
        // Eight false positives at once or more: not by chance.
        fog::ensure!(facts.len() <= FINDINGS, Fault::malformed(2, "the filter holds more pieces than a board"));
        Ok(facts.into_iter().collect())
    }

    fn learn(&mut self, round: usize, findings: &[(Element, bool)]) {
        let found = findings.iter().filter(|(_, is_found)| *is_found).map(|(element, _)| *element);
        if round == 0 {
            self.found = found.collect();
            return;
        }
        let confirmed: HashSet<Element> = found.collect();
        self.found.retain(|element| element.of_board().is_some_and(|fact| confirmed.contains(&fact)));
        self.found = nearest(&self.board, &self.found);
    }

    fn sight(&self) -> Result<Sight, Cause> {
        Ok(sight(&self.board, self.phase, &self.found)?)
    }
}
