//! What is wanted of the chain: a call, what it is for, and how urgent it is.

use alloy::network::TransactionBuilder as _;
use alloy::primitives::{Address, B256, Bytes, TxKind, U256};
use alloy::rpc::types::TransactionRequest;
use derive_more::Display;
use serde::{Deserialize, Serialize};

/// Gas above which a transaction's fee may pass the bound of nodes at a price that is met on main chains: 500 gwei.
const LARGE: u64 = 2_000_000;
/// Gas of a transfer without calldata.
const TRANSFER_GAS: u64 = 21_000;

/// Most that a transaction may cost, in wei, or geth and its descendants take it for a slip of the user's and refuse it (`--rpc.txfeecap`).
const FEE_CAP: u128 = 1_000_000_000_000_000_000;
/// The number of a request in its ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TxId(pub u64);

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

    /// The call as a node wants it for an estimate or a trial.
    pub fn request(&self, account: Address) -> TransactionRequest {
        let request = TransactionRequest::default().with_from(account).with_kind(self.to);
        request.with_value(self.value).with_input(self.input.clone())
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

/// What there is one request of at most: the next of a topic, as the move of a ply of a game. A file names both as it always has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Key {
    #[serde(rename = "game")]
    pub topic: B256,
    #[serde(rename = "ply")]
    pub number: u16,
}

/// What a transaction is for.
#[derive(Clone, Debug, Display, PartialEq, Eq, Serialize, Deserialize)]
pub enum Subject {
    /// The one request of its key: no two that differ are signed.
    #[serde(rename = "Move")]
    #[display("the move of ply {}", _0.number)]
    Exclusive(Key),
    #[display("{name}")]
    Action {
        /// The topic, if it is about one.
        #[serde(rename = "game")]
        topic: Option<B256>,
        /// What it does, as in "resigning".
        name: String,
    },
    /// Nothing but to use up a nonce.
    #[serde(rename = "Filler")]
    #[display("using up a nonce")]
    Cancellation,
    /// Nothing but to use up the nonce of a transaction of this account of which nothing else is known.
    #[display("replacing an unknown transaction of this wallet")]
    Replacing,
}

/// A transaction that is wanted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    pub call: Call,
    /// What it is for.
    pub subject: Subject,
    /// How urgent it is.
    pub priority: Priority,
}

impl Request {
    /// Nothing, to use up a nonce at once.
    pub fn nothing(account: Address, subject: Subject) -> Self {
        Self { call: Call::nothing(account), subject, priority: Priority::Urgent }
    }

    /// Whether it is about a topic: something that goes on, and has deadlines.
    pub fn has_topic(&self) -> bool {
        matches!(self.subject, Subject::Exclusive(_) | Subject::Action { topic: Some(_), .. })
    }

    /// Whether there is one at most of its key.
    pub fn is_exclusive(&self) -> bool {
        matches!(self.subject, Subject::Exclusive(_))
    }

    /// Whether nothing on the chain would refuse a second one: each opening of a game is another game, with another stake.
    pub fn is_harmful_twice(&self) -> bool {
        matches!(self.subject, Subject::Action { topic: None, .. })
    }

    /// The most that may be offered for it for a unit of gas, in wei, or nodes don't pass it on. Bounded is only what takes as much gas as a large contract's
    /// creation, and no transaction about a topic does: a game would be lost by it, on chains whose nodes have another bound or none.
    pub(super) fn cap(&self) -> u128 {
        if self.has_topic() || self.call.gas < LARGE { u128::MAX } else { FEE_CAP / u128::from(self.call.gas.max(1)) }
    }

    /// Whether both have the same key and differ.
    pub fn contradicts(&self, other: &Self) -> bool {
        self.is_exclusive() && self.subject == other.subject && !self.call.is_same(&other.call)
    }
}
