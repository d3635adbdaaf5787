//! `fogmate withdraw`: fetches what the game contract owes a wallet (protocol, section 8, pull payments).

use clap::Args as ClapArgs;
use eyre::Result;
use serde_json::json;

use crate::failure::bad_input;
use crate::output::say;
use crate::player::PlayerArgs;
use crate::terms::in_ether;

/// Fetch what the game contract owes you: stakes won, drawn or taken back
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    player: PlayerArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub async fn run(args: &Args) -> Result<()> {
    let PlayerArgs { home, wallet, node } = &args.player;
    let wallet = wallet.open(&home.home()?)?;
    let (chain, _) = node.connect(None, Some(&wallet)).await?;
    let owed = chain.withdrawable(wallet.address()).await?;
    if owed.is_zero() {
        return Err(bad_input("the game contract owes this wallet nothing"));
    }
    let receipt = chain.withdraw().await?;
    if args.json {
        let (owed_wei, transaction, gas) =
            (owed.to_string(), receipt.transaction, receipt.gas_used);
        return say!(
            "{}",
            json!({ "owed_wei": owed_wei, "transaction": transaction, "gas": gas })
        );
    }
    say!("fetched {} ETH", in_ether(owed.saturating_to()))
}
