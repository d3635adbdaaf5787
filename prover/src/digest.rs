//! SHA-256 and its hexadecimal form, as files, labels and metadata use them.

use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;

/// A SHA-256 value, shown as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, derive_more::Display)]
#[display("{}", hex::encode(_0))]
pub struct Sha256Hash(pub [u8; 32]);

impl Sha256Hash {
    /// The hash of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
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

/// The text isn't 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a SHA-256 hash is 64 hexadecimal digits")]
pub struct BadHash;

impl FromStr for Sha256Hash {
    type Err = BadHash;

    fn from_str(text: &str) -> Result<Self, BadHash> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).map_err(|_| BadHash)?;
        Ok(Self(bytes))
    }
}
