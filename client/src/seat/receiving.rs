//! The sights that this player is given (protocol, section 6, steps 2 and 4): its part in the exchanges before and after its
//! moves. The engine opens an answer only in the step that has verified it, so nothing that came from an unproven answer can
//! ever change what the seat sends, not even whether it sends.

use super::event::{Effect, Job, JobId, JobIds};
use super::facts::Facts;
use super::{fault, notify};
use crate::journal::Entry;
use fog::engine::{self, Exchange, Finished, Phase, Received, Session};
use game::{Board, Kind, Message, MessageId, Notice, OwnState, PeerFault, Player, ProvenSight};
use halo2curves::bn256::Fr;
use rules::{Color, Sight};

#[derive(Debug, Default)]
pub(super) struct Receiving {
    /// The exchange before the own move that is due, and the one after the last own move.
    exchanges: Vec<Incoming>,
    /// Answers that came before the move that they follow was final here.
    early: Vec<(MessageId, Vec<u8>)>,
}

#[derive(Debug)]
struct Incoming {
    id: MessageId,
    exchange: Exchange,
    own: OwnState,
    /// The answer's root on chain, of *pre* exchanges.
    promised: Option<Fr>,
    session: Option<Session<Sight>>,
    /// The step that is running.
    job: Option<JobId>,
    /// Whether an answer has come that nothing speaks against so far.
    answered: bool,
    /// Whether that answer is from the journal: a fault of it is nobody's but the file's.
    restored: bool,
}

impl Receiving {
    /// The own move is final: the sight after it is awaited.
    pub fn own_move(&mut self, board: &Board, own: &OwnState) {
        self.exchanges.clear();
        self.expect(board.exchange(Phase::Post), own, None);
    }

    /// The opponent's move is final: it owes the sight before the own move, whose root it has posted.
    pub fn opponent_move(&mut self, board: &Board, own: &OwnState) {
        self.exchanges.retain(|incoming| incoming.id.phase == Phase::Post);
        self.expect(board.exchange(Phase::Pre), own, Some(board.answer_root));
    }

    fn expect(&mut self, exchange: Option<Exchange>, own: &OwnState, promised: Option<Fr>) {
        self.exchanges.extend(exchange.map(|exchange| Incoming {
            id: answer_id(&exchange),
            exchange,
            own: own.clone(),
            promised,
            session: None,
            job: None,
            answered: false,
            restored: false,
        }));
    }

    /// The game is over. What was proven of its last boards can still be shown.
    pub fn forget_early(&mut self) {
        self.early.clear();
    }

    /// The answers so far are from the journal.
    pub fn restored(&mut self) {
        for incoming in &mut self.exchanges {
            incoming.restored = incoming.answered;
        }
    }

    /// Starts the sessions of exchanges that have begun.
    pub fn advance(&mut self, facts: &Facts, jobs: &mut JobIds, fx: &mut Vec<Effect>) {
        let Some((player, ..)) = facts.in_play() else {
            return;
        };
        for incoming in &mut self.exchanges {
            incoming.start(player, jobs, fx);
        }
    }

    /// Takes an answer of the opponent, unchecked.
    pub fn receive(
        &mut self,
        facts: &Facts,
        id: MessageId,
        message: Vec<u8>,
        jobs: &mut JobIds,
        fx: &mut Vec<Effect>,
    ) -> Result<(), PeerFault> {
        let Some((player, board, _)) = facts.in_play() else {
            let is_over = facts.table().ending().is_some();
            return Err(if is_over { PeerFault::Stale(id) } else { PeerFault::TooEarly(id) });
        };
        if Color::of_ply(id.ply.into()) != player.color() || (id.phase == Phase::Pre && id.ply < 2) {
            return Err(PeerFault::WrongPly(id));
        }
        if let Some(incoming) = self.exchanges.iter_mut().find(|incoming| incoming.id == id) {
            incoming.start(player, jobs, fx);
            return incoming.receive(&message, jobs, fx);
        }
        self.keep_early(board, player.color(), id, message)
    }

    /// Of the next own move only: before it once the opponent has moved, after it once it is made.
    fn keep_early(&mut self, board: &Board, color: Color, id: MessageId, message: Vec<u8>) -> Result<(), PeerFault> {
        let mine = board.turn() == color;
        let next = board.ply.saturating_add(u16::from(!mine));
        if id.ply != next || mine != (id.phase == Phase::Post) {
            return Err(if id.ply >= next { PeerFault::TooEarly(id) } else { PeerFault::Stale(id) });
        }
        let early = (id, message);
        if self.early.contains(&early) {
            return Err(PeerFault::Duplicate(id));
        }
        self.early.retain(|(known, _)| *known != id);
        self.early.push(early);
        Ok(())
    }

    /// Answers that came early and are due now.
    pub fn take_early(&mut self, facts: &Facts, jobs: &mut JobIds, fx: &mut Vec<Effect>) {
        for (id, message) in std::mem::take(&mut self.early) {
            match self.receive(facts, id, message, jobs, fx) {
                Ok(()) | Err(PeerFault::Stale(_)) => {}
                Err(wrong) => fault(wrong, fx),
            }
        }
    }

    /// A step has run: which sight it has brought, if any.
    pub fn finish(
        &mut self,
        job: JobId,
        finished: Finished<Sight>,
        jobs: &mut JobIds,
        fx: &mut Vec<Effect>,
    ) -> Option<MessageId> {
        let incoming = self.exchanges.iter_mut().find(|incoming| incoming.job == Some(job))?;
        incoming.finish(finished, jobs, fx)
    }

    /// Steps that failed on this side are run again.
    pub fn retry(&mut self, jobs: &mut JobIds, fx: &mut Vec<Effect>) {
        for incoming in &mut self.exchanges {
            if let Some(step) = incoming.session.as_mut().and_then(Session::retry) {
                incoming.run(step, jobs, fx);
            }
        }
    }

    /// The proven sight before the own move that is due.
    pub fn before_move(&self) -> Option<ProvenSight<'_>> {
        self.proven(|id| id.phase == Phase::Pre)
    }

    /// The proven sight after the own move of a ply, if that is the last.
    pub fn after_move(&self, ply: u16) -> Option<ProvenSight<'_>> {
        self.proven(|id| (id.phase, id.ply) == (Phase::Post, ply))
    }

    fn proven(&self, wanted: impl Fn(MessageId) -> bool) -> Option<ProvenSight<'_>> {
        let mut exchanges = self.exchanges.iter();
        let incoming = exchanges.find(|incoming| wanted(incoming.id))?;
        let session = incoming.session.as_ref()?;
        Some(ProvenSight { sight: session.output()?, messages: session.messages() })
    }

    /// The answers that the opponent owes and that nothing has come of yet. An answer with a root of 0 on chain is not owed.
    pub fn missing(&self) -> impl Iterator<Item = (u16, Phase)> + '_ {
        let is_owed = |incoming: &&Incoming| incoming.promised != Some(Fr::zero()) && !incoming.answered;
        let address = |incoming: &Incoming| (incoming.id.ply, incoming.id.phase);
        self.exchanges.iter().filter(is_owed).map(address)
    }
}

impl Incoming {
    fn start(&mut self, player: &Player, jobs: &mut JobIds, fx: &mut Vec<Effect>) {
        if self.session.is_some() {
            return;
        }
        match player.receive(&self.exchange, &self.own, self.promised) {
            Ok(party) => {
                let (session, step) = Session::start(party, false);
                self.session = Some(session);
                self.run(step, jobs, fx);
            }
            Err(error) => notify(Notice::Failed(error.to_string()), fx),
        }
    }

    fn receive(&mut self, message: &[u8], jobs: &mut JobIds, fx: &mut Vec<Effect>) -> Result<(), PeerFault> {
        let id = self.id;
        let session = self.session.as_mut().ok_or(PeerFault::TooEarly(id))?;
        match session.receive(0, message) {
            Ok(Received::Job(step)) => self.check(step, jobs, fx),
            Ok(Received::Repeat) => return Err(PeerFault::Duplicate(id)),
            Ok(Received::Held) => {}
            Err(error) => return Err(PeerFault::of_answer(id, &error)),
        }
        self.answered = true;
        Ok(())
    }

    fn finish(&mut self, finished: Finished<Sight>, jobs: &mut JobIds, fx: &mut Vec<Effect>) -> Option<MessageId> {
        self.job = None;
        let session = self.session.as_mut()?;
        let known = session.output().is_some();
        if let Err(error) = session.finish(finished) {
            tell(self.id, &error, self.restored, fx);
        }
        let is_new = !known && session.output().is_some();
        if is_new {
            let (ply, phase) = (self.id.ply, self.id.phase);
            let message = session.messages().first().and_then(|message| Message::answer(ply, phase, message));
            fx.extend(message.map(|message| Effect::Journal(Entry::Received(message))));
        }
        loop {
            match self.session.as_mut()?.resume() {
                Ok(Some(step)) => self.check(step, jobs, fx),
                Ok(None) => break,
                Err(error) => tell(self.id, &error, self.restored, fx),
            }
        }
        self.answered = self.job.is_some() || self.session.as_ref()?.output().is_some();
        self.restored &= self.answered;
        is_new.then_some(self.id)
    }

    /// Has an answer verified and opened.
    fn check(&mut self, step: engine::Job<Sight>, jobs: &mut JobIds, fx: &mut Vec<Effect>) {
        self.run(step, jobs, fx);
        let (ply, phase) = (self.id.ply, self.id.phase);
        notify(Notice::CheckingSight { ply, phase }, fx);
    }

    fn run(&mut self, step: engine::Job<Sight>, jobs: &mut JobIds, fx: &mut Vec<Effect>) {
        let job = jobs.next();
        self.job = Some(job);
        fx.push(Effect::Run(job, Job::Receive(self.id, step)));
    }
}

/// A fault of the opponent's answer, of the journal, or of this side.
fn tell(id: MessageId, error: &engine::Fault, restored: bool, fx: &mut Vec<Effect>) {
    if error.is_own() {
        notify(Notice::Failed(error.to_string()), fx);
    } else if restored {
        notify(Notice::JournalNote(PeerFault::of_answer(id, error).to_string()), fx);
    } else {
        fault(PeerFault::of_answer(id, error), fx);
    }
}

/// The address of an exchange's answer.
pub(super) fn answer_id(exchange: &Exchange) -> MessageId {
    MessageId { ply: u16::try_from(exchange.ply).unwrap_or(u16::MAX), phase: exchange.phase, kind: Kind::Answer }
}
