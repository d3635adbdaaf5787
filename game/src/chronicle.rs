//! What happened in a game, event by event: in words, by whom, with both clocks after it, and with the proof that was given for it.

use alloy_primitives::{Address, Bytes};
use serde::Serialize;

use crate::audit::Record;
use crate::course::Course;
use crate::move_name;
use crate::payment::{Payment, payments};
use crate::{ChainEvent, GameRef, MoveFields, Table};

/// An event for a reader.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Entry {
    /// What has happened, in words.
    pub what: String,
    pub ply: Option<u16>,
    /// Whose doing it was, unless it says that itself, or anybody could do it.
    pub by: Option<Address>,
    /// What both players have on their clocks after it, in seconds, White first.
    pub clocks: Option<[u64; 2]>,
    /// The last second for what must come next: an answer, or a move.
    pub deadline: Option<u64>,
    /// What the contract owes to whom by it.
    pub paid: Vec<Payment>,
    /// What its proof shows, if it came with one: the statement's name.
    pub statement: Option<&'static str>,
    /// The public inputs and the proof, as the verifier takes them after the key's address.
    pub evidence: Option<Bytes>,
    /// What a verdict on that proof is kept under ([`Statement::key`](crate::statement::Statement::key)).
    pub verdict: Option<String>,
}

impl Entry {
    /// The ply whose number a reader is told with it: of what a player does in it.
    pub fn number(&self) -> Option<u16> {
        self.ply.filter(|_| self.by.is_some())
    }
}

/// A game that is told event by event.
pub struct Chronicle {
    course: Course,
}

impl Chronicle {
    /// The game before its first event.
    pub fn new(game: GameRef) -> Self {
        Self { course: Course::new(game) }
    }

    /// The game as far as it is told.
    pub fn table(&self) -> &Table {
        self.course.table()
    }

    /// Who takes part: by their colors, once these are drawn.
    pub fn accounts(&self) -> Vec<(&'static str, Address)> {
        match self.table().begun() {
            Some(play) => ["White", "Black"].into_iter().zip(play.players).collect(),
            None => {
                let named = [("creator", self.table().creator()), ("joiner", self.table().joiner())];
                named.into_iter().filter_map(|(name, account)| Some((name, account?))).collect()
            }
        }
    }

    /// An entry as a sentence without its full stop.
    pub fn sentence(&self, entry: &Entry) -> String {
        let Some(by) = entry.by else { return entry.what.clone() };
        let found = self.accounts().into_iter().find(|(_, account)| self.table().begun().is_some() && *account == by);
        format!("{} {}", found.map_or_else(|| format!("{by:#x}"), |(name, _)| name.to_owned()), entry.what)
    }

    /// Tells the next event, or ply of a transcript.
    pub fn tell(&mut self, record: &Record) -> Entry {
        let Record { event, time, signed_clocks, .. } = record;
        let mut entry = self.describe(event);
        if let Some((statement, proof)) = record.proven(self.table()) {
            entry.statement = Some(statement.name());
            entry.evidence = Some(statement.evidence(proof));
            entry.verdict = Some(statement.key(proof));
        }
        let paid = payments(self.table(), record);
        let was_playing = self.table().playing().is_some();
        // An event that can't follow is the audit's finding.
        if self.course.take(record).is_err() {
            return entry;
        }
        entry.paid = paid;
        if let (ChainEvent::Ended { .. }, Some(ending)) = (event, self.table().ending()) {
            entry.what = ending.told(None);
        }
        let is_told =
            matches!(event, ChainEvent::Started { .. }) || was_playing && !matches!(event, ChainEvent::Woken { .. });
        let of_chain = time.filter(|_| is_told).and_then(|now| self.course.clocks(now));
        entry.clocks = signed_clocks.map(|clocks| clocks.map(u64::from)).or(of_chain);
        if entry.deadline.is_none() && entry.clocks.is_some() {
            entry.deadline = self.course.deadline();
        }
        entry
    }

    /// An event in words, before it is taken.
    fn describe(&self, event: &ChainEvent) -> Entry {
        let play = self.table().playing();
        let ply = play.map(|play| play.ply);
        let to_move = play.map(|play| play.players[play.turn().index()]);
        let entry = |what: &str, ply, by| Entry { what: what.to_owned(), ply, by, ..Entry::default() };
        match event {
            ChainEvent::Created(opening) => entry("offers the game", None, Some(opening.creator)),
            ChainEvent::Joined { joiner, .. } => entry("joins", None, Some(*joiner)),
            ChainEvent::TossRevealed { .. } => {
                entry("reveals its share of the coin toss", None, self.table().creator())
            }
            ChainEvent::Started { .. } => {
                entry("reveals its share of the coin toss: the game begins", None, self.table().joiner())
            }
            ChainEvent::Moved { player, fields, .. } => entry(&move_in_words(fields), Some(fields.ply), Some(*player)),
            ChainEvent::Woken { position, until } => {
                let ply = position.ply;
                let what = format!("the game was woken at {}", move_name(ply));
                Entry { deadline: Some(*until), ..entry(&what, Some(ply), None) }
            }
            ChainEvent::Closed { .. } => entry("the game is closed by a signed result", None, None),
            ChainEvent::SightDemanded { demanded, deadline, .. } => {
                let by = play.map(|play| play.players[demanded.receiver.index()]);
                let what = format!("demands the sight {} its move through the chain", demanded.phase);
                Entry { deadline: Some(*deadline), ..entry(&what, Some(demanded.ply), by) }
            }
            ChainEvent::SightAnswered { ctx, .. } => {
                let demand = self.table().begun().and_then(|play| Some((play, play.demand_for(*ctx)?.demanded)));
                let by = demand.map(|(play, demanded)| play.players[(!demanded.receiver).index()]);
                entry("gives the demanded sight", demand.map(|(_, d)| d.ply), by)
            }
            ChainEvent::AnswerFilled { ply, .. } => {
                let by = play.map(|play| play.players[(!play.turn()).index()]);
                entry("posts the root of its answer", Some(*ply), by)
            }
            ChainEvent::FiftyClaimed { ply, deadline, .. } => {
                Entry { deadline: Some(*deadline), ..entry("claims a draw by fifty moves", Some(*ply), to_move) }
            }
            ChainEvent::FiftyFailed { ply, claims_from, .. } => {
                let what = format!(
                    "fails with its claim of fifty moves; the next can come from {} on",
                    move_name(*claims_from)
                );
                entry(&what, Some(*ply), to_move)
            }
            ChainEvent::BondReclaimed { player, bond, .. } => {
                entry(&format!("has its bond of {bond} wei back, which nobody earned"), None, Some(*player))
            }
            ChainEvent::Ended { outcome, .. } => entry(&outcome.to_string(), ply, None),
            ChainEvent::ViewKeyPublished { player, .. } => entry("publishes its view key", None, Some(*player)),
        }
    }
}

fn move_in_words(fields: &MoveFields) -> String {
    let mut what = match fields.capture {
        Some(square) => format!("moves and captures on {square}"),
        None => "moves".to_owned(),
    };
    if fields.king_fell {
        what += ", and the king falls";
    }
    if fields.offer_draw {
        what += ", offering a draw";
    }
    what
}
