//! The machine that a command runs on: its folder, a wallet in it, and the node, as most commands take them.

use alloy::primitives::{Address, U256};
use alloy::providers::Provider as _;
use chain::NodeError;
use clap::Args;
use client::chain::{Chain, ChainConfig};
use client::journal::Journal;
use client::wallet::Wallet;
use deploy::Deployment;
use eyre::Result;
use serde_json::Value;
use tokio::sync::broadcast::Receiver;

use crate::account::WalletArgs;
use crate::failure::bad_input;
use crate::home::{Home, HomeArgs, SavedGame};
use crate::node::NodeArgs;
use crate::output::note;

/// Folder, wallet and node, and what transactions may cost.
#[derive(Clone, Debug, Args)]
pub struct MachineArgs {
    #[command(flatten)]
    pub home: HomeArgs,
    #[command(flatten)]
    pub wallet: WalletArgs,
    #[command(flatten)]
    pub node: NodeArgs,
    #[command(flatten)]
    pub fees: FeeArgs,
}

/// The options of a command that uses a wallet and a node, and `--json`.
#[derive(Clone, Debug, Args)]
pub struct CommandArgs {
    #[command(flatten)]
    pub machine: MachineArgs,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

const WEI_OF_GWEI: u128 = 1_000_000_000;

/// What a command that sends transactions may pay.
#[derive(Clone, Copy, Debug, Args)]
pub struct FeeArgs {
    /// The most to pay for a unit of gas, in gwei; a transaction that needs more waits
    #[arg(long, value_name = "GWEI", default_value = "500")]
    max_fee: u64,
}

impl FeeArgs {
    /// The most to pay for a unit of gas, in wei.
    pub fn in_wei(self) -> u128 {
        u128::from(self.max_fee).saturating_mul(WEI_OF_GWEI)
    }
}

impl MachineArgs {
    /// Refuses a game that another process of this machine is playing, before anybody is asked for a password.
    pub fn check_free(&self, home: &Home, game: Option<&SavedGame>) -> Result<()> {
        match game.filter(|_| self.wallet.wallet.is_none()) {
            Some(saved) => Journal::check_free(&home.journals(), saved.wallet, &saved.game).map_err(bad_input),
            None => Ok(()),
        }
    }

    /// Opens the wallet and connects it: for a remembered game the wallet that plays it, and the node that was used.
    pub async fn connect(&self, home: &Home, game: Option<&SavedGame>) -> Result<(Wallet, Chain, Deployment)> {
        self.connect_as(self.wallet.or_of(game).open(home)?, home, game).await
    }

    /// Connects the wallet of who begins a game, whose first one it may be; on a local chain it doesn't stay empty.
    pub async fn connect_to_begin(&self, home: &Home) -> Result<(Wallet, Chain, Deployment)> {
        // Nobody is asked for a password where no game can be begun.
        self.node.connect(None).await?;
        self.connect_as(self.wallet_to_begin(home).await?, home, None).await
    }

    /// The wallet of who begins something.
    pub async fn wallet_to_begin(&self, home: &Home) -> Result<Wallet> {
        let wallet = self.wallet.open_or_make(home)?;
        fill(&self.node.rpc(None), wallet.address()).await?;
        Ok(wallet)
    }

    async fn connect_as(
        &self,
        wallet: Wallet,
        home: &Home,
        game: Option<&SavedGame>,
    ) -> Result<(Wallet, Chain, Deployment)> {
        let (config, deployment) = self.node.deployed(game).await?;
        let chain = Chain::connect(self.sending(config, home), Some(&wallet)).await?;
        Ok((wallet, chain, deployment))
    }

    /// How to connect so that what a wallet signs can be sent: all of that is kept in the wallet's one record.
    pub fn sending(&self, config: ChainConfig, home: &Home) -> ChainConfig {
        ChainConfig { transactions: Some(home.transactions()), max_fee: self.fees.in_wei(), ..config }
    }
}

/// What the tap of a local chain gives: ten ether in wei, which are worth nothing.
const TAP: u128 = 10_000_000_000_000_000_000;

/// Fills an empty wallet from the tap of a local chain, if it has one as Anvil has.
pub async fn fill(rpc: &str, account: Address) -> Result<(), NodeError> {
    let node = chain::connect(rpc, None)?;
    if !chain::is_local(node.get_chain_id().await?) || !node.get_balance(account).await?.is_zero() {
        return Ok(());
    }
    let filled = node.raw_request::<_, Value>("anvil_setBalance".into(), (account, U256::from(TAP))).await;
    if filled.is_ok() {
        note!("note: the wallet was empty, and this local chain has given it 10 ETH, which are worth nothing");
    }
    Ok(())
}

/// Tells on stderr what becomes of the wallet's transactions while a command waits for one; a connection that sends none has no advice.
pub fn tell_advice(advice: Option<Receiver<String>>) {
    let Some(mut advice) = advice else { return };
    tokio::spawn(async move {
        while let Ok(advice) = advice.recv().await {
            note!("note: {advice}");
        }
    });
}
