//! One disclosure or both, held against the chain and against each other.

use super::compare::compare;
use super::part::{Part, Run};
use super::{Course, Disclosure, DisclosureError, Finding, Gap, transcripts};
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

/// Runs the parts of one player or of both again. Slow: it makes every message of the game.
///
/// # Errors
///
/// A disclosure that isn't of this game, isn't signed by its player, or is malformed; a defect of this machine. A lie is no error but a [`Finding`].
pub fn check(
    course: &Course,
    engine: &dyn Accountable,
    disclosures: &[Disclosure],
) -> Result<Account, DisclosureError> {
    let name = engine.about().name;
    for (number, disclosure) in disclosures.iter().enumerate() {
        ensure!(disclosure.game == course.game, DisclosureError::OtherGame);
        let other = || DisclosureError::OtherEngine(disclosure.engine.clone(), name.to_owned());
        ensure!(disclosure.engine == name, other());
        let twice = disclosures[..number].iter().any(|known| known.player == disclosure.player);
        ensure!(!twice, DisclosureError::SamePlayer(disclosure.player));
        ensure!(course.color_of(disclosure.player).is_some(), DisclosureError::NotAPlayer(disclosure.player));
        ensure!(disclosure.signer() == Some(disclosure.player), DisclosureError::NotSigned(disclosure.player));
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
