//! `fogmate create`: opens a game and prints the invitation (protocol, section 8, "create").

use std::net::TcpListener;

use alloy::primitives::Address;
use clap::Args as ClapArgs;
use client::link::{Identity, Scope};
use eyre::{Context, Result, ensure};
use game::Terms;
use game::toss::toss_commitment;
use libp2p::Multiaddr;
use libp2p::multiaddr::Protocol;
use serde_json::json;

use crate::failure::bad_input;
use crate::home::SavedGame;
use crate::invite::Invite;
use crate::output::say;
use crate::player::PlayerArgs;
use crate::terms;

/// Open a game, and print the invitation for the opponent
///
/// The invitation is one word with chain, contract, game, and the address at which this machine will listen. Then
/// `fogmate play` waits for the opponent.
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    player: PlayerArgs,
    /// What each player puts in, in ether
    #[arg(long, value_name = "ETHER", default_value = "0", value_parser = terms::ether)]
    stake: u128,
    /// Each player's time for the whole game
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = terms::seconds)]
    base: u32,
    /// Time added after each own move
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = terms::seconds)]
    increment: u32,
    /// Time at the start of each ply in which no clock runs: for proofs and delivery
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = terms::seconds)]
    delay: u32,
    /// Who may join [default: anyone]
    #[arg(long, value_name = "ADDRESS")]
    opponent: Option<Address>,
    /// Where to listen for the opponent [default: a free port of 127.0.0.1, for an opponent on this machine]
    #[arg(long, value_name = "MULTIADDR")]
    listen: Option<Multiaddr>,
    /// The address for the invitation, if the opponent reaches this machine at another than it listens at
    #[arg(long, value_name = "MULTIADDR")]
    announce: Option<Multiaddr>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub async fn run(args: &Args) -> Result<()> {
    let PlayerArgs { home, wallet, node } = &args.player;
    let home = home.home()?;
    let listen = match &args.listen {
        Some(address) => checked(address)?,
        None => free_address()?,
    };
    let announce = args.announce.as_ref().map_or(Ok(listen.clone()), checked)?;
    if announce
        .iter()
        .any(|part| matches!(part, Protocol::Ip4(ip) if ip.is_unspecified()))
    {
        return Err(bad_input(
            "nobody can dial 0.0.0.0: say --announce /ip4/…/tcp/… too",
        ));
    }
    let wallet = wallet.open(&home)?;
    let (chain, deployment) = node.connect(None, Some(&wallet)).await?;

    let me = wallet.address();
    let game = chain.next_game_id(me).await?;
    let secrets = wallet.game_secrets(game);
    let toss = toss_commitment(&secrets.toss_secret(), &me.into());
    let terms = Terms {
        stake: args.stake,
        base: args.base,
        increment: args.increment,
        delay: args.delay,
        opponent: args.opponent,
    };
    let (created, receipt) = chain
        .create(&terms, toss.into(), &secrets.fog_secret().key())
        .await?;
    ensure!(
        created == game,
        "another game was created with this wallet at the same time; cancel both and try again"
    );

    let (chain_id, contract) = (deployment.chain_id, deployment.game.address);
    let identity = Identity::new(
        &wallet,
        Scope {
            chain_id,
            contract,
            game,
        },
    )?;
    let address = announce.with(Protocol::P2p(identity.peer_id()));
    let invite = Invite {
        chain_id,
        contract,
        game,
        address,
    };
    home.save(&SavedGame {
        chain_id,
        contract,
        game,
        wallet: me,
        rpc: node.rpc(None),
        listen,
        dial: Vec::new(),
    })?;
    if args.json {
        let value = json!({
            "game": game, "invite": invite.to_string(), "transaction": receipt.transaction, "gas": receipt.gas_used,
        });
        say!("{value}")?;
    } else {
        eprintln!("game {game}: {}", terms::describe(&terms));
        eprintln!(
            "Send this to your opponent, for `fogmate join`; then wait with `fogmate play {}`:",
            &game.to_string()[..10]
        );
        say!("{invite}")?;
    }
    Ok(())
}

/// Only what the link can dial goes into an invitation.
fn checked(address: &Multiaddr) -> Result<Multiaddr> {
    let parts: Vec<_> = address.iter().collect();
    match parts[..] {
        [Protocol::Ip4(_) | Protocol::Ip6(_), Protocol::Tcp(port)] if port != 0 => {
            Ok(address.clone())
        }
        _ => Err(bad_input(format!(
            "{address} can't be listened at and dialled: give an address like /ip4/192.0.2.1/tcp/4040, with a port"
        ))),
    }
}

/// A port that is free now; the invitation needs its number before anybody listens.
pub fn free_address() -> Result<Multiaddr> {
    let listener = TcpListener::bind("127.0.0.1:0").wrap_err("no free port on 127.0.0.1")?;
    let port = listener.local_addr()?.port();
    Ok(Multiaddr::from(std::net::Ipv4Addr::LOCALHOST).with(Protocol::Tcp(port)))
}
