//! The line that is typed in: editing, history, completion.

use ratatui::crossterm::event::KeyCode;

/// Characters of a line; no command needs more.
const LONGEST: usize = 512;

/// Words that are completed, with commas between them.
const COMMANDS: &str = "accept,ask,board,claim,clock,draw,fifty,fifty yes,give,go,help,look,moves,nomove,publish,\
                        quit,read,rematch,resign,withdraw";

/// A line as it is typed, and those that were given before.
#[derive(Clone, Debug, Default)]
pub struct Input {
    text: Vec<char>,
    cursor: usize,
    history: Vec<String>,
    /// Which line of the history is shown; none is the one being typed.
    recalled: Option<usize>,
}

impl Input {
    /// What is typed so far.
    pub fn text(&self) -> String {
        self.text.iter().collect()
    }

    /// Whether nothing is typed.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// How many characters are before the cursor.
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// Types a character at the cursor.
    pub fn insert(&mut self, c: char) {
        if !c.is_control() && self.text.len() < LONGEST {
            self.text.insert(self.cursor, c);
            self.cursor += 1;
        }
    }

    /// What a key does to the line.
    pub fn edit(&mut self, code: KeyCode) {
        match code {
            KeyCode::Char(c) => self.insert(c),
            KeyCode::Backspace if self.cursor > 0 => {
                self.cursor -= 1;
                self.text.remove(self.cursor);
            }
            KeyCode::Delete if self.cursor < self.text.len() => drop(self.text.remove(self.cursor)),
            KeyCode::Left => self.cursor = self.cursor.saturating_sub(1),
            KeyCode::Right => self.cursor = (self.cursor + 1).min(self.text.len()),
            KeyCode::Home => self.cursor = 0,
            KeyCode::End => self.cursor = self.text.len(),
            KeyCode::Up => self.recall(true),
            KeyCode::Down => self.recall(false),
            _ => {}
        }
    }

    /// What a key together with Ctrl does to the line, as in a shell.
    pub fn edit_by_control(&mut self, code: KeyCode) {
        match code {
            KeyCode::Char('a') => self.cursor = 0,
            KeyCode::Char('e') => self.cursor = self.text.len(),
            KeyCode::Char('u') => self.clear(),
            KeyCode::Char('w') => {
                let before: String = self.text[..self.cursor].iter().collect();
                let kept = before.trim_end().rfind(' ').map_or(0, |at| before[..=at].chars().count());
                self.text.drain(kept..self.cursor);
                self.cursor = kept;
            }
            _ => {}
        }
    }

    /// Empties the line that is typed.
    pub fn clear(&mut self) {
        (self.text, self.cursor, self.recalled) = (Vec::new(), 0, None);
    }

    fn set(&mut self, text: &str) {
        self.text = text.chars().take(LONGEST).collect();
        self.cursor = self.text.len();
    }

    /// Shows an older line, or a younger one.
    fn recall(&mut self, older: bool) {
        let last = self.history.len().checked_sub(1);
        let next = match (self.recalled, older) {
            (None, true) => last,
            (Some(at), true) => Some(at.saturating_sub(1)),
            (Some(at), false) => Some(at + 1).filter(|at| Some(*at) <= last),
            (None, false) => None,
        };
        let line = next.and_then(|at| self.history.get(at)).cloned().unwrap_or_default();
        self.set(&line);
        self.recalled = next;
    }

    /// The line, which is kept in the history and no longer here.
    pub fn submit(&mut self) -> String {
        let line = self.text();
        if !line.trim().is_empty() && self.history.last() != Some(&line) {
            self.history.push(line.clone());
        }
        self.clear();
        line
    }

    /// Completes what is typed as far as all candidates agree: commands, and the moves given, in the case that they are written in.
    pub fn complete(&mut self, moves: &[String]) {
        let typed = self.text();
        let (colon, bare) = typed.strip_prefix(':').map_or(("", &typed[..]), |bare| (":", bare));
        let candidates = COMMANDS.split(',').chain(moves.iter().map(String::as_str));
        let fits = |word: &&str| word.to_lowercase().starts_with(&bare.to_lowercase());
        let mut candidates = candidates.filter(fits);
        let Some(first) = candidates.next() else { return };
        let common = candidates.fold(first, |common, word| {
            let length = common.chars().zip(word.chars()).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
            &common[..length]
        });
        // What is typed already isn't taken back, nor its letters made small.
        if common.len() > bare.len() {
            self.set(&format!("{colon}{common}"));
        }
    }
}
