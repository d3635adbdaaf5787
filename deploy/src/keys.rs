//! The statements' keys as contracts of data: what this program was built with, from the ceremony and from development parameters.
//!
//! Protocol section 3. `prover` writes the files; everybody can forge proofs for keys from development parameters, so these are for local chains.

use std::sync::LazyLock;

use alloy::primitives::{B256, Bytes};
use alloy::sol_types::SolEvent as _;
use serde::Deserialize;

/// A statement that a contract verifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statement {
    Turn,
    RequestData,
    Fifty,
    NoMove,
    ChainAnswer,
    TagStep,
    TagReply,
    TagCapture,
}

impl Statement {
    /// The statements of dark chess, in the order in which its contract takes their keys.
    pub const CHESS: [Self; 5] = [Self::Turn, Self::RequestData, Self::Fifty, Self::NoMove, Self::ChainAnswer];
    /// The statements of tag, in the order in which its contract takes their keys.
    pub const TAG: [Self; 3] = [Self::TagStep, Self::TagReply, Self::TagCapture];

    /// Its name, as the key's contract tells it.
    pub fn name(self) -> &'static str {
        &KEYS[0][self as usize].statement
    }
}

alloy::sol! {
    /// What a key's contract tells when it is created, for its code is data.
    #[derive(Debug, PartialEq, Eq)]
    event KeyCreated(string statement, bytes32 verifyingKey, bytes32 parameters);
}

/// What of a key's file is used here.
#[derive(Deserialize)]
pub(crate) struct Key {
    statement: String,
    /// The key as a contract's code.
    code: Bytes,
    /// The exact length of the proofs that its verifier takes, in bytes.
    pub proof_bytes: u32,
    /// The hash of the verifying key.
    verifying_key: B256,
    /// The hash of the parameters that it is made from, of their τ in G2.
    tau: B256,
    ceremony: String,
}

/// The keys of a folder, in the order of [`Statement`].
macro_rules! keys {
    ($folder:literal) => {
        [
            include_str!(concat!("../../contracts/src/generated/", $folder, "TurnKey.json")),
            include_str!(concat!("../../contracts/src/generated/", $folder, "RequestDataKey.json")),
            include_str!(concat!("../../contracts/src/generated/", $folder, "FiftyKey.json")),
            include_str!(concat!("../../contracts/src/generated/", $folder, "NoMoveKey.json")),
            include_str!(concat!("../../contracts/src/generated/", $folder, "ChainAnswerKey.json")),
            include_str!(concat!("../../contracts/src/generated/", $folder, "TagStepKey.json")),
            include_str!(concat!("../../contracts/src/generated/", $folder, "TagReplyKey.json")),
            include_str!(concat!("../../contracts/src/generated/", $folder, "TagCaptureKey.json")),
        ]
    };
}

/// The keys of the ceremony, then those from development parameters.
static KEYS: LazyLock<[[Key; 8]; 2]> = LazyLock::new(|| {
    [keys!(""), keys!("dev/")].map(|files| {
        files.map(|file| serde_json::from_str(file).expect("the file is generated, and compared by a check"))
    })
});

/// A statement's key, from development parameters or the ceremony.
pub(crate) fn key(statement: Statement, development: bool) -> &'static Key {
    &KEYS[usize::from(development)][statement as usize]
}

/// The hash of a statement's verifying key, from development parameters or the ceremony.
pub fn verifying_key(statement: Statement, development: bool) -> B256 {
    key(statement, development).verifying_key
}

/// A statement's key as it stands in its contract, from development parameters or the ceremony.
pub fn key_code(statement: Statement, development: bool) -> &'static Bytes {
    &key(statement, development).code
}

/// The ceremony of the keys, by its name: `development` for development parameters.
pub fn ceremony(development: bool) -> &'static str {
    &key(Statement::Turn, development).ceremony
}

/// The length of the code that creates a key's contract, before what it carries.
const LOADER: usize = 57;

impl Key {
    /// The code that creates the key's contract: it tells what the key is ([`KeyCreated`]), and returns what follows.
    pub fn creation(&self) -> Bytes {
        let (verifying_key, parameters) = (self.verifying_key, self.tau);
        let told = KeyCreated { statement: self.statement.clone(), verifyingKey: verifying_key, parameters };
        let told = told.encode_data();
        let loader = loader(told.len(), self.code.len()).expect("the EVM takes no longer code");
        [&loader[..], &told, &self.code].concat().into()
    }
}

/// The code that tells what comes after it, so many bytes, and returns as many as come then. None if they are more than can be.
fn loader(told: usize, code: usize) -> Option<Vec<u8>> {
    let place = |place: usize| Some(u16::try_from(place).ok()?.to_be_bytes());
    let [told_length, length, from_told, from_key] =
        [place(told)?, place(code)?, place(LOADER)?, place(LOADER + told)?];
    let topic = KeyCreated::SIGNATURE_HASH;
    let loader = [
        // PUSH2 length, PUSH2 from, PUSH0, CODECOPY
        &[&[0x61], &told_length[..], &[0x61], &from_told, &[0x5f, 0x39]].concat()[..],
        // PUSH32 topic, PUSH2 length, PUSH0, LOG1
        &[&[0x7f], topic.as_slice(), &[0x61], &told_length, &[0x5f, 0xa1]].concat(),
        // PUSH2 length, DUP1, PUSH2 from, PUSH0, CODECOPY, PUSH0, RETURN
        &[&[0x61], &length[..], &[0x80, 0x61], &from_key, &[0x5f, 0x39, 0x5f, 0xf3]].concat(),
    ];
    Some(loader.concat())
}

/// Whether a contract of this code, created by that, is data that nobody can run: its first byte stops whoever calls it.
pub(crate) fn is_data(creation: &[u8], code: &[u8]) -> bool {
    let told = creation.len().checked_sub(LOADER + code.len());
    let loader = told.and_then(|told| loader(told, code.len()));
    code.first() == Some(&0) && loader.is_some_and(|loader| creation.starts_with(&loader) && creation.ends_with(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys for one chain come from one ceremony, and every statement has a key of its own.
    #[test]
    fn every_key_belongs_to_its_set() {
        for (development, keys) in [false, true].into_iter().zip(KEYS.iter()) {
            for (number, key) in keys.iter().enumerate() {
                assert_eq!(key.ceremony, ceremony(development), "{}", key.statement);
                assert_eq!(key.ceremony == "development", development, "{}", key.statement);
                let others = KEYS.iter().flatten().filter(|other| other.verifying_key == key.verifying_key);
                assert_eq!(others.count(), 1, "{}", key.statement);
                assert_eq!(KEYS[0][number].statement, KEYS[1][number].statement);
            }
        }
        let names = Statement::CHESS.into_iter().chain(Statement::TAG).map(Statement::name);
        let expected =
            ["turn", "request-data", "fifty", "no-move", "chain-answer", "tag-step", "tag-reply", "tag-capture"];
        assert!(names.eq(expected));
    }
}
