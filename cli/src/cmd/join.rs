//! `fogmate join`: takes an invitation (protocol, section 8, "join").

use alloy::primitives::B256;
use clap::Args as ClapArgs;
use client::chain::{ChainError, Status};
use eyre::Result;
use libp2p::Multiaddr;
use rand::{RngCore, rngs::OsRng};
use serde_json::json;

use crate::failure::bad_input;
use crate::home::SavedGame;
use crate::invite::Invite;
use crate::output::say;
use crate::player::PlayerArgs;
use crate::terms;

/// Join a game by its invitation
///
/// Shows the terms and joins. A game for a stake is joined only if --stake says the same amount.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The invitation that the creator sent
    invite: String,
    #[command(flatten)]
    player: PlayerArgs,
    /// The stake that you agree to, in ether
    #[arg(long, value_name = "ETHER", default_value = "0", value_parser = terms::ether)]
    stake: u128,
    /// Where to listen, should the opponent dial
    #[arg(long, value_name = "MULTIADDR", default_value = "/ip4/127.0.0.1/tcp/0")]
    listen: Multiaddr,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub async fn run(args: &Args) -> Result<()> {
    let invite: Invite = args.invite.parse().map_err(bad_input)?;
    let PlayerArgs { home, wallet, node } = &args.player;
    let home = home.home()?;
    let wallet = wallet.open(&home)?;
    let (rpc, contract) = (node.rpc(None), Some(invite.contract));
    let (chain, deployment) = node.connect_to(&rpc, contract, Some(&wallet)).await?;
    if deployment.chain_id != invite.chain_id {
        return Err(bad_input(format!(
            "the invitation is for chain {}, but the node is on chain {}: say --rpc URL",
            invite.chain_id, deployment.chain_id
        )));
    }
    let state = chain.game(invite.game).await.map_err(|error| match error {
        ChainError::NoGame(_) => bad_input(error),
        other => other.into(),
    })?;
    if state.status != Status::Open {
        return Err(bad_input("the game is not open any more"));
    }
    eprintln!(
        "game {} of {}: {}",
        invite.game,
        state.creator,
        terms::describe(&state.terms)
    );
    if state.terms.stake != args.stake {
        return Err(bad_input(format!(
            "the game is for a stake of {0} ETH: say --stake {0} to agree",
            terms::in_ether(state.terms.stake)
        )));
    }
    let secrets = wallet.game_secrets(invite.game);
    let mut r2 = B256::ZERO;
    OsRng.fill_bytes(r2.as_mut_slice());
    let fog_key = secrets.fog_secret().key();
    let receipt = chain
        .join(invite.game, state.terms.stake, r2, &fog_key)
        .await?;
    home.save(&SavedGame {
        chain_id: invite.chain_id,
        contract: invite.contract,
        game: invite.game,
        wallet: wallet.address(),
        rpc,
        listen: args.listen.clone(),
        dial: vec![invite.address],
    })?;
    if args.json {
        say!(
            "{}",
            json!({ "game": invite.game, "transaction": receipt.transaction, "gas": receipt.gas_used })
        )?;
    } else {
        eprintln!(
            "joined; play with `fogmate play {}`",
            &invite.game.to_string()[..10]
        );
        say!("{}", invite.game)?;
    }
    Ok(())
}
