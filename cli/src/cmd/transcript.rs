//! `fogmate transcript`: the plies of a game between the machines, as an audit reads them.

use std::path::{Path, PathBuf};

use alloy::primitives::B256;
use clap::Args as ClapArgs;
use client::backup::{Backup, Contents};
use client::chain::{Chain, GameState};
use client::journal::{Entry, transcript};
use eyre::{Context, Result};
use game::{Mode, moves_known};
use serde_json::json;

use crate::failure::{Found, bad_input};
use crate::files::free;
use crate::node::GameArgs;
use crate::output::{note, say};
use crate::transcripts::of_journal;

/// Write the moves of a game between the machines into a file, as an audit reads them
///
/// The chain has the beginning of such a game and its end; the plies are in the players' machines. The file has what each declared and signed, and
/// the proofs: `fogmate audit GAME --transcript FILE` and the page of `fogmate explorer` check it against the chain. There is no secret in it: it
/// hides boards as the chain does.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Take the plies from a folder of backups, as `fogmate play --backup` writes it, while the game is played or on another machine
    #[arg(long, value_name = "DIR")]
    backup: Option<PathBuf>,
    #[command(flatten)]
    game: GameArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub async fn run(args: &Args) -> Result<()> {
    free(&args.output)?;
    let (home, known, id) = args.game.known()?;
    let (chain, _, GameState { terms, .. }) = args.game.look.find(known.as_ref(), id).await?;
    if terms.mode != Mode::Channel {
        return Err(bad_input("all moves of this game are on the chain: an audit needs no transcript"));
    }
    let entries = match &args.backup {
        Some(dir) => of_backup(dir, &chain, id)?,
        None => {
            let known = known.as_ref();
            let known =
                known.ok_or_else(|| bad_input("this machine doesn't know the game: name a folder with --backup"))?;
            of_journal(&home, known, &chain).await?.0
        }
    };
    let transcript = transcript(chain.game_ref(id), entries.iter(), terms.base);
    if transcript.plies.is_empty() {
        let place = if args.backup.is_some() { "the backup" } else { "this machine" };
        return Err(Found::NoGame(format!("{place} has no move of game {id}")).into());
    }
    std::fs::write(&args.output, transcript.to_json()?).wrap_err_with(|| args.output.display().to_string())?;
    let (file, plies) = (args.output.display(), transcript.plies.len());
    let known = moves_known(u16::try_from(plies).unwrap_or(u16::MAX));
    match args.json {
        true => say!("{}", json!({ "file": file.to_string(), "plies": plies })),
        false => say!("{file}: {known}. `fogmate audit {id} --transcript {file}` checks them against the chain."),
    }
}

/// What a folder of backups has of the game: of either player's, whichever has more.
fn of_backup(dir: &Path, chain: &Chain, id: B256) -> Result<Vec<Entry>> {
    let listed = Backup::list(dir).map_err(|error| bad_input(format!("{}: {error}", dir.display())))?;
    let mut found = Vec::new();
    for (_, contents) in listed {
        match contents {
            Ok(contents) if contents.owner.game == chain.game_ref(id) => found.push(contents),
            Ok(_) => {}
            Err(error) => note!("note: {error}"),
        }
    }
    let longest = found.into_iter().max_by_key(Contents::plies);
    Ok(longest.map_or_else(Vec::new, |contents| contents.entries().cloned().collect()))
}
