//! A player's exponents in one game, derived from a branch of its seed and what they follow. Nothing is stored: wallet and chain give all of it
//! back.
//!
//! ```text
//! a = the first 31 bytes of PRF(branch; "position" ‖ previous ‖ set ‖ code), b = the 31 after the 32nd
//! ```
//!
//! `previous` is the player's commitment before, `set` the hash of the opponent's standing set, words of 0 where there is none; `code` the square's, a
//! byte. They hang on the square too: if a reorganisation of the chain lets the player choose again, another square has other exponents, and the two
//! sets can't be compared.

use fog::{F, engine::Branch, word::to_word};

use crate::tag::{EXPONENT_BITS, Exponent, Position, Square};

/// One player's exponents in one game.
#[derive(Clone)]
pub struct Secrets(Branch);

fog::redacted!(Secrets);

impl Secrets {
    /// The exponents of a game from its branch, which belongs to one player and one game.
    pub fn new(branch: Branch) -> Self {
        Self(branch)
    }

    /// The position on a square that the king enters from the commitment `previous`, while the opponent looks with the set that has the hash
    /// `set`.
    pub fn position(&self, previous: F, set: F, square: Square) -> Position {
        let code = [square.code() as u8];
        let bytes = self.0.prf(&[&b"position"[..], &to_word(&previous), &to_word(&set), &code].concat());
        let exponent = |from: usize| {
            let mut z = [0; EXPONENT_BITS / 8];
            z.copy_from_slice(&bytes[from..from + EXPONENT_BITS / 8]);
            Exponent::new(z)
        };
        Position { square, look: exponent(0), answer: exponent(32) }
    }
}
