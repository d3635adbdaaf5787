//! `fogmate recover`: a game on a machine that knows nothing of it, by wallet and node alone (protocol, section 9). It writes the
//! game's file; restoring boards, requests and exchanges is what `fogmate play` does at every start.

use alloy::primitives::Address;
use clap::Args as ClapArgs;
use client::backup::{Backup, Owner};
use client::chain::{Chain, ChainError, Status};
use client::journal::{Journal, last_common};
use client::lobby::{self, LobbyError};
use eyre::{Report, Result};
use game::{GameRef, moves_known};
use serde_json::json;
use std::path::{Path, PathBuf};

use crate::cmd::games;
use crate::failure::{Found, bad_input};
use crate::hint::hint;
use crate::home::{Home, SavedGame, game_id};
use crate::machine::CommandArgs;
use crate::output::{note, say};

/// Go on with a game on a machine that knows nothing of it: a wallet and a node are enough
///
/// Finds the game on the chain, says how it stands, and writes the game's file, after which `fogmate play` and `fogmate address`
/// know it. `fogmate games --chain` finds a wallet's games.
/// Stop the other machine first, if it still runs: one wallet plays on one machine at a time.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The game's id, or the start of one that this machine knows
    #[arg(long)]
    game: String,
    #[command(flatten)]
    common: CommandArgs,
    /// Go on by the chain as it is, although blocks that counted as final on this machine are gone from it. A move that was
    /// signed is sent again only if it fits the chain as it is, and no sight is given twice
    #[arg(long)]
    taken_back: bool,
    /// The folder of the backup of a game between the machines: `fogmate play` goes on from what is there, and keeps it up from then on
    #[arg(long, value_name = "DIR")]
    backup: Option<PathBuf>,
}

pub async fn run(args: &Args) -> Result<()> {
    let home = args.common.machine.home.home()?;
    let saved = home.find(&args.game)?;
    let game_id = game_id(saved.as_ref(), &args.game)?;
    args.common.machine.check_free(&home, saved.as_ref())?;
    let (wallet, chain, _) = args.common.machine.connect(&home, saved.as_ref()).await?;
    let (me, game) = (wallet.address(), chain.game_ref(game_id));
    if Journal::path(&home.journals(), me, &game).exists() {
        check_journal(&home, &chain, me, &game, args.taken_back).await?;
    }
    let state = chain.game(game_id).await.map_err(|error| match error {
        ChainError::NoGame(game) => {
            let config = chain.config();
            let (chain_id, contract) = (config.chain_id, config.contract);
            Report::from(Found::NoGame(format!(
                "there is no game {game:#x} at the contract {contract:#x} on chain {chain_id}: is --rpc a node of the game's chain?"
            )))
        }
        error => error.into(),
    })?;
    let nodes = args.common.machine.node.nodes(saved.as_ref());
    let saved = saved.unwrap_or_else(|| SavedGame::new(game, me, Vec::new()));
    let saved = SavedGame { nodes, ..saved };
    match (lobby::check_recoverable(&state, me, game_id), &args.backup) {
        (Err(LobbyError::Channel), Some(folder)) => {
            return from_backup(folder, saved, &chain, &home, args.common.json).await;
        }
        (Ok(()), Some(_)) => {
            return Err(bad_input("--backup is for a game of mode channel: another stands on the chain"));
        }
        (Ok(()), None) => {}
        (Err(error @ LobbyError::Over(_)), _) => {
            return Err(bad_input(format!(
                "{error}; nothing is to be recovered: {} fetches what you are owed, bonds too, {} checks the game",
                hint("withdraw --chain"),
                hint(&format!("audit {game_id}"))
            )));
        }
        (Err(error), _) => return Err(error.into()),
    }
    home.remember(&saved);
    games::print(args.common.json, &game, me, Some(saved.since), Some(&state))?;
    note!("Next: {} goes on with it.", hint(&format!("play {game_id}")));
    if state.status == Status::Playing && state.index_of(me) == Some(usize::from(state.ply % 2)) {
        note!("It is your turn. If another machine of yours has signed a move, choose the same one again.");
    }
    if lobby::opponent(&state, me).is_some() {
        note!(
            "The opponent's machine doesn't know where yours is now. {} prints a line to send to your opponent; the line that your opponent gets by the same command goes to {}. Without either the game goes on through the chain.",
            hint(&format!("address --game {game_id} --announce ADDRESS")),
            hint(&format!("play {game_id} --at LINE"))
        );
    }
    Ok(())
}

/// Remembers where the backup of a game between the machines is, from which `fogmate play` goes on, and says how far it has the game.
async fn from_backup(folder: &Path, saved: SavedGame, chain: &Chain, home: &Home, json: bool) -> Result<()> {
    let folder = std::path::absolute(folder).map_err(|error| bad_input(format!("--backup: {error}")))?;
    let owner = Owner { account: saved.wallet, game: saved.game, genesis: chain.genesis().await? };
    let listed = Backup::list(&folder).map_err(|error| bad_input(format!("{}: {error}", folder.display())))?;
    let found = listed.into_iter().find_map(|(_, contents)| contents.ok().filter(|contents| contents.owner == owner));
    let found = found.ok_or_else(|| bad_input(format!("{} has no backup of this wallet's game", folder.display())))?;
    let (game, plies) = (saved.game.game_id, found.plies());
    home.remember(&SavedGame { backup: Some(folder), ..saved });
    match json {
        true => say!("{}", json!({ "game": game, "plies": plies })),
        false => {
            // The opponent's machine has folders of its own.
            say!(
                "The backup has {} of this game: {} goes on from there. A backup doesn't say where the opponent is: `--at RECORD` does, which \
                 `fogmate address --game {game}` prints on its machine.",
                moves_known(plies),
                hint(&format!("play {game}"))
            )
        }
    }
}

/// Holds what this machine has played against the chain as it is.
async fn check_journal(home: &Home, chain: &Chain, me: Address, game: &GameRef, taken_back: bool) -> Result<()> {
    let (journal, contents) = Journal::open(&home.journals(), me, game, chain.genesis().await?)?;
    let Some(block) = contents.checkpoint else {
        return Ok(());
    };
    match chain.check(&block).await {
        Err(ChainError::Reorganised(number)) if taken_back => {
            // Before anything looks after this wallet's transactions.
            chain.give_up_moves(game.game_id).await?;
            let records = chain.records(game.game_id).await?;
            let common = last_common(&contents.entries, records.iter().map(|record| &record.event));
            journal.take_back(&contents.entries, common)?;
            note!(
                "note: this machine forgets that block {number} was final; {} goes on by the chain as it is",
                hint(&format!("play {}", game.game_id))
            );
            Ok(())
        }
        Err(ChainError::Reorganised(number)) => Err(bad_input(format!(
            "block {number} was final when this machine last played, and is no longer on the chain: ask another node; only if the chain was taken back so far, say --taken-back"
        ))),
        checked => Ok(checked?),
    }
}
