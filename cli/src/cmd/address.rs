//! `fogmate address`: a record of where this machine can be reached now, for an opponent that has lost it.

use clap::Args as ClapArgs;
use client::chain::unix;
use client::link::{AddressRecord, Identity, is_dialable};
use client::lobby;
use eyre::Result;
use libp2p::Multiaddr;
use serde_json::json;

use crate::account::WalletArgs;
use crate::failure::bad_input;
use crate::hint::hint;
use crate::home::{HomeArgs, game_id};
use crate::output::{note, say};

/// Print a signed record of where you can be reached now, for an opponent that can't find you any more
///
/// Your opponent gives it to `fogmate play --at RECORD`, or types `at RECORD` during play. It is a line of text for any
/// messenger: nobody else can make one, and an older one is refused once a newer one is known. It talks to no node.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The game's id, or the start of one
    #[arg(long)]
    game: String,
    #[command(flatten)]
    home: HomeArgs,
    #[command(flatten)]
    wallet: WalletArgs,
    /// Where the opponent can reach this machine; may be repeated [default: where it listens, as remembered]
    #[arg(long, value_name = "MULTIADDR")]
    announce: Vec<Multiaddr>,
    /// A relay that leads to this machine, in addition to those remembered; may be repeated
    #[arg(long, value_name = "MULTIADDR")]
    relay: Vec<Multiaddr>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub async fn run(args: &Args) -> Result<()> {
    let home = args.home.home()?;
    let saved = home.find(&args.game)?;
    game_id(saved.as_ref(), &args.game)?;
    let Some(mut game) = saved else {
        return Err(bad_input(format!("this machine has not played that game: {} it first", hint("play"))));
    };
    let relays: Vec<Multiaddr> = game.relays.iter().chain(&args.relay).cloned().collect();
    if args.announce.is_empty() && relays.is_empty() && !is_dialable(&game.listen) {
        return Err(bad_input(
            "this machine listens at a port that is another at each start: say with --announce where it is reached, with the port that `fogmate play` says",
        ));
    }
    let addresses = lobby::announced(&game.listen, &args.announce, &relays)?;
    let wallet = args.wallet.or_of(Some(&game)).open(&home)?;
    let identity = Identity::new(&wallet, game.game)?;
    // Above all that were given, also by another machine of this player whose clock is right.
    let number = unix().max(game.told.saturating_add(1));
    let record = AddressRecord::new(&identity, number, &addresses).map_err(bad_input)?;
    // Before anybody can have it: no two records have one number.
    game.told = number;
    home.save(&game)?;
    for address in &record.addresses {
        note!("{address}");
    }
    match args.json {
        true => say!("{}", json!({ "record": record.to_string(), "number": number, "addresses": record.addresses })),
        false => say!("{record}"),
    }
}
