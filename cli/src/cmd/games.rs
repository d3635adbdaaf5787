//! `fogmate games`: the games that this machine knows, or those that the chain knows of a wallet, and how they stand.

use alloy::primitives::Address;
use clap::Args as ClapArgs;
use client::chain::{GameState, Status};
use client::lobby;
use eyre::{Result, ensure};
use game::{GameRef, Outcome, date};
use libp2p::futures::future::join_all;
use serde_json::json;

use crate::account;
use crate::failure::sentence;
use crate::hint::hint;
use crate::home::{HomeArgs, SavedGame};
use crate::node::LookArgs;
use crate::output::{note, say};
use crate::terms::address;

/// List the games that this machine plays or has played, the newest first
///
/// With --chain the games are looked for on the chain instead, by the address of a wallet: that needs neither its password nor
/// anything that this machine remembers, and `fogmate recover` makes any of them one of this machine's.
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    home: HomeArgs,
    #[command(flatten)]
    look: LookArgs,
    /// Look for a wallet's games on the chain, from the deployment's block on
    #[arg(long)]
    chain: bool,
    /// With --chain: the wallet's address, or its start [default: the only wallet there is]
    #[arg(long, value_name = "ADDRESS", requires = "chain")]
    wallet: Option<String>,
    /// With --chain: an account's address, whoever's it is
    #[arg(long, value_name = "ADDRESS", value_parser = address, requires = "chain", conflicts_with = "wallet")]
    account: Option<Address>,
    /// With --chain: all games that there are
    #[arg(long, requires = "chain", conflicts_with_all = ["wallet", "account"])]
    all: bool,
    /// Print a JSON object a line
    #[arg(long)]
    json: bool,
}

pub async fn run(args: &Args) -> Result<()> {
    if args.chain {
        return of_chain(args).await;
    }
    let games = args.home.home()?.list()?;
    if games.is_empty() {
        note!(
            "no games yet: {} opens one, {} joins one, {} finds old ones",
            hint("create"),
            hint("join"),
            hint("games --chain")
        );
    }
    // At once: a node that hangs is waited for once, and not for each game.
    let found = join_all(games.iter().map(|game| state(args, game))).await;
    let is_blind = !games.is_empty() && found.iter().all(Result::is_err);
    for (game, found) in games.into_iter().zip(found) {
        if let Err(error) = &found {
            note!("note: game {} can't be looked up: {}", game.game.game_id, sentence(error));
        }
        let since = Some(game.since).filter(|since| *since > 0);
        print(args.json, &game.game, game.wallet, since, found.ok().as_ref())?;
    }
    ensure!(!is_blind, "no game could be looked up");
    Ok(())
}

/// The games of an account, or all of them, by the chain alone.
async fn of_chain(args: &Args) -> Result<()> {
    let of = match args.account {
        Some(account) => Some(account),
        None if args.all => None,
        None => Some(account::find(&args.home.home()?, args.wallet.as_deref())?.address),
    };
    let (chain, _) = args.look.connect(None).await?;
    let games = chain.games_of(of).await?;
    if games.is_empty() {
        let chain_id = chain.config().chain_id;
        match of {
            Some(account) => note!("the account {account:#x} has neither opened nor joined a game on chain {chain_id}"),
            None => note!("nobody has opened a game on chain {chain_id}"),
        }
    }
    for (game, block) in games.into_iter().rev() {
        let state = chain.game(game).await?;
        // Where nobody is asked about, a game is told from the side of who opened it.
        let seen_by = of.unwrap_or(state.creator);
        let since = chain.time_of(block).await?;
        match of {
            None if !args.json => print_both(&chain.game_ref(game), since, &state)?,
            _ => print(args.json, &chain.game_ref(game), seen_by, since, Some(&state))?,
        }
    }
    Ok(())
}

async fn state(args: &Args, game: &SavedGame) -> Result<GameState> {
    Ok(args.look.find(Some(game), game.game.game_id).await?.2)
}

/// Prints a game as its player sees it, in a line.
pub fn print(json: bool, game: &GameRef, wallet: Address, since: Option<u64>, state: Option<&GameState>) -> Result<()> {
    let color = state.and_then(|state| color(state, wallet));
    let opponent = state.and_then(|state| lobby::opponent(state, wallet));
    let words = state.map_or_else(|| "unknown".to_owned(), standing);
    if json {
        let value = json!({
            "game": game.game_id, "chain_id": game.chain_id, "wallet": wallet, "color": color, "opponent": opponent,
            "ply": state.map(|state| state.ply), "since": since, "status": words,
        });
        say!("{value}")
    } else {
        let against = match (state, opponent) {
            (None, _) => "somebody".to_owned(),
            (Some(_), None) => "nobody yet".to_owned(),
            (Some(_), Some(opponent)) => format!("{opponent:#x}"),
        };
        let (id, color, since) = (game.game_id, color.unwrap_or("-"), since.map_or_else(|| "-".to_owned(), date));
        say!("{since}  {id}  chain {}  {color:5}  against {against}  {words}", game.chain_id)
    }
}

/// A game for who plays in none: both players, by their colors once these are drawn.
fn print_both(game: &GameRef, since: Option<u64>, state: &GameState) -> Result<()> {
    let joiner = lobby::opponent(state, state.creator).map(|joiner| format!("{joiner:#x}"));
    let (creator, joiner) = (format!("{:#x}", state.creator), joiner.unwrap_or_else(|| "nobody yet".to_owned()));
    let players = match color(state, state.creator) {
        Some("white") => format!("White {creator}  Black {joiner}"),
        Some(_) => format!("White {joiner}  Black {creator}"),
        None => format!("opened by {creator}  joined by {joiner}"),
    };
    let since = since.map_or_else(|| "-".to_owned(), date);
    say!("{since}  {}  chain {}  {players}  {}", game.game_id, game.chain_id, standing(state))
}

/// The color of a player of the game, if it is drawn.
fn color(state: &GameState, player: Address) -> Option<&'static str> {
    let index = match state.status {
        Status::Playing | Status::Asleep => state.index_of(player),
        // Of a game between the machines the chain may know no ply.
        Status::Over if !matches!(state.outcome, Some(Outcome::Cancelled | Outcome::Unrevealed)) => {
            state.index_of(player)
        }
        _ => None,
    };
    index.map(|index| if index == 0 { "white" } else { "black" })
}

fn standing(state: &GameState) -> String {
    let unproven = if state.terms.mode.has_proofs() { "" } else { ", unproven" };
    let words = match state.status {
        Status::Open => "waiting for an opponent".to_owned(),
        Status::CreatorReveals | Status::JoinerReveals => "waiting for the coin toss".to_owned(),
        Status::Asleep => "in play between the players' machines".to_owned(),
        Status::Playing => {
            format!("in play, move {}, {} to move", state.ply / 2 + 1, rules::Color::of_ply(state.ply.into()))
        }
        _ => lobby::ending(state).map_or_else(|| "over".to_owned(), |ending| ending.told(None)),
    };
    words + unproven
}
