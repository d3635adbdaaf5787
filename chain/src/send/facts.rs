//! What the chain says of an account, and what a ledger asks of it.

use super::{Attempt, Call, Fees, Priority, Subject};
use alloy::primitives::B256;
use serde::{Deserialize, Serialize};

/// A transaction in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mined {
    pub transaction: B256,
    /// The number of its block.
    pub block: u64,
    /// The hash of its block.
    pub block_hash: B256,
    /// Gas that it used.
    pub gas_used: u64,
    /// What it cost, in wei.
    pub fee: u128,
    /// Whether it did what it was to do.
    pub succeeded: bool,
}

/// The highest tip, in wei, that a node's word is taken for where the base fee, which the chain itself tells, is lower. On a quiet chain a node only
/// repeats what was paid last, perhaps by this very program, and twice that would be paid next.
const QUIET_TIP: u128 = 2_000_000_000;
/// The highest tip that is believed once a node has called a transaction too cheap: there are chains whose nodes take nothing below 30 gwei.
const DEAR_TIP: u128 = 50_000_000_000;
/// Most transactions of one account that a mempool is believed to have waiting: geth's own bound.
pub(super) const MOST_PENDING: u64 = 64;
/// Blocks by which a node may seem to fall back before what it has said of later ones counts for nothing.
const DEEPEST: u64 = 64;

/// What a ledger wants to know besides block, fees and nonces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Questions {
    /// Transactions that may be in a block.
    pub receipts: Vec<B256>,
    /// Calls that wait for long: does the contract still allow them? With their nonces.
    pub calls: Vec<(u64, Call)>,
    /// Nonces that the mempool has a transaction for and the ledger hasn't.
    pub unknown: Vec<u64>,
}

/// A transaction of the account that the mempool has and the ledger doesn't know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolTransaction {
    pub nonce: u64,
    pub call: Call,
    /// What it is for; none if it has nothing to do with the contract of [`Rules`](super::Rules).
    pub subject: Option<Subject>,
    pub attempt: Attempt,
}

/// What the chain says, as of one block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The latest block's number.
    pub block: u64,
    /// Its base fee, in wei.
    pub base_fee: u128,
    /// The usual tip, in wei.
    pub tip: u128,
    /// The account's nonce after that block: the number of its transactions in blocks.
    pub mined_nonce: u64,
    /// The account's nonce after that block and what the node's mempool has.
    pub pending_nonce: u64,
    /// The answers to [`Questions::receipts`], as far as there are any.
    pub receipts: Vec<Mined>,
    /// Of [`Questions::calls`] those that the contract refuses now, by nonce, and its words.
    pub refused: Vec<(u64, String)>,
    /// Of [`Questions::unknown`] those that the node shows.
    pub pool: Vec<PoolTransaction>,
}

impl Facts {
    /// The field `pending_nonce`, as far as a node is believed: for each of these nonces something is asked, and may be signed.
    pub fn pending_nonce(&self) -> u64 {
        self.pending_nonce.clamp(self.mined_nonce, self.mined_nonce.saturating_add(MOST_PENDING))
    }

    /// A block as of which something was noted, or this one where that was a node's word, and wrong.
    pub fn believed(&self, noted: u64) -> u64 {
        if noted > self.block.saturating_add(DEEPEST) { self.block } else { noted }
    }

    /// What a transaction is offered for at present: room for the base fee to double, and twice the usual tip if it is urgent.
    pub fn market(&self, priority: Priority) -> Fees {
        self.bounded(priority, QUIET_TIP)
    }

    /// What a transaction is offered for where a node has said that the market's price is too little.
    pub fn dear_market(&self, priority: Priority) -> Fees {
        self.bounded(priority, DEAR_TIP)
    }

    fn bounded(&self, priority: Priority, bound: u128) -> Fees {
        let usual = self.tip.min(bound.max(self.base_fee));
        let tip = match priority {
            Priority::Normal => usual,
            Priority::Urgent => usual.saturating_mul(2),
        };
        Fees { max: self.base_fee.saturating_mul(2).saturating_add(tip), tip }
    }
}
