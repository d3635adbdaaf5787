//! The statement *decryption* (engine `bfv-steps`): a share of a product's decryption is made with the opened key share.
//!
//! With `a` the common random polynomial, `b` the player's share of the public key, `c₁` the product's second part and `d` the share, the player knows a small `s` with
//!
//! ```text
//! b + a·s = small           modulo Q     s is the key share that it has opened
//! d − c₁·s = a flood        modulo Q'    the share is of that key
//! ```
//!
//! What hides the key may be a fifteenth larger than what an honest player draws. So it changes no slot, and *captured* holds for every share that is taken.

use super::integers::{are_small, centered, column, guarded, is_below, is_small, secret};
use crate::Unmet;
use fhe_math::rq::Poly;
use fog::F;
use num_bigint::BigInt;
use zeroize::Zeroizing;

/// Bytes of every proof of *decryption*. Known before there are keys, since the sizes of messages are.
pub const DECRYPTION_BYTES: usize = 5024;

/// So many times what floods a share is below this power of two, or minus it at least.
pub const FLOOD_FACTOR: u64 = 15;
pub const FLOOD_FACTOR_BITS: u32 = 109;

/// How many columns of public inputs the statement has.
pub const DECRYPTION_COLUMNS: usize = 4;

fog::statement! {
    /// *decryption*: a share of a product's decryption is made with the opened key share.
    DecryptionStatement: DecryptionPublic, DecryptionPrivate
}

/// What both players see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecryptionPublic {
    /// The polynomial `a` that the public keys have in common, modulo `Q`.
    pub common: Poly,
    /// The player's share `b` of the public key.
    pub share: Poly,
    /// The second part of the product, modulo `Q'`.
    pub second: Poly,
    /// The share `d` of its decryption.
    pub decryption: Poly,
}

impl DecryptionPublic {
    /// The public inputs: coefficients of `a`, `b`, `c₁` and `d` from 0 to their modulus, lowest power first.
    pub fn columns(&self) -> [Vec<F>; DECRYPTION_COLUMNS] {
        [&self.common, &self.share, &self.second, &self.decryption].map(column)
    }

    /// The public inputs in one list: those of each column after those of the one before.
    pub fn to_instance(&self) -> Vec<F> {
        self.columns().concat()
    }
}

/// What only the player knows.
#[derive(Clone, PartialEq, Eq)]
pub struct DecryptionPrivate {
    /// The coefficients of its key share `s`, lowest power first.
    pub key: Zeroizing<Vec<i64>>,
}

fog::redacted!(DecryptionPrivate);

/// The relation of *decryption*, by the library's arithmetic.
pub fn check(public: &DecryptionPublic, private: &DecryptionPrivate) -> Result<(), Unmet> {
    let DecryptionPublic { common, share, second, decryption } = public;
    fog::ensure!(are_small(&private.key), Unmet::Large);
    let of = |like: &Poly| secret(&private.key, like.ctx()).ok_or(Unmet::Ring);
    fog::ensure!(is_small(&(share + &(&guarded(common) * &*of(share)?))), Unmet::Key);
    let flood = decryption - &(&guarded(second) * &*of(second)?);
    let is_flood = |value: &BigInt| is_below(&(value * FLOOD_FACTOR), FLOOD_FACTOR_BITS);
    fog::ensure!(centered(&flood).iter().all(is_flood), Unmet::Share);
    Ok(())
}
