//! `fogmate relay`: a relay for players who can't reach each other. It needs no chain, no wallet and no game.

use std::path::PathBuf;

use chain::private;
use clap::Args as ClapArgs;
use client::relay::{LIMITS, Relay};
use eyre::{Context, Result, bail};
use libp2p::Multiaddr;
use libp2p::identity::Keypair;
use rand::RngCore;
use rand::rngs::OsRng;
use serde_json::json;
use zeroize::Zeroizing;

use crate::failure::bad_input;
use crate::home::HomeArgs;
use crate::output::{note, say};
use crate::process::uninterrupted;

/// Run a relay, and print its addresses for players who can't reach each other
///
/// A player says one of the addresses with --relay; the opponent then finds it through the relay, and where their routers
/// let them they go on without it. The relay sees who plays with whom from where, when and how much, and nothing of the
/// games. It serves 128 players and 64 connections between players at a time, each at most 4 hours and 64 MiB a way. It
/// has to run where everybody can reach it.
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    home: HomeArgs,
    /// Where to listen; may be repeated [default: port 4041 of TCP and of QUIC, on all addresses of IPv4]
    #[arg(long, value_name = "MULTIADDR")]
    listen: Vec<Multiaddr>,
    /// The addresses for players, if they reach this machine at others than it listens at; may be repeated
    #[arg(long, value_name = "MULTIADDR")]
    announce: Vec<Multiaddr>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub async fn run(args: &Args) -> Result<()> {
    let mut listen = args.listen.clone();
    if listen.is_empty() {
        listen = vec!["/ip4/0.0.0.0/tcp/4041".parse()?, "/ip4/0.0.0.0/udp/4041/quic-v1".parse()?];
    }
    let key = key(&args.home.home()?.relay_key())?;
    let mut relay = Relay::start(key, &listen, &args.announce, LIMITS).await.map_err(bad_input)?;
    // Whoever has read the addresses may end it.
    uninterrupted(async {
        if args.json {
            say!("{}", json!({ "addresses": relay.addresses() }))?;
        } else {
            for address in relay.addresses() {
                say!("{address}")?;
            }
            note!("relaying; a player says --relay with one of these addresses. Ctrl-C ends it");
        }
        relay.ended().await;
        bail!("the relay has ended by a defect of its own")
    })
    .await
}

/// The key that makes the relay's peer id; kept, so that addresses that were given to players stay right.
fn key(path: &PathBuf) -> Result<Keypair> {
    let mut secret = match std::fs::read(path) {
        Ok(secret) => Zeroizing::new(secret),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let mut secret = Zeroizing::new(vec![0; 32]);
            OsRng.fill_bytes(&mut secret);
            private::write(path, &secret).wrap_err_with(|| format!("{} can't be written", path.display()))?;
            secret
        }
        Err(error) => return Err(error).wrap_err_with(|| format!("{} can't be read", path.display())),
    };
    Keypair::ed25519_from_bytes(secret.as_mut_slice())
        .map_err(|_| bad_input(format!("{} is no key of a relay: remove it to have another made", path.display())))
}
