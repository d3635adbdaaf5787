//! One disclosure or both, held against the chain and against each other.

use super::compare::compare;
use super::part::{Part, Run};
use super::{Course, Disclosure, DisclosureError, Finding, Gap, transcripts};
use alloy::primitives::Address;
use engines::replay::Accountable;
use fog::ensure;
use game::SessionId;
use rules::Color;
use std::collections::BTreeSet;

/// What a check has looked at, and what it has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Whose parts were run again.
    pub players: Vec<Color>,
    /// Sessions that every part, run again, has to their end.
    pub sessions: usize,
    /// Sessions that one part at least doesn't have to their end, as at the end of a game.
    pub unfinished: usize,
    /// Moves whose transcript on chain is that of the parts.
    pub transcripts: usize,
    /// All that isn't as the protocol wants it.
    pub findings: Vec<Finding>,
    /// What the disclosures leave out, so that it couldn't be looked at.
    pub gaps: Vec<Gap>,
}

impl Account {
    /// Whether nothing was found, in what is disclosed.
    pub fn ok(&self) -> bool {
        self.findings.is_empty()
    }

    /// Whether nothing is known to be left out.
    pub fn is_complete(&self) -> bool {
        self.gaps.is_empty()
    }
}

impl Disclosure {
    /// Whether it can be held against a game at all: gives the player that it is of, and that has signed it.
    ///
    /// # Errors
    ///
    /// If it is of another game or engine, or not signed by its player.
    pub fn signed_for(&self, course: &Course, engine: &dyn Accountable) -> Result<Address, DisclosureError> {
        let name = engine.about().name;
        ensure!(self.game == course.game, DisclosureError::OtherGame);
        ensure!(self.engine == name, DisclosureError::OtherEngine(self.engine.clone(), name.to_owned()));
        ensure!(course.color_of(self.player).is_some(), DisclosureError::NotAPlayer(self.player));
        ensure!(self.signer() == Some(self.player), DisclosureError::NotSigned(self.player));
        Ok(self.player)
    }
}

/// Runs the parts of one player or of both again. Slow: it makes every message of the game.
///
/// # Errors
///
/// Those of [`Disclosure::signed_for`]; two disclosures of one player; a defect of this machine. A lie is no error but a [`Finding`], and so is
/// whatever else a player has signed.
pub fn check(
    course: &Course,
    engine: &dyn Accountable,
    disclosures: &[Disclosure],
) -> Result<Account, DisclosureError> {
    let mut players = Vec::new();
    for disclosure in disclosures {
        let player = disclosure.signed_for(course, engine)?;
        ensure!(!players.contains(&player), DisclosureError::SamePlayer(player));
        players.push(player);
    }
    let parts = disclosures.iter().map(|disclosure| Part::run(course, engine, disclosure));
    let parts = parts.collect::<Result<Vec<_>, _>>()?;
    let mut findings: Vec<Finding> = parts.iter().flat_map(|part| part.findings.iter().cloned()).collect();
    let mut gaps: Vec<Gap> = parts.iter().flat_map(|part| part.gaps.iter().copied()).collect();
    let transcripts = transcripts::check(course, &parts, &mut findings, &mut gaps);
    if let [one, other] = &parts[..] {
        compare(course, engine, [one, other], &mut findings, &mut gaps)?;
    }
    let runs = parts.iter().flat_map(|part| &part.sessions);
    let known: BTreeSet<SessionId> = runs.filter(|(_, run)| run.again.length() > 0).map(|(id, _)| *id).collect();
    let is_whole = |id: &&SessionId| parts.iter().all(|part| part.sessions.get(*id).is_some_and(Run::is_whole));
    let sessions = known.iter().filter(is_whole).count();
    let players = parts.iter().map(|part| part.color).collect();
    Ok(Account { players, sessions, unfinished: known.len() - sessions, transcripts, findings, gaps })
}
