//! A key for a verifier, as it is written beside it.

use super::SolidityError;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;

/// A key for a verifier: its code, and what a deployer must know of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolidityKey {
    pub statement: String,
    /// The contract that verifies its proofs.
    pub verifier: String,
    /// SHA-256 of that contract's source.
    pub verifier_sha256: String,
    /// Base-two logarithm of the circuit's rows.
    pub k: u32,
    /// The number of public inputs, a word each, before the proof in the calldata.
    pub public_inputs: usize,
    /// The exact length of a proof.
    pub proof_bytes: usize,
    /// The verifying key's hash, with which every transcript starts.
    pub verifying_key: String,
    /// The ceremony, in [`Ceremony`](crate::Ceremony)'s textual form.
    pub ceremony: String,
    /// SHA-256 of the ceremony's τ in G2, compressed.
    pub tau: String,
    /// Whether everybody can forge proofs for this key: such a one belongs on local chains only.
    pub development_only: bool,
    /// The key as a contract's code, in hexadecimal.
    pub code: String,
}

impl SolidityKey {
    /// Writes `NAME.json` into a folder.
    pub fn write(&self, folder: &Path, name: &str) -> Result<(), SolidityError> {
        let json = serde_json::to_string_pretty(self).map_err(io::Error::from)?;
        std::fs::create_dir_all(folder)?;
        std::fs::write(folder.join(format!("{name}.json")), json + "\n")?;
        Ok(())
    }
}
