//! `fogmate cancel`: takes back a game that nobody has joined (protocol, section 8, "cancel").

use clap::Args as ClapArgs;
use eyre::Result;
use serde_json::json;

use super::audit::whole_id;
use crate::failure::bad_input;
use crate::output::say;
use crate::player::PlayerArgs;

/// Take back a game that nobody has joined; `fogmate withdraw` then fetches its stake
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The game's id, or the start of one that this machine knows
    game: String,
    #[command(flatten)]
    player: PlayerArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub async fn run(args: &Args) -> Result<()> {
    let PlayerArgs { home, wallet, node } = &args.player;
    let home = home.home()?;
    let known = home.find(&args.game)?;
    let wallet = wallet.or_of(known.as_ref()).open(&home)?;
    let (chain, _) = node.connect(known.as_ref(), Some(&wallet)).await?;
    let game = known.map_or_else(|| whole_id(&args.game), |game| Ok(game.game))?;
    let receipt = chain.cancel(game).await;
    let receipt = receipt.map_err(|error| match error.contract_error() {
        Some(refusal) => bad_input(format!("the game can't be cancelled: {refusal}")),
        None => error.into(),
    })?;
    if args.json {
        return say!(
            "{}",
            json!({ "game": game, "transaction": receipt.transaction, "gas": receipt.gas_used })
        );
    }
    say!("cancelled {game}; `fogmate withdraw` fetches the stake")
}
