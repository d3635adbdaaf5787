//! `fogmate create`: opens a game and prints the invitation (protocol, section 8, "create").

use clap::Args as ClapArgs;
use client::lobby;
use eyre::Result;
use libp2p::Multiaddr;
use serde_json::json;

use crate::hint::hint;
use crate::machine::CommandArgs;
use crate::opening::{Opener, TermsArgs};
use crate::output::{note, say};
use crate::terms;
use crate::words::with_receipt;

/// Open a game, and print the invitation for the opponent
///
/// The invitation is one word with chain, contract, game, and the addresses at which this machine can be reached. Then
/// `fogmate play` waits for the opponent.
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    common: CommandArgs,
    #[command(flatten)]
    terms: TermsArgs,
    /// Where to listen for the opponent [default: a free port of 127.0.0.1, for an opponent on this machine]
    #[arg(long, value_name = "MULTIADDR")]
    listen: Option<Multiaddr>,
    /// An address for the invitation, if the opponent reaches this machine at another than it listens at; may be repeated
    #[arg(long, value_name = "MULTIADDR")]
    announce: Vec<Multiaddr>,
    /// A relay that leads to this machine too, as `fogmate relay` prints it; may be repeated
    #[arg(long, value_name = "MULTIADDR")]
    relay: Vec<Multiaddr>,
}

pub async fn run(args: &Args) -> Result<()> {
    let home = args.common.machine.home.home()?;
    // Before anybody is asked for a password, or pays.
    let addresses = lobby::addresses(args.listen.as_ref(), &args.announce, &args.relay).await?;
    let terms = args.terms.checked(&args.common.machine.node).await?;
    let (wallet, chain, _) = args.common.machine.connect_to_begin(&home).await?;
    let opener = Opener { home: &home, wallet: &wallet, chain: &chain, nodes: args.common.machine.node.nodes(None) };
    let engine = args.terms.engine.kind();
    let (created, _, name) = opener.open(&terms, engine, addresses, &args.relay, args.terms.another).await?;
    let (invite, receipt) = (&created.invite, &created.receipt);
    let game = invite.game.game_id;
    if args.common.json {
        say!("{}", with_receipt(json!({ "game": game, "invite": invite.to_string() }), Some(receipt)))?;
    } else {
        note!("game {game}, contract {}: {}", invite.game.contract, terms::describe(&created.terms));
        note!("Send this to your opponent, for `fogmate play`; then wait with {}:", hint(&format!("play {name}")));
        say!("{invite}")?;
    }
    created.acknowledge(&chain).await?;
    Ok(())
}
