//! A game at the keyboard: the runtime's notices become lines, and lines become commands. With a script the moves come
//! from there, with a bot from it. Nothing here knows rules or keys.

mod face;
mod given;
mod parting;
mod told;

use std::time::{Duration, Instant};

use alloy::primitives::B256;
use client::runtime::Handle;
use eyre::{Result, bail};
use game::{Command, CommandError, Notice};
use tui::{Early, Model};

pub use face::Manner;

use crate::failure::{Interrupted, bad_input};
use crate::line::Line;
use crate::output::note;
use crate::process::{Signals, Told, end_when_told};
use crate::script::Script;
use crate::thinker::Thinker;
use crate::words;
use face::Face;

/// Where moves are given, so many failures of the own side end the game: nobody is there to look into them.
const MAX_FAILURES: u32 = 8;

/// How often the own clock is looked at.
const SECOND: Duration = Duration::from_secs(1);

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

#[derive(Debug)]
pub struct Options {
    pub manner: Manner,
    pub moves: Moves,
    /// Publish the view key once the game is over.
    pub publish: bool,
    pub game: B256,
    /// The command that goes on with the game.
    pub command: &'static str,
    /// End with standard input.
    pub stay: bool,
    /// What giving up costs, in wei.
    pub stake: u128,
    /// Whether moves are proven, and sights can go through the chain.
    pub has_proofs: bool,
    /// How long what the opponent owes is waited for, in seconds, before it is asked for through the chain.
    pub grace: u64,
    /// Whether nobody has joined the game yet.
    pub waits: bool,
    /// Whether chain and opponent end with the game.
    pub is_solo: bool,
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
    let Some(result) = go(&mut session, &early).await.transpose() else {
        // The runtime has stopped, and knows why.
        session.handle.finish().await?;
        bail!("the game stopped without a reason");
    };
    let is_wished = result.as_ref().map_or_else(|error| error.is::<Interrupted>(), |next| *next == Next::Nothing);
    let parting = session.parting().filter(|_| is_wished);
    // The shell has its terminal again.
    drop(session);
    if let Some(parting) = parting {
        note!("{parting}");
    }
    result
}

/// Goes on until the user or the game's end ends it; nothing if the runtime has stopped.
async fn go(session: &mut Keyboard, early: &[Notice]) -> Result<Option<Next>> {
    for notice in early {
        session.on_notice(notice)?;
    }
    let mut second = tokio::time::interval(SECOND);
    second.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut signals = Signals::new()?;
    end_when_told(!session.is_asked_by_signal())?;
    loop {
        let done = tokio::select! {
            notice = session.handle.next() => match notice {
                Some(notice) => session.on_notice(&notice)?,
                None => return Ok(None),
            },
            line = session.face.next(), if session.kept.is_none() => match line {
                Err(error) if error.is::<Interrupted>() && session.is_held_back() => false,
                line => session.on_line(line?.as_deref())?,
            },
            command = session.options.moves.next() => match command {
                Some(command) => {
                    session.handle.command(command);
                    false
                }
                None => bail!("the bot has stopped thinking, which is a fault of this program"),
            },
            _ = second.tick() => {
                session.warn();
                session.go_on()?
            }
            told = signals.next() => match told {
                Told::Stop => {
                    session.face.suspend()?;
                    false
                }
                Told::Interrupt if session.is_asked_by_signal() && session.is_held_back() => false,
                Told::Interrupt | Told::End => return Err(Interrupted.into()),
            },
        };
        if done || session.has_done_all() {
            return Ok(Some(session.next));
        }
    }
}

/// What happens until the game has both players, which is told in words.
async fn until_joined(handle: &mut Handle) -> Result<Vec<Notice>> {
    let (mut early, mut signals) = (Vec::new(), Signals::new()?);
    loop {
        // Whoever asks next learns why the runtime has stopped.
        let Some(notice) = signals.during(async { Ok(handle.next().await) }).await? else { return Ok(early) };
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

struct Keyboard {
    handle: Handle,
    options: Options,
    face: Face,
    /// What is known of the game.
    model: Model,
    /// Whether there may be more to read.
    has_input: bool,
    /// How many lines were read.
    lines: u64,
    /// A line that was piped in ahead of its time. What follows it is read after it.
    kept: Option<Line>,
    /// A move that was typed before its turn, and the ply of the own move that it is to follow.
    early: Option<(Early, Option<u16>)>,
    /// The warning of the own clock that was given last.
    warned: Option<u64>,
    /// The last ply for which a move was given that the script or a pipe had ready.
    asked: Option<u16>,
    /// How often something has failed on this side.
    failures: u32,
    /// Whether the player was told how to list moves and commands.
    is_taught: bool,
    /// Whether the player was told what leaving means.
    is_leaving: bool,
    next: Next,
}

impl Keyboard {
    fn new(handle: Handle, options: Options) -> Result<Self> {
        let face = Face::open(&options)?;
        Ok(Self {
            handle,
            options,
            face,
            model: Model::default(),
            has_input: true,
            lines: 0,
            kept: None,
            early: None,
            warned: None,
            asked: None,
            failures: 0,
            is_taught: false,
            is_leaving: false,
            next: Next::Nothing,
        })
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
        let (had_offered, before) = (self.model.has_offered, self.model.clocks);
        self.model.take(notice, Instant::now());
        self.is_leaving &= !matches!(notice, Notice::Moved { .. } | Notice::OpponentMoved { .. });
        match notice {
            Notice::OpponentMoved { .. } if had_offered && !self.is_json() => {
                self.face.say("The opponent has declined your draw.");
            }
            Notice::Clocks { .. } => self.show_clocks(before),
            Notice::View(_) => {
                self.show_view();
                self.follow_script()?;
                self.play_early()?;
            }
            Notice::NotThisWallet { .. } | Notice::ChainRefused { .. } => {
                bail!(words::of(notice, None, &ToString::to_string).unwrap_or_default())
            }
            Notice::Over(_) if self.on_end() => return Ok(true),
            Notice::Over(_) => {}
            _ => self.on_trouble(notice)?,
        }
        self.go_on()
    }

    /// A move that was given isn't made, or not yet.
    fn on_trouble(&mut self, notice: &Notice) -> Result<()> {
        match notice {
            // After a restart the seat remembers the choice by itself.
            Notice::Refused { error: CommandError::AlreadyChosen { .. }, .. } => {}
            Notice::Refused { error, .. } if matches!(self.options.moves, Moves::Script(_)) && !self.options.stay => {
                return Err(bad_input(error));
            }
            // The next move that is piped in may be the one, and what was to follow this one doesn't go in its place.
            Notice::Refused { .. } | Notice::Failed { .. } if matches!(self.options.moves, Moves::Typed) => {
                self.asked = None;
                if let Some((early, _)) = self.early.take_if(|(_, follows)| follows.is_some()) {
                    self.answer(&format!("{early} isn't played either."));
                }
            }
            // The move may have to be given again, but not for ever.
            Notice::Failed { reason } if self.options.moves.are_given() => {
                (self.asked, self.failures) = (None, self.failures + 1);
                if self.failures > MAX_FAILURES {
                    bail!("too many failures, the last one: {reason}");
                }
            }
            Notice::SignedInAnotherPosition { .. } => self.asked = None,
            Notice::ConfirmMove { mv, .. } => {
                self.asked = None;
                // A script gives one move for a ply, whenever it is asked; what was piped in after the move is for a later turn.
                self.follow_script()?;
                if let Some(Line::Move { written, .. }) = self.kept.take_if(|line| matches!(line, Line::Move { .. })) {
                    self.refuse(&format!("{written} isn't played: {mv} must be given again first"));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The game has ended; says whether the session has, too.
    fn on_end(&mut self) -> bool {
        self.show_end();
        if self.options.publish {
            self.handle.command(Command::PublishViewKey);
        }
        if self.options.moves.are_given() && !self.options.stay {
            // What was asked for is done first.
            self.has_input = false;
            return !self.options.publish;
        }
        if self.has_input && self.is_told() {
            self.tell_what_next();
        }
        false
    }

    const fn is_over(&self) -> bool {
        self.model.ending.is_some()
    }

    /// Whether the game is over, nobody can type any more, and all that was typed is done.
    fn has_done_all(&self) -> bool {
        self.is_over() && !self.has_input && self.handle.is_done()
    }
}
