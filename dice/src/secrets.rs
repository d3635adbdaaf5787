//! A player's numbers in one game, derived from a branch of its seed and the head that they follow. Nothing is stored: wallet and chain give all of
//! it back.
//!
//! ```text
//! promised after head h = the first 32 bytes of PRF(branch; "promise" ‖ h), given after it = those of PRF(branch; "number" ‖ h)
//! ```
//!
//! They hang on the head and on no counter: if a reorganisation of the chain replaces what the opponent said, the head is another, and
//! numbers that the opponent may have seen are never used again.

use alloy_primitives::{B256, U256};
use fog::engine::Branch;

/// One player's numbers in one game.
pub struct Secrets(Branch);

fog::redacted!(Secrets);

impl Secrets {
    /// The numbers of a game from its branch, which belongs to one player and one opening.
    pub fn new(branch: Branch) -> Self {
        Self(branch)
    }

    /// The number that is promised in the message after a head. An invitation follows none: zero.
    pub fn promised(&self, head: B256) -> U256 {
        self.draw(b"promise", head)
    }

    /// The number that is given in clear in the message after a head.
    pub fn number(&self, head: B256) -> U256 {
        self.draw(b"number", head)
    }

    fn draw(&self, kind: &[u8], head: B256) -> U256 {
        let bytes = self.0.prf(&[kind, head.as_slice()].concat());
        U256::from_be_slice(&bytes[..32])
    }
}
