//! The line that is typed in: editing, history, completion.

/// Characters of a line; no command needs more.
const LONGEST: usize = 512;

/// Words that are completed.
const COMMANDS: [&str; 15] = [
    "accept",
    "board",
    "claim",
    "clock",
    "draw",
    "fifty",
    "fifty yes",
    "give",
    "go",
    "help",
    "moves",
    "nomove",
    "publish",
    "resign",
    "withdraw",
];

#[derive(Clone, Debug, Default)]
pub(crate) struct Input {
    text: Vec<char>,
    cursor: usize,
    history: Vec<String>,
    /// Which line of the history is shown; none is the one being typed.
    recalled: Option<usize>,
}

impl Input {
    pub fn text(&self) -> String {
        self.text.iter().collect()
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// How many characters are before the cursor.
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    pub fn insert(&mut self, c: char) {
        if !c.is_control() && self.text.len() < LONGEST {
            self.text.insert(self.cursor, c);
            self.cursor += 1;
        }
    }

    pub fn erase_before(&mut self) {
        if self.cursor > 0 {
            self.cursor -= 1;
            self.text.remove(self.cursor);
        }
    }

    pub fn erase_at(&mut self) {
        if self.cursor < self.text.len() {
            self.text.remove(self.cursor);
        }
    }

    pub fn step(&mut self, by: isize) {
        self.cursor = self.cursor.saturating_add_signed(by).min(self.text.len());
    }

    pub fn go_to_begin(&mut self) {
        self.cursor = 0;
    }

    pub fn go_to_end(&mut self) {
        self.cursor = self.text.len();
    }

    pub fn clear(&mut self) {
        (self.text, self.cursor, self.recalled) = (Vec::new(), 0, None);
    }

    fn set(&mut self, text: &str) {
        self.text = text.chars().take(LONGEST).collect();
        self.go_to_end();
    }

    /// Shows an older line, or a younger one.
    pub fn recall(&mut self, older: bool) {
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
        let candidates = COMMANDS.into_iter().chain(moves.iter().map(String::as_str));
        let fits = |word: &&str| word.to_lowercase().starts_with(&bare.to_lowercase());
        let mut candidates = candidates.filter(fits);
        let Some(first) = candidates.next() else { return };
        let common = candidates.fold(first, |common, word| {
            let length = common.chars().zip(word.chars()).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
            &common[..length]
        });
        if common.len() >= bare.len() {
            self.set(&format!("{colon}{common}"));
        }
    }
}
