//! What happened, event by event: in words, by whom, with both clocks after it, and with the proof that is to be verified.

use alloy_primitives::{Address, LogData};
use alloy_sol_types::SolEventInterface as _;
use events::IFogmate::IFogmateEvents;
use fog::word::to_word;
use game::{ChainEvent, MoveFields, Phase, Table, Terms};
use halo2curves::bn256::Fr;
use serde::Serialize;
use serde_json::{Value, json};

use crate::clocks::Clocks;
use crate::input::{Fetched, Read, parse};

/// An event for a reader.
#[derive(Default, Serialize)]
struct Row {
    /// What has happened, in words.
    what: String,
    ply: Option<u16>,
    /// Whose doing it was.
    by: Option<Address>,
    /// What both players have on their clocks after it, in seconds, White first.
    clocks: Option<[u64; 2]>,
    /// The last second for what must come next: an answer, or a move.
    deadline: Option<u64>,
    /// The public inputs of a move and its proof, in hexadecimal, as its verifier takes them after the key's address.
    evidence: Option<String>,
    /// Whether the contract has verified that proof when the move was made.
    by_chain: bool,
}

/// Says what the logs mean.
///
/// # Errors
///
/// A sentence, if they are none of the contract's.
pub fn read(text: &[u8]) -> Result<Value, String> {
    let fetched: Fetched = parse(text)?;
    let mut reader = Reader { table: Table::new(fetched.game), clocks: None };
    let rows: Vec<Row> = fetched.read()?.iter().map(|read| reader.row(read)).collect();
    let table = reader.table;
    let players = table.begun().map(|play| play.players);
    let has_key = |player: &Address| table.view_key(*player).is_some();
    Ok(json!({
        "rows": rows, "terms": table.terms(), "creator": table.creator(), "joiner": table.joiner(), "players": players,
        "keys": players.map(|players| players.each_ref().map(has_key)), "ending": table.ending(),
    }))
}

struct Reader {
    table: Table,
    clocks: Option<Clocks>,
}

impl Reader {
    fn row(&mut self, Read { raw, time, event }: &Read) -> Row {
        let Some(event) = event else {
            return of_money(raw);
        };
        let mut row = self.describe(event);
        let before = self.table.playing().cloned();
        // An event that can't follow is the audit's finding.
        if self.table.apply(event).is_err() {
            return row;
        }
        let (Some(after), Some(now)) = (self.table.begun(), *time) else {
            return row;
        };
        match (&mut self.clocks, before) {
            (Some(clocks), Some(before)) => clocks.follow(&before, after, now),
            (clocks @ None, _) => *clocks = self.table.terms().map(|terms: Terms| Clocks::start(terms, now)),
            _ => {}
        }
        let clocks = self.clocks.as_ref();
        row.clocks = clocks.map(|clocks| clocks.at(after, now));
        if row.deadline.is_none() && self.table.playing().is_some() {
            row.deadline = clocks.and_then(|clocks| clocks.deadline(after));
        }
        row
    }

    /// An event in words, before it is taken.
    fn describe(&self, event: &ChainEvent) -> Row {
        let play = self.table.playing();
        let ply = play.map(|play| play.ply);
        let to_move = play.map(|play| play.players[play.turn().index()]);
        let row = |what: &str, ply, by| Row { what: what.to_owned(), ply, by, ..Row::default() };
        match event {
            ChainEvent::Created(opening) => row("offers the game", None, Some(opening.creator)),
            ChainEvent::Joined { joiner, .. } => row("joins", None, Some(*joiner)),
            ChainEvent::TossRevealed { .. } => row("reveals its share of the coin toss", None, self.table.creator()),
            ChainEvent::Started { .. } => {
                row("reveals its share of the coin toss: the game begins", None, self.table.joiner())
            }
            ChainEvent::Moved { player, fields, proof, .. } => {
                let public = play.and_then(|play| play.turn_public(self.table.game(), fields));
                let proof = proof.as_deref().filter(|proof| !proof.is_empty());
                let evidence = public.zip(proof).map(|(public, proof)| evidence(&public.to_instance(), proof));
                let by_chain = evidence.is_some();
                let evidence = evidence.map(hex);
                Row { evidence, by_chain, ..row(&move_in_words(fields), Some(fields.ply), Some(*player)) }
            }
            ChainEvent::MoveUnproven { ply, inputs, proof } => {
                let by = play.and_then(|play| Some(play.players[usize::from(play.ply.checked_sub(1)? % 2)]));
                Row { evidence: Some(hex(evidence(&inputs[..], proof))), ..row("keeps the proof of the move", Some(*ply), by) }
            }
            ChainEvent::SightDemanded { demanded, deadline, .. } => {
                let when = match demanded.phase {
                    Phase::Pre => "before",
                    Phase::Post => "after",
                };
                let what = format!("demands the sight {when} its move through the chain");
                let by = play.map(|play| play.players[demanded.receiver.index()]);
                Row { deadline: Some(*deadline), ..row(&what, Some(demanded.ply), by) }
            }
            ChainEvent::SightAnswered { ctx, .. } => {
                let demand = self.table.begun().and_then(|play| Some((play, play.demand_for(*ctx)?.demanded)));
                let by = demand.map(|(play, demanded)| play.players[(!demanded.receiver).index()]);
                row("gives the demanded sight, which the contract has verified", demand.map(|(_, d)| d.ply), by)
            }
            ChainEvent::AnswerFilled { ply, .. } => {
                let by = play.map(|play| play.players[(!play.turn()).index()]);
                row("posts the root of its answer", Some(*ply), by)
            }
            ChainEvent::FiftyClaimed { ply, deadline } => {
                Row { deadline: Some(*deadline), ..row("claims a draw by fifty moves", Some(*ply), to_move) }
            }
            ChainEvent::FiftyFailed { ply, claims_from } => {
                let what = format!("the claim of fifty moves has failed; the next one from ply {claims_from}");
                row(&what, Some(*ply), to_move)
            }
            ChainEvent::Ended { winner, outcome } => {
                let what = match winner {
                    Some(_) => format!("wins: {outcome}"),
                    None => format!("nobody wins: {outcome}"),
                };
                row(&what, ply, *winner)
            }
            ChainEvent::ViewKeyPublished { player, .. } => row("publishes its view key", None, Some(*player)),
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

/// An event that tells nothing of the game's course.
fn of_money(raw: &LogData) -> Row {
    let (what, by) = match IFogmateEvents::decode_raw_log(raw.topics(), &raw.data) {
        Ok(IFogmateEvents::BondReclaimed(event)) => {
            (format!("has its bond of {} wei back, which nobody earned", event.bond), Some(event.player))
        }
        _ => ("an event of the contract".to_owned(), None),
    };
    Row { what, by, ..Row::default() }
}

/// Public inputs and proof, as the verifier's calldata has them after the key's address.
pub fn evidence(inputs: &[Fr], proof: &[u8]) -> Vec<u8> {
    let mut bytes: Vec<u8> = inputs.iter().flat_map(to_word).collect();
    bytes.extend_from_slice(proof);
    bytes
}

fn hex(bytes: Vec<u8>) -> String {
    alloy_primitives::hex::encode_prefixed(bytes)
}
