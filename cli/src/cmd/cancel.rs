//! `fogmate cancel`: takes back a game that nobody has joined (protocol, section 8, "cancel").

use clap::Args as ClapArgs;
use client::lobby;
use eyre::Result;
use serde_json::json;

use crate::hint::hint;
use crate::home::game_id;
use crate::machine::{MachineArgs, tell_advice};
use crate::output::say;
use crate::words::with_receipt;

/// Take back a game that nobody has joined; `fogmate withdraw` then fetches its stake
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The game's id, or the start of one that this machine knows
    game: String,
    #[command(flatten)]
    machine: MachineArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub async fn run(args: &Args) -> Result<()> {
    let home = args.machine.home.home()?;
    let known = home.find(&args.game)?;
    let game = game_id(known.as_ref(), &args.game)?;
    let (_, chain, _) = args.machine.connect(&home, known.as_ref()).await?;
    tell_advice(chain.advice());
    let stake = chain.game(game).await?.terms.stake;
    let receipt = lobby::cancel(&chain, game).await?;
    if args.json {
        return say!("{}", with_receipt(json!({ "game": game }), Some(&receipt)));
    }
    match stake {
        0 => say!("cancelled {game}"),
        _ => say!("cancelled {game}; {} fetches the stake", hint("withdraw")),
    }
}
