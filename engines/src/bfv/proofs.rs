//! What makes and checks the proofs of `bfv-steps`, and what stands for them after a game.

use super::{
    captured::{CAPTURED_BYTES, CapturedStatement},
    decryption::{DECRYPTION_BYTES, DecryptionStatement},
    encrypted::{ENCRYPTED_BYTES, EncryptedStatement},
    shares::{KEY_SHARE_BYTES, KeyShareStatement},
};
use crate::replay::Verified;
use fog::statement::Proves;

/// What makes and checks the proofs of key shares, of ciphertexts and of captures.
pub trait RingProofs:
    Proves<KeyShareStatement> + Proves<EncryptedStatement> + Proves<DecryptionStatement> + Proves<CapturedStatement>
{
}

impl<P> RingProofs for P where
    P: Proves<KeyShareStatement> + Proves<EncryptedStatement> + Proves<DecryptionStatement> + Proves<CapturedStatement>
{
}

/// Stands for the proofs when a player's part is run again after the game.
pub struct AllVerified {
    shares: Verified,
    encrypted: Verified,
    decryptions: Verified,
    captured: Verified,
}

fog::proves_by_fields! {
    AllVerified:
    KeyShareStatement: shares,
    EncryptedStatement: encrypted,
    DecryptionStatement: decryptions,
    CapturedStatement: captured,
}

impl AllVerified {
    pub fn new() -> Self {
        let sizes = [KEY_SHARE_BYTES, ENCRYPTED_BYTES, DECRYPTION_BYTES, CAPTURED_BYTES];
        let [shares, encrypted, decryptions, captured] = sizes.map(|bytes| Verified { bytes });
        Self { shares, encrypted, decryptions, captured }
    }
}
