//! Standard input, line by line, whatever its bytes.

use std::io::{BufRead, IsTerminal as _, Read as _};
use std::sync::LazyLock;

use tokio::sync::Mutex;
use tokio::sync::mpsc::{Receiver, channel};

use crate::output::note;

/// Bytes of a line that are looked at; no command needs more, and an endless line no memory.
const LONGEST: usize = 16 * 1024;

/// Lines that are read ahead: who writes faster than the game takes them waits.
const AHEAD: usize = 64;

/// What is read, on a thread of its own because a terminal can't be polled: one for all games of a process, or the last one's would take a line of the next.
static READ: LazyLock<Mutex<Receiver<String>>> = LazyLock::new(|| {
    let (sender, receiver) = channel(AHEAD);
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        while let Some(line) = next_line(&mut input) {
            if sender.blocking_send(line).is_err() {
                return;
            }
        }
    });
    Mutex::new(receiver)
});

/// The lines of standard input.
#[derive(Debug)]
pub struct Lines {
    has_ended: bool,
}

impl Lines {
    /// Begins to read what is typed or piped in, once for the whole process.
    pub fn read() -> Self {
        LazyLock::force(&READ);
        Self { has_ended: false }
    }

    /// The next line; none once, when the input has ended, and nothing for ever after that.
    pub async fn next(&mut self) -> Option<String> {
        if self.has_ended {
            return std::future::pending().await;
        }
        let line = READ.lock().await.recv().await;
        self.has_ended = line.is_none();
        line
    }
}

/// What a program does while nobody types.
#[derive(Clone, Copy, Debug)]
pub struct Unattended<'a> {
    /// The command that goes on with the game, as a hint has it.
    pub command: &'a str,
    /// What needs nobody, in words.
    pub does: &'a str,
    /// Whether the player's own moves need nobody either.
    pub plays: bool,
    /// Whether the program ends with its input, whatever that is.
    pub stay: bool,
}

impl Unattended<'_> {
    /// Whether the end of the input is a wish to end: who presses Ctrl-D has it, and so does a program that says so. A pipe that closes only says
    /// that nobody types, and the game goes on. The user is told.
    pub fn is_to_end(self) -> bool {
        let Self { command, does, plays, stay } = self;
        let is_wish = stay || !plays && std::io::stdin().is_terminal();
        match is_wish {
            _ if stay || plays => {}
            true => note!("note: the input has ended; {command} goes on with the game, whose clocks don't wait"),
            false => note!("note: the input has ended, and nobody can type a move; {does} until the game is over"),
        }
        is_wish
    }
}

/// A line without its end, with marks in place of bytes that are no text; none at the end of the input or if it fails.
fn next_line(input: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    let read = input.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', &mut line).ok()?;
    if read > LONGEST && !line.ends_with(b"\n") {
        line.truncate(LONGEST);
        input.skip_until(b'\n').ok()?;
    }
    (read > 0).then(|| text(line.strip_suffix(b"\n").unwrap_or(&line)))
}

/// The text of a line. Of an arrow key, as a terminal sends it that edits no lines, nothing is left.
fn text(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line));
    let mut parts = text.split("\u{1b}[");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        kept.push_str(part.find(|c: char| matches!(c, '@'..='~')).map_or("", |end| &part[end + 1..]));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Read};

    fn lines(input: impl Read) -> Vec<String> {
        let mut input = BufReader::with_capacity(7, input);
        std::iter::from_fn(|| next_line(&mut input)).collect()
    }

    #[test]
    fn odd_bytes_end_nothing() {
        let input: &[u8] = b"moves\r\n\xff\xfe\x00\n\n\x1b[2J e2e4\nresign";
        assert_eq!(lines(input), ["moves", "\u{fffd}\u{fffd}\0", "", " e2e4", "resign"]);
        assert!(lines(&b""[..]).is_empty());
    }

    #[test]
    fn of_an_endless_line_only_the_beginning_is_kept() {
        let input = std::io::repeat(b'x').take(1 << 20).chain(&b"\nquit\n"[..]);
        let found = lines(input);
        assert_eq!((found[0].len(), found[1].as_str(), found.len()), (LONGEST, "quit", 2));
    }
}
