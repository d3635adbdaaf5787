//! `fogmate sight`: one exchange of a sight, message by message, with both players in this process: what each message hides, and what the other learns.

use std::collections::BTreeSet;
use std::path::PathBuf;

use ::rules::{Color, Position, Sight, board};
use clap::Args as ClapArgs;
use client::runtime::EngineKind;
use engines::alone::{self, Course, Scene, Sent};
use engines::script::{Script, Told};
use eyre::Result;
use serde::Serialize;

use crate::boards::side_by_side;
use crate::cache;
use crate::engine::{EngineArgs, tell_caveat};
use crate::failure::bad_input;
use crate::keys::development_engine;
use crate::output::say;

/// Show one exchange of a sight: each message with its size, what it hides and what the other learns, and both boards at the end
///
/// The player to move looks, the other shows. Both are in this process, with the parts that play games, and nobody else is asked. Of engines that
/// prove what they say proofs are made, with development parameters. Everything drawn is the same each time. andos-chained
/// can't show one sight alone, because it proves each board from the one before.
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    engine: EngineArgs,
    /// The position, as a FEN with its six fields
    #[arg(long, allow_hyphen_values = true)]
    fen: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// The folder with parameters and keys [default: $XDG_CACHE_HOME/fogmate, or ~/.cache/fogmate]
    #[arg(long, env = "FOGMATE_CACHE", value_name = "DIR")]
    cache: Option<PathBuf>,
}

pub async fn run(args: &Args) -> Result<()> {
    let position = Position::from_fen(&args.fen).map_err(bad_input)?;
    let kind = args.engine.kind();
    if kind == EngineKind::AndosChained {
        let name = kind.name();
        return Err(bad_input(format!(
            "{name} proves each board from the one before, so it has no sight of a position alone"
        )));
    }
    tell_caveat(kind);
    let cache = || args.cache.clone().map_or_else(cache::of_user, Ok);
    let engine = development_engine(kind, cache)?.engine();
    let set_up = alone::set_up(&*engine)?;
    let course = alone::sight(&set_up.outputs.into(), &Scene::at(&position, 0))?;
    let report = Report::new(kind, &position, &set_up.messages, &course);
    if args.json { say!("{}", serde_json::to_string_pretty(&report)?) } else { say!("{}", report.text().trim_end()) }
}

/// A message, and the words for it.
#[derive(Debug, Serialize)]
struct Message {
    /// Its number; none for a standing request, which came before.
    number: Option<usize>,
    from: Color,
    bytes: usize,
    says: &'static str,
    /// What is hidden in it, to its sender alone.
    hides: String,
    /// What the other learns from it.
    tells: &'static str,
}

/// All that there is to be seen of an exchange.
#[derive(Debug, Serialize)]
struct Report {
    engine: &'static str,
    fen: String,
    receiver: Color,
    /// Bytes of the messages of the game's set-up, White's first.
    set_up: Vec<usize>,
    messages: Vec<Message>,
    bytes: usize,
    /// What each player has and sees in the end, ranks 8 to 1 joined by "/", as `rules` prints it.
    white: String,
    black: String,
}

impl Report {
    fn new(kind: EngineKind, position: &Position, set_up: &[Sent], course: &Course<(), Sight>) -> Self {
        let (receiver, script) = (position.turn(), Script::of(&kind));
        let count = course.messages.len();
        let request = script.request.as_ref().map(|Told { says, tells }| Message {
            number: None,
            from: receiver,
            bytes: course.request,
            says,
            hides: String::new(),
            tells,
        });
        let messages = course.messages.iter().enumerate().filter_map(|(index, Sent { bytes, meaning })| {
            let Told { says, tells } = script.told(index, count)?;
            let from = if index.is_multiple_of(2) { !receiver } else { receiver };
            Some(Message { number: Some(index), from, bytes: *bytes, says, hides: meaning.clone(), tells })
        });
        // Who shows sees nothing by it.
        let seen = |color| if color == receiver { &course.outputs.1 } else { &Sight::DARK };
        let board = |color: Color| board::line(position.side(color), seen(color));
        Self {
            engine: kind.name(),
            fen: position.to_fen(),
            receiver,
            set_up: set_up.iter().map(|sent| sent.bytes).collect(),
            messages: request.into_iter().chain(messages).collect(),
            bytes: course.request + course.messages.iter().map(|sent| sent.bytes).sum::<usize>(),
            white: board(Color::White),
            black: board(Color::Black),
        }
    }

    fn text(&self) -> String {
        let [looks, shows] = [self.receiver, !self.receiver].map(Color::name);
        let mut text = format!("{}: {looks} looks, {shows} shows.\n", self.engine);
        if !self.set_up.is_empty() {
            let (count, bytes) = (self.set_up.len(), self.set_up.iter().sum::<usize>());
            text += &format!("Once a game: {count} messages, {bytes} bytes.\n");
        }
        let captures = if self.engine == "bfv-steps" { " and of captures" } else { "" };
        if self.engine.ends_with("-steps") || self.engine == "dh-psi-proven" {
            text += &format!("Left out are the proofs of steps{captures}, which only a game has.\n");
        }
        // Messages that say the same stand together: rounds, and questions.
        let mut said: Vec<&str> = Vec::new();
        for message in &self.messages {
            if !said.contains(&message.says) {
                said.push(message.says);
                text += &self.paragraph(message);
            }
        }
        let title = |color| if color == self.receiver { "sees" } else { "has seen nothing" };
        let [white, black] = Color::ALL.map(|color| format!("{} {}", color.name(), title(color)));
        let boards = side_by_side((&white, &self.white), (&black, &self.black));
        text + &format!("\n{} messages, {} bytes.\n\n{boards}", self.messages.len(), self.bytes)
    }

    /// All messages that say what this one says.
    fn paragraph(&self, first: &Message) -> String {
        let same: Vec<&Message> = self.messages.iter().filter(|message| message.says == first.says).collect();
        let [from, to] = [first.from, !first.from].map(Color::name);
        let sizes: BTreeSet<usize> = same.iter().map(|message| message.bytes).collect();
        let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
        let each = if same.len() > 1 { " each" } else { "" };
        let bytes = format!("{} bytes{each}", sizes.join(" or "));
        let numbers: Vec<String> = same.iter().filter_map(|message| message.number).map(|n| n.to_string()).collect();
        let numbers = match &numbers[..] {
            [] => "Before".to_owned(),
            [number] => format!("Message {number}"),
            [first, second, _, .., last] => format!("Messages {first}, {second}, … {last}"),
            few => format!("Messages {}", few.join(", ")),
        };
        let mut text = format!("\n{numbers}, {from} to {to}, {bytes}: {}.\n", first.says);
        for run in same.chunk_by(|one, next| one.hides == next.hides).filter(|run| !run[0].hides.is_empty()) {
            let number = run[0].number.unwrap_or_default();
            let times = if run.len() > 1 { format!(", {} times", run.len()) } else { String::new() };
            text += &format!("  {from} alone knows of {number}: {}{times}\n", run[0].hides);
        }
        text + &format!("  {to} learns: {}.\n", first.tells)
    }
}
