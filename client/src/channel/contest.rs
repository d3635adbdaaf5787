//! What happens once a game between the machines is woken (protocol, section 8). For one window a later position takes the place of the one that stands;
//! nothing else can be done. A wake is seen in any block, final or not, and from then on nothing is played between the machines, for good: where the chain
//! takes it back this side wakes the game itself.

use super::{Channel, Stage, acts, refused};
use crate::journal::Entry;
use crate::seat::{Effect, Event, Seat};
use game::{ChainEvent, Command, CommandError, Message, Notice, Outcome, Position, Transaction, Waking};

/// For so many seconds after a contest this machine waits: the chain's clock goes by its blocks.
const AFTERWARDS: u64 = 5;

/// A woken game before it goes on.
#[derive(Default)]
pub(super) struct Contest {
    /// The latest ply that it was seen to stand at, in any block.
    pub seen: Option<u16>,
    until: u64,
    /// What stands for good.
    pub stands: Option<Box<Position>>,
    /// Whether the chain doesn't take the own position any more.
    is_refused: bool,
}

impl Channel {
    /// Wakes the game at the latest position that the opponent has signed.
    pub(super) fn wake(&mut self, why: Waking, out: &mut Vec<Effect>) {
        let Some(line) = self.line.as_ref().filter(|_| matches!(self.stage, Stage::Asleep | Stage::Behind(_))) else {
            return;
        };
        out.push(Effect::Notify(Notice::Waking { ply: line.held(), why }));
        (self.stage, self.arriving) = (Stage::Contested(Box::default()), None);
        self.bring(out);
    }

    /// Brings the latest position that the opponent has signed to the chain. That this is done is written first: no restart plays on.
    pub(super) fn bring(&mut self, out: &mut Vec<Effect>) {
        let Some(line) = &self.line else { return };
        let (position, signature) = line.latest();
        let claim = match self.then {
            Some(Command::ClaimFifty) => Some(Outcome::FiftyMoves),
            Some(Command::ClaimNoMove) => Some(Outcome::NoMove),
            _ => None,
        };
        out.push(Effect::Journal(Entry::Wake { ply: position.ply, claim }));
        let signatures = if line.is_creator { [None, signature] } else { [signature, None] };
        self.sent_at = self.date;
        out.push(Effect::SendTransaction(Transaction::Wake { position: Box::new(position), signatures }));
    }

    /// The game stands at a position on the chain: in a block, or with the position for good.
    pub(super) fn woken(&mut self, ply: u16, until: u64, stands: Option<Box<Position>>, out: &mut Vec<Effect>) {
        let Some(line) = &self.line else { return };
        let (plies, held) = (line.len(), line.held());
        let before = std::mem::replace(&mut self.stage, Stage::Asleep);
        let mut contest = match before {
            Stage::Contested(contest) => contest,
            _ => Box::default(),
        };
        let is_new = contest.seen.is_none_or(|seen| seen < ply);
        (contest.seen, contest.until) = (contest.seen.max(Some(ply)), until);
        if let Some(position) = stands.filter(|of| contest.stands.as_ref().is_none_or(|known| known.ply <= of.ply)) {
            contest.stands = Some(position);
        }
        (self.stage, self.arriving) = (Stage::Contested(contest), None);
        if is_new {
            let contested = ply < held;
            out.push(Effect::Notify(Notice::Woken { ply, plies, contested, until }));
            if contested {
                self.bring(out);
            }
        }
    }

    /// The game is woken, or being woken.
    pub(super) fn contested(&mut self, seat: &mut Seat, event: Event, out: &mut Vec<Effect>) {
        match event {
            Event::Final(event) => self.on_final(seat, event, out),
            Event::WakeSeen { ply, until } => self.woken(ply, until, None, out),
            Event::WakeDropped => self.taken_back(out),
            Event::Received(Message::Result { result, signature }) => self.on_result(result, signature, out),
            Event::Received(Message::Have { plies }) => self.remind(seat, plies, out),
            Event::Command(Command::Resign) if self.own_result.is_none() => self.resign_at_once(out),
            Event::Command(command) if acts(&command) => out.push(refused(CommandError::Contested)),
            Event::Command(command) => self.feed(seat, Event::Command(command), out),
            Event::TransactionFailed { transaction, is_certain, reason } => {
                self.on_failed(&transaction, is_certain, reason, out);
            }
            Event::Tick { .. } => self.contest_goes_on(seat, out),
            // What the seat would make of it comes too late: it is made anew when the contest is over.
            _ => {}
        }
    }

    fn on_failed(&mut self, transaction: &Transaction, is_certain: bool, reason: String, out: &mut Vec<Effect>) {
        let (Stage::Contested(contest), Transaction::Wake { position, .. }) = (&mut self.stage, transaction) else {
            return out.push(Effect::Notify(Notice::Failed { reason }));
        };
        if contest.seen.is_some_and(|seen| seen >= position.ply) {
            return;
        }
        contest.is_refused |= is_certain && contest.seen.is_some() && self.now > contest.until;
        out.push(Effect::Notify(Notice::Failed { reason }));
    }

    /// A wake is on the chain no more. What was final stays.
    fn taken_back(&mut self, out: &mut Vec<Effect>) {
        let Stage::Contested(contest) = &mut self.stage else { return };
        contest.seen = contest.stands.as_ref().map(|position| position.ply);
        if contest.seen.is_none() {
            let ply = self.line.as_ref().map_or(0, |line| line.held());
            out.push(Effect::Notify(Notice::Waking { ply, why: Waking::TakenBack }));
            self.bring(out);
        }
    }

    /// Time passes: what is to be on the chain is sent again, and the contest may be over.
    fn contest_goes_on(&mut self, seat: &mut Seat, out: &mut Vec<Effect>) {
        let held = self.line.as_ref().map_or(0, |line| line.held());
        let Stage::Contested(contest) = &self.stage else { return };
        let stands = contest.stands.as_ref().map(|position| position.ply);
        let is_there = |ply: Option<u16>| ply.is_some_and(|ply| ply >= held);
        let is_over = self.now > contest.until.saturating_add(AFTERWARDS);
        // A later one may be in a block and not final.
        let is_settled = stands >= contest.seen && (is_there(stands) || contest.is_refused);
        if is_over && stands.is_some() && is_settled {
            return self.conclude(seat, out);
        }
        let is_lacking = !is_there(contest.seen) && !self.is_closable();
        if is_lacking && self.resend_due() {
            self.bring(out);
        }
    }

    /// A draw that this player has signed it accepts where the game goes on.
    pub(super) fn accept_what_is_drawn(&mut self) {
        if self.is_drawn() {
            self.then = Some(Command::AcceptDraw);
        }
    }

    /// The contest is over: the seat is made anew at the position that stands, and goes on on the chain.
    pub(super) fn conclude(&mut self, seat: &mut Seat, out: &mut Vec<Effect>) {
        let (Stage::Contested(contest), Some(line)) = (&self.stage, &self.line) else { return };
        let Some(position) = contest.stands.as_deref() else { return };
        let ply = position.ply;
        let woken = ChainEvent::Woken { position: Box::new(*position), until: contest.until };
        if !line.has(position) {
            return self.is_woken_beyond(vec![woken], out);
        }
        let events: Vec<ChainEvent> = self.opening.iter().cloned().chain(line.told_to(ply)).chain([woken]).collect();
        // A sight for a ply that doesn't stand binds nothing any more: the one that is owed in its place would be lost for it.
        let is_past = |entry: &&Entry| !matches!(entry, Entry::Released { ply: of, .. } if *of >= ply);
        let entries = self.entries.values().filter(is_past).cloned().collect();
        self.stage = Stage::OnChain;
        self.accept_what_is_drawn();
        out.push(Effect::Notify(Notice::Awake { ply }));
        let (anew, effects) = seat.again(self.config, &events, entries);
        *seat = anew;
        out.extend(effects);
        if self.is_cut {
            out.extend(seat.apply(Event::LinkCut));
        }
    }
}
