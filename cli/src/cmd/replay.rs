//! `fogmate replay`: a game's moves from its commitments and both players' view keys (protocol, section 9). No wallet is needed.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use eyre::{Result, WrapErr as _};
use game::audit::{Audit, Record, Unknown};
use game::replay::{Half, KeyFile, Replay, ReplayError, half, replay};
use game::report::{result, unknown};
use game::{GameRef, Notice};
use rules::board::render;
use rules::{Color, Sight};
use serde_json::{Value, json};

use crate::failure::{Found, Interrupted, bad_input};
use crate::files::{free, read};
use crate::hint::hint;
use crate::node::GameArgs;
use crate::output::{note, say};
use crate::process::{Signals, Told};
use crate::screen::{FullScreen, ScreenArgs};
use crate::transcripts::{Opened, TranscriptArgs, audited};

/// Longer files are no keys.
const MAX_BYTES: u64 = 1 << 12;

/// Replay a game whose players have published their view keys
///
/// Finds every move from what the chain has, checks the whole game by the rules, and shows it: on a terminal step by step, by ← and →, elsewhere as PGN with the
/// clocks as the blocks' times and the terms make them. A player's key comes from the chain, or from a file that `fogmate publish --file` wrote. With one key it shows that
/// side, and where the other captured, and ends with exit code 5.
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// A player's view key, where the chain doesn't have it
    #[arg(long, value_name = "FILE")]
    key: Vec<PathBuf>,
    #[command(flatten)]
    transcript: TranscriptArgs,
    /// Print the game where it would be shown step by step, on a terminal
    #[arg(long)]
    plain: bool,
    /// Show pieces as letters, for terminals without chess figures
    #[arg(long)]
    ascii: bool,
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
    let (home, known, id) = args.game.known()?;
    let keys = args
        .key
        .iter()
        .map(|path| Ok((path, read(path, MAX_BYTES, "key", KeyFile::from_json)?)))
        .collect::<Result<Vec<_>>>()?;
    let transcript = args.transcript.read()?;
    let (chain, _, state) = args.game.look.find(known.as_ref(), id).await?;
    let transcript = match transcript {
        None => Opened::of_journal(&home, known.as_ref(), &chain, &state).await,
        named => named,
    };
    let game = chain.game_ref(id);
    // A replay shows more than proofs do, but not whose the moves are.
    let (whole, audit) = audited(game, chain.records(id).await?, transcript.as_ref(), |_, _| Ok::<_, &str>(()))?;
    let mut records = whole.records;
    for (path, key) in keys {
        let record = key.record(game, &records).map_err(|error| bad_input(format!("{}: {error}", path.display())))?;
        records.push(record);
    }
    let replay = match replay(game, &records) {
        Ok(replay) => replay,
        // What is shown without the other key says nothing of what the audit has found.
        Err(error) if audit.ok => {
            if let Some(unknown @ Unknown::PostedAlone(_)) = audit.unknown {
                note!("{unknown}");
            }
            return show_half(args, half_of(game, &records, &error)?, &error, &audit).await;
        }
        Err(_) => {
            audit.findings.iter().for_each(|finding| note!("{finding}"));
            return Err(Found::not_in_order(&audit).into());
        }
    };
    if let Some(path) = &args.pgn {
        std::fs::write(path, replay.pgn()).wrap_err_with(|| format!("{} can't be written", path.display()))?;
        note!("{} has the game, {} plies", path.display(), replay.moves.len());
    }
    match (args.fen, args.uci, args.json) {
        (true, ..) => replay.moves.iter().try_for_each(|played| say!("{}", played.fen))?,
        (_, true, _) => replay.moves.iter().try_for_each(|played| say!("{}", played.mv))?,
        (.., true) => say!("{}", as_json(&replay))?,
        _ if args.steps() && replay.ending.is_some() => {
            let notices = notices(&half(game, &records, Color::White)?, Some(&replay));
            step(args, &notices).await?;
        }
        _ if args.pgn.is_none() => say!("{}", replay.pgn().trim_end())?,
        _ => {}
    }
    // A move that can't follow is found by both, and told once.
    let findings = if audit.ok { &replay.findings } else { &audit.findings };
    for finding in findings {
        note!("{finding}");
    }
    match unknown(&audit, Ok(&replay)) {
        _ if !findings.is_empty() => Err(Found::not_in_order(&audit).into()),
        Some(unknown) => Err(Found::Incomplete(unknown.to_string()).into()),
        None => Ok(()),
    }
}

impl Args {
    /// Whether the game is stepped through: by who sits at a terminal and asks for nothing else.
    fn steps(&self) -> bool {
        self.pgn.is_none() && !(self.fen || self.uci || self.json) && self.screen().is_full()
    }

    fn screen(&self) -> ScreenArgs {
        ScreenArgs { plain: self.plain, ascii: self.ascii, ..ScreenArgs::default() }
    }
}

/// What is missing for a replay.
fn missing(error: &ReplayError) -> Found {
    Found::Incomplete(match error {
        ReplayError::NoGame => "the game has not begun".to_owned(),
        ReplayError::NoTranscript => format!("{error}: --transcript names its file"),
        ReplayError::WrongViewKey(_) => format!("{error}: --key takes the right one"),
        ReplayError::NoViewKeys => {
            format!("{error}: once the game is over each player's {} does, or writes a file for --key", hint("publish"))
        }
        ReplayError::NoViewKey(color) => {
            let (name, publish) = (color.name(), hint("publish"));
            format!(
                "{name} has not published its view key: once the game is over {publish} does, or writes a file for --key"
            )
        }
    })
}

/// The side of the player whose key is there, where the other's is missing.
fn half_of(game: GameRef, records: &[Record], error: &ReplayError) -> Result<Half, Found> {
    let (ReplayError::NoViewKey(color) | ReplayError::WrongViewKey(color)) = error else { return Err(missing(error)) };
    half(game, records, !*color).map_err(|_| missing(error))
}

/// Shows what one key opens, and says what is missing.
async fn show_half(args: &Args, half: Half, error: &ReplayError, audit: &Audit) -> Result<()> {
    if args.fen || args.uci || args.pgn.is_some() {
        return Err(missing(error).into());
    }
    match args.json {
        true => say!("{}", half_as_json(&half))?,
        false if args.steps() && half.ending.is_some() => step(args, &notices(&half, None)).await?,
        false => say!("{}\n\n{}", half_in_words(&half), render(&half.side, &Sight::DARK).trim_end())?,
    }
    for finding in &half.findings {
        note!("{finding}");
    }
    Err(if half.findings.is_empty() { missing(error) } else { Found::not_in_order(audit) }.into())
}

/// The moves of one side, and where the other captured.
fn half_in_words(half: &Half) -> String {
    let words = half.plies.iter().map(|past| {
        let capture = past.capture.map_or_else(String::new, |square| format!(" takes {square}"));
        let number = if past.ply.is_multiple_of(2) { format!("{}. ", past.ply / 2 + 1) } else { String::new() };
        match past.mv {
            Some(mv) => format!("{number}{mv}"),
            None => format!("{number}…{capture}"),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The game as one who has sat at its board was told it, from one side or with the moves of both.
fn notices(half: &Half, whole: Option<&Replay>) -> Vec<Notice> {
    let mut notices =
        vec![Notice::Playing { color: half.color, ply: 0 }, Notice::History { plies: half.plies.clone() }];
    notices.extend(half.ending.map(Notice::Over));
    notices.extend(whole.map(|whole| Notice::Replay {
        moves: whole.moves.iter().map(|played| played.mv).collect(),
        fault: whole.findings.first().map(ToString::to_string),
    }));
    notices
}

/// Goes through a game that is over until the user leaves.
async fn step(args: &Args, notices: &[Notice]) -> Result<()> {
    let mut screen = FullScreen::open(args.screen(), 0, false)?;
    notices.iter().for_each(|notice| drop(screen.take(notice)));
    let mut signals = Signals::new()?;
    loop {
        tokio::select! {
            line = screen.next() => match line?.as_deref() {
                None | Some("q" | "quit" | "exit") => return Ok(()),
                Some(_) => screen.ui.explain(""),
            },
            told = signals.next() => match told {
                Told::Stop => screen.suspend()?,
                Told::Interrupt | Told::End => return Err(Interrupted.into()),
            },
        }
    }
}

fn half_as_json(half: &Half) -> Value {
    json!({
        "ok": half.findings.is_empty(), "color": half.color.to_string(), "result": half.ending.map(result), "plies": half.plies,
        "findings": half.findings.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

fn as_json(replay: &Replay) -> Value {
    let moves = replay.moves.iter().enumerate().map(|(ply, played)| {
        json!({ "ply": ply, "move": played.mv.to_string(), "san": played.san, "fen": played.fen, "clock_s": played.clock })
    });
    json!({
        "ok": replay.ok(), "result": replay.ending.map(result), "moves": moves.collect::<Vec<_>>(), "pgn": replay.pgn(),
        "findings": replay.findings.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}
