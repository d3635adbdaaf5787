//! A game as of the latest block, and the games of an account.

use alloy::primitives::{Address, B256};
use alloy::sol_types::SolEvent as _;
use dice::Outcome;

use super::chain::DiceChain;
use super::contract::IDiceGame::{self, GameCreated, GameJoined, Status};
use super::error::DiceError;
use crate::connection::{Beginnings, Listed};

/// A game as of the latest block, final or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latest {
    /// Whether it waits for an opponent.
    pub is_open: bool,
    /// Whether it is in play.
    pub is_playing: bool,
    /// Rolls so far; after an even number it is the creator's turn.
    pub rolls: u64,
    /// Where the creator and the joiner stand, 0 before square 1.
    pub squares: [u8; 2],
    /// What each put in, in wei.
    pub stake: u128,
    /// The time for each roll, in seconds.
    pub turn: u32,
    /// The last second for the next roll, or to join; in seconds since 1970.
    pub deadline: u64,
    pub creator: Address,
    /// Who joined it or, in an open game, may.
    pub joiner: Option<Address>,
    pub winner: Option<Address>,
    pub outcome: Option<Outcome>,
}

impl Latest {
    /// Whether an account has joined it.
    pub fn is_joined_by(&self, account: Address) -> bool {
        !self.is_open && self.joiner == Some(account) && self.outcome != Some(Outcome::Cancelled)
    }
}

/// How the contract says that a game ended.
fn outcome(found: IDiceGame::Outcome) -> Result<Option<Outcome>, DiceError> {
    Ok(match found {
        IDiceGame::Outcome::None => None,
        IDiceGame::Outcome::Cancelled => Some(Outcome::Cancelled),
        IDiceGame::Outcome::Finished => Some(Outcome::Finished),
        IDiceGame::Outcome::Resigned => Some(Outcome::Resigned),
        IDiceGame::Outcome::TimedOut => Some(Outcome::TimedOut),
        IDiceGame::Outcome::__Invalid => {
            return Err(DiceError::Nonsense("a game ended in no way that this program knows"));
        }
    })
}

impl DiceChain {
    /// A game as of the latest block.
    ///
    /// # Errors
    ///
    /// [`DiceError::NoGame`], [`DiceError::Nonsense`] for a state that the contract can't have, and the node's failures.
    pub async fn latest(&self, game: B256) -> Result<Latest, DiceError> {
        let found = self.contract.game(game).call().await?;
        match found.status {
            Status::None => return Err(DiceError::NoGame { of: "dice", game }),
            Status::__Invalid => return Err(DiceError::Nonsense("a game is in no state that this program knows")),
            Status::Open | Status::Playing | Status::Over => {}
        }
        let someone = |account: Address| Some(account).filter(|account| *account != Address::ZERO);
        let is_open = found.status == Status::Open;
        let deadline = match is_open {
            true => found.expiry.to(),
            false => found.since.to::<u64>().saturating_add(found.turn.to::<u64>()),
        };
        Ok(Latest {
            is_open,
            is_playing: found.status == Status::Playing,
            rolls: found.rolls,
            squares: [found.creatorSquare, found.joinerSquare],
            stake: found.stake.to(),
            turn: found.turn.to(),
            deadline,
            creator: found.creator,
            joiner: someone(found.joiner),
            winner: someone(found.winner),
            outcome: outcome(found.outcome)?,
        })
    }

    /// The ids of an account's games in the order in which they came up, with those that somebody has opened for it.
    ///
    /// # Errors
    ///
    /// The node's failures, and [`DiceError::Nonsense`].
    pub async fn ids_of(&self, account: Address) -> Result<Vec<B256>, DiceError> {
        let events = Beginnings { created: GameCreated::SIGNATURE_HASH, joined: GameJoined::SIGNATURE_HASH };
        Ok(self.beginnings(account, events).await?)
    }

    /// The games of an account, as they stand.
    ///
    /// # Errors
    ///
    /// As [`Self::ids_of`].
    pub async fn games_of(&self, account: Address) -> Result<Vec<Listed<Latest>>, DiceError> {
        let mut games = Vec::new();
        for game in self.ids_of(account).await? {
            games.push(Listed { game, latest: self.latest(game).await? });
        }
        Ok(games)
    }
}
