//! A game checked from the chain alone, by anybody (protocol, section 9): the turns alternate, each commitment leads on
//! from the one before, every `ctxNext` is what the position makes it, every turn proof verifies again, and the result
//! follows. What this proves is legality relative to the *posted* answers; that those were true is proven by the peers to
//! each other, and to everybody by the replay once both view keys are published.

use crate::{ChainEvent, Ending, GameRef, Table};
use fog::statement::turn::TurnPublic;
use std::fmt;

/// An event of the chain with what its transaction carried.
#[derive(Clone, Debug)]
pub struct Record {
    /// The event. Of a move with what its calldata said.
    pub event: ChainEvent,
    /// The block's time, Unix seconds.
    pub time: Option<u64>,
}

/// Something that is not as it must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// At which ply, if at one.
    pub ply: Option<u16>,
    /// What.
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
    /// The moves that were looked at.
    pub plies: u16,
    /// The proofs that verified.
    pub proofs: u16,
    /// How the game ended, if it has.
    pub ending: Option<Ending>,
    /// All that was found.
    pub findings: Vec<Finding>,
}

/// Checks a game. `verify` verifies a turn proof with the verifying key whose verifier the contract uses.
pub fn audit<E: fmt::Display>(
    game: GameRef,
    records: &[Record],
    mut verify: impl FnMut(&TurnPublic, &[u8]) -> Result<(), E>,
) -> Audit {
    let mut table = Table::new(game);
    let mut findings = Vec::new();
    let (mut plies, mut proofs) = (0, 0);
    for record in records {
        let ply = table.begun().map(|play| play.ply);
        if let (ChainEvent::Moved { fields, ctx_next, proof, .. }, Some(play)) = (&record.event, table.playing()) {
            plies += 1;
            let verified = match (proof, ctx_next) {
                (None, _) => Err("the transaction with its proof is missing".to_owned()),
                (_, None) => Err("the transaction with its context is missing".to_owned()),
                (Some(proof), Some(_)) => verify(&play.turn_public(&game, fields), proof)
                    .map_err(|error| format!("the turn proof is wrong: {error}")),
            };
            match verified {
                Ok(()) => proofs += 1,
                Err(what) => findings.push(Finding { ply, what }),
            }
        }
        if let Err(error) = table.apply(&record.event) {
            // What comes after can't be judged against a position that is not known.
            findings.push(Finding { ply, what: error.to_string() });
            break;
        }
    }
    if table.creator().is_none() && findings.is_empty() {
        findings.push(Finding { ply: None, what: "the chain has no such game".into() });
    }
    Audit { ok: findings.is_empty(), plies, proofs, ending: table.ending(), findings }
}
