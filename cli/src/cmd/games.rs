//! `fogmate games`: the games that this machine knows, and how they stand by the chain.

use clap::Args as ClapArgs;
use client::chain::{GameState, Status};
use eyre::Result;
use serde_json::json;

use crate::home::{HomeArgs, SavedGame};
use crate::node::NodeArgs;
use crate::output::{note, say};

/// List the games that this machine plays or has played
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    home: HomeArgs,
    #[command(flatten)]
    node: NodeArgs,
    /// Print a JSON object a line
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub async fn run(args: &Args) -> Result<()> {
    let games = args.home.home()?.list()?;
    if games.is_empty() {
        note!("no games yet: `fogmate create` opens one, `fogmate join` joins one");
    }
    for game in games {
        let found = state(args, &game).await;
        if let Err(error) = &found {
            note!("note: game {} can't be looked up: {error:#}", game.game.game_id);
        }
        print(args.json, &game, found.ok().as_ref())?;
    }
    Ok(())
}

async fn state(args: &Args, game: &SavedGame) -> Result<GameState> {
    let (chain, _) = args.node.connect(Some(game), None).await?;
    Ok(chain.game(game.game.game_id).await?)
}

fn print(json: bool, game: &SavedGame, state: Option<&GameState>) -> Result<()> {
    let color = state.and_then(|state| match state.status {
        Status::Playing => state.index_of(game.wallet),
        Status::Over if state.ply > 0 => state.index_of(game.wallet),
        _ => None,
    });
    let color = color.map(|index| if index == 0 { "white" } else { "black" });
    let words = state.map_or_else(|| "unknown".to_owned(), standing);
    if json {
        let value = json!({
            "game": game.game.game_id, "chain_id": game.game.chain_id, "wallet": game.wallet, "color": color,
            "ply": state.map(|state| state.ply), "status": words,
        });
        say!("{value}")
    } else {
        let side = color.unwrap_or("-");
        say!("{}  chain {}  {side:5}  {words}", game.game.game_id, game.game.chain_id)
    }
}

fn standing(state: &GameState) -> String {
    match state.status {
        Status::Open => "waiting for an opponent".to_owned(),
        Status::CreatorReveals | Status::JoinerReveals => "waiting for the coin toss".to_owned(),
        Status::Playing => format!("in play, ply {}, {} to move", state.ply, rules::Color::of_ply(state.ply.into())),
        _ => {
            let reason = state.outcome.map_or_else(|| "over".to_owned(), |reason| reason.to_string());
            let winner = state.winner.and_then(|winner| state.index_of(winner));
            match winner {
                Some(0) => format!("over: White won, {reason}"),
                Some(_) => format!("over: Black won, {reason}"),
                None => format!("over: {reason}"),
            }
        }
    }
}
