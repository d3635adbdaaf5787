//! A game at the keyboard: the runtime's notices become lines, and lines become commands. With a script the moves come
//! from there, with a bot from it. Nothing here knows rules or keys.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use client::lobby::in_ether;
use client::runtime::Handle;
use eyre::{Result, bail};
use game::{Command, CommandError, Notice, View, clock_time};
use rules::{Color, Move, WrittenMove};
use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};
use tui::{Clocks, time_left};

use crate::clocks;
use crate::editor::Editor;
use crate::failure::{Interrupted, bad_input};
use crate::hint::hint;
use crate::input::{Lines, Unattended};
use crate::line::{Line, help, parse};
use crate::look::{look, read, seen};
use crate::output::{Screen, note};
use crate::screen::{FullScreen, ScreenArgs};
use crate::script::{Script, illegal};
use crate::thinker::Thinker;
use crate::words;

/// Where moves are given, so many failures of the own side end the game: nobody is there to look into them.
const MAX_FAILURES: u32 = 8;

/// How often the own clock is looked at.
const SECOND: Duration = Duration::from_secs(1);

/// The bell rings with the warnings of so many seconds, and of fewer.
const BELL: u64 = 60;

/// Where the own moves come from. What is typed is carried out in any case.
#[derive(Debug)]
pub enum Moves {
    /// They are typed, line by line, on standard input.
    Typed,
    Script(Script),
    Bot(Thinker),
}

impl Moves {
    /// Whether nobody needs to be there.
    const fn are_given(&self) -> bool {
        !matches!(self, Self::Typed)
    }

    /// What the bot wants; nothing for ever where there is none.
    async fn next(&mut self) -> Option<Command> {
        match self {
            Self::Bot(bot) => bot.next().await,
            Self::Typed | Self::Script(_) => std::future::pending().await,
        }
    }
}

/// How a game is shown, and how its player types.
#[derive(Clone, Copy, Debug)]
pub enum Manner {
    /// Notices as JSON, one a line.
    Json,
    /// In sentences, line by line.
    Lines {
        /// Whether a terminal lets the line that is typed be edited.
        edited: bool,
        /// Whether the trade of proving and sending is told, too.
        verbose: bool,
    },
    Full(ScreenArgs),
}

#[derive(Debug)]
pub struct Options {
    pub manner: Manner,
    pub moves: Moves,
    /// Publish the view key once the game is over.
    pub publish: bool,
    /// The command that goes on with the game.
    pub command: &'static str,
    /// End with standard input.
    pub stay: bool,
    /// What giving up costs, in wei.
    pub stake: u128,
    /// Whether moves are proven, and sights can go through the chain.
    pub has_proofs: bool,
    /// Whether nobody has joined the game yet.
    pub waits: bool,
    /// Whether the opponent may be there for another game.
    pub can_rematch: bool,
}

/// What the player wants after a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    Nothing,
    /// Another game with the same opponent.
    Rematch,
}

/// Plays until the game or the user ends it.
pub async fn run(mut handle: Handle, options: Options) -> Result<Next> {
    // The screen would hide the invitation, which somebody has to take first.
    let early = match options.manner {
        Manner::Full(_) if options.waits => until_joined(&mut handle).await?,
        _ => Vec::new(),
    };
    let mut session = Keyboard::new(handle, options)?;
    for notice in &early {
        session.on_notice(notice)?;
    }
    let mut second = tokio::time::interval(SECOND);
    second.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    loop {
        let done = tokio::select! {
            notice = session.handle.next() => match notice {
                Some(notice) => session.on_notice(&notice)?,
                None => break,
            },
            line = session.face.next(), if session.kept.is_none() => session.on_line(line?.as_deref())?,
            command = session.options.moves.next() => match command {
                Some(command) => {
                    session.handle.command(command);
                    false
                }
                None => bail!("the bot has stopped thinking, which is a fault of this program"),
            },
            _ = second.tick() => {
                session.warn();
                false
            }
            _ = interrupt.recv() => return Err(Interrupted.into()),
            _ = terminate.recv() => return Err(Interrupted.into()),
            _ = hangup.recv() => return Err(Interrupted.into()),
        };
        if done || session.has_done_all() {
            return Ok(session.next);
        }
    }
    // The runtime has stopped, and knows why.
    session.handle.finish().await?;
    bail!("the game stopped without a reason")
}

/// What happens until the game has both players, which is told in words.
async fn until_joined(handle: &mut Handle) -> Result<Vec<Notice>> {
    let (mut early, mut interrupt) = (Vec::new(), signal(SignalKind::interrupt())?);
    loop {
        let notice = tokio::select! {
            notice = handle.next() => notice,
            _ = interrupt.recv() => return Err(Interrupted.into()),
        };
        // Whoever asks next learns why the runtime has stopped.
        let Some(notice) = notice else { return Ok(early) };
        let is_joined = matches!(notice, Notice::Game(_) | Notice::Over(_));
        match notice {
            Notice::Waiting => note!("Waiting for an opponent. Ctrl-C leaves, and the same command waits again."),
            _ => notice.note().into_iter().for_each(|text| note!("Note: {text}.")),
        }
        early.push(notice);
        if is_joined {
            return Ok(early);
        }
    }
}

/// Where a game is shown, and where its player types.
enum Face {
    Lines(Screen, Lines),
    Edited(Editor),
    Full(Box<FullScreen>),
}

impl Face {
    /// The next line that the player gives; none at the end of the input.
    async fn next(&mut self) -> Result<Option<String>> {
        match self {
            Self::Lines(_, lines) => Ok(lines.next().await),
            Self::Edited(editor) => editor.next().await,
            Self::Full(screen) => match screen.next().await? {
                None => Err(Interrupted.into()),
                line => Ok(line),
            },
        }
    }

    fn say(&mut self, text: &str) {
        match self {
            Self::Lines(screen, _) => screen.show(format_args!("{text}")),
            Self::Edited(editor) => editor.show(text),
            Self::Full(screen) => screen.say(text),
        }
    }
}

struct Keyboard {
    handle: Handle,
    options: Options,
    face: Face,
    view: Option<View>,
    color: Option<Color>,
    is_over: bool,
    /// Whether there may be more to read.
    has_input: bool,
    /// How many lines were read.
    lines: u64,
    /// A move that was piped in ahead of its turn, and whether a draw is offered with it. What follows it is read after it.
    kept: Option<(WrittenMove, bool)>,
    /// The clocks as they were told last.
    clocks: Option<Clocks>,
    /// The warning of the own clock that was given last.
    warned: Option<u64>,
    /// The last ply for which a move was given that the script or a pipe had ready.
    asked: Option<u16>,
    /// How often something has failed on this side.
    failures: u32,
    /// Whether the player was told how to list moves and commands.
    is_taught: bool,
    next: Next,
}

impl Keyboard {
    fn new(handle: Handle, options: Options) -> Result<Self> {
        let face = match options.manner {
            Manner::Full(args) => Face::Full(Box::new(FullScreen::open(args, options.stake)?)),
            Manner::Lines { edited: true, .. } => Face::Edited(Editor::open()?),
            Manner::Lines { .. } | Manner::Json => Face::Lines(Screen::default(), Lines::read()),
        };
        Ok(Self {
            handle,
            options,
            face,
            view: None,
            color: None,
            is_over: false,
            has_input: true,
            lines: 0,
            kept: None,
            clocks: None,
            warned: None,
            asked: None,
            failures: 0,
            is_taught: false,
            next: Next::Nothing,
        })
    }

    /// Whether the game is told in sentences, line by line.
    fn is_told(&self) -> bool {
        matches!(self.options.manner, Manner::Lines { .. })
    }

    fn is_verbose(&self) -> bool {
        matches!(self.options.manner, Manner::Lines { verbose: true, .. })
    }

    fn is_json(&self) -> bool {
        matches!(self.options.manner, Manner::Json)
    }

    /// Shows a notice and lets the script answer it; says whether that was the end.
    fn on_notice(&mut self, notice: &Notice) -> Result<bool> {
        self.show(notice)?;
        if let Face::Full(screen) = &mut self.face
            && let Some(early) = screen.take(notice)
        {
            self.on_line(Some(&early))?;
        }
        if let Moves::Bot(bot) = &self.options.moves {
            bot.tell(notice);
        }
        match notice {
            Notice::Playing { color, .. } => self.color = Some(*color),
            // The board that follows may be long in coming, and until then there is no move to be made.
            Notice::Moved { .. } => self.view.iter_mut().for_each(|view| view.legal.clear()),
            Notice::Clocks { .. } => self.take_clocks(Clocks::of(notice, Instant::now())),
            Notice::View(view) => {
                self.view = Some((**view).clone());
                self.show_view();
                self.follow_script()?;
                self.play_kept();
            }
            // After a restart the seat remembers the choice by itself.
            Notice::Refused { error: CommandError::AlreadyChosen { .. }, .. } => {}
            Notice::Refused { error, .. } if matches!(self.options.moves, Moves::Script(_)) && !self.options.stay => {
                return Err(bad_input(error));
            }
            // The next move that is piped in may be the one.
            Notice::Refused { .. } | Notice::Failed { .. } if matches!(self.options.moves, Moves::Typed) => {
                self.asked = None;
                self.play_kept();
            }
            // The move may have to be given again, but not for ever.
            Notice::Failed { reason } if self.options.moves.are_given() => {
                (self.asked, self.failures) = (None, self.failures + 1);
                if self.failures > MAX_FAILURES {
                    bail!("too many failures, the last one: {reason}");
                }
            }
            Notice::SignedInAnotherPosition { .. } => self.asked = None,
            // A script gives one move for a ply, whenever it is asked.
            Notice::ConfirmMove { .. } => {
                self.asked = None;
                self.follow_script()?;
            }
            Notice::NotThisWallet { .. } | Notice::ChainRefused { .. } => {
                bail!(words::of(notice).unwrap_or_default())
            }
            Notice::Over(_) => {
                self.is_over = true;
                self.play_kept();
                self.show_end();
                if self.options.publish {
                    self.handle.command(Command::PublishViewKey);
                }
                if self.options.moves.are_given() && !self.options.stay {
                    // What was asked for is done first.
                    self.has_input = false;
                    return Ok(!self.options.publish);
                }
                if self.has_input && self.is_told() {
                    let words = match self.options.has_proofs {
                        true => "`publish` lets everybody replay your side, `withdraw` fetches what you are owed, `rematch` plays once more, `quit` ends.".to_owned(),
                        false => format!(
                            "`publish` lets everybody replay your side, `rematch` plays once more, `quit` ends; then {} lays open what you have said, and {} holds it \
                             against the opponent's.",
                            hint("disclose"),
                            hint("audit --disclosure FILE")
                        ),
                    };
                    self.say(&words);
                }
            }
            _ => {}
        }
        Ok(false)
    }

    /// Whether the game is over, nobody can type any more, and all that was typed is done.
    fn has_done_all(&self) -> bool {
        self.is_over && !self.has_input && self.handle.is_done()
    }

    fn show(&mut self, notice: &Notice) -> Result<()> {
        if self.is_json() {
            self.say(&notice.to_line()?);
        } else if let Some(words) = self.words(notice).filter(|_| self.is_worth_telling(notice)) {
            self.say(&words);
        }
        Ok(())
    }

    fn is_worth_telling(&self, notice: &Notice) -> bool {
        match self.options.manner {
            Manner::Full(_) => words::is_beside_the_board(notice),
            Manner::Lines { verbose, .. } => verbose || !words::is_of_the_trade(notice),
            Manner::Json => true,
        }
    }

    fn say(&mut self, text: &str) {
        self.face.say(text);
    }

    /// A notice in words, which may depend on what was told before.
    fn words(&self, notice: &Notice) -> Option<String> {
        let words = words::of(notice)?;
        let within = |deadline: u64| Some(time_left(self.clocks.as_ref()?.until(deadline, Instant::now())));
        Some(match notice {
            Notice::Disconnected if self.is_over => "The opponent's machine has left.".to_owned(),
            Notice::Disconnected if !self.options.has_proofs => {
                "The opponent's machine is gone; it is dialled again. This engine's sights need it, and the clocks run on.".to_owned()
            }
            Notice::Proving { mv, .. } if !self.options.has_proofs => format!("Committing to {mv} …"),
            Notice::SightDemanded { deadline, .. } | Notice::FiftyClaimed { deadline, .. } => match within(*deadline) {
                Some(time) => format!("{words} Time for it: {time}."),
                None => words,
            },
            _ => words,
        })
    }

    /// Takes the clocks, and shows them if they say anything new.
    fn take_clocks(&mut self, clocks: Option<Clocks>) {
        let Some(clocks) = clocks else { return };
        let line = |clocks: &Clocks| clocks::line(clocks, Instant::now());
        let is_new = self.clocks.as_ref().map(line) != Some(line(&clocks));
        let was_held = self.clocks.as_ref().is_some_and(Clocks::is_held);
        self.clocks = Some(clocks);
        if is_new && self.is_verbose() && !self.is_over {
            self.say(&line(&clocks));
        }
        if was_held && !clocks.is_held() {
            self.prompt();
            self.play_kept();
            if let Moves::Bot(_) = self.options.moves {
                // A move that was refused meanwhile is thought about once more.
                self.handle.command(Command::Show);
            }
        }
    }

    /// Warns once of each time that the own clock comes down to.
    fn warn(&mut self) {
        let clocks = self.clocks.filter(|_| !self.is_json() && !self.is_over);
        let warning =
            clocks.zip(self.color).and_then(|(clocks, color)| clocks::warning(&clocks, color, Instant::now()));
        if let Some(left) = warning
            && self.warned.is_none_or(|warned| left < warned)
        {
            self.say(&format!("Less than {} is left on your clock.", clock_time(left)));
            if let Face::Full(screen) = &self.face
                && left <= BELL
            {
                screen.ring();
            }
        }
        self.warned = warning;
    }

    /// Asks for a move, if there is one to be made.
    fn prompt(&mut self) {
        let moves = self.view.as_ref().map_or(0, |view| view.legal.len());
        if moves == 0 || self.options.moves.are_given() || !self.is_told() || self.is_over {
            return;
        }
        match self.clocks.as_ref().is_some_and(Clocks::is_held) {
            true => self.say(
                "Your move waits until your demand or claim is answered (`clock` says how long that may take); only a king can be \
                 captured meanwhile.",
            ),
            false => {
                let clocks = self.clocks.map_or_else(String::new, |clocks| format!(" {}", clocks::line(&clocks, Instant::now())));
                let lesson = if self.is_taught { "" } else { " `moves` lists yours, `help` all commands." };
                self.say(&format!("Your move.{clocks}{lesson}"));
                self.is_taught = true;
            }
        }
    }

    /// Shows the board that a move is to be made on, and of a sight after a move what is in it.
    fn show_view(&mut self) {
        let written = self.written_moves();
        if let Face::Edited(editor) = &mut self.face {
            editor.offer(written);
        }
        let Some(view) = self.view.as_ref().filter(|_| self.is_told()) else { return };
        match view.sight_shown() {
            Some(_) if !view.legal.is_empty() || self.is_verbose() => {
                self.say(&format!("\n{}", board(view)));
                self.prompt();
            }
            Some(sight) => self.say(&seen(view.side.color, &sight)),
            None if !self.is_verbose() => {}
            None => self.say(match self.options.has_proofs {
                true => "UNPROVEN: your sight here is not proven yet, so nothing of the opponent is shown.",
                false => "Your sight here hasn't come yet, so nothing of the opponent is shown.",
            }),
        }
    }

    /// Shows what is left of the own side when the game is over.
    fn show_end(&mut self) {
        if let Some(view) = self.view.as_ref().filter(|_| self.is_told()) {
            self.say(&format!("\n{}", board(view)));
        }
    }

    /// Gives the script's move when it is asked for. A move that isn't legal is never sent.
    fn follow_script(&mut self) -> Result<()> {
        let (Moves::Script(script), Some(view)) = (&self.options.moves, &self.view) else {
            return Ok(());
        };
        if view.legal.is_empty() || self.asked == Some(view.ply) {
            return Ok(());
        }
        self.asked = Some(view.ply);
        match script.at(view.ply) {
            Some(mv) if view.legal.contains(&mv) => self.handle.command(Command::Move { mv, offer_draw: false }),
            Some(mv) => {
                return Err(bad_input(illegal(view.ply.into(), &mv, &view.side.color.to_string())));
            }
            None => {
                note!("the script has no move for ply {}: resigning", view.ply);
                self.handle.command(Command::Resign);
            }
        }
        Ok(())
    }

    /// Carries a line out; says whether the user wants to end.
    fn on_line(&mut self, line: Option<&str>) -> Result<bool> {
        let Some(line) = line else {
            self.has_input = false;
            let unattended = Unattended {
                command: &hint(self.options.command),
                does: "sights are given and time is claimed",
                plays: self.options.moves.are_given(),
                stay: self.options.stay,
            };
            return Ok(unattended.is_to_end());
        };
        self.lines += 1;
        match parse(line) {
            Ok(Line::Seat(given)) => self.handle.command(given),
            Ok(Line::Move { written, offer_draw }) if self.is_early() => self.kept = Some((written, offer_draw)),
            Ok(Line::Move { written, offer_draw }) => self.play(&written, offer_draw),
            Ok(Line::Moves) => self.answer(&self.moves()),
            Ok(Line::Board) if self.is_json() => self.handle.command(Command::Show),
            Ok(Line::Board) => self.answer_of_the_board(board),
            Ok(Line::Look(place)) => self.answer_of_the_board(|view| look(&view.side, &sight(view), place)),
            Ok(Line::Read) => self.answer_of_the_board(|view| read(&view.side, &sight(view))),
            Ok(Line::Clock) => self.answer(&self.clock()),
            Ok(Line::Help) => self.answer(&help(self.options.has_proofs)),
            Ok(Line::ExplainFifty) if !self.options.has_proofs => self.answer(
                "Nothing can be claimed by a proof in a game of this engine; `draw` after a move offers a draw.",
            ),
            Ok(Line::ExplainFifty) => self.answer(tui::FIFTY),
            Ok(Line::Resign) if self.options.stake == 0 => self.handle.command(Command::Resign),
            Ok(Line::Resign) => {
                let stake = in_ether(self.options.stake);
                self.answer(&format!("You would lose your stake of {stake} ETH: `resign yes` gives up."));
            }
            Ok(Line::At(record)) => match record.parse() {
                Ok(record) => self.handle.look_at(record),
                Err(fault) => self.refuse(&fault.to_string()),
            },
            Ok(Line::Rematch) if self.is_over && self.options.can_rematch => {
                self.next = Next::Rematch;
                return Ok(true);
            }
            Ok(Line::Rematch) => self.answer(match self.is_over {
                true => "This opponent ends with the game.",
                false => "A rematch comes after the end of the game.",
            }),
            Ok(Line::Quit) => return Ok(true),
            Ok(Line::Nothing) => {}
            Err(fault) => self.refuse(&fault),
        }
        Ok(false)
    }

    /// Whether a move that is piped in comes before the board that it is for.
    fn is_early(&self) -> bool {
        let is_piped = matches!(&self.face, Face::Lines(..)) && !std::io::stdin().is_terminal();
        let turn = self.view.as_ref().filter(|view| !view.legal.is_empty()).map(|view| view.ply);
        let is_held = self.clocks.as_ref().is_some_and(Clocks::is_held);
        is_piped && !self.is_over && (turn.is_none() || turn == self.asked || is_held)
    }

    /// Plays the move that waits for its turn, once that has come.
    fn play_kept(&mut self) {
        if !self.is_early()
            && let Some((written, offer_draw)) = self.kept.take()
        {
            self.play(&written, offer_draw);
        }
    }

    fn play(&mut self, written: &WrittenMove, offer_draw: bool) {
        match self.meant(written) {
            Ok(mv) => {
                self.asked = self.view.as_ref().map(|view| view.ply);
                self.handle.command(Command::Move { mv, offer_draw });
            }
            Err(fault) => self.refuse(&fault),
        }
    }

    /// Tells why a line can't be used; a program is told in its own form.
    fn refuse(&mut self, fault: &str) {
        match self.is_json() {
            true => self.say(
                &json!({ "v": game::LINES_VERSION, "event": "bad_input", "line": self.lines, "text": fault })
                    .to_string(),
            ),
            false => note!("{fault}"),
        }
    }

    /// The move that the player means. One by its squares is for the seat to judge, which knows why there is none to be made.
    fn meant(&self, written: &WrittenMove) -> Result<Move, String> {
        let view = self.view.as_ref().filter(|view| !view.legal.is_empty());
        match (written.squares(), view) {
            (Some(mv), _) => Ok(mv),
            (None, Some(view)) => written.find(&view.side, &view.legal).map_err(|error| error.to_string()),
            (None, None) if self.is_over => Err(format!("{written} can't be played: the game is over")),
            (None, None) => Err(format!("{written} can't be played yet: wait until you are asked for your move")),
        }
    }

    /// Tells what was asked for; standard output is for notices alone where a program reads them.
    fn answer(&mut self, text: &str) {
        match self.is_json() {
            true => note!("{text}"),
            false => self.say(text),
        }
    }

    /// Tells something of the board as it was shown last.
    fn answer_of_the_board(&mut self, of: impl FnOnce(&View) -> String) {
        let text = self.view.as_ref().map_or_else(|| "There is no board yet.".to_owned(), of);
        self.answer(&text);
    }

    /// The moves to choose from, as players write them.
    fn written_moves(&self) -> Vec<String> {
        let of = |view: &View| view.legal.iter().map(|mv| view.side.san(mv, &sight(view))).collect();
        let mut moves: Vec<String> = self.view.as_ref().map(of).unwrap_or_default();
        moves.sort_unstable();
        moves
    }

    fn moves(&self) -> String {
        let moves = self.written_moves();
        match moves.is_empty() {
            true => "You have no move now: it is not your turn, or your sight is not proven yet.".to_owned(),
            false => moves.join(" "),
        }
    }

    fn clock(&self) -> String {
        let clocks = self.clocks.filter(|_| !self.is_over);
        clocks.map_or_else(|| "No clock runs.".to_owned(), |clocks| clocks::sentences(&clocks, Instant::now()))
    }
}

/// What a view shows; nothing while its sight isn't proven.
fn sight(view: &View) -> rules::Sight {
    view.sight_shown().unwrap_or(rules::Sight::DARK)
}

/// A view as a board in letters.
fn board(view: &View) -> String {
    rules::board::render(&view.side, &sight(view)).trim_end_matches('\n').to_owned()
}
