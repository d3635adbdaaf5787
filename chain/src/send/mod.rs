//! One wallet's transactions on one chain: nonces, fees, replacement, and what survives a crash. It knows no game.
//!
//! The [`Ledger`] decides, as a pure machine: what is wanted and what the chain says goes in, what is to be signed, sent and told comes out. No I/O
//! and no clock: time is counted in blocks. The [`Sender`] gathers [`Facts`] that answer the ledger's [`Questions`], applies [`Ledger::want`],
//! [`Ledger::on_block`] or [`Ledger::on_sent`], signs what [`Effect::Sign`] asks for ([`Ledger::signed`]), **writes the ledger, and only then** sends
//! what [`Effect::Broadcast`] names. So after a crash the same bytes are sent again. What became of a request is [`Ledger::status`], not an effect:
//! several processes share one ledger, and whichever looks next finds it.
//!
//! - Nonces are assigned at once; nothing waits for the inclusion of what is before it.
//! - What isn't included after [`PATIENCE`] blocks, or whose fee is below the base fee, is signed again with the same nonce and the same
//!   calldata for a higher fee (EIP-1559), at most for [`Rules::ceiling`].
//! - With an urgent transaction everything before it is raised to its fees, and has the patience of one block.
//! - A request equal to one under way is that one. Of one [`Key`] no second request is signed while the first is remembered; who asks remembers it
//!   for good.
//! - What the contract refuses by now is given up, and its nonce filled with a transfer of nothing to the own account, so that later
//!   ones aren't stuck.
//! - What the mempool has of this account and the ledger doesn't know is taken over, or waited for, before anything exclusive is signed.

mod account;
mod advice;
mod attempt;
mod block;
mod carry;
mod effect;
mod entry;
mod error;
mod facts;
mod fees;
mod ledger;
mod request;
mod rpc;
mod sender;
mod sent;
mod store;
mod want;
mod words;

pub use advice::Advice;
pub use attempt::{Attempt, Sending};
pub use block::{PATIENCE, UNKNOWN_PATIENCE};
pub use carry::GAS_MARGIN_PERCENT;
pub use effect::{Effect, Rules};
pub use entry::{Entry, Failure, TxStatus};
pub use error::SendError;
pub use facts::{Facts, Mined, PoolTransaction, Questions};
pub use fees::Fees;
pub use ledger::Ledger;
pub use request::{Call, Key, Priority, Request, Subject, TxId};
pub use rpc::revert;
pub use sender::{Sender, SenderConfig, patience};
pub use store::{Account, Memory, Storage, StoreError};
pub use want::Answer;
