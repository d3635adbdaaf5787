//! Compile the contracts, deploy them to any chain, and know a deployment again.
//!
//! Protocol section 3 (which parameters may be used where), section 7 (the checking contract in front of the verifier)
//! and section 8 (the game contract: no owner, no upgrade). A deployment is three contracts, the verifier, the key of *turn*
//! and the game, and a file that says which code and which verifying key stand where. Also here: the local chain for
//! demos and tests. Nothing here plays.

pub mod anvil;
mod codes;
mod compile;
mod deployment;
mod publish;
mod repository;
mod shipped;
mod verifier;

pub use codes::{FILE as CODES_FILE, compile_codes};
pub use compile::{Code, CompileError, Compiled, compile};
pub use deployment::{Deployed, Deployment, DeploymentError};
pub use publish::{DeployConfig, DeployError, deploy};
pub use repository::{Repository, RepositoryError};
pub use shipped::{Codes, Place, Template, codes};
pub use verifier::{Verifier, VerifierError};
