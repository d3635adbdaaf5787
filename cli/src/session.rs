//! A game at the keyboard: the runtime's notices become lines, and lines become commands. With a script the moves come
//! from there. Nothing here knows rules or keys.

use std::io::{BufRead, Write};

use client::runtime::Handle;
use eyre::{Result, bail};
use game::{Command, CommandError, Notice, View};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

use crate::failure::{Interrupted, bad_input};
use crate::line::{FIFTY, HELP, Line, parse};
use crate::script::{Script, illegal};
use crate::words;

/// A script gives up after so many failures of its own side: nobody is there to look into them.
const MAX_FAILURES: u32 = 8;

/// How to play.
#[derive(Debug)]
pub struct Options {
    /// Print notices as JSON.
    pub json: bool,
    /// Where the own moves come from; without it from standard input.
    pub script: Option<Script>,
    /// End with standard input.
    pub stay: bool,
}

/// Plays until the game or the user ends it.
pub async fn run(handle: Handle, options: Options) -> Result<()> {
    let mut session = Keyboard { handle, options, view: None, clocks: None, asked: None, failures: 0 };
    let mut lines = Some(stdin_lines());
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    loop {
        let done = tokio::select! {
            notice = session.handle.next() => match notice {
                Some(notice) => session.on_notice(&notice)?,
                None => break,
            },
            line = next_line(&mut lines) => session.on_line(line.as_deref())?,
            _ = interrupt.recv() => return Err(Interrupted.into()),
            _ = terminate.recv() => return Err(Interrupted.into()),
        };
        if done {
            return Ok(());
        }
    }
    // The runtime has stopped, and knows why.
    session.handle.finish().await?;
    bail!("the game stopped without a reason")
}

struct Keyboard {
    handle: Handle,
    options: Options,
    view: Option<View>,
    /// The last notice of the clocks.
    clocks: Option<Notice>,
    /// The last ply for which the script's move was given.
    asked: Option<u16>,
    /// How often something has failed on this side.
    failures: u32,
}

impl Keyboard {
    /// Shows a notice and lets the script answer it; says whether that was the end.
    fn on_notice(&mut self, notice: &Notice) -> Result<bool> {
        self.show(notice)?;
        match notice {
            Notice::Clocks { .. } => self.clocks = Some(notice.clone()),
            Notice::View(view) => {
                self.view = Some((**view).clone());
                self.show_view()?;
                self.follow_script()?;
            }
            // After a restart the seat remembers the choice by itself.
            Notice::Refused(CommandError::AlreadyChosen { .. }) => {}
            Notice::Refused(error) if self.options.script.is_some() && !self.options.stay => {
                return Err(bad_input(error));
            }
            // The move may have to be given again, but not for ever.
            Notice::Failed(reason) if self.options.script.is_some() => {
                (self.asked, self.failures) = (None, self.failures + 1);
                if self.failures > MAX_FAILURES {
                    bail!("too many failures, the last one: {reason}");
                }
            }
            Notice::NotThisWallet { .. } | Notice::ChainRefused(_) => {
                bail!(words::of(notice).unwrap_or_default())
            }
            Notice::Over(_) if self.options.script.is_some() && !self.options.stay => {
                return Ok(true);
            }
            Notice::Over(_) if !self.options.json => {
                println!(
                    "`publish` lets everybody replay your side, `withdraw` fetches what you are owed, `quit` ends."
                );
            }
            _ => {}
        }
        Ok(false)
    }

    fn show(&self, notice: &Notice) -> Result<()> {
        let mut out = std::io::stdout().lock();
        if self.options.json {
            writeln!(out, "{}", notice.to_line()?)?;
        } else if let Some(words) = words::of(notice) {
            writeln!(out, "{words}")?;
        }
        Ok(out.flush()?)
    }

    /// The board as the player sees it; while the sight isn't proven nothing but own pieces.
    fn show_view(&self) -> Result<()> {
        let Some(view) = self.view.as_ref().filter(|_| !self.options.json) else {
            return Ok(());
        };
        let mut out = std::io::stdout().lock();
        let sight = view.sight_shown();
        let dark = rules::Sight::DARK;
        write!(out, "\n{}", rules::board::render(&view.side, sight.as_ref().unwrap_or(&dark)))?;
        if sight.is_none() {
            writeln!(out, "UNPROVEN: your sight here is not proven yet, so nothing of the opponent is shown.")?;
        }
        if !view.legal.is_empty() && self.options.script.is_none() {
            writeln!(out, "Your move ({} to choose from; `moves` lists them, `help` all commands):", view.legal.len())?;
        }
        Ok(out.flush()?)
    }

    /// Gives the script's move when it is asked for. A move that isn't legal is never sent.
    fn follow_script(&mut self) -> Result<()> {
        let (Some(script), Some(view)) = (&self.options.script, &self.view) else {
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
                eprintln!("the script has no move for ply {}: resigning", view.ply);
                self.handle.command(Command::Resign);
            }
        }
        Ok(())
    }

    /// Carries a line out; says whether the user wants to end.
    fn on_line(&mut self, line: Option<&str>) -> Result<bool> {
        let Some(line) = line else {
            // A script needs no keyboard; a program that started this one ends it so.
            return Ok(self.options.stay || self.options.script.is_none());
        };
        match parse(line) {
            Ok(Line::Seat(command)) => self.handle.command(command),
            Ok(Line::Moves) => self.show_moves(),
            Ok(Line::Clock) => self.show_clock(),
            Ok(Line::Help) => println!("{HELP}"),
            Ok(Line::ExplainFifty) => println!("{FIFTY}"),
            Ok(Line::At(record)) => match record.parse() {
                Ok(record) => self.handle.look_at(record),
                Err(fault) => eprintln!("{fault}"),
            },
            Ok(Line::Quit) => return Ok(true),
            Ok(Line::Nothing) => {}
            Err(fault) => eprintln!("{fault}"),
        }
        Ok(false)
    }

    fn show_moves(&self) {
        let legal = self.view.iter().flat_map(|view| &view.legal);
        let mut moves: Vec<String> = legal.map(ToString::to_string).collect();
        moves.sort_unstable();
        match moves.is_empty() {
            true => println!("You have no move now: it is not your turn, or your sight is not proven yet."),
            false => println!("{}", moves.join(" ")),
        }
    }

    fn show_clock(&self) {
        match self.clocks.as_ref().and_then(words::of) {
            Some(words) => println!("{words}"),
            None => println!("No clock runs."),
        }
    }
}

async fn next_line(lines: &mut Option<mpsc::UnboundedReceiver<String>>) -> Option<String> {
    let Some(receiver) = lines else {
        return std::future::pending().await;
    };
    let line = receiver.recv().await;
    if line.is_none() {
        *lines = None;
    }
    line
}

/// Standard input, line by line; closed at its end. On a thread of its own, because a terminal can't be polled.
fn stdin_lines() -> mpsc::UnboundedReceiver<String> {
    let (sender, receiver) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}
