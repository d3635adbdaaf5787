//! A ceremony's file in either format.

use super::{Powers, SrsError, ignition, ptau};

impl Powers {
    /// Reads a file's bytes in either format. What isn't needed for size `k` is skipped.
    pub fn parse(bytes: &[u8], k: u32) -> Result<Self, SrsError> {
        if bytes.starts_with(ptau::MAGIC) { ptau::parse(bytes, k) } else { ignition::parse(bytes, k) }
    }
}
