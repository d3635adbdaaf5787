//! The code that creates each contract, as it was compiled when this program was built.

use std::sync::LazyLock;

use alloy::primitives::Bytes;
use serde::{Deserialize, Serialize};

/// The creation codes of all contracts but the keys, before their arguments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Codes {
    /// The version of the compiler.
    pub compiler: String,
    /// The contract of dark chess.
    pub chess: Bytes,
    /// The contract of the dice.
    pub dice: Bytes,
    /// The contract of tag.
    pub tag: Bytes,
    /// The verifier of all statements but the answer on chain.
    pub narrow: Bytes,
    /// The verifier of the answer on chain.
    pub wide: Bytes,
}

/// The file that `make verifiers` writes.
static SHIPPED: LazyLock<Codes> = LazyLock::new(|| {
    let file = include_str!("../../contracts/src/generated/code.json");
    serde_json::from_str(file).expect("the file is generated, and compared by a check")
});

impl Codes {
    /// What this program was built with.
    pub fn shipped() -> &'static Self {
        &SHIPPED
    }
}
