//! The contracts of this program on a chain: their code, where it stands, and how it gets there.
//!
//! Protocol section 3 (which keys may be used where), section 7 (the checking contract in front of a verifier) and section 8 (contracts have no owner and
//! no upgrade). Every contract is created through a proxy that stands on every chain, so its address commits to its code and its arguments (EIP-1014): what
//! stands there is ours, whoever has paid for it. A deployment's file says only which keys and prices were taken, and from which block logs are read.
//! Also here: the local chain for demos and tests. Nothing here plays.

pub mod anvil;
mod bundle;
mod codes;
mod compile;
mod contracts;
mod creator;
mod deployment;
mod error;
mod files;
mod history;
mod keys;
mod publish;
mod repository;

pub use bundle::{BundleError, Verified, verify_bundles, write_bundles};
pub use codes::{Code, Codes};
pub use compile::{CompileError, Compiler, compile, compile_contract};
pub use contracts::{Contract, Contracts, Game, PROXY};
pub use creator::{Creator, Payer};
pub use deployment::Deployment;
pub use error::{DeployError, DeploymentError};
pub use keys::{KeyCreated, Statement, ceremony, key_code, verifying_key};
pub use publish::{Estimate, deploy, estimate};
pub use repository::{Repository, RepositoryError};
