//! Whose machine a command runs on: the folder, the wallet in it and the node, as most commands take them.

use clap::Args;

use crate::account::WalletArgs;
use crate::home::HomeArgs;
use crate::node::NodeArgs;

/// A player.
#[derive(Clone, Debug, Args)]
pub struct PlayerArgs {
    #[command(flatten)]
    pub home: HomeArgs,
    #[command(flatten)]
    pub wallet: WalletArgs,
    #[command(flatten)]
    pub node: NodeArgs,
}
