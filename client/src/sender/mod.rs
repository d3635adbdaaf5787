//! The owner of a wallet's transactions on one chain, as a pure machine: what is wanted and what the chain says goes in, what is to be
//! signed, sent and told comes out. No I/O and no clock: time is counted in blocks, and the caller signs, writes and sends.
//!
//! The [`Ledger`] is the machine's whole state and what stands on disk. Its caller gathers [`Facts`] that answer the ledger's
//! [`Questions`], applies [`Ledger::want`], [`Ledger::on_block`] or [`Ledger::on_sent`], signs what [`Effect::Sign`] asks for
//! ([`Ledger::signed`]), **writes the ledger, and only then** sends what [`Effect::Broadcast`] names. So after a crash the same bytes are
//! sent again. What became of a wish is [`Ledger::fate`], not an effect: several processes share one ledger, and whichever looks next finds it.
//!
//! - Nonces are assigned at once; nothing waits for the inclusion of what is before it.
//! - What isn't included after [`PATIENCE`] blocks, or whose fee is below the base fee, is signed again with the same nonce and the same
//!   calldata for a higher fee (EIP-1559), at most for [`Rules::ceiling`].
//! - With an urgent transaction everything before it is raised to its fees, and has the patience of one block.
//! - A wish equal to one under way is that one; a contract that was created is, too, until who wished it knows. For a ply of a game no second move is signed while the first is remembered; the journal
//!   of the game remembers it for good.
//! - What the contract refuses by now is given up, and its nonce filled with a transfer of nothing to the own account, so that later
//!   ones aren't stuck.
//! - What the mempool has of this account and the ledger doesn't know is taken over, or waited for, before a move is signed.

mod advice;
mod block;
mod entry;
mod facts;
mod fees;
mod ledger;
mod sent;
mod want;
mod wish;

pub use advice::Advice;
pub use block::{PATIENCE, UNKNOWN_PATIENCE};
pub use entry::{Entry, Failure, Fate, Ticket, Version};
pub use facts::{Facts, Mined, PoolTransaction, Questions};
pub use fees::Fees;
pub use ledger::{Effect, Ledger, Rules};
pub use sent::Sending;
pub use want::Answer;
pub use wish::{Call, Priority, Subject, Wish};
