//! `fogmate withdraw`: fetches what the game contract owes a wallet (protocol, section 8, pull payments).

use alloy::primitives::{Address, B256};
use clap::Args as ClapArgs;
use client::chain::Chain;
use client::lobby::{self, LobbyError, in_ether};
use eyre::Result;
use serde_json::json;

use crate::home::Home;
use crate::machine::{CommandArgs, tell_advice};
use crate::output::say;
use crate::words::with_receipt;

/// Fetch what the game contract owes you: stakes won, drawn or taken back, and bonds
///
/// The bonds of games that are over are asked back first: of the games that this machine knows, or with --chain of all that the wallet
/// has played in, which also a machine that remembers nothing finds.
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    common: CommandArgs,
    /// Look for the wallet's games on the chain, from the deployment's block on
    #[arg(long)]
    chain: bool,
}

pub async fn run(args: &Args) -> Result<()> {
    let home = args.common.machine.home.home()?;
    let (wallet, chain, _) = args.common.machine.connect(&home, None).await?;
    let games = match args.chain {
        true => chain.games_of(Some(wallet.address())).await?.into_iter().map(|(game, _)| game).collect(),
        false => known(&home, &chain, wallet.address())?,
    };
    tell_advice(chain.advice());
    let (owed, receipt) = match lobby::withdraw(&chain, &games).await {
        // Nothing has gone wrong.
        Err(LobbyError::NothingOwed) if args.common.json => return say!("{}", json!({ "owed_wei": "0" })),
        Err(nothing @ LobbyError::NothingOwed) => return say!("{nothing}"),
        result => result?,
    };
    if args.common.json {
        return say!("{}", with_receipt(json!({ "owed_wei": owed.to_string() }), Some(&receipt)));
    }
    say!("fetched {} ETH", in_ether(owed.saturating_to()))
}

/// The games of a wallet on this chain that this machine knows.
fn known(home: &Home, chain: &Chain, wallet: Address) -> Result<Vec<B256>> {
    let games = home.list()?.into_iter().filter(|saved| saved.wallet == wallet).map(|saved| saved.game);
    Ok(games.filter(|game| *game == chain.game_ref(game.game_id)).map(|game| game.game_id).collect())
}
