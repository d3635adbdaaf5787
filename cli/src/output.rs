//! Standard output and standard error, where a reader that has seen enough is no reason to panic and none to lose a game.

use std::fmt::Arguments;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

use tokio::sync::mpsc::UnboundedSender;
use tui::printable;

/// Writes a line of the result.
pub fn line(text: Arguments<'_>) -> eyre::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}")?;
    Ok(out.flush()?)
}

/// Who shows what would be written to standard error while a full screen is open.
static ASIDE: Mutex<Option<UnboundedSender<String>>> = Mutex::new(None);

/// Has what would be written to standard error shown by somebody else, or by nobody else any more.
pub fn redirect(to: Option<UnboundedSender<String>>) {
    *ASIDE.lock().unwrap_or_else(PoisonError::into_inner) = to;
}

/// Writes to standard error, where nobody may be reading.
pub fn aside(text: Arguments<'_>) {
    if let Some(screen) = &*ASIDE.lock().unwrap_or_else(PoisonError::into_inner)
        && screen.send(text.to_string()).is_ok()
    {
        return;
    }
    let _ = writeln!(std::io::stderr().lock(), "{}", printable(&text.to_string()));
}

/// Writes a line of the result; like `println!`, with the error for the caller.
macro_rules! say {
    ($($text:tt)*) => { $crate::output::line(format_args!($($text)*)) };
}
pub(crate) use say;

/// Writes a line to standard error; like `eprintln!`, which panics where nobody reads.
macro_rules! note {
    ($($text:tt)*) => { $crate::output::aside(format_args!($($text)*)) };
}
pub(crate) use note;

/// Standard output of a game, which goes on without a reader.
#[derive(Debug, Default)]
pub struct Screen {
    is_closed: bool,
}

impl Screen {
    /// Shows a line. The first one that can't be written is the last one tried.
    pub fn show(&mut self, text: Arguments<'_>) {
        if self.is_closed {
            return;
        }
        if let Err(error) = line(format_args!("{}", printable(&text.to_string()))) {
            self.is_closed = true;
            note!("note: nothing can be shown any more ({error}); the game goes on, and what is typed is still done");
        }
    }
}
