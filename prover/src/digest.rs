//! SHA-256 and its hexadecimal form, as files, labels and metadata use them.

use sha2::{Digest, Sha256};
use std::fmt;

/// A SHA-256 value, shown as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, derive_more::Display)]
#[display("{}", hex::encode(_0))]
pub struct Sha256Hash(pub [u8; 32]);

impl Sha256Hash {
    /// The hash of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// A hash from its 64 hexadecimal digits.
    pub(crate) fn parse(digits: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(digits, &mut bytes).ok()?;
        Some(Self(bytes))
    }

    /// The first 16 hexadecimal digits: enough for a file's name, whose contents are checked anyway.
    pub fn short(&self) -> String {
        hex::encode(&self.0[..8])
    }
}

impl fmt::Debug for Sha256Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
