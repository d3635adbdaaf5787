//! Standard output and standard error, where a reader that has seen enough is no reason to panic and none to lose a game.

use std::fmt::Arguments;
use std::io::{IsTerminal as _, Write};
use std::sync::{Mutex, PoisonError};

use ratatui::crossterm::terminal::size;
use tokio::sync::mpsc::UnboundedSender;
use tui::{printable, wrapped};

/// Writes a line of the result.
pub fn line(text: Arguments<'_>) -> eyre::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}")?;
    Ok(out.flush()?)
}

/// Writes sentences of the result, which a terminal shows in lines of its width.
pub fn sentences(text: Arguments<'_>) -> eyre::Result<()> {
    match std::io::stdout().is_terminal() {
        true => line(format_args!("{}", fitted(&text.to_string(), columns()))),
        false => line(text),
    }
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
    let (mut error, text) = (std::io::stderr().lock(), printable(&text.to_string()));
    let text = if error.is_terminal() { fitted(&text, columns()) } else { text };
    let _ = writeln!(error, "{text}");
}

/// Draws to standard error, as it is.
pub fn draw(lines: &[String]) {
    let mut error = std::io::stderr().lock();
    let _ = lines.iter().try_for_each(|line| writeln!(error, "{line}"));
}

/// The columns of the terminal.
pub fn columns() -> usize {
    size().ok().filter(|(width, _)| *width > 0).map_or(80, |(width, _)| width.into())
}

/// A text in lines of a width, broken between words. What stands in backquotes is copied as it is typed, and stays whole.
pub fn fitted(text: &str, width: usize) -> String {
    let parts = text.split('`').enumerate();
    let whole = parts.map(|(i, part)| if i % 2 == 1 { part.replace(' ', "\u{a0}") } else { part.to_owned() });
    wrapped(&whole.collect::<Vec<_>>().join("`"), width).join("\n").replace('\u{a0}', " ")
}

/// Writes a line of the result; like `println!`, with the error for the caller.
macro_rules! say {
    ($($text:tt)*) => { $crate::output::line(format_args!($($text)*)) };
}
pub(crate) use say;

/// Writes sentences of the result, with the error for the caller.
macro_rules! tell {
    ($($text:tt)*) => { $crate::output::sentences(format_args!($($text)*)) };
}
pub(crate) use tell;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_broken_between_words_and_no_command_is() {
        let note = "Only a test: `fogmate play 0x12 --home here` goes on,\nor it doesn't.";
        assert_eq!(fitted(note, 20), "Only a test:\n`fogmate play 0x12 --home here`\ngoes on,\nor it doesn't.");
        assert_eq!(fitted(note, 80), note);
    }
}
