//! What has happened in a game: each record of the chain, verified by the player's machine, and what the player perceives by it.

use contest::{Action, Ending, Role, Side};

use super::error::GameError;
use super::game::{Contract, Sight};
use super::history::{Record, Said};

#[derive(Clone, Debug, PartialEq)]
pub enum What<G: Contract> {
    /// The chain has taken something back; all that stands is told again.
    TakenBack,
    /// The game has both players, or one has made a move.
    Said(Action<G>),
    /// The game is over.
    Over(Ending),
}

/// What is new in a game.
#[derive(Clone, Debug, PartialEq)]
pub struct News<G: Contract> {
    pub what: What<G>,
    /// Whose doing it was, if a player's.
    pub by: Option<Role>,
    /// Turns that were over before it.
    pub turn: u64,
    /// What the player perceives by it.
    pub sight: Option<Sight<G>>,
    /// Whether its proofs are in the calldata and were verified here too; else the contract has verified them.
    pub is_shown: bool,
}

impl Record {
    /// Feeds a machine with it; none if it says nothing of the game's course.
    pub(super) fn feed<G: Contract>(
        &self,
        side: &mut Side<G>,
        proofs: &G::Proofs,
    ) -> Result<Option<News<G>>, GameError<G>> {
        let Some(Said { action, is_shown, ending }) = self.read(side.table())? else { return Ok(None) };
        let turn = side.table().turn();
        let (mut by, mut sight) = (None, None);
        if let Some((sender, action)) = &action {
            let heard = side.hear(*sender, action, self.told.time, proofs);
            sight = Some(heard.map_err(|fault| GameError::NotInOrder { index: self.index, fault })?);
            by = side.table().role_of(*sender);
        }
        let what = match (ending, action) {
            (Some(ending), _) if side.table().ending() == Some(ending) => What::Over(ending),
            (None, Some((_, action))) => What::Said(action),
            _ => return Err(GameError::Nonsense("a game ended otherwise than its records lead to")),
        };
        Ok(Some(News { what, by, turn, sight, is_shown }))
    }
}
