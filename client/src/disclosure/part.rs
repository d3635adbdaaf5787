//! One player's part of a game, run again from its disclosure.

use super::finding::in_words;
use super::{Course, Disclosure, DisclosureError, Finding};
use engines::replay::{Accountable, Again};
use ff::Field;
use fog::engine::{BoxedParty, Branch, Fault, GameKeys, Word};
use fog::word::to_word;
use game::secrets::ViewKey;
use game::transcript::{next, set_up_id};
use game::{OwnState, Phase, PlayState, SessionId};
use halo2curves::bn256::Fr;
use rules::{Color, Sight};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A session of the part.
pub(super) struct Run {
    pub again: Again,
    /// Whether message 0 is the player's.
    pub opens: bool,
    /// A digest of its messages, if it came to its end.
    transcript: Option<Word>,
}

/// How a transcript on chain fits a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// It is of all the sessions that it can be of.
    Whole,
    /// It leaves out the first, which had not come to its end where it was made.
    WithoutFirst,
    /// It is of other messages.
    Not,
    /// The part hasn't got so far.
    Unknown,
}

/// A sight: its ply, its phase, and the number of its position.
type Place = (u16, Phase, usize);

/// A player's part of a sight.
enum Role {
    /// The player gets it.
    Receiver(BoxedParty<Sight>),
    /// The player gives it; with what it promises.
    Sender(BoxedParty<()>, Word),
}

/// A player's part.
pub(super) struct Part<'a> {
    pub color: Color,
    disclosure: &'a Disclosure,
    has_set_up: bool,
    /// What the set-up has come to.
    keys: Option<Arc<dyn GameKeys>>,
    /// The own state in each position, as far as the view key opens them.
    states: Vec<OwnState>,
    pub sessions: BTreeMap<SessionId, Run>,
    pub findings: Vec<Finding>,
}

/// What was promised on chain of a sight.
fn promised(play: &PlayState, phase: Phase) -> Option<Fr> {
    Some(play.answer_root).filter(|_| phase == Phase::Pre)
}

fn internal(fault: Fault) -> DisclosureError {
    DisclosureError::Engine(fault.to_string())
}

impl<'a> Part<'a> {
    /// Runs a player's part again.
    pub fn run(course: &Course, engine: &dyn Accountable, disclosure: &'a Disclosure) -> Result<Self, DisclosureError> {
        let color = course.color_of(disclosure.player);
        let color = color.ok_or(DisclosureError::NotAPlayer(disclosure.player))?;
        let (states, sessions, findings) = (Vec::new(), BTreeMap::new(), Vec::new());
        let mut part = Self { color, disclosure, has_set_up: false, keys: None, states, sessions, findings };
        let game = course.start().engine_game(&course.game);
        let Some(party) = engine.published(color, Branch::from_bytes(*disclosure.branch), &game) else {
            part.findings.push(Finding::Branch { of: color });
            return Ok(part);
        };
        part.has_set_up = !party.shape().is_empty();
        part.keys = part.session(SessionId::SetUp, party, color == Color::White, set_up_id(engine.about(), &game))?;
        part.open_states(course);
        match &part.keys {
            Some(_) => part.exchange(course)?,
            None => part.miss(SessionId::SetUp, course.has_moved(color)),
        }
        part.check_messages(course)?;
        Ok(part)
    }

    /// Runs a session; what comes of it.
    fn session<T: Clone>(
        &mut self,
        id: SessionId,
        party: BoxedParty<T>,
        opens: bool,
        binding: Word,
    ) -> Result<Option<T>, DisclosureError> {
        let heard = |index, _: &[Vec<u8>]| self.disclosure.heard(id, index);
        let (again, output) = Again::run(party, opens, heard).map_err(internal)?;
        if let Some((message, fault)) = &again.refused {
            let (said_by, cause) = (!self.color, fault.to_string());
            self.findings.push(Finding::Refused { said_by, session: id, message: *message, cause });
        }
        // A set-up without messages is none.
        let transcript = again.transcript(&binding).filter(|_| again.length() > 0);
        self.sessions.insert(id, Run { again, opens, transcript });
        Ok(output)
    }

    /// Finds the states behind the player's commitments.
    fn open_states(&mut self, course: &Course) {
        let disclosed = *self.disclosure.view_key;
        let view_key = course.published(self.color).unwrap_or(disclosed);
        if view_key != disclosed {
            self.findings.push(Finding::ViewKey { of: self.color });
        }
        let view_key = ViewKey::from_bytes(view_key);
        self.states.push(OwnState::start(self.color));
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

    /// The player's part of a sight and what its messages are bound to; none beyond the states that are known.
    fn role(&self, course: &Course, (_, phase, number): Place) -> Result<Option<(Role, Word)>, DisclosureError> {
        let (Some(keys), Some(own)) = (&self.keys, self.states.get(number)) else { return Ok(None) };
        let play = &course.positions[number];
        let exchange = play.exchange(phase).ok_or(DisclosureError::Engine("a sight has no exchange".to_owned()))?;
        let ctx = play.context(&course.game, &exchange);
        let ctx = to_word(&ctx.ok_or(DisclosureError::Engine("a sight has no context".to_owned()))?);
        let role = if exchange.receiver() == self.color {
            let promised = promised(play, phase).map(|root| to_word(&root));
            Role::Receiver(keys.receiver(&exchange, &own.committed(), promised).map_err(internal)?)
        } else {
            let (party, root) = keys.sender(&exchange, &own.committed(), &[]).map_err(internal)?;
            Role::Sender(party, root)
        };
        Ok(Some((role, ctx)))
    }

    /// Runs all sights.
    fn exchange(&mut self, course: &Course) -> Result<(), DisclosureError> {
        for place @ (ply, phase, number) in course.sights() {
            let session = SessionId::Exchange { ply, phase };
            match self.role(course, place)? {
                None => return Ok(()),
                Some((Role::Receiver(party), ctx)) => {
                    self.session(session, party, false, ctx)?;
                }
                Some((Role::Sender(party, root), ctx)) => {
                    let before = self.findings.len();
                    self.session(session, party, true, ctx)?;
                    let promised = promised(&course.positions[number], phase);
                    // One that was never promised is the audit's to tell.
                    if promised.is_some_and(|promised| promised != Fr::ZERO && to_word(&promised) != root) {
                        // What was answered to another opening is refused here, and is no lie.
                        self.findings.truncate(before);
                        self.findings.push(Finding::Promise { of: self.color, ply: ply.saturating_sub(1) });
                    }
                }
            }
            self.miss(session, course.was_used(ply, phase));
        }
        Ok(())
    }

    /// The player's part of a sight that its disclosure breaks off, on the messages that its opponent's part makes where the disclosure has
    /// none: so nobody hides what it said by leaving out what it was told. None where nothing more comes of it.
    pub fn completed(
        &self,
        course: &Course,
        session: SessionId,
        opponent: &Self,
    ) -> Result<Option<Again>, DisclosureError> {
        let (Some(run), Some(theirs)) = (self.sessions.get(&session), opponent.sessions.get(&session)) else {
            return Ok(None);
        };
        let known = run.again.messages().len();
        if run.again.refused.is_some() || theirs.again.messages().len() <= known {
            return Ok(None);
        }
        let place = course
            .sights()
            .into_iter()
            .find(|(ply, phase, _)| session == SessionId::Exchange { ply: *ply, phase: *phase });
        let Some((role, _)) = place.map(|place| self.role(course, place)).transpose()?.flatten() else {
            return Ok(None);
        };
        let made = theirs.again.messages();
        let heard = |index: usize, _: &[Vec<u8>]| {
            self.disclosure.heard(session, index).or_else(|| made.get(index).map(Vec::as_slice))
        };
        let again = match role {
            Role::Receiver(party) => Again::run(party, false, heard).map_err(internal)?.0,
            Role::Sender(party, _) => Again::run(party, true, heard).map_err(internal)?.0,
        };
        Ok((again.messages().len() > known).then_some(again))
    }

    /// Notes what a session lacks that must have come to its end.
    fn miss(&mut self, session: SessionId, is_needed: bool) {
        let Some(run) = self.sessions.get(&session).filter(|run| is_needed && run.again.refused.is_none()) else {
            return;
        };
        let message = run.again.messages().len();
        if message < run.again.length() {
            self.findings.push(Finding::Missing { of: self.color, session, message });
        }
    }

    /// Refuses a disclosure with messages that nobody can have sent.
    fn check_messages(&self, course: &Course) -> Result<(), DisclosureError> {
        let sights = course.sights();
        for (session, messages) in &self.disclosure.heard {
            let is_there = match session {
                SessionId::SetUp => self.has_set_up,
                SessionId::Exchange { ply, phase } => sights.iter().any(|sight| (sight.0, sight.1) == (*ply, *phase)),
            };
            let run = self.sessions.get(session);
            let is_peers = |index: &u16| {
                let index = usize::from(*index);
                run.is_none_or(|run| index < run.again.length() && index.is_multiple_of(2) != run.opens)
            };
            let wrong = messages.keys().find(|index| !is_there || !is_peers(index));
            if let Some(index) = wrong {
                return Err(DisclosureError::NoSuchMessage(in_words(*session), *index));
            }
        }
        Ok(())
    }

    /// How the transcript that a move carries fits this part.
    pub fn fit(&self, course: &Course, ply: u16) -> Fit {
        let place = usize::from(ply);
        let (Some(play), Some(fields)) = (course.positions.get(place), course.moves.get(place)) else {
            return Fit::Unknown;
        };
        let [first, second] = Course::told_by(ply);
        let run = |session: Option<SessionId>| self.sessions.get(&session?);
        let known = |session: Option<SessionId>| session.is_none() || run(session).is_some();
        let transcript = |session| run(session).and_then(|run| run.transcript);
        let (one, two) = (transcript(first), transcript(second));
        if !known(first) || !known(second) || (second.is_some() && two.is_none()) {
            return Fit::Unknown;
        }
        let before = play.request_roots[play.turn().index()];
        let is_said = |one| next(before, one, two) == fields.next_request_root;
        let is_short = run(first).is_some_and(|run| run.again.length() > 0) && one.is_none();
        match (is_said(one), is_said(None)) {
            (true, _) => Fit::Whole,
            (false, true) => Fit::WithoutFirst,
            // The other side may have got further in the first than this one knows.
            (false, false) if is_short && play.turn() != self.color => Fit::Unknown,
            (false, false) => Fit::Not,
        }
    }

    /// Whether a session came to its end.
    pub fn has_ended(&self, session: SessionId) -> bool {
        self.sessions.get(&session).is_some_and(|run| run.transcript.is_some())
    }

    /// A message of a session as this player has it: its own as its part makes it, its opponent's as it was heard.
    pub fn message(&self, session: SessionId, index: usize) -> Option<&[u8]> {
        let run = self.sessions.get(&session)?;
        match index.is_multiple_of(2) == run.opens {
            true => run.again.messages().get(index).map(Vec::as_slice),
            false => self.disclosure.heard(session, index),
        }
    }
}

fog::redacted!(Run);
