//! One player's part of a game, run again from its disclosure: on what it says that it heard, or on what its opponent's part says.

use super::{Course, Disclosure, DisclosureError, Finding, Missing};
use engines::replay::{Accountable, Again};
use ff::Field;
use fog::engine::{BoxedParty, Branch, Fault, Word};
use fog::word::to_word;
use game::secrets::ViewKey;
use game::transcript::set_up_id;
use game::{OwnState, SessionId};
use halo2curves::bn256::Fr;
use rules::Color;
use std::collections::BTreeMap;

/// The player's part of a session.
pub(super) struct Run {
    pub again: Again,
    /// Whether message 0 is the player's.
    opens: bool,
    /// A digest of its messages, if it came to its end.
    pub transcript: Option<Word>,
    /// What the player must have promised of it on chain, of a sight that it gives.
    root: Option<Word>,
}

/// The player's part of the set-up, if it has messages, and of every sight, as far as it could be run.
pub(super) type Sessions = BTreeMap<SessionId, Run>;

pub(super) struct Part<'a> {
    pub color: Color,
    disclosure: &'a Disclosure,
    /// The own state in each position, as far as the view key opens them.
    states: Vec<OwnState>,
    /// On what the player says that it heard.
    pub sessions: Sessions,
    pub findings: Vec<Finding>,
    pub missing: Vec<Missing>,
}

impl Run {
    /// Runs a part on what `heard` gives; with what comes of it. `id`: what binds the transcript.
    fn of<'h, T: Clone>(
        party: BoxedParty<T>,
        opens: bool,
        id: &Word,
        heard: impl Fn(usize) -> Option<&'h [u8]>,
    ) -> Result<(Self, Option<T>), Fault> {
        let (again, output) = Again::run(party, opens, |index, _| heard(index))?;
        // A set-up without messages is none.
        let transcript = again.transcript(id).filter(|_| again.length() > 0);
        Ok((Self { again, opens, transcript, root: None }, output))
    }

    /// Whether a message is the player's own.
    pub fn is_own(&self, index: usize) -> bool {
        index.is_multiple_of(2) == self.opens
    }

    /// Whether it came to its end.
    pub fn is_whole(&self) -> bool {
        self.again.messages().len() == self.again.length()
    }
}

impl<'a> Part<'a> {
    /// Runs a player's part again, on what it says that it heard.
    pub fn run(course: &Course, engine: &dyn Accountable, disclosure: &'a Disclosure) -> Result<Self, DisclosureError> {
        let color = course.color_of(disclosure.player);
        let color = color.ok_or(DisclosureError::NotAPlayer(disclosure.player))?;
        let states = vec![OwnState::start(color)];
        let (sessions, findings, missing) = (Sessions::new(), Vec::new(), Vec::new());
        let mut part = Self { color, disclosure, states, sessions, findings, missing };
        part.open_states(course);
        part.sessions = part.run_on(course, engine, |session, index| disclosure.heard(session, index))?;
        if part.sessions.is_empty() {
            part.findings = vec![Finding::Branch { of: color }];
            return Ok(part);
        }
        part.findings.extend(part.stray(course));
        part.look(course);
        Ok(part)
    }

    /// The same part, if it was told what the opponent's part says: so nobody hides what it said by changing what it was told, or by leaving
    /// it out.
    pub fn told_by(
        &self,
        course: &Course,
        engine: &dyn Accountable,
        opponent: &Part<'_>,
    ) -> Result<Sessions, DisclosureError> {
        self.run_on(course, engine, |session, index| {
            opponent.sessions.get(&session)?.again.messages().get(index).map(Vec::as_slice)
        })
    }

    /// Runs the part on the opponent's messages that `heard` gives. Nothing if the branch isn't the one that was registered.
    fn run_on<'h>(
        &self,
        course: &Course,
        engine: &dyn Accountable,
        heard: impl Fn(SessionId, usize) -> Option<&'h [u8]>,
    ) -> Result<Sessions, DisclosureError> {
        let sessions = self.try_on(course, engine, heard);
        sessions.map_err(|fault| DisclosureError::Engine(self.disclosure.player, fault.to_string()))
    }

    /// Runs the part again on what was heard. Faults are this machine's.
    fn try_on<'h>(
        &self,
        course: &Course,
        engine: &dyn Accountable,
        heard: impl Fn(SessionId, usize) -> Option<&'h [u8]>,
    ) -> Result<Sessions, Fault> {
        let mut sessions = Sessions::new();
        let game = course.start().engine_game(&course.game);
        let branch = Branch::from_bytes(*self.disclosure.branch);
        let Some(party) = engine.published(self.color, branch, &game) else { return Ok(sessions) };
        let id = set_up_id(engine.about(), &game);
        let (run, keys) = Run::of(party, self.color == Color::White, &id, |index| heard(SessionId::SetUp, index))?;
        sessions.insert(SessionId::SetUp, run);
        let Some(keys) = keys else { return Ok(sessions) };
        for (session, number, exchange) in course.sights() {
            let Some(own) = self.states.get(number).map(OwnState::committed) else { break };
            let ctx = course.positions[number].context(&course.game, &exchange);
            let id = to_word(&ctx.ok_or_else(|| Fault::internal("a sight has no context"))?);
            let heard = |index| heard(session, index);
            let run = if exchange.receiver() == self.color {
                let promised = course.promised(session).map(|root| to_word(&root));
                Run::of(keys.receiver(&exchange, &own, promised)?, false, &id, heard)?.0
            } else {
                let (party, root) = keys.sender(&exchange, &own, &[])?;
                Run { root: Some(root), ..Run::of(party, true, &id, heard)?.0 }
            };
            sessions.insert(session, run);
        }
        Ok(sessions)
    }

    /// Finds the states behind the player's commitments.
    fn open_states(&mut self, course: &Course) {
        let disclosed = *self.disclosure.view_key;
        let view_key = course.published(self.color).unwrap_or(disclosed);
        if view_key != disclosed {
            self.findings.push(Finding::ViewKey { of: self.color });
        }
        let view_key = ViewKey::from_bytes(view_key);
        for (play, fields) in course.positions.iter().zip(&course.moves) {
            let Some(own) = self.states.last() else { return };
            let next = match play.turn() == self.color {
                true => own.find(&view_key, play.pending, fields.next_commitment),
                false => Some(own.clone()),
            };
            let Some(next) = next else {
                return self.findings.push(Finding::State { of: self.color, ply: fields.ply });
            };
            self.states.push(next);
        }
    }

    /// Looks at the part by itself: what it promised, what it took, and what is missing.
    fn look(&mut self, course: &Course) {
        let of = self.color;
        for (session, run) in &self.sessions {
            let promised = course.promised(*session).zip(run.root);
            // One that was never promised is the audit's to tell.
            let is_other = promised.is_some_and(|(said, root)| said != Fr::ZERO && to_word(&said) != root);
            match (&run.again.refused, session) {
                // What was answered to another opening is refused here: that follows, and isn't told too.
                (_, SessionId::Exchange { ply, .. }) if is_other => {
                    self.findings.push(Finding::Promise { of, ply: ply.saturating_sub(1) });
                }
                (Some((message, fault)), _) => self.findings.push(Finding::Refused {
                    by: of,
                    session: *session,
                    message: *message,
                    cause: fault.to_string(),
                }),
                (None, _) => {}
            }
            if run.again.refused.is_none() && !run.is_whole() && course.was_used(*session, of) {
                self.missing.push(Missing { of, session: *session, message: run.again.messages().len() });
            }
        }
    }

    /// The first message of the disclosure that nobody can have sent in this game. Nothing else is made of it: no part asks for it.
    fn stray(&self, course: &Course) -> Option<Finding> {
        let sights = course.sights();
        let has_set_up = self.sessions.get(&SessionId::SetUp).is_some_and(|run| run.again.length() > 0);
        self.disclosure.heard.iter().find_map(|(session, messages)| {
            let is_there = match session {
                SessionId::SetUp => has_set_up,
                // A node that is behind, or that lies, hasn't shown all moves: what came after the last one that it shows says nothing.
                SessionId::Exchange { ply, .. } => {
                    let is_unseen = !course.is_over() && usize::from(*ply) + 1 >= course.positions.len();
                    is_unseen || sights.iter().any(|(known, ..)| known == session)
                }
            };
            let run = self.sessions.get(session);
            let is_peers = |index: &u16| {
                let index = usize::from(*index);
                run.is_none_or(|run| index < run.again.length() && !run.is_own(index))
            };
            let message = *messages.keys().find(|index| !is_there || !is_peers(index))?;
            Some(Finding::NoSuchMessage { of: self.color, session: *session, message })
        })
    }

    /// A message of the opponent as this player says that it heard it.
    pub fn heard(&self, session: SessionId, index: usize) -> Option<&[u8]> {
        self.disclosure.heard(session, index)
    }
}

fog::redacted!(Run);
