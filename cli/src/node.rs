//! Which node and which deployment a command uses.

use std::path::PathBuf;

use alloy::primitives::Address;
use clap::Args;
use client::chain::{Chain, ChainConfig};
use client::wallet::Wallet;
use deploy::{Deployment, DeploymentError, Repository};
use eyre::Result;
use rpc::NodeError;

use crate::failure::bad_input;
use crate::home::SavedGame;

/// The node that is asked if nothing else is said: Anvil's own choice of port.
const DEFAULT_RPC: &str = "http://127.0.0.1:8545";

/// Where the chain is.
#[derive(Clone, Debug, Args)]
pub struct NodeArgs {
    /// The node's URL [default: the game's last one, or http://127.0.0.1:8545]
    #[arg(long, env = "FOGMATE_RPC", value_name = "URL")]
    rpc: Option<String>,

    /// The folder with the deployments' files [default: the repository's]
    #[arg(long, env = "FOGMATE_DEPLOYMENTS", value_name = "DIR")]
    deployments: Option<PathBuf>,

    /// Blocks on top of a block before it counts as final [default: 0 on local chains, 12 on others]
    #[arg(long, value_name = "BLOCKS")]
    confirmations: Option<u64>,
}

impl NodeArgs {
    /// The URL; a remembered game knows its last one.
    pub fn rpc(&self, game: Option<&SavedGame>) -> String {
        let known = game.map(|game| game.rpc.as_str());
        let rpc = self.rpc.as_deref().or(known);
        rpc.unwrap_or(DEFAULT_RPC).to_owned()
    }

    /// The folder of deployments.
    pub fn deployments(&self) -> Result<PathBuf> {
        match &self.deployments {
            Some(folder) => Ok(folder.clone()),
            None => Ok(Repository::find_here().map_err(bad_input)?.deployments()),
        }
    }

    /// The deployment on the node's chain, checked against the chain.
    pub async fn deployment(&self, rpc: &str) -> Result<Deployment> {
        let found = Deployment::read(&self.deployments()?, rpc).await;
        found.map_err(|error| match error {
            DeploymentError::Node(NodeError::Url(_)) | DeploymentError::Unknown { .. } => {
                bad_input(error)
            }
            other => other.into(),
        })
    }

    /// A connection to the deployed game contract, which must be that of a remembered game; without a wallet to read only.
    pub async fn connect(
        &self,
        game: Option<&SavedGame>,
        wallet: Option<&Wallet>,
    ) -> Result<(Chain, Deployment)> {
        let contract = game.map(|game| game.contract);
        self.connect_to(&self.rpc(game), contract, wallet).await
    }

    /// The same, at a URL, with the contract that is expected there.
    pub async fn connect_to(
        &self,
        rpc: &str,
        contract: Option<Address>,
        wallet: Option<&Wallet>,
    ) -> Result<(Chain, Deployment)> {
        let deployment = self.deployment(rpc).await?;
        if let Some(contract) = contract
            && contract != deployment.game.address
        {
            return Err(bad_input(format!(
                "the game belongs to the contract {contract:#x}, but chain {} has the deployment {:#x}",
                deployment.chain_id, deployment.game.address
            )));
        }
        let mut config = ChainConfig::new(
            rpc,
            deployment.chain_id,
            deployment.game.address,
            deployment.game.code_hash,
            deployment.block,
        );
        if let Some(confirmations) = self.confirmations {
            config.confirmations = confirmations;
        }
        let chain = match wallet {
            Some(wallet) => Chain::connect(config, wallet).await?,
            None => Chain::read_only(config).await?,
        };
        Ok((chain, deployment))
    }
}
