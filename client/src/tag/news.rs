//! What has happened in a game: each record of the chain, verified by the player's machine, and what its king sees by it.

use alloy::primitives::{Address, B256, Bytes};
use fog::{F, word::to_word};
use tag::{Action, Effect, Ending, Kind, Outcome, Proofs, Role, Side, Square, Status};

use super::error::TagError;
use super::events::{Event, ending_action, is_ended_so, prove};
use super::proving::ByTheContract;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The chain has taken something back; all that stands is told again.
    TakenBack,
    /// The game has both players.
    Joined,
    /// A king has made a step.
    Stepped {
        /// The ply, from 0.
        ply: u16,
        /// The commitment to where it stands now.
        commitment: B256,
        /// The hash of its set.
        set: B256,
    },
    /// A player has replied to a step.
    Replied {
        /// The ply, which is over.
        ply: u16,
    },
    /// The game is over.
    Over(Ending),
}

/// What is new in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct News {
    pub what: What,
    /// Whose doing it was, if a player's.
    pub by: Option<Role>,
    /// What this player's king sees by it: the opponent's king, or nothing; none if it tells nothing of that.
    pub sees: Option<Option<Square>>,
    /// Where this player's king stands after it.
    pub square: Option<Square>,
    /// Whether its proofs are in the calldata and were verified here too; else the contract has verified them.
    pub is_shown: bool,
}

/// A record on its way to the machine.
pub(super) struct Record {
    /// Its number, the opening's is 0.
    pub index: usize,
    pub time: u64,
    pub event: Event,
    /// The calldata of its transaction, if that called the contract itself.
    pub calldata: Option<Bytes>,
}

impl Record {
    /// Feeds a machine with it; none if it says nothing of the game's course.
    pub fn feed(self, side: &mut Side, proofs: &dyn Proofs) -> Result<Option<News>, TagError> {
        let (sender, mut action, ending) = match self.event {
            Event::Said { sender, action } => (sender, *action, None),
            Event::Ended { winner, outcome } => {
                let (sender, action) = ending_action(side.table(), winner, outcome, self.time);
                (sender, action, Some((winner, outcome)))
            }
            Event::Opened(_) => return Err(TagError::Nonsense("a game was opened twice")),
            Event::Other => return Ok(None),
        };
        let (ply, is_shown) = (side.table().ply(), prove(&mut action, self.calldata.as_ref()));
        let proofs = if is_shown { proofs } else { &ByTheContract };
        let heard = side.hear(sender, &action, self.time, proofs);
        let heard = heard.map_err(|fault| TagError::NotInOrder { index: self.index, fault })?;
        let sees = match heard {
            // The place of a capture stands in the calldata alone.
            Some(Effect::Sees(square)) if is_shown || action.kind() != Kind::Capture => Some(square),
            _ => None,
        };
        let what = match action {
            Action::Join(_) => What::Joined,
            Action::Step { placement, .. } => {
                What::Stepped { ply, commitment: word(&placement.commitment), set: word(&placement.set.hash()) }
            }
            Action::Reply { .. } => What::Replied { ply },
            _ => over(side, ending)?,
        };
        let by = side.table().role_of(sender);
        Ok(Some(News { what, by, sees, square: side.square(), is_shown }))
    }
}

/// The end of a game, which must be the contract's.
fn over(side: &Side, said: Option<(Address, Outcome)>) -> Result<What, TagError> {
    let is_so = said.is_some_and(|(winner, outcome)| is_ended_so(side.table(), winner, outcome));
    match side.table().status() {
        Status::Over(ending) if is_so => Ok(What::Over(ending)),
        _ => Err(TagError::Nonsense("a game ended otherwise than its records lead to")),
    }
}

fn word(value: &F) -> B256 {
    to_word(value).into()
}
