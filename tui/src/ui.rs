//! What the player is about to do, and what keys and clicks mean.

use crate::boxes::Subject;
use crate::early::Early;
use crate::input::Input;
use crate::layout::Layout;
use crate::model::Model;
use crate::popup::Popup;
use crate::text::{printable, wrapped};
use crate::theme::Colors;
use game::Notice;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;
use rules::{Color, Move, PieceType, Square, WrittenMove};
use std::time::{Duration, Instant};

/// What a player has chosen about the screen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    pub colors: Colors,
    /// Letters in place of figures.
    pub ascii: bool,
    /// Whether a move may be given before it is the player's turn.
    pub premove: bool,
    /// Whether chain and opponent end with the game.
    pub solo: bool,
}

/// What is to be done for a key or a click.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// This line was given, as if it had been typed without a screen.
    Line(String),
    Quit,
    /// Give the terminal back to the shell until the program goes on.
    Suspend,
    /// Draw the whole screen anew.
    Redraw,
}

/// The screen of one player.
#[derive(Debug, Default)]
pub struct Ui {
    pub(crate) model: Model,
    pub(crate) settings: Settings,
    pub(crate) input: Input,
    pub(crate) is_flipped: bool,
    /// Whether keys move the cursor over the board.
    pub(crate) is_on_board: bool,
    pub(crate) cursor: Option<Square>,
    pub(crate) selected: Option<Square>,
    pub(crate) premove: Option<Early>,
    /// After how many plies the board is shown, once the game is over; none at its end.
    pub(crate) stepped: Option<usize>,
    /// How many lines of moves the list is scrolled back.
    pub(crate) scrolled: usize,
    /// What came of the last line, or of the last move that was given early.
    pub(crate) reply: String,
    pub(crate) popup: Option<Popup>,
    /// The box that was closed.
    pub(crate) closed: Option<Subject>,
    pub(crate) layout: Option<Layout>,
    /// Where the text of the popup was drawn.
    pub(crate) inside: Rect,
}

impl Ui {
    /// The screen of a game of which nothing is known yet.
    pub fn new(settings: Settings) -> Self {
        let model = Model { is_solo: settings.solo, ..Model::default() };
        Self { model, settings, ..Self::default() }
    }

    /// What is known of the game.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// How long the screen stays as it is if nothing happens.
    pub fn lasts(&self, now: Instant) -> Duration {
        let is_short = Color::ALL.into_iter().any(|color| {
            self.model.clock(color, now).is_some_and(|clock| clock.runs() && clock.is_short() && !clock.left.is_zero())
        });
        match (is_short, self.model.proof.is_some()) {
            (true, _) => Duration::from_millis(100),
            (_, true) => Duration::from_millis(250),
            _ => Duration::from_secs(1),
        }
    }

    /// Takes what has happened; a move that was given early may be due then.
    pub fn take(&mut self, notice: &Notice, now: Instant) -> Option<Action> {
        let chosen_at = self.model.chosen.and(self.model.view()).map(|view| view.ply);
        self.model.take(notice, now);
        if let Some(asked) = Popup::of(notice) {
            // What is half typed answers nothing that comes meanwhile.
            self.input.clear();
            self.popup = Some(asked);
        }
        match notice {
            Notice::Over(_) => self.let_go(),
            Notice::Moved { .. } | Notice::OpponentMoved { .. } => self.reply.clear(),
            _ => {}
        }
        let view = self.model.view().filter(|_| !self.model.legal().is_empty())?;
        let early = self.premove.take()?;
        // What was meant to follow a move doesn't go in its place.
        let is_due = chosen_at != Some(view.ply);
        let legal = if is_due { self.model.legal() } else { &[] };
        match early.due(&view.side, legal) {
            Ok(line) => self.choose(Some(Action::Line(line))),
            Err(words) => {
                self.reply = words;
                None
            }
        }
    }

    /// Says something to the player.
    pub fn say(&mut self, text: &str) {
        self.model.say(text);
    }

    /// Says what came of the player's line. It stands until the next line, click or move, and has its place before all else beside the board.
    pub fn reply(&mut self, text: &str) {
        self.reply = printable(text);
    }

    /// Lists commands, if there are any to be told, and keys.
    pub fn explain(&mut self, commands: &str) {
        self.popup = Some(Popup::keys(commands, &self.model));
    }

    /// Of pasted text the first line is typed.
    pub fn paste(&mut self, text: &str) {
        let mut lines = text.lines();
        lines.next().unwrap_or_default().chars().for_each(|c| self.input.insert(c));
        if lines.any(|line| !line.trim().is_empty()) {
            self.reply("Only the first line of what was pasted is taken.");
        }
    }

    /// What a key asks for.
    pub fn key(&mut self, key: KeyEvent) -> Option<Action> {
        let action = self.on_key(key);
        self.choose(action)
    }

    /// From the moment when a move is given what follows it is for later.
    fn choose(&mut self, action: Option<Action>) -> Option<Action> {
        if let (Some(Action::Line(line)), Some(view)) = (&action, self.model.view()) {
            let written = line.strip_suffix(" draw").unwrap_or(line).trim().parse::<WrittenMove>();
            let found = written.ok().and_then(|written| written.find(&view.side, self.model.legal()).ok());
            self.model.chosen = found.or(self.model.chosen);
        }
        action
    }

    fn on_key(&mut self, key: KeyEvent) -> Option<Action> {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return self.control(key.code);
        }
        if let Some(popup) = self.popup.take() {
            return self.answer(popup, key.code);
        }
        if self.input.is_empty() && self.navigates(key.code) {
            return None;
        }
        if self.is_on_board
            && self.input.is_empty()
            && let Some(action) = self.on_board(key.code)
        {
            return action;
        }
        match key.code {
            KeyCode::Enter => return self.submit(),
            KeyCode::Tab => {
                let moves = self.written_moves();
                self.input.complete(&moves);
            }
            KeyCode::Esc => self.escape(),
            code => self.input.edit(code),
        }
        None
    }

    /// Lets go of one thing after the other.
    fn escape(&mut self) {
        match self.told() {
            Some(subject) if self.input.is_empty() && self.selected.is_none() => self.closed = Some(subject),
            _ => {
                self.input.clear();
                self.reply.clear();
                self.let_go();
            }
        }
    }

    /// What the box beside the board is about, if there is one.
    pub(crate) fn told(&self) -> Option<Subject> {
        self.model.subject().filter(|subject| self.closed != Some(*subject))
    }

    fn control(&mut self, code: KeyCode) -> Option<Action> {
        match code {
            // Who has typed ahead ends the line by a line feed, which is Ctrl-J.
            KeyCode::Char('j') => return self.on_key(KeyCode::Enter.into()),
            KeyCode::Char('c') => return Some(Action::Quit),
            KeyCode::Char('d') if self.input.is_empty() => return Some(Action::Quit),
            KeyCode::Char('z') => return Some(Action::Suspend),
            KeyCode::Char('l') => return Some(Action::Redraw),
            KeyCode::Char('f') => self.is_flipped = !self.is_flipped,
            KeyCode::Char('y') if self.model.draw_offered => return self.give("accept"),
            code => self.input.edit_by_control(code),
        }
        None
    }

    /// A key for what is asked; what isn't answered stays.
    fn answer(&mut self, popup: Popup, code: KeyCode) -> Option<Action> {
        let is_enter = code == KeyCode::Enter;
        match popup {
            _ if code == KeyCode::Esc => self.input.clear(),
            Popup::Keys { text, from } => {
                let next = from + usize::from(self.inside.height);
                let is_more = next < wrapped(&text, self.inside.width.into()).len();
                self.popup = is_more.then_some(Popup::Keys { text, from: next });
            }
            Popup::Promotion { moves, marked } => return self.promote(moves, marked, code),
            Popup::Word { word, line, .. } if is_enter => {
                let typed = self.input.text();
                self.input.clear();
                if typed.trim().eq_ignore_ascii_case(&word) {
                    return Some(Action::Line(line));
                }
                self.reply("Nothing was done.");
            }
            Popup::Word { .. } => {
                self.input.edit(code);
                self.popup = Some(popup);
            }
        }
        None
    }

    fn promote(&mut self, moves: Vec<Move>, marked: usize, code: KeyCode) -> Option<Action> {
        let chosen = match code {
            KeyCode::Enter | KeyCode::Char(' ') => moves.get(marked),
            KeyCode::Char(c) => moves.iter().find(|mv| mv.promotion == PieceType::from_letter(c.to_ascii_lowercase())),
            _ => None,
        };
        if let Some(mv) = chosen {
            return Some(Action::Line(mv.to_string()));
        }
        let marked = match code {
            KeyCode::Up | KeyCode::Left => (marked + moves.len() - 1) % moves.len(),
            KeyCode::Down | KeyCode::Right => (marked + 1) % moves.len(),
            _ => marked,
        };
        self.popup = Some(Popup::Promotion { moves, marked });
        None
    }

    /// Keys that have a meaning of their own on an empty line; whether this is one.
    fn navigates(&mut self, code: KeyCode) -> bool {
        match code {
            KeyCode::Char('?') => self.explain(""),
            KeyCode::Tab => {
                self.is_on_board = !self.is_on_board;
                let home = self.model.color().map_or(0, Color::home_rank);
                self.cursor = if self.is_on_board { self.cursor.or(Square::at(4, home)) } else { None };
            }
            KeyCode::Char('f' | 'F') if self.model.is_watched() => self.is_flipped = !self.is_flipped,
            KeyCode::PageUp => self.scroll(true),
            KeyCode::PageDown => self.scroll(false),
            KeyCode::Left if self.has_frames() => self.step(-1),
            KeyCode::Right if self.has_frames() => self.step(1),
            KeyCode::Home if self.has_frames() => self.step(isize::MIN),
            KeyCode::End if self.has_frames() => self.step(isize::MAX),
            _ => return false,
        }
        true
    }

    fn has_frames(&self) -> bool {
        !self.model.frames.is_empty()
    }

    /// Goes through the game that is over; the box of its end has been read.
    fn step(&mut self, by: isize) {
        let last = self.model.frames.len().saturating_sub(1);
        let to = self.stepped.unwrap_or(last).saturating_add_signed(by).min(last);
        self.stepped = Some(to).filter(|to| *to < last);
        self.closed = self.model.subject();
    }

    fn scroll(&mut self, is_back: bool) {
        match self.has_frames() {
            true => self.step(if is_back { -1 } else { 1 }),
            false if is_back => self.scrolled = (self.scrolled + 1).min(self.model.plies.len() / 2),
            false => self.scrolled = self.scrolled.saturating_sub(1),
        }
    }

    /// A key over the board; none if it has no meaning there.
    fn on_board(&mut self, code: KeyCode) -> Option<Option<Action>> {
        let cursor = self.cursor?;
        let step = |df: i8, dr: i8| {
            let way = if self.has_black_below() { -1 } else { 1 };
            cursor.offset(df * way, dr * way).unwrap_or(cursor)
        };
        let to = match code {
            KeyCode::Left | KeyCode::Char('h') => step(-1, 0),
            KeyCode::Right | KeyCode::Char('l') => step(1, 0),
            KeyCode::Up | KeyCode::Char('k') => step(0, 1),
            KeyCode::Down | KeyCode::Char('j') => step(0, -1),
            KeyCode::Char('n') => self.next_piece(cursor),
            KeyCode::Char(' ') | KeyCode::Enter => return Some(self.click(cursor)),
            KeyCode::Esc if self.selected.is_some() => {
                self.let_go();
                return Some(None);
            }
            KeyCode::Esc => {
                (self.is_on_board, self.cursor) = (false, None);
                return Some(None);
            }
            _ => return None,
        };
        self.cursor = Some(to);
        Some(None)
    }

    /// The next own piece that can move, after a square.
    fn next_piece(&self, after: Square) -> Square {
        let can_move = |square: &Square| self.model.legal().iter().any(|mv| mv.from == *square);
        let order = Square::all().cycle().skip(after.index() + 1).take(64);
        order.into_iter().find(can_move).unwrap_or(after)
    }

    /// What a click or the wheel asks for.
    pub fn mouse(&mut self, mouse: MouseEvent) -> Option<Action> {
        let action = self.on_mouse(mouse);
        self.choose(action)
    }

    fn on_mouse(&mut self, mouse: MouseEvent) -> Option<Action> {
        match mouse.kind {
            MouseEventKind::ScrollUp => self.scroll(true),
            MouseEventKind::ScrollDown => self.scroll(false),
            MouseEventKind::Down(MouseButton::Right) => self.let_go(),
            MouseEventKind::Down(MouseButton::Left) if self.popup.is_some() => {
                let chosen = self.popup.as_ref()?.clicked(self.inside, mouse.column, mouse.row)?;
                self.popup = None;
                return Some(Action::Line(chosen.to_string()));
            }
            _ => {}
        }
        let square = self.layout?.grid.square_at(mouse.column, mouse.row, self.has_black_below())?;
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => self.click(square),
            MouseEventKind::Up(MouseButton::Left) if self.selected.is_some_and(|from| from != square) => {
                self.click(square)
            }
            _ => None,
        }
    }

    fn let_go(&mut self) {
        (self.selected, self.premove) = (None, None);
        self.popup = self.popup.take().filter(|popup| !matches!(popup, Popup::Promotion { .. }));
    }

    /// Picks a piece, or drops the one that was picked.
    fn click(&mut self, square: Square) -> Option<Action> {
        self.reply.clear();
        let (side, _) = self.model.board()?;
        let is_own = side.piece(square).is_some();
        let is_turn = !self.model.legal().is_empty();
        let Some(from) = self.selected.take() else {
            let may = is_turn || self.settings.premove;
            self.premove = self.premove.take().filter(|_| !is_own);
            self.selected = Some(square).filter(|_| is_own && may && self.model.ending.is_none());
            return None;
        };
        let moves: Vec<Move> =
            self.model.legal().iter().filter(|mv| mv.from == from && mv.to == square).copied().collect();
        match &moves[..] {
            [] if !is_turn && from != square && !is_own => {
                self.premove = Early::of(&Move::new(from, square).to_string());
            }
            [] => self.selected = Some(square).filter(|_| is_own && from != square),
            [mv] => return Some(Action::Line(mv.to_string())),
            _ => {
                let queen = moves.iter().position(|mv| mv.promotion == Some(PieceType::Queen));
                self.popup = Some(Popup::Promotion { moves, marked: queen.unwrap_or_default() });
            }
        }
        None
    }

    fn submit(&mut self) -> Option<Action> {
        self.reply.clear();
        let line = self.input.submit();
        let bare = line.trim().trim_start_matches(':').trim();
        if bare.is_empty() {
            return None;
        }
        let early = Early::of(bare);
        // A question takes nothing back.
        self.premove = self.premove.take().filter(|_| early.is_none());
        match early.filter(|_| self.settings.premove && self.model.is_waiting()) {
            Some(early) => {
                match self.model.board().and_then(|(side, sight)| early.refused(&side, &sight)) {
                    Some(error) => self.reply = format!("{error}."),
                    None => self.premove = Some(early),
                }
                None
            }
            None => self.give(bare),
        }
    }

    /// Has a line carried out, after asking where it can't be taken back.
    fn give(&mut self, line: &str) -> Option<Action> {
        self.popup = Popup::before(line, &self.model);
        match &self.popup {
            Some(_) => {
                self.input.clear();
                None
            }
            None => Some(Action::Line(line.to_owned())),
        }
    }

    /// The legal moves as players write them.
    fn written_moves(&self) -> Vec<String> {
        let Some(view) = self.model.view() else { return Vec::new() };
        self.model.legal().iter().map(|mv| view.written(mv)).collect()
    }

    pub(crate) fn has_black_below(&self) -> bool {
        (self.model.color() == Some(Color::Black)) != self.is_flipped
    }
}
