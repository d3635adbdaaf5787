//! The transcript of a game between the machines (protocol, section 8): each ply as its mover declared it, with the clock, the *turn* proof and both
//! signatures as far as they are there. Either player can give it to anybody, for there is no secret in it.
//!
//! A player may also post it on the chain, where [`posted`] says how. [`Whole`] holds a transcript against what the chain has of the game. The digests of its positions chain from the fixed start, so the last one
//! binds all of it: the chain tells that one with the result, or the whole position where the game was woken.

mod file;
mod posted;
mod whole;

pub use file::{FileError, MAX_BYTES};
pub use posted::MOST_POSTED;
pub use whole::{TranscriptError, Whole};

use crate::{GameRef, MoveFields, Position};
use alloy_primitives::{B256, B512};
use serde::{Deserialize, Serialize};

/// A signature in the form of EIP-2098.
pub type Signature = B512;

/// A ply that went from machine to machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    pub fields: MoveFields,
    /// What its mover has on its clock after it, in seconds.
    pub clock: u32,
    /// The *turn* proof, if it was kept.
    pub proof: Option<Vec<u8>>,
    /// White's signature under the position after it, and Black's, if they are there. One binds its player to all plies before, too.
    pub signatures: [Option<Signature>; 2],
}

/// A position that somebody has signed beside the line of a transcript: evidence, if the same player has signed that line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Other {
    pub position: Position,
    pub signature: Signature,
}

/// The plies of a game from its start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    pub game: GameRef,
    pub plies: Vec<Ply>,
    pub others: Vec<Other>,
}

impl Transcript {
    /// The positions before each ply and after the last, in a game with so much time for each.
    pub fn positions(&self, base: u32) -> Vec<Position> {
        let mut positions = vec![Position::start(base)];
        let mut last = positions[0];
        for ply in &self.plies {
            last = last.after(&self.game, &ply.fields, ply.clock);
            positions.push(last);
        }
        positions
    }

    /// The latest position that both have signed, with White's signature and Black's.
    pub fn last_signed_by_both(&self, base: u32) -> Option<(Position, [Signature; 2])> {
        let positions = self.positions(base);
        let after = positions.into_iter().skip(1).zip(&self.plies).rev();
        after.into_iter().find_map(|(position, ply)| match ply.signatures {
            [Some(white), Some(black)] => Some((position, [white, black])),
            _ => None,
        })
    }

    /// The digest of the position after its last ply.
    pub fn last(&self, base: u32) -> B256 {
        let positions = self.positions(base);
        positions.last().map_or(B256::ZERO, |last| last.digest(&self.game))
    }
}
