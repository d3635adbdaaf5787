//! The code that this program was built with, and whether what stands on a chain is that code.
//!
//! A deployment's file says where contracts are; it can be doctored, and a game contract or a verifier that looks right can give every
//! stake away. So nothing of the file is believed: game contract, verifier and key on chain are compared byte by byte with
//! `contracts/src/generated/code.json` and the keys beside it, as they were when this program was compiled (`make verifiers` writes
//! them). Of the game contract's code only the immutables differ from deployment to deployment; they must be what the file says.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use alloy::primitives::{Bytes, U256};
use serde::{Deserialize, Serialize};

use crate::Deployment;

/// Where an immutable stands in code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The first byte.
    pub start: usize,
    /// The number of bytes.
    pub length: usize,
}

/// The code of a contract on chain, but for its immutables, which are zero in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Template {
    /// The code.
    pub runtime: Bytes,
    /// The places of each immutable.
    pub immutables: BTreeMap<String, Vec<Place>>,
}

impl Template {
    /// The code with these immutables. None if they aren't all of them, or one has no such place: then this program doesn't know what
    /// the contract depends on.
    pub fn with(&self, values: &[(&str, U256)]) -> Option<Bytes> {
        let mut code = self.runtime.to_vec();
        if values.len() != self.immutables.len() {
            return None;
        }
        for (name, value) in values {
            for place in self.immutables.get(*name)? {
                let word: [u8; 32] = value.to_be_bytes();
                code.get_mut(place.start..place.start + place.length)?.copy_from_slice(word.get(32 - place.length..)?);
            }
        }
        Some(code.into())
    }
}

/// The code of all contracts but the keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Codes {
    /// The compiler's version.
    pub compiler: String,
    /// The game contract.
    pub game: Template,
    /// The verifiers by name.
    pub verifiers: BTreeMap<String, Bytes>,
}

/// What of a key's file is compared.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Key {
    verifier: String,
    verifying_key: String,
    ceremony: String,
    development_only: bool,
    proof_bytes: u64,
    code: Bytes,
}

static CODES: LazyLock<Codes> = LazyLock::new(|| {
    let file = include_str!("../../contracts/src/generated/code.json");
    serde_json::from_str(file).expect("a test reads the file as it is checked in")
});

static KEYS: LazyLock<[Key; 2]> = LazyLock::new(|| {
    let files = [
        include_str!("../../contracts/src/generated/TurnKey.json"),
        include_str!("../../contracts/src/generated/dev/TurnKey.json"),
    ];
    files.map(|file| serde_json::from_str(file).expect("a test reads the file as it is checked in"))
});

/// The code of all contracts but the keys.
pub fn codes() -> &'static Codes {
    &CODES
}

/// What must stand on chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Expected {
    pub game: Bytes,
    pub verifier: Bytes,
    pub key: Bytes,
}

impl Expected {
    /// What must stand where a deployment says; None if the deployment is of a key that this program wasn't built with.
    pub fn of(deployment: &Deployment) -> Option<Self> {
        let key = KEYS.iter().find(|key| {
            let said = (&deployment.verifying_key, &deployment.ceremony, deployment.development_only);
            said == (&key.verifying_key, &key.ceremony, key.development_only)
                && deployment.proof_bytes == key.proof_bytes
        })?;
        let game = CODES.game.with(&[
            ("turnVerifier", deployment.turn_verifier.address.into_word().into()),
            ("turnKey", deployment.turn_key.address.into_word().into()),
            ("turnProofLength", U256::from(deployment.proof_bytes)),
        ])?;
        Some(Self { game, verifier: CODES.verifiers.get(&key.verifier)?.clone(), key: key.code.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_files_are_read() {
        assert!(!codes().game.runtime.is_empty());
        for key in KEYS.iter() {
            assert!(codes().verifiers.contains_key(&key.verifier));
            assert_eq!(key.code[0], 0);
        }
        assert_eq!(KEYS.each_ref().map(|key| key.development_only), [false, true]);
    }

    #[test]
    fn immutables_are_filled_in_and_none_is_forgotten() {
        let places = |start, length| vec![Place { start, length }];
        let template = Template {
            runtime: vec![0xff; 40].into(),
            immutables: [("a".to_owned(), places(2, 32)), ("b".to_owned(), places(36, 2))].into(),
        };
        let filled = template.with(&[("a", U256::from(7)), ("b", U256::from(0x0102))]).unwrap();
        assert_eq!(filled[2..34], U256::from(7).to_be_bytes::<32>());
        assert_eq!(filled[34..], [0xff, 0xff, 1, 2, 0xff, 0xff]);
        assert_eq!(template.with(&[("a", U256::ZERO)]), None, "b is forgotten");
        assert_eq!(template.with(&[("a", U256::ZERO), ("c", U256::ZERO)]), None, "c is unknown");
    }
}
