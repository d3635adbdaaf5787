//! The generated verifier of *turn*, the key of *turn* for it, and what the key's file says: which verifying key, from which ceremony.
//!
//! Protocol section 3: development parameters are marked in the verifying key's file. `prover` writes the verifier's source and the
//! keys; here they are read, and believed only if they belong together.

use std::fs;
use std::path::{Path, PathBuf};

use alloy::primitives::Bytes;
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
    /// A key's file isn't what `prover` writes.
    #[error("{path} is not a key's file: {source}")]
    Metadata {
        /// The file.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// Source and key are of different generations.
    #[error("{source_path} is not the verifier that {metadata_path} is a key for: generate both again")]
    Stale {
        /// The source.
        source_path: PathBuf,
        /// The key's file.
        metadata_path: PathBuf,
    },
    /// It verifies something else.
    #[error("{path} is the key of \"{statement}\", not of \"turn\"")]
    WrongStatement {
        /// The key's file.
        path: PathBuf,
        /// What it verifies.
        statement: String,
    },
}

/// A verifier of *turn* that can be compiled and deployed, with its key.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Verifier {
    /// Its Solidity source, in the folder of the contracts.
    #[serde(skip)]
    pub source: PathBuf,
    /// The name of the contract in it.
    #[serde(rename = "verifier")]
    pub contract: String,
    /// The key, as a contract's code.
    #[serde(rename = "code")]
    pub key: Bytes,
    /// The exact length of a proof.
    pub proof_bytes: u64,
    /// The hash of the verifying key.
    pub verifying_key: String,
    /// The ceremony of its parameters.
    pub ceremony: String,
    /// Whether everybody can forge proofs for it: then it belongs on local chains only.
    pub development_only: bool,
}

/// What of a key's file is used here.
#[derive(Deserialize)]
struct Metadata {
    statement: String,
    verifier_sha256: String,
    #[serde(flatten)]
    verifier: Verifier,
}

/// The folder of generated sources and keys in the one of the contracts.
const GENERATED: &str = "src/generated";

impl Verifier {
    /// The verifier with the key from the public ceremony, for any chain.
    pub fn ceremony(contracts: &Path) -> Result<Self, VerifierError> {
        let generated = contracts.join(GENERATED);
        Self::read(&generated.join("TurnKey.json"), &generated)
    }

    /// The verifier with the key from development parameters, for local chains.
    pub fn development(contracts: &Path) -> Result<Self, VerifierError> {
        let generated = contracts.join(GENERATED);
        Self::read(&generated.join("dev/TurnKey.json"), &generated)
    }

    /// The key in a file, and the verifier that it is for from a folder of sources.
    pub fn read(path: &Path, sources: &Path) -> Result<Self, VerifierError> {
        let read = |path: &Path| fs::read(path).map_err(|source| VerifierError::Io { path: path.to_owned(), source });
        let metadata: Metadata = serde_json::from_slice(&read(path)?)
            .map_err(|source| VerifierError::Metadata { path: path.to_owned(), source })?;
        if metadata.statement != "turn" {
            return Err(VerifierError::WrongStatement { path: path.to_owned(), statement: metadata.statement });
        }
        let mut verifier = metadata.verifier;
        let source = sources.join(format!("{}.sol", verifier.contract));
        if format!("{:x}", Sha256::digest(read(&source)?)) != metadata.verifier_sha256.trim_start_matches("0x") {
            return Err(VerifierError::Stale { source_path: source, metadata_path: path.to_owned() });
        }
        // Either mark is enough to keep a key off real chains.
        verifier.development_only |= verifier.ceremony == "development";
        Ok(Self { source, ..verifier })
    }

    /// What a transaction carries that deploys the key: code that returns what follows it.
    pub fn key_creation(&self) -> Bytes {
        let length = u16::try_from(self.key.len()).expect("the EVM takes no longer code");
        let [high, low] = length.to_be_bytes();
        // PUSH2 length, DUP1, PUSH1 10, PUSH0, CODECOPY, PUSH0, RETURN
        let loader = [0x61, high, low, 0x80, 0x60, 0x0a, 0x5f, 0x39, 0x5f, 0xf3];
        [&loader[..], &self.key].concat().into()
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
            "verifier": "V", "statement": statement, "k": 14, "public_inputs": 13, "proof_bytes": 2752,
            "verifying_key": "0x01", "ceremony": ceremony, "development_only": marked, "code": "0x000102",
            "verifier_sha256": format!("{:x}", Sha256::digest(hash_of)),
        });
        let path = folder.path().join("Key.json");
        fs::write(&path, metadata.to_string()).unwrap();
        Verifier::read(&path, folder.path())
    }

    #[test]
    fn a_verifier_reads_with_its_marks() {
        let source = "contract V {}";
        let real = read("turn", "ignition", false, source).unwrap();
        assert_eq!((real.contract.as_str(), real.proof_bytes, real.development_only), ("V", 2752, false));
        assert_eq!(real.key_creation()[10..], [0x00, 0x01, 0x02]);
        assert!(read("turn", "ignition", true, source).unwrap().development_only);
        assert!(read("turn", "development", false, source).unwrap().development_only);
    }

    #[test]
    fn what_does_not_belong_together_is_refused() {
        let stale = read("turn", "ignition", false, "contract W {}");
        assert!(matches!(stale, Err(VerifierError::Stale { .. })), "{stale:?}");
        let other = read("answer", "ignition", false, "contract V {}");
        assert!(matches!(other, Err(VerifierError::WrongStatement { .. })), "{other:?}");
        let missing = Verifier::read(Path::new("/nowhere/Key.json"), Path::new("/nowhere"));
        assert!(matches!(missing, Err(VerifierError::Io { .. })), "{missing:?}");
    }
}
