//! A game of dice as the chain has recorded it, from the contract's events.

use alloy::primitives::{Address, B256, U256};
use alloy::sol_types::SolEventInterface as _;
use dice::{Acceptance, Action, Die, Ending, Opening, Outcome, Record, Role, Roll, Square, Terms};

use super::chain::DiceChain;
use super::contract::IDiceGame::{self, IDiceGameCalls, IDiceGameEvents};
use super::error::DiceError;
use crate::connection::{Mined, Place, Told};

/// All that is recorded of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    /// What it was opened with.
    pub opening: Opening,
    /// What was done, in order.
    pub records: Vec<Record>,
    /// How it ended, by the contract's word.
    pub said: Option<Ending>,
    /// The block in which it was opened.
    pub first_block: u64,
    /// The transactions that recorded all this, each once.
    pub transactions: Vec<B256>,
}

impl DiceChain {
    /// A game in final blocks, from a block on in which it was opened, or from the contract's first.
    pub async fn history(&self, game: B256, from: Option<u64>) -> Result<History, DiceError> {
        let last = self.last_final().await?.ok_or(DiceError::NoGame { of: "dice", game })?;
        let mut reading = Reading { place: self.place(), found: None };
        for told in self.told(game, from, last).await? {
            reading.take(&told)?;
        }
        let history = reading.found.ok_or(DiceError::NoGame { of: "dice", game })?;
        if history.opening.game_id() != game {
            return Err(DiceError::Nonsense("a game's id is not that of its opening"));
        }
        Ok(history)
    }

    /// What the transactions of a game were and cost.
    pub async fn costs(&self, history: &History) -> Result<Vec<Mined>, DiceError> {
        Ok(self.costs_of(&history.transactions, IDiceGameCalls::name_by_selector).await?)
    }
}

/// Events on their way to a history.
struct Reading {
    place: Place,
    found: Option<History>,
}

impl Reading {
    fn take(&mut self, told: &Told) -> Result<(), DiceError> {
        let Told { data, block, transaction, time, .. } = told;
        let (transaction, time) = (*transaction, *time);
        let event = IDiceGameEvents::decode_raw_log(data.topics(), &data.data);
        let event = event.map_err(|_| DiceError::Nonsense("a log is not an event of the contract"))?;
        if let IDiceGameEvents::GameCreated(event) = &event {
            let opening = opening(self.place, event.creator, event.nonce, &event.terms, event.promised);
            let (records, transactions) = (Vec::new(), vec![transaction]);
            self.found = Some(History { opening, records, said: None, first_block: *block, transactions });
            return Ok(());
        }
        let history = self.found.as_mut().ok_or(DiceError::Nonsense("a game goes on that was not opened"))?;
        if history.transactions.last() != Some(&transaction) {
            history.transactions.push(transaction);
        }
        match event {
            IDiceGameEvents::GameJoined(event) => {
                let head = history.opening.game_id();
                let acceptance = Acceptance { head, number: event.number, promised: event.promised };
                if acceptance.next_head(event.joiner) != event.head {
                    return Err(DiceError::Nonsense("a head is not that of its message"));
                }
                history.push(event.joiner, Action::Join(acceptance), time);
            }
            IDiceGameEvents::Rolled(event) => {
                let roll = history.roll(&event)?;
                if roll.next_head() != event.head {
                    return Err(DiceError::Nonsense("a head is not that of its message"));
                }
                history.push(event.player, Action::Roll(roll), time);
            }
            IDiceGameEvents::GameEnded(event) => history.end(&event, time)?,
            IDiceGameEvents::GameCreated(_) | IDiceGameEvents::Withdrawn(_) => {}
        }
        Ok(())
    }
}

/// An opening, by an event or a call.
pub(super) fn opening(
    place: Place,
    creator: Address,
    nonce: U256,
    found: &IDiceGame::Terms,
    promised: B256,
) -> Opening {
    let terms = Terms {
        stake: found.stake.to(),
        turn: found.turn.to(),
        expiry: found.expiry.to(),
        opponent: Some(found.opponent).filter(|opponent| *opponent != Address::ZERO),
    };
    let Place { chain_id, contract, .. } = place;
    Opening { chain_id, contract, creator, nonce: nonce.into(), terms, promised }
}

impl History {
    fn push(&mut self, sender: Address, action: Action, time: u64) {
        self.records.push(Record { sender, action, time });
    }

    /// The head after the last record.
    fn head(&self) -> B256 {
        let heads = self.records.iter().rev().filter_map(|record| match &record.action {
            Action::Join(acceptance) => Some(acceptance.next_head(record.sender)),
            Action::Roll(roll) => Some(roll.next_head()),
            _ => None,
        });
        heads.into_iter().next().unwrap_or_else(|| self.opening.game_id())
    }

    fn roll(&self, event: &IDiceGame::Rolled) -> Result<Roll, DiceError> {
        let (die, square) = (Die::new(event.die), Square::new(event.square));
        let (Some(die), Some(square)) = (die, square) else {
            return Err(DiceError::Nonsense("a roll beyond the die or the board"));
        };
        let (revealed, number, promised) = (event.revealed, event.number, event.promised);
        Ok(Roll { head: self.head(), revealed, number, promised, die, square })
    }

    /// An end that isn't that of a roll is an action of its own.
    fn end(&mut self, event: &IDiceGame::GameEnded, time: u64) -> Result<(), DiceError> {
        let creator = self.opening.creator;
        let joiner = self.records.first().map(|record| record.sender);
        let winner = match event.winner {
            Address::ZERO => None,
            account if account == creator => Some(Role::Creator),
            account if Some(account) == joiner => Some(Role::Joiner),
            _ => return Err(DiceError::Nonsense("a stranger has won")),
        };
        let outcome = match event.outcome {
            IDiceGame::Outcome::Cancelled => {
                self.push(creator, Action::Cancel, time);
                Outcome::Cancelled
            }
            IDiceGame::Outcome::Finished => Outcome::Finished,
            IDiceGame::Outcome::Resigned => {
                let loser = if winner == Some(Role::Creator) { joiner } else { Some(creator) };
                self.push(loser.unwrap_or(creator), Action::Resign, time);
                Outcome::Resigned
            }
            IDiceGame::Outcome::TimedOut => {
                self.push(event.winner, Action::ClaimTimeout, time);
                Outcome::TimedOut
            }
            IDiceGame::Outcome::None | IDiceGame::Outcome::__Invalid => {
                return Err(DiceError::Nonsense("a game ended in no way that this program knows"));
            }
        };
        self.said = Some(Ending { winner, outcome });
        Ok(())
    }
}
