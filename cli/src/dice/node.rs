//! Which node and which dice contract a command uses.

use std::path::PathBuf;

use clap::Args;
use client::dice::{DiceChain, DiceError, Place};
use client::wallet::Wallet;
use deploy::{DiceDeployment, Repository};
use eyre::{Report, Result};

use crate::failure::bad_input;

/// Where the chain is.
#[derive(Clone, Debug, Args)]
pub struct DiceNodeArgs {
    /// The node's URL
    #[arg(long, env = "FOGMATE_RPC", value_name = "URL", default_value = "http://127.0.0.1:8545")]
    pub rpc: String,

    /// The folder with the deployments' files [default: the repository's]
    #[arg(long, env = "FOGMATE_DEPLOYMENTS", value_name = "DIR")]
    deployments: Option<PathBuf>,

    /// Blocks on top of a block before it counts as final: only then is a promised number shown [default: 0 on local chains, 12 on others]
    #[arg(long, value_name = "BLOCKS")]
    confirmations: Option<u64>,
}

impl DiceNodeArgs {
    /// The folder of deployments.
    pub fn deployments(&self) -> Result<PathBuf> {
        match &self.deployments {
            Some(folder) => Ok(folder.clone()),
            None => Ok(Repository::find_here().map_err(bad_input)?.deployments()),
        }
    }

    /// A connection to the deployed dice contract; without a wallet to read only.
    pub async fn connect(&self, wallet: Option<&Wallet>) -> Result<DiceChain> {
        let found = DiceDeployment::read(&self.deployments()?, &self.rpc).await?;
        let place = Place { chain_id: found.chain_id, contract: found.dice.address, block: found.block };
        DiceChain::connect(&self.rpc, place, wallet, self.confirmations).await.map_err(told)
    }
}

/// An error with the exit code that it deserves.
pub fn told(error: DiceError) -> Report {
    if error.is_of_the_user() { bad_input(error) } else { error.into() }
}
