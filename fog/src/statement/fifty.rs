//! The statement *fifty*: how long ago a player moved a pawn (protocol section 7, on chain in a claim of fifty moves).
//!
//! The state counts the player's moves since its last pawn move; the bit says whether they are fifty or more. Both bits can be proved: the
//! claimant must show 1, its opponent either shows 0, which ends the claim, or shows 1 and grants it. The counter stops at
//! [`SINCE_PAWN_MAX`](rules::side::SINCE_PAWN_MAX), far above fifty, so a player that has long passed fifty stays there. What was captured by
//! the last move plays no part: a capture doesn't change the counter.

use super::Unmet;
use crate::{
    F,
    commitment::{commit, is_well_formed},
};
use rules::Side;

/// Moves without a pawn's that a claim needs, of each player.
pub const FIFTY: u8 = 50;

public_inputs! {
    /// The public inputs of *fifty*.
    FiftyInputs, FIFTY_INPUTS of FiftyPublic:
    /// The player's commitment, `C`.
    commitment,
    /// 1 if the player has moved no pawn for [`FIFTY`] moves or more, else 0.
    bit,
}

statement! {
    /// *fifty*: whether a player has moved no pawn for long.
    FiftyStatement: FiftyPublic, FiftyPrivate
}

/// What everyone sees of a claim's proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FiftyPublic {
    /// The player's commitment, `C`.
    pub commitment: F,
    /// Whether the player has moved no pawn for [`FIFTY`] moves or more.
    pub bit: bool,
}

impl FiftyPublic {
    /// The public inputs by name.
    pub fn inputs(&self) -> FiftyInputs<F> {
        FiftyInputs { commitment: self.commitment, bit: F::from(self.bit) }
    }
}

/// What only the player knows.
#[derive(Clone, PartialEq, Eq)]
pub struct FiftyPrivate {
    pub side: Side,
    pub salt: F,
}

crate::wiped_on_drop!(FiftyPrivate: side.since_pawn, salt);

/// The statement of a side: the bit is what its counter says.
pub fn gather(side: &Side, salt: F) -> Result<(FiftyPublic, FiftyPrivate), Unmet> {
    ensure!(is_well_formed(side), Unmet::StateRange);
    let public = FiftyPublic { commitment: commit(side, salt), bit: side.since_pawn >= FIFTY };
    Ok((public, FiftyPrivate { side: side.clone(), salt }))
}

/// The relation of *fifty*.
pub fn check(public: &FiftyPublic, private: &FiftyPrivate) -> Result<(), Unmet> {
    let (right, _) = gather(&private.side, private.salt)?;
    ensure!(right.commitment == public.commitment, Unmet::Commitment);
    ensure!(right.bit == public.bit, Unmet::Bit);
    Ok(())
}
