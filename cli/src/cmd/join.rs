//! `fogmate join`: takes an invitation (protocol, section 8, "join").

use clap::Args as ClapArgs;
use client::link;
use client::lobby::{self, Invite};
use eyre::Result;
use libp2p::Multiaddr;
use serde_json::json;

use crate::engine::{EngineArgs, tell_caveat};
use crate::failure::bad_input;
use crate::home::{SavedGame, check_relays};
use crate::machine::{CommandArgs, tell_advice};
use crate::output::note;
use crate::terms::{self, tell_cautions};
use crate::words::tell_joined;

/// Join a game by its invitation
///
/// Shows the terms and joins. A game for a stake is joined only if --stake says the same amount.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The invitation that the creator sent
    invite: String,
    #[command(flatten)]
    common: CommandArgs,
    #[command(flatten)]
    engine: EngineArgs,
    /// The stake that you agree to, in ether
    #[arg(long, value_name = "ETHER", default_value = "0", value_parser = terms::ether, allow_hyphen_values = true)]
    stake: u128,
    /// Where to listen, should the opponent dial
    #[arg(long, value_name = "MULTIADDR", default_value = "/ip4/127.0.0.1/tcp/0")]
    listen: Multiaddr,
    /// A relay that leads to this machine too, as `fogmate relay` prints it; may be repeated
    #[arg(long, value_name = "MULTIADDR")]
    relay: Vec<Multiaddr>,
}

pub async fn run(args: &Args) -> Result<()> {
    let invite: Invite = args.invite.parse()?;
    let home = args.common.machine.home.home()?;
    check_relays(&args.relay)?;
    link::free(&args.listen).await.map_err(bad_input)?;
    let (wallet, chain, _) = args.common.machine.connect_to_begin(&home).await?;
    let found = lobby::find(&chain, &invite).await?;
    let game = invite.game.game_id;
    note!("game {game} of {}: {}", found.creator, terms::describe(&found.terms));
    tell_caveat(args.engine.kind());
    tell_cautions(&chain, &found.terms).await?;
    tell_advice(chain.advice());
    let receipt = lobby::join(&chain, &wallet, &invite, args.engine.kind().about(), &found, args.stake).await?;
    let saved = SavedGame::new(invite.game, wallet.address(), args.common.machine.node.nodes(None));
    let (listen, relays) = (args.listen.clone(), args.relay.clone());
    let name = home.remember(&SavedGame { listen, relays, dial: invite.addresses, ..saved });
    tell_joined(&format!("play {name}"), game, receipt.as_ref(), args.common.json.then(|| json!({})))
}
