//! The generated verifier of *turn* and what its metadata says: which verifying key, from which ceremony.
//!
//! Protocol section 3: development parameters are marked in the verifying key's file. `prover` writes the source and
//! the metadata side by side; here they are read, and believed only if they belong together.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use thiserror::Error;

/// Why a verifier can't be used.
#[derive(Debug, Error)]
pub enum VerifierError {
    /// Its files can't be read.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Its metadata isn't what `prover` writes.
    #[error("{path} is not a verifier's metadata: {source}")]
    Metadata {
        /// The file.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// Source and metadata are of different generations.
    #[error("{source_path} is not the source that {metadata_path} describes: generate both again")]
    Stale {
        /// The source.
        source_path: PathBuf,
        /// The metadata.
        metadata_path: PathBuf,
    },
    /// It verifies something else.
    #[error("{path} is the verifier of \"{statement}\", not of \"turn\"")]
    WrongStatement {
        /// The metadata.
        path: PathBuf,
        /// What it verifies.
        statement: String,
    },
}

/// A verifier of *turn* that can be compiled and deployed.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Verifier {
    /// Its Solidity source, in the folder of the contracts.
    #[serde(skip)]
    pub source: PathBuf,
    /// The name of the contract in it.
    pub contract: String,
    /// The exact length of a proof.
    pub proof_bytes: u64,
    /// The hash of the verifying key.
    pub verifying_key: String,
    /// The ceremony of its parameters.
    pub ceremony: String,
    /// Whether everybody can forge proofs for it: then it belongs on local chains only.
    pub development_only: bool,
}

/// What of the metadata is used here.
#[derive(Deserialize)]
struct Metadata {
    statement: String,
    source_sha256: String,
    #[serde(flatten)]
    verifier: Verifier,
}

impl Verifier {
    /// The verifier from the public ceremony, for any chain.
    pub fn ceremony(contracts: &Path) -> Result<Self, VerifierError> {
        Self::read(&contracts.join("src/generated/TurnVerifier.json"))
    }

    /// The verifier from development parameters, for local chains.
    pub fn development(contracts: &Path) -> Result<Self, VerifierError> {
        Self::read(&contracts.join("src/generated/dev/TurnVerifierDev.json"))
    }

    /// The verifier of a metadata file; its source lies beside it.
    pub fn read(path: &Path) -> Result<Self, VerifierError> {
        let read = |path: &Path| fs::read(path).map_err(|source| VerifierError::Io { path: path.to_owned(), source });
        let metadata: Metadata = serde_json::from_slice(&read(path)?)
            .map_err(|source| VerifierError::Metadata { path: path.to_owned(), source })?;
        if metadata.statement != "turn" {
            return Err(VerifierError::WrongStatement { path: path.to_owned(), statement: metadata.statement });
        }
        let mut verifier = metadata.verifier;
        let source = path.with_file_name(format!("{}.sol", verifier.contract));
        if format!("{:x}", Sha256::digest(read(&source)?)) != metadata.source_sha256.trim_start_matches("0x") {
            return Err(VerifierError::Stale { source_path: source, metadata_path: path.to_owned() });
        }
        // Either mark is enough to keep a verifier off real chains.
        verifier.development_only |= verifier.ceremony == "development";
        Ok(Self { source, ..verifier })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(statement: &str, ceremony: &str, marked: bool, hash_of: &str) -> Result<Verifier, VerifierError> {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("V.sol"), "contract V {}").unwrap();
        let metadata = json!({
            "contract": "V", "statement": statement, "k": 14, "public_inputs": 13, "proof_bytes": 2752,
            "verifying_key": "0x01", "ceremony": ceremony, "development_only": marked,
            "source_sha256": format!("{:x}", Sha256::digest(hash_of)),
        });
        let path = folder.path().join("V.json");
        fs::write(&path, metadata.to_string()).unwrap();
        Verifier::read(&path)
    }

    #[test]
    fn a_verifier_reads_with_its_marks() {
        let source = "contract V {}";
        let real = read("turn", "ignition", false, source).unwrap();
        assert_eq!((real.contract.as_str(), real.proof_bytes, real.development_only), ("V", 2752, false));
        assert!(read("turn", "ignition", true, source).unwrap().development_only);
        assert!(read("turn", "development", false, source).unwrap().development_only);
    }

    #[test]
    fn what_does_not_belong_together_is_refused() {
        let stale = read("turn", "ignition", false, "contract W {}");
        assert!(matches!(stale, Err(VerifierError::Stale { .. })), "{stale:?}");
        let other = read("answer", "ignition", false, "contract V {}");
        assert!(matches!(other, Err(VerifierError::WrongStatement { .. })), "{other:?}");
        let missing = Verifier::read(Path::new("/nowhere/V.json"));
        assert!(matches!(missing, Err(VerifierError::Io { .. })), "{missing:?}");
    }
}
