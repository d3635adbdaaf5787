//! `fogmate play`: one's own side of one game, in plain lines (protocol, section 6). The full-screen terminal is not here.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args as ClapArgs;
use client::runtime::{Parts, spawn};
use client::seat::Config;
use eyre::Result;
use fog::engine::SightLines;
use libp2p::Multiaddr;

use super::audit::whole_id;
use crate::failure::bad_input;
use crate::home::SavedGame;
use crate::keys::{KeyArgs, prover};
use crate::player::PlayerArgs;
use crate::script::Script;
use crate::session::{self, Options};

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
    player: PlayerArgs,
    #[command(flatten)]
    keys: KeyArgs,
    /// Where to listen for the opponent [default: as remembered]
    #[arg(long, value_name = "MULTIADDR")]
    listen: Option<Multiaddr>,
    /// Where the opponent may be, in addition to what is remembered
    #[arg(long, value_name = "MULTIADDR")]
    dial: Vec<Multiaddr>,
    /// Play the own moves of a script: one JSON object with `moves`, UCI strings of both colours
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
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
    let PlayerArgs { home, wallet, node } = &args.player;
    let home = home.home()?;
    let script = args.script.as_deref().map(Script::read).transpose()?;
    let saved = home.find(&args.game)?;
    let wallet = wallet.or_of(saved.as_ref()).open(&home)?;
    let rpc = node.rpc(saved.as_ref());
    let (chain, deployment) = node.connect(saved.as_ref(), Some(&wallet)).await?;
    let mut game = match saved {
        Some(game) => game,
        // A bare machine: wallet and chain are enough.
        None => SavedGame {
            chain_id: deployment.chain_id,
            contract: deployment.game.address,
            game: whole_id(&args.game)?,
            wallet: wallet.address(),
            rpc: rpc.clone(),
            listen: "/ip4/127.0.0.1/tcp/0".parse()?,
            dial: Vec::new(),
        },
    };
    chain.game(game.game).await.map_err(bad_input)?;
    if let Some(listen) = &args.listen {
        game.listen = listen.clone();
    }
    game.dial.extend(args.dial.iter().cloned());
    game.rpc = rpc;
    home.save(&game)?;

    let parameters = args.keys.parameters(&deployment)?;
    let cache = args.keys.cache(home.cache());
    let prover =
        tokio::task::spawn_blocking(move || prover(&parameters, &cache, &deployment)).await??;
    let prover = match args.proving_lock.clone() {
        Some(lock) => prover.sharing(lock),
        None => prover,
    };
    let handle = spawn(Parts {
        wallet,
        chain,
        game: game.game_ref(),
        engine: Arc::new(SightLines::new(Arc::new(prover))),
        journals: home.journals(),
        listen: game.listen,
        dial: game.dial,
        seat: Config::default(),
    });
    session::run(
        handle,
        Options {
            json: args.json,
            script,
            stay: args.stay,
        },
    )
    .await
}
