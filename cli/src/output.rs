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
    let text = in_words(&text.to_string());
    if let Some(screen) = &*ASIDE.lock().unwrap_or_else(PoisonError::into_inner)
        && screen.send(text.clone()).is_ok()
    {
        return;
    }
    let (mut error, text) = (std::io::stderr().lock(), printable(&text));
    let text = if error.is_terminal() { fitted(&text, columns()) } else { text };
    let _ = writeln!(error, "{text}");
}

/// What the system says of a failure, and what a player reads.
const OF_SYSTEM: [(&str, &str); 7] = [
    ("No such file or directory", "there is no such file or folder"),
    ("Permission denied", "this user may not do that there"),
    ("Is a directory", "that is a folder"),
    ("Not a directory", "that is no folder"),
    ("No space left on device", "the disk is full"),
    ("Read-only file system", "nothing can be written there"),
    ("Connection refused", "nobody answers there"),
];

/// A text with the system's failures in words, and without their numbers.
fn in_words(text: &str) -> String {
    let mut parts = text.split(" (os error ");
    let mut said = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        if let Some((failure, words)) = OF_SYSTEM.iter().find(|(failure, _)| said.ends_with(failure)) {
            said.truncate(said.len() - failure.len());
            said += words;
        }
        said += part.split_once(')').map_or(part, |(_, rest)| rest);
    }
    said
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
    fn what_the_system_says_is_told_in_words() {
        let said = in_words("a: No such file or directory (os error 2); b: Broken pipe (os error 32), both");
        assert_eq!(said, "a: there is no such file or folder; b: Broken pipe, both");
        assert_eq!(in_words("Permission denied"), "Permission denied", "it may be a file's name");
    }

    #[test]
    fn a_note_is_broken_between_words_and_no_command_is() {
        let note = "Only a test: `fogmate play 0x12 --home here` goes on,\nor it doesn't.";
        assert_eq!(fitted(note, 20), "Only a test:\n`fogmate play 0x12 --home here`\ngoes on,\nor it doesn't.");
        assert_eq!(fitted(note, 80), note);
    }
}
