//! `fogmate withdraw`: fetches what the game contract owes a wallet (protocol, section 8, pull payments).

use alloy::primitives::B256;
use clap::Args as ClapArgs;
use client::lobby::{self, LobbyError, in_ether};
use eyre::Result;
use serde_json::json;

use crate::machine::{FeeArgs, MachineArgs, tell_advice};
use crate::output::say;

/// Fetch what the game contract owes you: stakes won, drawn or taken back, and bonds
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    machine: MachineArgs,
    #[command(flatten)]
    fees: FeeArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub async fn run(args: &Args) -> Result<()> {
    let home = args.machine.home.home()?;
    let (wallet, chain, _) = args.machine.connect(&home, None, args.fees).await?;
    let mut games = home.list()?;
    games.retain(|saved| saved.wallet == wallet.address() && saved.game == chain.game_ref(saved.game.game_id));
    let games: Vec<B256> = games.iter().map(|saved| saved.game.game_id).collect();
    tell_advice(&chain);
    let (owed, receipt) = match lobby::withdraw(&chain, &games).await {
        // Nothing has gone wrong.
        Err(LobbyError::NothingOwed) if args.json => return say!("{}", json!({ "owed_wei": "0" })),
        Err(nothing @ LobbyError::NothingOwed) => return say!("{nothing}"),
        result => result?,
    };
    if args.json {
        let (owed_wei, transaction, gas) = (owed.to_string(), receipt.transaction, receipt.gas_used);
        return say!("{}", json!({ "owed_wei": owed_wei, "transaction": transaction, "gas": gas }));
    }
    say!("fetched {} ETH", in_ether(owed.saturating_to()))
}
