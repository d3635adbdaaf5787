//! The code that creates each contract, as it was compiled when this program was built, and the sources that it was compiled from.

use std::sync::LazyLock;

use alloy::primitives::Bytes;
use serde::{Deserialize, Serialize};

/// What a contract is compiled to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Code {
    /// What creates it, before its arguments.
    pub creation: Bytes,
    /// What solc says of it: sources by their hashes, settings, interface. The code ends with the hash of this text.
    pub metadata: String,
    /// The length of what stands on a chain, for which the EVM has a limit.
    pub runtime_bytes: usize,
}

/// The codes of all contracts but the keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Codes {
    /// The version of the compiler.
    pub compiler: String,
    /// The contract of dark chess.
    pub chess: Code,
    /// The contract of the dice.
    pub dice: Code,
    /// The contract of tag.
    pub tag: Code,
    /// The verifier of all statements but the answer on chain.
    pub narrow: Code,
    /// The verifier of the answer on chain.
    pub wide: Code,
}

/// The file that `make verifiers` writes.
static SHIPPED: LazyLock<Codes> = LazyLock::new(|| {
    let file = include_str!("../../contracts/src/generated/code.json");
    serde_json::from_str(file).expect("the file is generated, and compared by a check")
});

/// What the build script lists.
static SOURCES: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/sources.rs"));

impl Codes {
    /// What this program was built with.
    pub fn shipped() -> &'static Self {
        &SHIPPED
    }
}

/// The sources that this program was built with, by their paths in the folder `contracts`.
pub(crate) fn sources() -> impl Iterator<Item = (&'static str, &'static str)> {
    SOURCES.iter().copied()
}
