//! Compile the contracts, deploy them to any chain, and know a deployment again.
//!
//! Protocol section 3 (which parameters may be used where), section 7 (the checking contract in front of the verifier)
//! and section 8 (the game contract: no owner, no upgrade). A deployment is eight contracts, two verifiers, five keys
//! and the game, and a file that says where they stand, written once that is final. What is played on is compared with the
//! code that this program ships. Who sends the transactions is the caller's choice. Also here: the local chain for demos and
//! tests. The dice contract stands alone and has a file of its own; so does the contract of tag, with its verifier and keys.
//! Nothing here plays.

pub mod anvil;
mod begun;
mod compile;
mod creator;
mod deploying;
mod deployment;
mod dice;
mod files;
mod included;
mod publish;
mod repository;
mod shipped;
mod tag;
mod verifier;

pub use compile::{Code, CompileError, Compiled, CompiledTag, compile, compile_dice, compile_tag};
pub use creator::{Creator, Direct};
pub use deployment::{Deployed, Deployment, DeploymentError};
pub use dice::{DiceDeployment, ShippedDice, deploy_dice};
pub use publish::{DeployConfig, DeployError, deploy};
pub use repository::{Repository, RepositoryError};
pub use shipped::{Shipped, ceremony, key_code, verifying_key};
pub use tag::{ShippedTag, TagDeployment, deploy_tag, tag_verifying_keys};
pub use verifier::{Key, KeyCreated, Statement, Verifier, VerifierError, Verifiers};
