//! The connection to the contract of tag, and what it says of a game as of the latest block.

use std::ops::Deref;

use alloy::primitives::{Address, B256, U256};
use alloy::providers::DynProvider;
use alloy::sol_types::SolInterface as _;
use tag::{Phase, Table};

use super::contract::ITagGame::{self, ITagGameCalls};
use super::error::{Refusal, TagError};
use crate::connection::{Connection, ConnectionConfig, Mined};
use crate::sender::{Subject, Wish};
use crate::wallet::Wallet;

/// A connection, with a wallet or to read only.
pub struct TagChain {
    connection: Connection,
    pub(super) contract: ITagGame::ITagGameInstance<DynProvider>,
}

impl Deref for TagChain {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

/// A game as of the latest block, final or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latest {
    /// Whether it waits for an opponent.
    pub is_open: bool,
    /// What it waits for in play; none if it isn't in play.
    pub phase: Option<Phase>,
    /// Plies that are over.
    pub ply: u16,
    /// Plies after which it is drawn.
    pub plies: u16,
    /// Files and ranks of its grid.
    pub side: u8,
    /// What each put in, in wei.
    pub stake: u128,
    /// The last second for the next action, or to join; in seconds since 1970.
    pub deadline: u64,
    pub creator: Address,
    /// Who joined it or, in an open game, may.
    pub joiner: Option<Address>,
    pub winner: Option<Address>,
    pub outcome: Option<tag::Outcome>,
}

impl Latest {
    /// Whether an account has joined it.
    pub fn is_joined_by(&self, account: Address) -> bool {
        !self.is_open && self.joiner == Some(account) && self.outcome != Some(tag::Outcome::Cancelled)
    }

    /// Whether nothing has been said since a table.
    pub fn is_as(&self, table: &Table) -> bool {
        let phase = match table.status() {
            tag::Status::Playing(phase) => Some(phase),
            _ => None,
        };
        (self.phase, self.ply) == (phase, table.ply()) && self.is_open == (table.status() == tag::Status::Open)
    }
}

/// What a call of the contract is for.
fn subject(input: &[u8]) -> Subject {
    let name = input.first_chunk::<4>().and_then(|selector| ITagGameCalls::name_by_selector(*selector));
    Subject::Action { game: None, name: name.unwrap_or("a call of the contract of tag").to_owned() }
}

impl TagChain {
    /// Connects as the owner of a wallet, or without one.
    pub async fn connect(config: &ConnectionConfig, wallet: Option<&Wallet>) -> Result<Self, TagError> {
        let connection = Connection::connect::<Refusal>(config, wallet, subject).await?;
        let contract = ITagGame::new(config.place.contract, connection.provider.clone());
        Ok(Self { connection, contract })
    }

    /// A game as of the latest block.
    ///
    /// # Errors
    ///
    /// [`TagError::NoGame`], [`TagError::Nonsense`] for a state that the contract can't have, and the node's failures.
    pub async fn latest(&self, game: B256) -> Result<Latest, TagError> {
        use ITagGame::Status;
        let found = self.contract.game(game).call().await?;
        let is_playing = match found.status {
            Status::None => return Err(TagError::NoGame { of: "tag", game }),
            Status::Open | Status::Over => false,
            Status::Playing => true,
            Status::__Invalid => return Err(TagError::Nonsense("a game is in no state that this program knows")),
        };
        let phase = match found.phase {
            ITagGame::Phase::Step => Phase::Step,
            ITagGame::Phase::Reply => Phase::Reply,
            ITagGame::Phase::Last => Phase::Last,
            ITagGame::Phase::__Invalid => return Err(TagError::Nonsense("a game waits for nothing known")),
        };
        let someone = |account: Address| Some(account).filter(|account| *account != Address::ZERO);
        let is_open = found.status == Status::Open;
        let deadline = match is_open {
            true => found.expiry.to(),
            false => found.since.to::<u64>().saturating_add(found.turn.to::<u64>()),
        };
        Ok(Latest {
            is_open,
            phase: is_playing.then_some(phase),
            ply: found.ply,
            plies: found.plies,
            side: found.side,
            stake: found.stake.to(),
            deadline,
            creator: found.creator,
            joiner: someone(found.joiner),
            winner: someone(found.winner),
            outcome: super::events::outcome(found.outcome)?,
        })
    }

    /// What the contract owes an account, in wei.
    pub async fn withdrawable(&self, account: Address) -> Result<U256, TagError> {
        Ok(self.contract.withdrawable(account).call().await?)
    }

    /// Whether what a subject is for has been sent and is in no block. A step or reply that was sent from another machine doesn't say of which ply it
    /// is: any of this game counts.
    pub(super) fn is_said(&self, game: B256, subject: &Subject) -> Result<bool, TagError> {
        let contract = self.place().contract;
        let is_move = matches!(subject, Subject::Move { .. });
        let is_it = |wish: &Wish| {
            let says = match ITagGameCalls::abi_decode(&wish.call.input) {
                Ok(ITagGameCalls::step(call)) => call.gameId == game,
                Ok(ITagGameCalls::reply(call)) => call.gameId == game,
                _ => false,
            };
            wish.subject == *subject || is_move && wish.call.calls(contract) && says
        };
        Ok(self.is_under_way(is_it)?)
    }

    /// What transactions of games were and cost.
    pub async fn costs(&self, transactions: &[B256]) -> Result<Vec<Mined>, TagError> {
        Ok(self.costs_of(transactions, ITagGameCalls::name_by_selector).await?)
    }
}
