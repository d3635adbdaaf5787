//! What is wanted of the chain: a call, what it is for, and how urgent it is.

use super::Fees;
use alloy::primitives::{Address, B256, Bytes, TxKind, U256};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Gas above which a transaction's fee may pass the bound of nodes at a price that is met on main chains: 500 gwei.
const LARGE: u64 = 2_000_000;
/// Gas of a transfer without calldata.
const TRANSFER_GAS: u64 = 21_000;

/// What is signed besides nonce and fees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// Whom it calls, or that it creates a contract.
    pub to: TxKind,
    /// What it pays, in wei.
    pub value: U256,
    pub input: Bytes,
    /// Most gas that it may use.
    pub gas: u64,
}

impl Call {
    /// Whether two calls ask for the same. Gas and value don't count: an estimate and a bond follow the chain's state.
    pub fn is_same(&self, other: &Self) -> bool {
        (self.to, &self.input) == (other.to, &other.input)
    }

    /// Whether it calls this contract.
    pub fn calls(&self, contract: Address) -> bool {
        self.to == TxKind::Call(contract)
    }

    /// Nothing, paid to oneself: it uses up a nonce.
    pub fn nothing(account: Address) -> Self {
        Self { to: account.into(), value: U256::ZERO, input: Bytes::new(), gas: TRANSFER_GAS }
    }
}

/// Whether a transaction may wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Priority {
    /// A few blocks are no harm.
    Normal,
    /// It has a deadline, or ends the game: nothing slow may hold it up.
    Urgent,
}

/// What a transaction is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Subject {
    /// The move of a ply: there is one at most.
    Move { game: B256, ply: u16 },
    Action {
        /// The game, if it is about one.
        game: Option<B256>,
        /// What it does, as in "resigning".
        name: String,
    },
    /// Nothing but to use up a nonce.
    Filler,
    /// Nothing but to use up the nonce of a transaction of this account of which nothing else is known.
    Replacing,
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move { ply, .. } => write!(f, "the move of ply {ply}"),
            Self::Action { name, .. } => f.write_str(name),
            Self::Filler => f.write_str("using up a nonce"),
            Self::Replacing => f.write_str("replacing an unknown transaction of this wallet"),
        }
    }
}

/// A transaction that is wanted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wish {
    pub call: Call,
    /// What it is for.
    pub subject: Subject,
    /// How urgent it is.
    pub priority: Priority,
}

impl Wish {
    /// Nothing, to use up a nonce at once.
    pub fn nothing(account: Address, subject: Subject) -> Self {
        Self { call: Call::nothing(account), subject, priority: Priority::Urgent }
    }

    /// Whether it is about a game that is played.
    pub fn is_of_game(&self) -> bool {
        matches!(self.subject, Subject::Move { .. } | Subject::Action { game: Some(_), .. })
    }

    /// Whether it is a move.
    pub fn is_move(&self) -> bool {
        matches!(self.subject, Subject::Move { .. })
    }

    /// Whether nothing on the chain would refuse a second one: each opening of a game is another game, with another stake.
    pub fn is_harmful_twice(&self) -> bool {
        matches!(self.subject, Subject::Action { game: None, .. })
    }

    /// The most that may be offered for it for a unit of gas, in wei, or nodes don't pass it on. Bounded is only what takes as much gas as a large contract's
    /// creation, and no transaction of a game does: a game would be lost by it, on chains whose nodes have another bound or none.
    pub(super) fn cap(&self) -> u128 {
        if self.is_of_game() || self.call.gas < LARGE { u128::MAX } else { Fees::cap(self.call.gas) }
    }

    /// Whether both are moves of the same ply and differ.
    pub fn contradicts(&self, other: &Self) -> bool {
        self.is_move() && self.subject == other.subject && !self.call.is_same(&other.call)
    }
}
