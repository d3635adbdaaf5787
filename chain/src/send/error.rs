//! What can go wrong with a transaction of the wallet, each in one clear sentence.

use std::time::Duration;

use alloy::primitives::{Address, B256, Bytes};
use thiserror::Error;

use super::StoreError;
use crate::{Class, Classified, NodeError};

/// Why a request isn't in a block, or its gas can't be estimated.
#[derive(Debug, Error)]
pub enum SendError {
    #[error(transparent)]
    Node(#[from] NodeError),
    /// The contract refuses it; nothing was sent.
    #[error("the transaction would fail: {message} ({data})")]
    Reverts {
        message: String,
        /// The data of the revert.
        data: Bytes,
    },
    /// The account can't pay.
    #[error("the account {account:#x} can't pay for the transaction: {message}")]
    CannotPay {
        account: Address,
        /// What it has and what is needed; the node's words where that can't be found out.
        message: String,
    },
    /// The transaction wasn't included in time. It is kept, and looked after whenever this wallet is at work on this chain.
    #[error(
        "transaction {transaction:#x} is in no block after {} s; it is kept and stays on its way: give the command again to go on with it{}",
        .waited.as_secs(), said(.refusal)
    )]
    NotConfirmed {
        transaction: B256,
        /// How long was waited.
        waited: Duration,
        /// Why the node has not taken it, in its own words, where it hasn't.
        refusal: Option<String>,
    },
    /// Another request of the same key was signed and may still be included: no second one is signed.
    #[error(
        "another move has been signed in this one's place by this wallet and may still be included; no second one is signed before that is ruled out"
    )]
    Contradicts,
    /// Nothing exclusive can be signed while the node has a transaction of this account that it doesn't show.
    #[error(
        "another transaction of this wallet is on its way that the node doesn't show; no move is signed before its fate is known"
    )]
    Unknown,
    /// An equal transaction was sent before and given up, and may be included still.
    #[error("the same was sent before, and what takes its nonce isn't in a block yet: give the command again later")]
    BeingReplaced,
    /// A transaction was signed, wasn't included, and is refused by now; its nonce is used up by another.
    #[error("given up: {0}")]
    GivenUp(String),
    /// A block that counted as final is no longer on the chain, as far as the last look knows.
    #[error("nothing is sent while the chain is without a block that counted as final")]
    Held,
    /// The record of the wallet's transactions can't be read or written: without it nothing may be signed.
    #[error(transparent)]
    Record(#[from] StoreError),
    /// A part of this program failed; a defect.
    #[error("a transaction can't be made: {0}")]
    Stopped(String),
}

impl Classified for SendError {
    fn class(&self) -> Class {
        match self {
            Self::Node(error) => error.class(),
            Self::CannotPay { .. } => Class::Usage,
            Self::Reverts { .. } | Self::Contradicts => Class::Refused,
            Self::NotConfirmed { .. } | Self::Unknown | Self::BeingReplaced | Self::Held | Self::Stopped(_) => {
                Class::Retry
            }
            // What was signed may be included still, or nothing may be signed at all.
            Self::GivenUp(_) | Self::Record(_) => Class::Fatal,
        }
    }
}

fn said(refusal: &Option<String>) -> String {
    refusal.as_ref().map_or_else(String::new, |words| format!(" (the node has not taken it so far: {words})"))
}
