//! What happened in a game, event by event: in words, by whom, with both clocks after it, and with the proof that was given for it.

use alloy_primitives::{Address, Bytes};
use fog::word::to_word;
use halo2curves::bn256::Fr;
use serde::Serialize;

use crate::replay::Watch;
use crate::{ChainEvent, GameRef, MoveFields, Phase, PlayState, Table};

/// An event for a reader.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Entry {
    /// What has happened, in words.
    pub what: String,
    pub ply: Option<u16>,
    /// Whose doing it was, unless it says that itself.
    pub by: Option<Address>,
    /// What both players have on their clocks after it, in seconds, White first.
    pub clocks: Option<[u64; 2]>,
    /// The last second for what must come next: an answer, or a move.
    pub deadline: Option<u64>,
    /// The public inputs of a move and its proof, as its verifier takes them after the key's address.
    pub evidence: Option<Bytes>,
}

/// A game that is told event by event.
pub struct Chronicle {
    table: Table,
    watch: Option<Watch>,
}

impl Chronicle {
    /// The game before its first event.
    pub fn new(game: GameRef) -> Self {
        Self { table: Table::new(game), watch: None }
    }

    /// The game as far as it is told.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Who takes part: by their colors, once these are drawn.
    pub fn accounts(&self) -> Vec<(&'static str, Address)> {
        match self.table.begun() {
            Some(play) => ["White", "Black"].into_iter().zip(play.players).collect(),
            None => {
                let named = [("creator", self.table.creator()), ("joiner", self.table.joiner())];
                named.into_iter().filter_map(|(name, account)| Some((name, account?))).collect()
            }
        }
    }

    /// An entry as a sentence without its full stop.
    pub fn sentence(&self, entry: &Entry) -> String {
        let Some(by) = entry.by else { return entry.what.clone() };
        let found = self.accounts().into_iter().find(|(_, account)| self.table.begun().is_some() && *account == by);
        format!("{} {}", found.map_or_else(|| format!("{by:#x}"), |(name, _)| name.to_owned()), entry.what)
    }

    /// Tells the next event, which a block of a time has.
    pub fn tell(&mut self, event: &ChainEvent, time: Option<u64>) -> Entry {
        let mut entry = self.describe(event);
        let before = self.table.playing().cloned();
        // An event that can't follow is the audit's finding.
        if self.table.apply(event).is_err() {
            return entry;
        }
        if let (ChainEvent::Ended { .. }, Some(ending)) = (event, self.table.ending()) {
            entry.what = ending.told(None);
        }
        let (Some(after), Some(now)) = (self.table.begun(), time) else { return entry };
        match (&mut self.watch, before) {
            (Some(watch), Some(before)) => {
                watch.take(&before, after, now);
            }
            (watch @ None, _) => *watch = self.table.terms().map(|terms| Watch::start(terms, now)),
            _ => {}
        }
        let watch = self.watch.as_ref();
        entry.clocks = watch.map(|watch| watch.at(after, now));
        if entry.deadline.is_none() && self.table.playing().is_some() {
            entry.deadline = watch.and_then(|watch| watch.deadline(after));
        }
        entry
    }

    /// An event in words, before it is taken.
    fn describe(&self, event: &ChainEvent) -> Entry {
        let play = self.table.playing();
        let ply = play.map(|play| play.ply);
        let to_move = play.map(|play| play.players[play.turn().index()]);
        let entry = |what: &str, ply, by| Entry { what: what.to_owned(), ply, by, ..Entry::default() };
        match event {
            ChainEvent::Created(opening) => entry("offers the game", None, Some(opening.creator)),
            ChainEvent::Joined { joiner, .. } => entry("joins", None, Some(*joiner)),
            ChainEvent::TossRevealed { .. } => entry("reveals its share of the coin toss", None, self.table.creator()),
            ChainEvent::Started { .. } => {
                entry("reveals its share of the coin toss: the game begins", None, self.table.joiner())
            }
            ChainEvent::Moved { player, fields, proof, .. } => {
                let proof = proof.as_deref().filter(|proof| !proof.is_empty());
                let evidence = play.zip(proof).and_then(|(play, proof)| self.evidence(play, fields, proof));
                Entry { evidence, ..entry(&move_in_words(fields), Some(fields.ply), Some(*player)) }
            }
            ChainEvent::SightDemanded { demanded, deadline, .. } => {
                let when = match demanded.phase {
                    Phase::Pre => "before",
                    Phase::Post => "after",
                };
                let by = play.map(|play| play.players[demanded.receiver.index()]);
                let what = format!("demands the sight {when} its move through the chain");
                Entry { deadline: Some(*deadline), ..entry(&what, Some(demanded.ply), by) }
            }
            ChainEvent::SightAnswered { ctx, .. } => {
                let demand = self.table.begun().and_then(|play| Some((play, play.demand_for(*ctx)?.demanded)));
                let by = demand.map(|(play, demanded)| play.players[(!demanded.receiver).index()]);
                entry("gives the demanded sight, which the contract has verified", demand.map(|(_, d)| d.ply), by)
            }
            ChainEvent::AnswerFilled { ply, .. } => {
                let by = play.map(|play| play.players[(!play.turn()).index()]);
                entry("posts the root of its answer", Some(*ply), by)
            }
            ChainEvent::FiftyClaimed { ply, deadline, .. } => {
                Entry { deadline: Some(*deadline), ..entry("claims a draw by fifty moves", Some(*ply), to_move) }
            }
            ChainEvent::FiftyFailed { ply, claims_from, .. } => {
                let what = format!("the claim of fifty moves has failed; the next one from ply {claims_from}");
                entry(&what, Some(*ply), to_move)
            }
            ChainEvent::BondReclaimed { player, bond, .. } => {
                entry(&format!("has its bond of {bond} wei back, which nobody earned"), None, Some(*player))
            }
            ChainEvent::Woken { position, until } => {
                let what = format!(
                    "the game stands at ply {} on the chain, and a later position may take its place",
                    position.ply
                );
                Entry { deadline: Some(*until), ..entry(&what, Some(position.ply), None) }
            }
            ChainEvent::Closed { last } => {
                entry(&format!("the players have signed the result, after {last}"), None, None)
            }
            ChainEvent::Ended { outcome, .. } => entry(&outcome.to_string(), ply, None),
            ChainEvent::ViewKeyPublished { player, .. } => entry("publishes its view key", None, Some(*player)),
        }
    }

    /// What the verifier is given of a move made in a position.
    fn evidence(&self, play: &PlayState, fields: &MoveFields, proof: &[u8]) -> Option<Bytes> {
        let public = play.turn_public(self.table.game(), fields)?;
        Some(joined(&public.to_instance(), proof))
    }
}

/// Public inputs and proof, as the verifier's calldata has them after the key's address.
pub fn joined(inputs: &[Fr], proof: &[u8]) -> Bytes {
    inputs.iter().flat_map(to_word).chain(proof.iter().copied()).collect()
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
