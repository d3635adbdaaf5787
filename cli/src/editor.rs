//! Line mode on a terminal: what is told stands above the line that is typed and never glues to it, and keys edit that line.

use std::io::{Write as _, stdout};

use eyre::Result;
use ratatui::crossterm::cursor::MoveToColumn;
use ratatui::crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::crossterm::queue;
use ratatui::crossterm::terminal::{Clear, ClearType};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tui::{Input, printable};

use crate::failure::Interrupted;
use crate::output::{columns, fitted, redirect};
use crate::terminal;

/// What stands before the line that is typed.
const PROMPT: &str = "> ";

/// A terminal in line mode. Dropping it gives the terminal back.
#[derive(Debug)]
pub struct Editor {
    input: Input,
    /// The moves to choose from now, which Tab completes.
    pub moves: Vec<String>,
    events: UnboundedReceiver<Event>,
    asides: UnboundedReceiver<String>,
}

impl Editor {
    /// Takes the terminal until this is dropped.
    pub fn open() -> Result<Self> {
        terminal::enter_lines()?;
        let (aside, asides) = unbounded_channel();
        redirect(Some(aside));
        Ok(Self { input: Input::default(), moves: Vec::new(), events: terminal::events(), asides })
    }

    /// The next line that is given; none at the end of the input.
    pub async fn next(&mut self) -> Result<Option<String>> {
        loop {
            self.draw();
            tokio::select! {
                event = self.events.recv() => match event {
                    Some(Event::Key(key)) if key.kind != KeyEventKind::Release => {
                        match self.key(key.code, key.modifiers.contains(KeyModifiers::CONTROL))? {
                            Typed::Line(line) => return Ok(Some(line)),
                            Typed::End => return Ok(None),
                            Typed::More => {}
                        }
                    }
                    // A paste is one line, and Enter is the player's.
                    Some(Event::Paste(text)) => text.lines().next().unwrap_or_default().chars().for_each(|c| self.input.insert(c)),
                    Some(_) => {}
                    None => return Ok(None),
                },
                Some(text) = self.asides.recv() => self.show(&text),
            }
        }
    }

    fn key(&mut self, code: KeyCode, is_control: bool) -> Result<Typed> {
        match (code, is_control) {
            (KeyCode::Char('c'), true) => return Err(Interrupted.into()),
            (KeyCode::Char('d'), true) if self.input.is_empty() => return Ok(Typed::End),
            (KeyCode::Char('z'), true) => self.suspend()?,
            // Who has typed ahead ends the line by a line feed, which is Ctrl-J.
            (KeyCode::Enter, _) | (KeyCode::Char('j'), true) => {
                let line = self.input.submit();
                self.write(&format!("{PROMPT}{line}"));
                return Ok(Typed::Line(line));
            }
            (code, true) => self.input.edit_by_control(code),
            (KeyCode::Tab, _) => self.input.complete(&self.moves),
            (KeyCode::Esc, _) => self.input.clear(),
            (code, _) => self.input.edit(code),
        }
        Ok(Typed::More)
    }

    /// Gives the terminal to the shell until it has the program go on.
    pub fn suspend(&mut self) -> Result<()> {
        terminal::stop()?;
        terminal::enter_lines()
    }

    /// Shows a text above the line that is typed.
    pub fn show(&mut self, text: &str) {
        self.write(&fitted(&printable(text), columns()));
        self.draw();
    }

    /// Writes a text in place of the line that is typed. A terminal that is gone shows nothing, and the game goes on.
    fn write(&self, text: &str) {
        if terminal::was_torn() {
            let _ = terminal::enter_lines();
        }
        let _ = queue!(stdout(), MoveToColumn(0), Clear(ClearType::CurrentLine));
        let _ = write!(stdout(), "{}\r\n", text.replace('\n', "\r\n"));
    }

    /// Draws the line that is typed: of a long one what is before the cursor.
    fn draw(&self) {
        let room = columns().saturating_sub(PROMPT.len() + 1);
        let text: Vec<char> = self.input.text().chars().collect();
        let from = self.input.cursor().saturating_sub(room);
        let shown: String = text.iter().skip(from).take(room).collect();
        let column = PROMPT.len() + self.input.cursor() - from;
        let _ = queue!(stdout(), MoveToColumn(0), Clear(ClearType::CurrentLine));
        let _ = write!(stdout(), "{PROMPT}{shown}");
        let _ = queue!(stdout(), MoveToColumn(column as u16));
        let _ = stdout().flush();
    }
}

/// What a key has led to.
enum Typed {
    Line(String),
    End,
    More,
}

impl Drop for Editor {
    fn drop(&mut self) {
        redirect(None);
        let _ = queue!(stdout(), MoveToColumn(0), Clear(ClearType::CurrentLine));
        terminal::leave();
    }
}
