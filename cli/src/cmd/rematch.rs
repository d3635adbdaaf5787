//! `fogmate rematch`: another game with the opponent of one that is over, on its terms.

use clap::Args as ClapArgs;
use eyre::Result;

use super::play::{Chooser, play};
use crate::again::again;
use crate::home::{SavedGame, game_id};
use crate::qr::QrArgs;
use crate::screen::ScreenArgs;
use crate::side::{Player, SideArgs};

/// Play once more against the opponent of a game that is over, on its terms
///
/// Opens a game for that opponent alone, and waits at the board. If the opponent has done so already, joins that one: who both say `rematch` need
/// send each other nothing, where one of the machines still is where it was.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The id of the game that is over, or the start of one that this machine knows
    game: String,
    #[command(flatten)]
    side: SideArgs,
    #[command(flatten)]
    qr: QrArgs,
    #[command(flatten)]
    screen: ScreenArgs,
}

pub async fn run(args: &Args) -> Result<()> {
    let (side, home) = (&args.side, args.side.machine.home.home()?);
    let saved = home.find(&args.game)?;
    let id = game_id(saved.as_ref(), &args.game)?;
    side.check()?;
    let (wallet, chain, deployment) = side.machine.connect(&home, saved.as_ref()).await?;
    let nodes = side.machine.node.nodes(saved.as_ref());
    let known = saved.unwrap_or_else(|| SavedGame::new(chain.game_ref(id), wallet.address(), Vec::new()));
    let over = Player { home, wallet, chain, deployment, game: SavedGame { nodes, ..known }, record: None };
    let player = again(over, side, args.qr).await?;
    play(side, player, Chooser::Person(args.screen)).await
}
