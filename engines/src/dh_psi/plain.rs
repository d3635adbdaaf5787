//! The plain form: the sender's set, the receiver's, and the receiver's raised.

use super::{CAVEAT, CLAIMS, RECEIVER_SET, SENDER_SET};
use crate::psi::{
    Protocol, Search,
    element::Element,
    evidence::EvidenceBytes,
    group::Ristretto,
    layout::{Layout, Round, SetForm},
    lines::asked,
    reading,
};
use fog::engine::{About, Cause, Fault, Phase, Trust};
use rules::{Side, Sight};
use std::collections::HashSet;

#[derive(Default)]
pub struct Plain;

impl Protocol for Plain {
    const ABOUT: About = About {
        name: "dh-psi-plain",
        trust: Trust::SemiHonest,
        caveat: CAVEAT,
        claims: CLAIMS,
        max_message: Self::LAYOUT.largest(),
    };
    const LAYOUT: Layout = Layout {
        form: SetForm::Tags,
        set_size: SENDER_SET,
        rounds: &[Round { asked: RECEIVER_SET, exact: None }],
        evidence: EvidenceBytes::NONE,
    };
    type Group = Ristretto;
    type Search = Lines;

    fn search(board: &Side, phase: Phase) -> Lines {
        Lines::new(board, phase, asked(board, phase))
    }
}

/// Asks along all own lines at once, in the order given.
#[derive(Clone)]
pub struct Lines {
    board: Side,
    phase: Phase,
    asked: Vec<Element>,
    found: HashSet<Element>,
}

impl Lines {
    /// Asks for these along the lines of a board.
    pub fn new(board: &Side, phase: Phase, asked: Vec<Element>) -> Self {
        Self { board: board.clone(), phase, asked, found: HashSet::new() }
    }
}

impl Search for Lines {
    fn asked(&self, _: usize) -> Result<Vec<Element>, Fault> {
        Ok(self.asked.clone())
    }

    fn learn(&mut self, _: usize, findings: &[(Element, bool)]) {
        self.found = findings.iter().filter(|(_, is_found)| *is_found).map(|(element, _)| *element).collect();
    }

    fn sight(&self) -> Result<Sight, Cause> {
        Ok(reading::sight(&self.board, self.phase, &self.found)?)
    }
}
