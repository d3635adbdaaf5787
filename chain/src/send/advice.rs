//! What the user should know of the wallet's transactions, in sentences.

use super::Fees;
use alloy::primitives::utils::format_units;
use derive_more::Display;

/// What the user should know.
#[derive(Clone, Debug, Display, PartialEq, Eq)]
pub enum Advice {
    /// A transaction is sent again for a higher fee.
    #[display("{subject}: not in a block yet, sent again for up to {} gwei a unit of gas", gwei(fees.max))]
    Raised {
        /// What it is for.
        subject: String,
        fees: Fees,
    },
    /// The fees are at their bound and the transaction waits.
    #[display(
        "{subject}: waits, because the chain's base fee is {} gwei a unit of gas and no more than {} is offered ({})",
        gwei(*base_fee),
        gwei(*ceiling),
        if *is_of_user { "--max-fee" } else { "an ether in all, as nodes pass on nothing dearer" }
    )]
    Ceiling {
        /// What it is for.
        subject: String,
        ceiling: u128,
        /// Whether the user has set it, and not what nodes pass on.
        is_of_user: bool,
        /// The present base fee.
        base_fee: u128,
    },
    /// A transaction was given up.
    #[display("{subject}: given up, because by now {reason}")]
    Dropped {
        /// What it was for.
        subject: String,
        reason: String,
    },
    /// There isn't enough to pay for a higher fee.
    #[display("{subject}: waits, because the wallet can't pay a higher fee ({reason})")]
    CannotRaise {
        /// What it is for.
        subject: String,
        reason: String,
    },
    /// A transaction of this account that isn't in the ledger was found in the mempool.
    #[display("{subject}: this wallet has sent it from elsewhere; it is on its way and looked after from here")]
    TakenOver {
        /// What it is for.
        subject: String,
    },
    /// What is exclusive waits for transactions of this account that the node has and doesn't show.
    #[display(
        "another transaction of this wallet is on its way that the node doesn't show; no move is signed before it is in a block or replaced"
    )]
    Unknown,
}

fn gwei(wei: u128) -> String {
    format_units(wei, "gwei").unwrap_or_else(|_| wei.to_string())
}
