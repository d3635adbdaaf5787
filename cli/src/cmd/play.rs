//! `fogmate play`: a player's side of one game, in plain lines (protocol, section 6). The full-screen terminal is not here.

use std::path::PathBuf;
use std::sync::Arc;

use alloy::primitives::Address;
use clap::Args as ClapArgs;
use client::runtime::{Parts, sight_lines, spawn};
use client::seat::Config;
use eyre::Result;
use game::GameRef;
use libp2p::Multiaddr;

use crate::home::{Home, SavedGame, game_id};
use crate::keys::{KeyArgs, ProverArgs, prover};
use crate::machine::{FeeArgs, MachineArgs};
use crate::script::Script;
use crate::session::{self, Options};
use crate::terms;

/// Play a game, or go on with it
///
/// Shows your board as you see it and takes moves in UCI (e2e4, e7e8q; castling is the king's move). `help` lists the
/// other commands. You can stop at any time and go on later: wallet and chain know the game. Lower-case pieces are
/// Black's; "." is seen and empty, "?" occupied by an unknown piece in a pawn's way, the rest is dark.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The game's id, or the start of one that this machine knows
    game: String,
    #[command(flatten)]
    machine: MachineArgs,
    #[command(flatten)]
    fees: FeeArgs,
    #[command(flatten)]
    keys: KeyArgs,
    #[command(flatten)]
    prover: ProverArgs,
    /// Where to listen for the opponent [default: as remembered]
    #[arg(long, value_name = "MULTIADDR")]
    listen: Option<Multiaddr>,
    /// Where the opponent may be, in addition to what is remembered
    #[arg(long, value_name = "MULTIADDR")]
    dial: Vec<Multiaddr>,
    /// Play the own moves of a script: one JSON object with `moves`, UCI strings of both colors
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// How long to wait for a sight, or for the opponent's request, before the chain is used instead
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = terms::seconds, allow_hyphen_values = true)]
    grace: u32,
    /// Demand sights after own moves through the chain too, which no move needs; each costs both players gas
    #[arg(long)]
    demand_post: bool,
    /// Cut the link for good once this ply is to be played: shows that the chain is enough
    #[arg(long, value_name = "PLY", hide = true)]
    cut_link: Option<u16>,
    /// Print what happens as a JSON object a line
    #[arg(long)]
    json: bool,
    /// End when standard input ends, and not before: for programs that start this one
    #[arg(long, hide = true)]
    stay: bool,
    /// Prove only while holding the lock of this file: for several players on one machine
    #[arg(long, value_name = "FILE", hide = true)]
    proving_lock: Option<PathBuf>,
}

/// Runs the command.
pub async fn run(args: &Args) -> Result<()> {
    let home = args.machine.home.home()?;
    let script = args.script.as_deref().map(Script::read).transpose()?;
    let saved = home.find(&args.game)?;
    let game_id = game_id(saved.as_ref(), &args.game)?;
    let (wallet, chain, deployment) = args.machine.connect(&home, saved.as_ref(), args.fees).await?;
    let stake = chain.game(game_id).await?.terms.stake;
    let game = remember(args, &home, saved, chain.game_ref(game_id), wallet.address())?;

    let parameters = args.keys.parameters(&deployment)?;
    let (cache, backend) = (args.keys.cache(home.cache()), args.prover.backend());
    let prover = tokio::task::spawn_blocking(move || prover(&parameters, backend, &cache, &deployment)).await??;
    let handle = spawn(Parts {
        wallet,
        chain,
        game: game.game,
        engine: sight_lines(Arc::new(prover.with_lock(args.proving_lock.clone()))),
        journals: home.journals(),
        listen: game.listen,
        dial: game.dial,
        seat: Config {
            grace: args.grace.into(),
            await_request: args.grace.into(),
            demand_post: args.demand_post,
            ..Config::default()
        },
        cut_link: args.cut_link,
    });
    let options = Options { json: args.json, script, stay: args.stay, stake };
    session::run(handle, options).await
}

/// What is known of the game, with what the command line adds; on a bare machine wallet and chain are enough.
fn remember(args: &Args, home: &Home, saved: Option<SavedGame>, game: GameRef, wallet: Address) -> Result<SavedGame> {
    let nodes = args.machine.node.nodes(saved.as_ref());
    let mut game = match saved {
        Some(game) => SavedGame { nodes, ..game },
        None => SavedGame { game, wallet, nodes, listen: "/ip4/127.0.0.1/tcp/0".parse()?, dial: Vec::new() },
    };
    game.listen = args.listen.clone().unwrap_or(game.listen);
    game.dial.extend(args.dial.iter().cloned());
    home.save(&game)?;
    Ok(game)
}
