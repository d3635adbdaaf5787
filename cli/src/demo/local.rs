//! A chain of one's own with the contracts on it, for games that end with the command that started them.

use std::path::{Path, PathBuf};

use alloy::signers::local::PrivateKeySigner;
use deploy::anvil::{Anvil, FIRST_ACCOUNT_KEY, Hardfork, Mining};
use deploy::{Contracts, Deployment, Direct, Game, deploy};
use eyre::Result;

use super::process::Environment;
use crate::keys::ProverArgs;

/// How a game's own chain makes its blocks: one for each transaction, and one every five seconds for a transaction that Anvil has overlooked.
pub const MINING: Mining = Mining::InstantAndEvery(5);

/// A local chain with the contracts of dark chess, and what players' machines need to know of it. Dropping it ends the chain.
#[derive(Debug)]
pub struct LocalChain {
    pub anvil: Anvil,
    pub deployment: Deployment,
    pub environment: Environment,
}

impl LocalChain {
    /// Starts the program `anvil` and deploys with development parameters. Files go below `folder`, keys are looked for in `cache`.
    pub async fn start(
        anvil: PathBuf,
        mining: Mining,
        hardfork: Hardfork,
        folder: &Path,
        cache: PathBuf,
        prover: ProverArgs,
    ) -> Result<Self> {
        let anvil = tokio::task::spawn_blocking(move || Anvil::start_at(&anvil, mining, hardfork)).await??;
        let environment = Environment {
            rpc: anvil.rpc(),
            deployments: folder.join("deployments"),
            cache,
            prover,
            cut_link: None,
            proving_lock: folder.join("proving.lock"),
        };
        let signer: PrivateKeySigner = FIRST_ACCOUNT_KEY.parse()?;
        let (contracts, creator) = (Contracts::shipped(Game::Chess, true), Direct::new(&environment.rpc, &signer)?);
        let deployment = deploy(&environment.rpc, &contracts, &environment.deployments, &creator).await?;
        Ok(Self { anvil, deployment, environment })
    }
}
