//! A secret that is typed at the terminal: hidden from before its question stands there, and the terminal given back on every way out.

use std::fs::File;
use std::io::Write as _;

use eyre::{Result, WrapErr as _};
use ratatui::crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers, read};
use ratatui::crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use zeroize::Zeroizing;

use crate::failure::Interrupted;

/// Bytes that a secret has room for: one that doesn't outgrow it leaves no copy behind.
const ROOM: usize = 1 << 10;

/// Asks the person at the terminal, wherever the output goes. Without a terminal the error says what to do instead.
pub fn ask(question: &str, instead: &'static str) -> Result<Zeroizing<String>> {
    let mut terminal = File::options().write(true).open("/dev/tty").wrap_err(instead)?;
    enable_raw_mode().wrap_err(instead)?;
    let _hidden = Hidden;
    write!(terminal, "{question}")?;
    let answer = typed();
    write!(terminal, "\r\n")?;
    answer
}

/// A terminal that shows nothing of what is typed, until this is dropped.
struct Hidden;

impl Drop for Hidden {
    fn drop(&mut self) {
        let _ = disable_raw_mode();
    }
}

/// What is typed up to the end of the line.
fn typed() -> Result<Zeroizing<String>> {
    let mut secret = Zeroizing::new(String::with_capacity(ROOM));
    loop {
        let Event::Key(key) = read()? else { continue };
        if key.kind == KeyEventKind::Release {
            continue;
        }
        match (key.code, key.modifiers.contains(KeyModifiers::CONTROL)) {
            // Who has typed ahead, or pastes, ends the line by a line feed, which is Ctrl-J.
            (KeyCode::Enter, _) | (KeyCode::Char('j'), true) => return Ok(secret),
            (KeyCode::Char('c' | 'd'), true) => return Err(Interrupted.into()),
            (KeyCode::Char('u'), true) => secret.clear(),
            (KeyCode::Char(character), false) => secret.push(character),
            (KeyCode::Backspace, _) => drop(secret.pop()),
            _ => {}
        }
    }
}
