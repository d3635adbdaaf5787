//! A signed transaction, and what came of sending it.

use super::Fees;
use alloy::primitives::{B256, Bytes};
use serde::{Deserialize, Serialize};

/// A signed transaction. All attempts of an entry have its nonce, so at most one is ever included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    pub fees: Fees,
    pub hash: B256,
    /// Its bytes, as they are sent.
    pub raw: Bytes,
    /// Whether it only uses up the nonce.
    #[serde(rename = "filler")]
    pub cancellation: bool,
    /// What came of sending it; none so far, or before a crash.
    pub sending: Option<Sending>,
}

/// A node's answer to signed bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sending {
    /// It has them, now or before.
    Accepted,
    /// Their fees are too low, or too little above those of the attempt that it has.
    Underpriced,
    /// The account can't pay so much, or the node passes on nothing so dear; its words.
    CannotPay(String),
    /// A transaction with this nonce is in a block: a receipt will tell which.
    NonceUsed,
    /// No answer, or one that says nothing about them: the same bytes are sent again.
    Unanswered,
}
