//! The terminal while a game has it: key by key, and given back on return, on errors and signals, and by a panic.

use std::io::{IsTerminal as _, stdout};
use std::process::{Command, Stdio};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use eyre::Result;
use ratatui::DefaultTerminal;
use ratatui::crossterm::cursor::{MoveToColumn, Show};
use ratatui::crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture, Event, poll, read,
};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{Clear, ClearType, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use rustix::process::{Signal, getpgrp, getpid, kill_process, kill_process_group};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// How long keys and clicks are waited for at once.
const READING: Duration = Duration::from_millis(100);

/// Whether a panic has given the terminal back while the game goes on.
static IS_TORN: AtomicBool = AtomicBool::new(false);
/// Whether a game has the terminal.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);
/// Whether it has the whole screen.
static IS_FULL: AtomicBool = AtomicBool::new(false);

/// Whether both ends are a terminal that does more than a typewriter.
pub fn is_capable() -> bool {
    let is_dumb = std::env::var("TERM").is_ok_and(|term| term == "dumb");
    !is_dumb && std::io::stdin().is_terminal() && stdout().is_terminal()
}

/// Whether the system edits the lines that are typed, and makes a signal of Ctrl-C.
pub fn is_typewriter() -> bool {
    std::io::stdin().is_terminal() && !is_capable()
}

/// What is typed, clicked and pasted, from a thread of its own: a terminal can't be polled together with everything else.
pub fn events() -> UnboundedReceiver<Event> {
    let (sender, events) = unbounded_channel();
    std::thread::spawn(move || {
        while let Ok(is_there) = poll(READING) {
            // What is typed after the game is for whoever reads next.
            if sender.is_closed() || is_there && !read().is_ok_and(|event| sender.send(event).is_ok()) {
                return;
            }
        }
    });
    events
}

/// Takes the whole screen.
pub fn enter_screen(mouse: bool) -> Result<DefaultTerminal> {
    give_back_by_panics();
    let terminal = ratatui::try_init()?;
    IS_TAKEN.store(true, Ordering::Relaxed);
    IS_FULL.store(true, Ordering::Relaxed);
    execute!(stdout(), EnableBracketedPaste)?;
    if mouse {
        execute!(stdout(), EnableMouseCapture)?;
    }
    // A program that was killed has left its picture here, and only what differs from an empty screen will be drawn.
    execute!(stdout(), Clear(ClearType::All))?;
    Ok(terminal)
}

/// Takes what is typed key by key, and leaves the screen as it is.
pub fn enter_lines() -> Result<()> {
    give_back_by_panics();
    enable_raw_mode()?;
    IS_TAKEN.store(true, Ordering::Relaxed);
    Ok(execute!(stdout(), EnableBracketedPaste)?)
}

fn give_back_by_panics() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            leave();
            IS_TORN.store(true, Ordering::Relaxed);
            before(panic);
        }));
    });
}

/// Gives the terminal back, if a game has it. One that is gone needs nothing back.
pub fn leave() {
    if !IS_TAKEN.swap(false, Ordering::Relaxed) {
        return;
    }
    let _ = execute!(stdout(), DisableBracketedPaste);
    if IS_FULL.swap(false, Ordering::Relaxed) {
        let _ = execute!(stdout(), DisableMouseCapture);
        let _ = ratatui::try_restore();
    }
    let _ = disable_raw_mode();
}

/// Whether a panic has given the terminal back since this was asked last.
pub fn was_torn() -> bool {
    IS_TORN.swap(false, Ordering::Relaxed)
}

/// Gives the terminal to the shell until it has the program go on.
pub fn stop() -> Result<()> {
    leave();
    // The signal that can be caught is the one that this game is told by to stop. A shell waits for all that it has started, and a pipe for nobody.
    match std::io::stdin().is_terminal() {
        true => Ok(kill_process_group(getpgrp(), Signal::STOP)?),
        false => Ok(kill_process(getpid(), Signal::STOP)?),
    }
}

/// How a terminal is set, for whom starts another program that takes it.
#[derive(Debug)]
pub struct Kept(Option<String>);

impl Kept {
    /// As it is now; nothing where there is no terminal.
    pub fn now() -> Self {
        let asked =
            std::io::stdin().is_terminal().then(|| Command::new("stty").arg("-g").stdin(Stdio::inherit()).output());
        let told = asked.and_then(Result::ok).filter(|output| output.status.success());
        Self(told.and_then(|output| String::from_utf8(output.stdout).ok()))
    }

    /// Sets it so again, after a program that couldn't give it back, and had the whole screen or told lines.
    pub fn restore(self, was_full: bool) {
        let Some(kept) = self.0 else { return };
        let _ = execute!(stdout(), DisableBracketedPaste, DisableMouseCapture);
        // Leaving a screen that wasn't entered sets the cursor back to where one was entered last, into the lines since.
        let _ = match was_full {
            true => execute!(stdout(), LeaveAlternateScreen, Show),
            false => execute!(stdout(), MoveToColumn(0), Clear(ClearType::CurrentLine), Show),
        };
        let _ = Command::new("stty").arg(kept.trim()).status();
    }
}
