//! What each party of an exchange begins with, and the messages of one.

use super::cipher::Cipher;
use fog::engine::{Branch, MessageSize, Phase, Word};
use rules::Side;
use std::sync::Arc;

/// What a party knows before the first message.
#[derive(Clone)]
pub struct Own {
    /// The own board, its captured piece removed.
    pub board: Side,
    /// Before or after the receiver's move.
    pub phase: Phase,
    pub id: Word,
    /// That of its first attempt, to which the opening is bound: what was promised on chain stays the same.
    pub bound: Word,
    /// The engine's branch of the own seed.
    pub branch: Branch,
    /// The joint keys and the own share.
    pub cipher: Arc<Cipher>,
}

fog::redacted!(Own);

/// The messages of an exchange, each with a seal.
pub const SHAPE: [MessageSize; 3] = {
    use super::parameters::{CIPHERTEXT_BYTES, SHARE_BYTES};
    const fn sealed(content: usize) -> MessageSize {
        MessageSize { content, proof: fog::word::WORD }
    }
    [sealed(CIPHERTEXT_BYTES), sealed(CIPHERTEXT_BYTES), sealed(SHARE_BYTES)]
};
