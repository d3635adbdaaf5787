//! `fogmate cancel`: takes back a game that nobody has joined (protocol, section 8, "cancel").

use clap::Args as ClapArgs;
use client::lobby;
use eyre::Result;

use crate::home::game_id;
use crate::machine::{CommandArgs, tell_advice};
use crate::words::tell_cancelled;

/// Take back a game that nobody has joined; `fogmate withdraw` then fetches its stake
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The game's id, or the start of one that this machine knows
    game: String,
    #[command(flatten)]
    common: CommandArgs,
}

pub async fn run(args: &Args) -> Result<()> {
    let home = args.common.machine.home.home()?;
    let known = home.find(&args.game)?;
    let game = game_id(known.as_ref(), &args.game)?;
    let (_, chain, _) = args.common.machine.connect(&home, known.as_ref()).await?;
    tell_advice(chain.advice());
    let stake = chain.game(game).await?.terms.stake;
    let receipt = lobby::cancel(&chain, game).await?;
    tell_cancelled(game, stake, &receipt, args.common.json, "withdraw")
}
