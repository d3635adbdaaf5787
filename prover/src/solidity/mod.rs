//! Verifiers in Solidity, ours: one contract for all statements of one shape, and a key in a contract of data for each of them.
//!
//! | file | what |
//! | --- | --- |
//! | `shape` | what a verifier's code is made from: columns, gates, lookups, and the places that `plonk` opens |
//! | `expression` | the constraints, equal subexpressions once |
//! | `opening` | the polynomials that are opened at the same points |
//! | `generator` | the contract around the sections |
//! | `sections` | transcript, evaluation (inverses, Lagrange polynomials), constraints, opening; around them calldata and pairing |
//! | `terms` | expressions as code, shared ones computed once |
//! | `code`, `memory` | text of Yul; places in memory and their names |
//! | `functions.yul` | what the sections call |
//! | `key`, `metadata` | a statement's key: how its code is made, and what a deployer must know of it |
//! | `read` | a key read back from its contract's code, to verify by |
//! | `library` | `snark-verifier`'s own verifier, for comparison in tests |

mod code;
mod expression;
mod generator;
mod key;
mod library;
mod memory;
mod metadata;
mod opening;
mod read;
mod sections;
mod shape;
mod terms;

pub use metadata::SolidityKey;
pub use shape::Shape;

use halo2curves::bn256::Fr;
use std::io;
use std::path::Path;

/// Why there is no Solidity verifier, or no key for it.
#[derive(Debug, thiserror::Error)]
pub enum SolidityError {
    /// The statement's proofs aren't made for the EVM.
    #[error("the proofs of {0} are not made for the EVM")]
    WrongTranscript(&'static str),
    /// Not an identifier of Solidity.
    #[error("`{0}` can't be a contract's name")]
    BadName(String),
    /// The circuit has something that the generator doesn't know.
    #[error("the generator does not know {0}")]
    Unsupported(String),
    /// A statement that was said to share a verifier doesn't.
    #[error("{contract} can't verify {statement}, whose circuit has another {what}")]
    WrongShape { statement: &'static str, contract: String, what: &'static str },
    /// A contract's code that isn't the key of this program's circuit.
    #[error("the code is not a key of the statement {0} as this program knows it")]
    ForeignKey(&'static str),
    /// `snark-verifier` can't generate its own verifier.
    #[error("the library's verifier can't be generated: {0}")]
    Library(String),
    /// The files can't be written.
    #[error("the verifier can't be written")]
    Write(#[from] io::Error),
}

/// A verifier of all statements of one shape.
#[derive(Clone, Debug)]
pub struct SolidityVerifier {
    pub contract: String,
    pub source: String,
    shape: Shape,
    /// The constants with which every key begins.
    constants: Vec<Fr>,
}

impl SolidityVerifier {
    /// Generates the verifier of a shape under a name. The same shape always gives the same bytes.
    pub fn new(shape: Shape, contract: &str) -> Result<Self, SolidityError> {
        Self::check_name(contract)?;
        let generator::Generated { source, constants } = generator::generate(&shape, contract);
        Ok(Self { contract: contract.to_owned(), source, shape, constants })
    }

    /// Writes `NAME.sol` into a folder.
    pub fn write(&self, folder: &Path) -> Result<(), SolidityError> {
        std::fs::create_dir_all(folder)?;
        std::fs::write(folder.join(format!("{}.sol", self.contract)), &self.source)?;
        Ok(())
    }

    fn check_name(contract: &str) -> Result<(), SolidityError> {
        let identifier = contract.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !identifier || !contract.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Err(SolidityError::BadName(contract.to_owned()));
        }
        Ok(())
    }
}
