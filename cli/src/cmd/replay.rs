//! `fogmate replay`: a game's moves from its commitments and both players' view keys (protocol, section 9). No wallet is needed.

use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;
use eyre::{Result, WrapErr as _};
use game::audit::Record;
use game::replay::{KeyFile, Replay, ReplayError, replay};
use game::{Ending, GameRef};
use serde_json::{Value, json};

use crate::boards::name;
use crate::failure::{Found, bad_input};
use crate::files::free;
use crate::hint::hint;
use crate::home::{HomeArgs, game_id};
use crate::node::NodeArgs;
use crate::output::{note, say};

/// Longer files are no keys.
const MAX_BYTES: u64 = 1 << 12;

/// Replay a game whose players have published their view keys
///
/// Finds every move from what the chain has, checks the whole game by the rules, and prints it as PGN: with the clocks as the blocks' times and the terms make
/// them. A player's key comes from the chain, or from a file that `fogmate publish --file` wrote.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The game's id, or the start of one that this machine knows
    game: String,
    #[command(flatten)]
    home: HomeArgs,
    #[command(flatten)]
    node: NodeArgs,
    /// A player's view key, where the chain doesn't have it
    #[arg(long, value_name = "FILE")]
    key: Vec<PathBuf>,
    /// Write the PGN to a file
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Print the position after each ply as a FEN
    #[arg(long, group = "form")]
    fen: bool,
    /// Print each move by its squares
    #[arg(long, group = "form")]
    uci: bool,
    /// Print JSON
    #[arg(long, group = "form")]
    json: bool,
}

pub async fn run(args: &Args) -> Result<()> {
    args.pgn.as_deref().map(free).transpose()?;
    let home = args.home.home()?;
    let known = home.find(&args.game)?;
    let id = game_id(known.as_ref(), &args.game)?;
    let keys = args.key.iter().map(|path| Ok((path, read_key(path)?))).collect::<Result<Vec<_>>>()?;
    let (chain, _) = args.node.connect(known.as_ref(), None).await?;
    chain.game(id).await?;
    let (game, mut records) = (chain.game_ref(id), chain.records(id).await?);
    for (path, key) in keys {
        let record = key.record(game, &records).map_err(|error| named(path, &error))?;
        records.push(record);
    }
    let replay = found(game, &records)?;
    if let Some(path) = &args.pgn {
        std::fs::write(path, replay.pgn()).wrap_err_with(|| format!("{} can't be written", path.display()))?;
        note!("{} has the game, {} plies", path.display(), replay.moves.len());
    }
    match (args.fen, args.uci, args.json) {
        (true, ..) => replay.moves.iter().try_for_each(|played| say!("{}", played.fen))?,
        (_, true, _) => replay.moves.iter().try_for_each(|played| say!("{}", played.mv))?,
        (.., true) => say!("{}", as_json(&replay))?,
        _ if args.pgn.is_none() => say!("{}", replay.pgn().trim_end())?,
        _ => {}
    }
    for finding in &replay.findings {
        note!("{finding}");
    }
    if replay.ok() { Ok(()) } else { Err(Found::not_in_order().into()) }
}

fn named(path: &Path, error: &dyn std::fmt::Display) -> eyre::Report {
    bad_input(format!("{}: {error}", path.display()))
}

fn read_key(path: &Path) -> Result<KeyFile> {
    let length = std::fs::metadata(path).map_err(|error| named(path, &error))?.len();
    if length > MAX_BYTES {
        return Err(named(path, &"the file is too long for a key"));
    }
    let text = std::fs::read(path).map_err(|error| named(path, &error))?;
    KeyFile::from_json(&text).map_err(|error| named(path, &error))
}

/// The replay, or what is missing for one.
fn found(game: GameRef, records: &[Record]) -> Result<Replay, Found> {
    replay(game, records).map_err(|error| {
        Found::Incomplete(match error {
            ReplayError::NoGame => "the game has not begun".to_owned(),
            ReplayError::NoViewKey(color) => {
                let (name, publish) = (name(color), hint("publish"));
                format!("{name} has not published its view key: once the game is over {publish} does, or writes a file for --key")
            }
        })
    })
}

fn as_json(replay: &Replay) -> Value {
    let result = |ending: Ending| json!({ "winner": ending.color.map(|color| color.to_string()), "reason": ending.outcome.to_string() });
    let moves = replay.moves.iter().enumerate().map(|(ply, played)| {
        json!({ "ply": ply, "move": played.mv.to_string(), "san": played.san, "fen": played.fen, "clock_s": played.clock })
    });
    json!({
        "ok": replay.ok(), "result": replay.ending.map(result), "moves": moves.collect::<Vec<_>>(), "pgn": replay.pgn(),
        "findings": replay.findings.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}
