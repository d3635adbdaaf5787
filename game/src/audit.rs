//! A game checked from the chain alone, by anybody (protocol, section 9): the turns alternate, each commitment leads on
//! from the one before, every `basis` that is read is what the position makes it, every turn proof verifies
//! again, and the result follows. What this proves is legality relative to the *posted* answers; that those were true is proven by the
//! peers to each other, and to everybody by the replay once both view keys are published.
//!
//! A game of mode `unproven` has no proofs: that each move was made in its position and that each sight was promised is all that is seen
//! before the view keys are published. That its moves are legal is not, and every one counts as verified by nobody.

use crate::{ChainEvent, Ending, GameRef, Mode, MoveFields, Opening, PlayState, Table, TableError};
use alloy_primitives::B256;
use ff::Field;
use fog::statement::turn::TurnPublic;
use halo2curves::bn256::Fr;
use std::fmt;

/// An event of the chain with what its transaction carried.
#[derive(Clone, Debug)]
pub struct Record {
    /// The event. Of a move with what its calldata said.
    pub event: ChainEvent,
    /// The block's time, Unix seconds.
    pub time: Option<u64>,
}

/// How a game was opened, if its records say so.
pub fn opening(records: &[Record]) -> Option<&Opening> {
    records.iter().find_map(|record| match &record.event {
        ChainEvent::Created(opening) => Some(opening),
        _ => None,
    })
}

/// Whether a game has come to its end by its records.
pub fn is_over(game: GameRef, records: &[Record]) -> bool {
    let mut table = Table::new(game);
    records.iter().all(|record| table.apply(&record.event).is_ok()) && table.ending().is_some()
}

/// Something that is not as it must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// At which ply, if at one.
    pub ply: Option<u16>,
    pub what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ply {
            Some(ply) => write!(f, "ply {ply}: {}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

/// The result of an audit.
#[derive(Clone, Debug, PartialEq)]
pub struct Audit {
    /// Whether nothing was found.
    pub ok: bool,
    /// When the proofs of its moves are verified, if the game is there: in mode `unproven` there are none.
    pub mode: Option<Mode>,
    /// The moves that were looked at.
    pub plies: u16,
    /// Those that the contract verified when they were made.
    pub by_chain: u16,
    /// Those whose proofs verified now.
    pub proofs: u16,
    /// Those that have no proof.
    pub by_nobody: u16,
    /// How the game ended, if it has.
    pub ending: Option<Ending>,
    /// All that was found.
    pub findings: Vec<Finding>,
}

/// Checks a game. `verify` verifies a turn proof with the verifying key whose verifier the contract uses.
pub fn audit<E: fmt::Display>(
    game: GameRef,
    records: &[Record],
    verify: impl FnMut(&TurnPublic, &[u8]) -> Result<(), E>,
) -> Audit {
    let mut auditor = Auditor { game, verify, plies: 0, by_chain: 0, proofs: 0, by_nobody: 0, findings: Vec::new() };
    let mut table = Table::new(game);
    for record in records {
        let ply = table.begun().map(|play| play.ply);
        auditor.look(&table, &record.event);
        let applied = table.apply(&record.event);
        let is_known = if table.is_channel() { Err(TableError::Channel) } else { Ok(()) };
        if let Err(error) = applied.and(is_known) {
            // What comes after can't be judged against a position that is not known.
            auditor.find(ply, error.to_string());
            break;
        }
    }
    if table.creator().is_none() && auditor.findings.is_empty() {
        auditor.find(None, "the chain has no such game".to_owned());
    }
    let Auditor { plies, by_chain, proofs, by_nobody, findings, .. } = auditor;
    let mode = table.terms().map(|terms| terms.mode);
    Audit { ok: findings.is_empty(), mode, plies, by_chain, proofs, by_nobody, ending: table.ending(), findings }
}

/// An audit under way.
struct Auditor<V> {
    game: GameRef,
    verify: V,
    plies: u16,
    by_chain: u16,
    proofs: u16,
    by_nobody: u16,
    findings: Vec<Finding>,
}

impl<V, E: fmt::Display> Auditor<V>
where
    V: FnMut(&TurnPublic, &[u8]) -> Result<(), E>,
{
    fn find(&mut self, ply: Option<u16>, what: String) {
        self.findings.push(Finding { ply, what });
    }

    /// Looks at an event before the table takes it.
    fn look(&mut self, table: &Table, event: &ChainEvent) {
        let (ChainEvent::Moved { fields, basis, proof, .. }, Some(play)) = (event, table.playing()) else { return };
        self.plies += 1;
        let Some(public) = play.turn_public(&self.game, fields) else {
            return self.look_at_unproven(play, fields, *basis, proof.as_deref());
        };
        self.by_chain += 1;
        match (proof, basis) {
            (None, _) => self.find(Some(fields.ply), "the transaction with its proof is missing".to_owned()),
            (_, None) => self.find(Some(fields.ply), "the transaction with its basis is missing".to_owned()),
            (Some(proof), Some(_)) => match (self.verify)(&public, proof) {
                Ok(()) => self.proofs += 1,
                Err(error) => self.find(Some(fields.ply), format!("the turn proof is wrong: {error}")),
            },
        }
    }

    /// Looks at a move that has no proof; the table compares its basis.
    fn look_at_unproven(&mut self, play: &PlayState, fields: &MoveFields, basis: Option<B256>, proof: Option<&[u8]>) {
        self.by_nobody += 1;
        if basis.is_none() {
            self.find(Some(fields.ply), "the transaction with its basis is missing".to_owned());
        }
        if proof.is_some_and(|proof| !proof.is_empty()) {
            self.find(Some(fields.ply), "it came with a proof, which the contract doesn't take".to_owned());
        }
        if play.opening() && fields.capture.is_some() {
            self.find(Some(fields.ply), "it captures on a player's first move".to_owned());
        }
        if fields.king_fell && fields.capture.is_none() {
            self.find(Some(fields.ply), "a king fell without a capture".to_owned());
        }
        if !play.opening() && play.answer_root == Fr::ZERO {
            self.find(Some(fields.ply), "the sight that it was made by was never promised on chain".to_owned());
        }
    }
}
