//! The generated verifiers, the statements' keys for them, and what the keys' files say: which verifying key, from which ceremony.
//!
//! Protocol section 3: development parameters are marked in the keys' files. `prover` writes the verifiers' sources and the
//! keys; here they are read, and believed only if they belong together.

use std::fs;
use std::path::{Path, PathBuf};

use alloy::primitives::{B256, Bytes};
use alloy::sol_types::SolEvent as _;
use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use thiserror::Error;

use crate::Code;

/// Why verifiers can't be used.
#[derive(Debug, Error)]
pub enum VerifierError {
    /// Their files can't be read.
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: std::io::Error },
    /// A key's file isn't what `prover` writes.
    #[error("{path} is not a key's file: {source}")]
    Metadata { path: PathBuf, source: serde_json::Error },
    /// Source and key are of different generations.
    #[error("{source_path} is not the verifier that {metadata_path} is a key for: generate both again")]
    Stale { source_path: PathBuf, metadata_path: PathBuf },
    /// It verifies something else.
    #[error("{path} is the key of \"{found}\", not of \"{expected}\"")]
    WrongStatement {
        path: PathBuf,
        /// What it should verify.
        expected: &'static str,
        found: String,
    },
    /// Keys of statements that share a verifier differ in it, or in their ceremony.
    #[error("{path} belongs to another set of keys: generate all again")]
    Mixed { path: PathBuf },
}

/// A statement that the game contract verifies, in the order in which it takes their keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statement {
    Turn,
    /// The points of a request.
    RequestData,
    /// How many moves a state counts.
    Fifty,
    /// That there is no move.
    NoMove,
    /// An answer on chain.
    ChainAnswer,
}

impl Statement {
    /// All of them, with their names in keys' files and the names of these files.
    pub const ALL: [(Self, &'static str, &'static str); 5] = [
        (Self::Turn, "turn", "TurnKey"),
        (Self::RequestData, "request-data", "RequestDataKey"),
        (Self::Fifty, "fifty", "FiftyKey"),
        (Self::NoMove, "no-move", "NoMoveKey"),
        (Self::ChainAnswer, "chain-answer", "ChainAnswerKey"),
    ];
}

/// A verifier that can be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verifier {
    /// Its Solidity source, in the folder of the contracts.
    pub source: PathBuf,
    /// The name of the contract in it.
    pub contract: String,
    /// The exact length of the proofs that it takes.
    pub proof_bytes: u32,
}

alloy::sol! {
    /// What a key's contract tells when it is created, for its code is data.
    #[derive(Debug, PartialEq, Eq)]
    event KeyCreated(string statement, bytes32 verifyingKey, bytes32 parameters);
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Key {
    /// As a contract's code.
    pub code: Bytes,
    /// The verifying key's hash.
    pub verifying_key: B256,
    /// The hash of the parameters that it is made from, of their τ in G2.
    #[serde(rename = "tau")]
    pub parameters: B256,
}

/// Both verifiers and all keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verifiers {
    /// The verifier of all statements but the last.
    pub narrow: Verifier,
    /// The verifier of the last.
    pub wide: Verifier,
    pub keys: [Key; 5],
    /// The ceremony of the parameters.
    pub ceremony: String,
    /// Whether everybody can forge proofs for them: then they belong on local chains only.
    pub development_only: bool,
}

/// What of a key's file is used here.
#[derive(Deserialize)]
struct Metadata {
    statement: String,
    verifier: String,
    verifier_sha256: String,
    #[serde(flatten)]
    key: Key,
    proof_bytes: u32,
    ceremony: String,
    development_only: bool,
}

/// The folder of generated sources and keys in the one of the contracts.
const GENERATED: &str = "src/generated";

impl Verifiers {
    /// The verifiers with the keys from the public ceremony, for any chain.
    pub fn ceremony(contracts: &Path) -> Result<Self, VerifierError> {
        let generated = contracts.join(GENERATED);
        Self::read(&generated, &generated)
    }

    /// The verifiers with the keys from development parameters, for local chains.
    pub fn development(contracts: &Path) -> Result<Self, VerifierError> {
        let generated = contracts.join(GENERATED);
        Self::read(&generated.join("dev"), &generated)
    }

    /// The keys in a folder, and the verifiers that they are for from a folder of sources.
    pub fn read(keys: &Path, sources: &Path) -> Result<Self, VerifierError> {
        let mut all = Vec::new();
        for (_, statement, name) in Statement::ALL {
            let path = keys.join(format!("{name}.json"));
            all.push((read_key(&path, statement, sources)?, path));
        }
        let (turn, _) = &all[0];
        let narrow = verifier(turn, sources);
        let (ceremony, development_only) = (turn.ceremony.clone(), turn.is_development());
        for (key, path) in &all {
            let is_of_set = key.ceremony == ceremony && key.is_development() == development_only;
            let shares = key.statement == "chain-answer" || verifier(key, sources) == narrow;
            if !is_of_set || !shares {
                return Err(VerifierError::Mixed { path: path.clone() });
            }
        }
        let wide = verifier(&all[4].0, sources);
        let keys = [0, 1, 2, 3, 4].map(|i| all[i].0.key.clone());
        Ok(Self { narrow, wide, keys, ceremony, development_only })
    }
}

fn verifier(key: &Metadata, sources: &Path) -> Verifier {
    let (contract, proof_bytes) = (key.verifier.clone(), key.proof_bytes);
    Verifier { source: sources.join(format!("{contract}.sol")), contract, proof_bytes }
}

fn read_key(path: &Path, statement: &'static str, sources: &Path) -> Result<Metadata, VerifierError> {
    let read = |path: &Path| fs::read(path).map_err(|source| VerifierError::Io { path: path.to_owned(), source });
    let metadata: Metadata = serde_json::from_slice(&read(path)?)
        .map_err(|source| VerifierError::Metadata { path: path.to_owned(), source })?;
    if metadata.statement != statement {
        let (path, found) = (path.to_owned(), metadata.statement);
        return Err(VerifierError::WrongStatement { path, expected: statement, found });
    }
    let source = verifier(&metadata, sources).source;
    if format!("{:x}", Sha256::digest(read(&source)?)) != metadata.verifier_sha256.trim_start_matches("0x") {
        return Err(VerifierError::Stale { source_path: source, metadata_path: path.to_owned() });
    }
    Ok(metadata)
}

impl Metadata {
    /// Either mark is enough to keep a key off real chains.
    fn is_development(&self) -> bool {
        self.development_only || self.ceremony == "development"
    }
}

impl Key {
    /// The key of a statement as a contract of data.
    pub(crate) fn contract(&self, statement: &str) -> Code {
        Code { creation: self.creation(statement), runtime: self.code.clone(), immutables: Vec::new() }
    }

    /// What a transaction carries that deploys it: code that tells what it is, and returns what follows.
    fn creation(&self, statement: &str) -> Bytes {
        let (verifying_key, parameters) = (self.verifying_key, self.parameters);
        let told = KeyCreated { statement: statement.to_owned(), verifyingKey: verifying_key, parameters };
        let told = told.encode_data();
        let places = [told.len(), self.code.len(), LOADER, LOADER + told.len()].map(|place| {
            let place = u16::try_from(place).expect("the EVM takes no longer code");
            place.to_be_bytes()
        });
        let [told_length, length, from_told, from_key] = places;
        let topic = KeyCreated::SIGNATURE_HASH;
        let loader = [
            // PUSH2 length, PUSH2 from, PUSH0, CODECOPY
            &[&[0x61], &told_length[..], &[0x61], &from_told, &[0x5f, 0x39]].concat()[..],
            // PUSH32 topic, PUSH2 length, PUSH0, LOG1
            &[&[0x7f], topic.as_slice(), &[0x61], &told_length, &[0x5f, 0xa1]].concat(),
            // PUSH2 length, DUP1, PUSH2 from, PUSH0, CODECOPY, PUSH0, RETURN
            &[&[0x61], &length[..], &[0x80, 0x61], &from_key, &[0x5f, 0x39, 0x5f, 0xf3]].concat(),
        ];
        [&loader.concat()[..], &told, &self.code].concat().into()
    }
}

/// The length of the code that deploys a key.
const LOADER: usize = 57;

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// A folder of keys and sources, changed by `change` at the key of one statement.
    fn read(of: &str, change: impl Fn(&mut Value)) -> Result<Verifiers, VerifierError> {
        let folder = tempfile::tempdir().unwrap();
        for verifier in ["Narrow", "Wide"] {
            fs::write(folder.path().join(format!("{verifier}.sol")), format!("contract {verifier} {{}}")).unwrap();
        }
        for (_, statement, name) in Statement::ALL {
            let verifier = if statement == "chain-answer" { "Wide" } else { "Narrow" };
            let hash = Sha256::digest(format!("contract {verifier} {{}}"));
            let mut metadata = json!({
                "verifier": verifier, "statement": statement, "proof_bytes": 2752, "ceremony": "ignition",
                "development_only": false, "code": "0x000102", "verifier_sha256": format!("{hash:x}"),
                "verifying_key": format!("0x{hash:x}"), "tau": format!("{hash:x}"),
            });
            if statement == of {
                change(&mut metadata);
            }
            fs::write(folder.path().join(format!("{name}.json")), metadata.to_string()).unwrap();
        }
        Verifiers::read(folder.path(), folder.path())
    }

    #[test]
    fn verifiers_read_with_their_keys() {
        let read = read("", |_| ()).unwrap();
        assert_eq!((read.narrow.contract.as_str(), read.wide.contract.as_str()), ("Narrow", "Wide"));
        assert_eq!((read.narrow.proof_bytes, read.development_only), (2752, false));
        assert!(read.keys[0].contract("turn").creation.ends_with(&[0x00, 0x01, 0x02]));
    }

    #[test]
    fn what_does_not_belong_together_is_refused() {
        for (_, statement, _) in Statement::ALL {
            let stale = read(statement, |key| key["verifier_sha256"] = "00".into());
            assert!(matches!(stale, Err(VerifierError::Stale { .. })), "{statement}: {stale:?}");
            let other = read(statement, |key| key["statement"] = "answer".into());
            assert!(matches!(other, Err(VerifierError::WrongStatement { .. })), "{statement}: {other:?}");
            let mixed = read(statement, |key| key["ceremony"] = "another".into());
            assert!(matches!(mixed, Err(VerifierError::Mixed { .. })), "{statement}: {mixed:?}");
            let marked = read(statement, |key| key["development_only"] = true.into());
            assert!(matches!(marked, Err(VerifierError::Mixed { .. })), "{statement}: {marked:?}");
        }
        let missing = Verifiers::read(Path::new("/nowhere"), Path::new("/nowhere"));
        assert!(matches!(missing, Err(VerifierError::Io { .. })), "{missing:?}");
    }
}
