//! What holds for all transactions of an account, and what its ledger asks for.

use super::{Advice, Call, Fees, TxId};
use alloy::primitives::{Address, B256};

/// What holds for all transactions of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    pub account: Address,
    /// The contract whose calls whoever asks understands.
    pub contract: Address,
    /// The most that is paid for a unit of gas, in wei.
    pub ceiling: u128,
    /// Blocks on top of a block before it counts as final.
    pub confirmations: u64,
}

/// What is to be done, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Sign this and hand it to `Ledger::signed`.
    Sign {
        id: TxId,
        nonce: u64,
        call: Call,
        fees: Fees,
    },
    /// Send these bytes, once the ledger is on disk; then tell `Ledger::on_sent`.
    Broadcast {
        hash: B256,
    },
    Tell(Advice),
}
