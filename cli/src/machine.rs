//! The machine that a command runs on: its folder, a wallet in it, and the node, as most commands take them.

use clap::Args;
use client::chain::Chain;
use client::wallet::Wallet;
use deploy::Deployment;
use eyre::Result;

use crate::account::WalletArgs;
use crate::home::{Home, HomeArgs, SavedGame};
use crate::node::NodeArgs;

/// Folder, wallet and node.
#[derive(Clone, Debug, Args)]
pub struct MachineArgs {
    #[command(flatten)]
    pub home: HomeArgs,
    #[command(flatten)]
    pub wallet: WalletArgs,
    #[command(flatten)]
    pub node: NodeArgs,
}

impl MachineArgs {
    /// Opens the wallet and connects it: for a remembered game the wallet that plays it, and the node that was used.
    pub async fn connect(&self, home: &Home, game: Option<&SavedGame>) -> Result<(Wallet, Chain, Deployment)> {
        let wallet = self.wallet.or_of(game).open(home)?;
        let (chain, deployment) = self.node.connect(game, Some(&wallet)).await?;
        Ok((wallet, chain, deployment))
    }
}
