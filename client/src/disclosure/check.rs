//! One disclosure or both, held against the chain and against each other.

use super::part::Part;
use super::{Course, Disclosure, DisclosureError, Finding, Missing, transcripts};
use alloy::primitives::Address;
use engines::replay::{Accountable, Again};
use fog::ensure;
use game::SessionId;
use rules::Color;
use std::collections::BTreeSet;

/// What a check has looked at, and what it has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The players whose parts were run again.
    pub players: Vec<Color>,
    /// How many sessions every part, run again, has to their end.
    pub sessions: usize,
    /// How many sessions one part at least doesn't have to their end, as at the end of a game.
    pub unfinished: usize,
    /// How many moves carry a transcript that is that of the parts.
    pub transcripts: usize,
    /// All that isn't as the protocol wants it.
    pub findings: Vec<Finding>,
    /// What the disclosures leave out, so that it couldn't be looked at.
    pub missing: Vec<Missing>,
}

impl Account {
    /// Whether nothing was found, in what is disclosed.
    pub fn ok(&self) -> bool {
        self.findings.is_empty()
    }

    /// Whether nothing is known to be left out.
    pub fn is_complete(&self) -> bool {
        self.missing.is_empty()
    }
}

impl Disclosure {
    /// Whether it can be held against a game at all: gives the player that it says it is of. Only the branch in it shows that it is.
    ///
    /// # Errors
    ///
    /// If it is of another game or engine, or of nobody who plays this game.
    pub fn player_of(&self, course: &Course, engine: &dyn Accountable) -> Result<Address, DisclosureError> {
        let name = engine.about().name;
        ensure!(self.game == course.game, DisclosureError::OtherGame);
        ensure!(self.engine == name, DisclosureError::OtherEngine(self.engine.clone(), name.to_owned()));
        ensure!(course.color_of(self.player).is_some(), DisclosureError::NotAPlayer(self.player));
        Ok(self.player)
    }
}

/// Runs the parts of one player or of both again. Slow: it makes every message of the game.
///
/// # Errors
///
/// Those of [`Disclosure::player_of`]; two disclosures of one player; a defect of this machine. A lie is no error but a [`Finding`].
pub fn check(
    course: &Course,
    engine: &dyn Accountable,
    disclosures: &[Disclosure],
) -> Result<Account, DisclosureError> {
    let mut players = Vec::new();
    for disclosure in disclosures {
        let player = disclosure.player_of(course, engine)?;
        ensure!(!players.contains(&player), DisclosureError::SamePlayer(player));
        players.push(player);
    }
    let parts = disclosures.iter().map(|disclosure| Part::run(course, engine, disclosure));
    let parts = parts.collect::<Result<Vec<_>, _>>()?;
    let mut findings: Vec<Finding> = parts.iter().flat_map(|part| part.findings.iter().cloned()).collect();
    let mut missing: Vec<Missing> = parts.iter().flat_map(|part| part.missing.iter().copied()).collect();
    let transcripts = transcripts::check(course, &parts, &mut findings, &mut missing);
    if let [one, other] = &parts[..] {
        let mut found = other_messages(course, engine, one, other)?;
        found.extend(other_messages(course, engine, other, one)?);
        findings.extend(first_of_each_session(found));
    }
    let runs = parts.iter().flat_map(|part| &part.sessions);
    let known: BTreeSet<SessionId> = runs.filter(|(_, run)| run.again.length() > 0).map(|(id, _)| *id).collect();
    let is_whole = |id: &&SessionId| parts.iter().all(|part| part.sessions.get(*id).is_some_and(|run| run.is_whole()));
    let sessions = known.iter().filter(is_whole).count();
    let players = parts.iter().map(|part| part.color).collect();
    Ok(Account { players, sessions, unfinished: known.len() - sessions, transcripts, findings, missing })
}

/// A message that the hearer discloses otherwise than the speaker says it: the session, the message and its first other byte, and the speaker.
type Other = (SessionId, usize, usize, Color);

/// Of each session the first message that the hearer discloses otherwise than the speaker's part says it, told what the hearer's part says: so
/// nobody hides what it said by changing what it was told, or by leaving it out.
fn other_messages(
    course: &Course,
    engine: &dyn Accountable,
    hearer: &Part<'_>,
    speaker: &Part<'_>,
) -> Result<Vec<Other>, DisclosureError> {
    if agree(hearer, speaker) {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for (session, said) in speaker.told_by(course, engine, hearer)? {
        let other = |message| Some((message, said.again.first_other_byte(message, hearer.heard(session, message)?)?));
        let first = (0..said.again.length()).find_map(other);
        found.extend(first.map(|(message, byte)| (session, message, byte, speaker.color)));
    }
    Ok(found)
}

/// What comes after the first other message of a session follows from it. Sights are made with the keys of the set-up, so nothing is told of them
/// where the set-up differs.
fn first_of_each_session(mut found: Vec<Other>) -> Vec<Finding> {
    found.sort_by_key(|(session, message, ..)| (*session, *message));
    found.dedup_by_key(|(session, ..)| *session);
    if let Some(set_up) = found.iter().position(|(session, ..)| *session == SessionId::SetUp) {
        found = vec![found[set_up]];
    }
    let finding = |(session, message, byte, by)| Finding::Message { by, session, message, byte };
    found.into_iter().map(finding).collect()
}

/// Whether the speaker's part, as it was run, says all that the hearer heard. Running it again would show nothing.
fn agree(hearer: &Part<'_>, speaker: &Part<'_>) -> bool {
    hearer.sessions.iter().all(|(session, run)| {
        let messages = run.again.messages();
        let heard = (0..messages.len()).rev().find(|index| !run.is_own(*index)).map_or(0, |last| last + 1);
        let says = |index: usize, said: &Again| said.first_other_byte(index, &messages[index]).is_none();
        let all = |said: &Again| said.messages().len() >= heard && (0..heard).all(|index| says(index, said));
        run.again.refused.is_none() && speaker.sessions.get(session).is_some_and(|run| all(&run.again))
    })
}
