//! What the player is about to do, and what keys and clicks mean.

use crate::board::Picture;
use crate::input::Input;
use crate::layout::{LEAST, Layout};
use crate::model::Model;
use crate::theme::{Colors, Theme};
use game::Notice;
use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};
use rules::{Color, Move, PieceType, Square, WrittenMove};
use std::time::Instant;

/// What a player has chosen about the screen.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    pub colors: Colors,
    /// Letters in place of figures.
    pub ascii: bool,
    /// Whether a move may be given before it is the player's turn.
    pub premove: bool,
}

/// What is to be done for a key or a click.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// This line was given, as if it had been typed without a screen.
    Line(String),
    Quit,
    /// Give the terminal back to the shell until the program goes on.
    Suspend,
}

const KEYS: &str = "Type a move: Nf3, exd6, O-O, e8=Q or e2e4. Tab completes it, ↑ brings back an earlier line.
Or Tab on an empty line: arrows or hjkl go over the board, Space picks and drops a piece, n is the next piece that can move, Esc lets go.
Or click a piece and where it goes.

draw after a move offers a draw, accept takes one, resign gives up, clock tells the time, help lists all commands.
Ctrl-F turns the board, Ctrl-C leaves (the game waits for you, its clocks don't). After the game ← and → go through it.";

/// A player's screen.
#[derive(Debug)]
pub struct Ui {
    model: Model,
    settings: Settings,
    input: Input,
    is_flipped: bool,
    /// Whether keys move the cursor over the board.
    is_on_board: bool,
    cursor: Option<Square>,
    selected: Option<Square>,
    /// A pawn that goes to the last rank, and what it could become.
    promotion: Vec<Move>,
    premove: Option<Move>,
    /// Which of the earlier boards is shown once the game is over.
    stepped: Option<usize>,
    shows_keys: bool,
    layout: Option<Layout>,
}

impl Ui {
    /// The screen of a game of which nothing is known yet.
    pub fn new(settings: Settings) -> Self {
        Self {
            model: Model::default(),
            settings,
            input: Input::default(),
            is_flipped: false,
            is_on_board: false,
            cursor: None,
            selected: None,
            promotion: Vec::new(),
            premove: None,
            stepped: None,
            shows_keys: false,
            layout: None,
        }
    }

    /// What is known of the game.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Takes what has happened; a move that was given early may be due then.
    pub fn take(&mut self, notice: &Notice, now: Instant) -> Option<Action> {
        self.model.take(notice, now);
        if self.model.legal().is_empty() {
            return None;
        }
        let early = self.premove.take()?;
        if self.model.legal().contains(&early) {
            return Some(Action::Line(early.to_string()));
        }
        self.model.say(&format!("{early}, given early, can't be played now."));
        None
    }

    /// Says something to the player.
    pub fn say(&mut self, text: &str) {
        self.model.say(text);
    }

    /// Of pasted text the first line is typed.
    pub fn paste(&mut self, text: &str) {
        let mut lines = text.lines();
        lines.next().unwrap_or_default().chars().for_each(|c| self.input.insert(c));
        if lines.any(|line| !line.trim().is_empty()) {
            self.say("Only the first line of what was pasted is taken.");
        }
    }

    /// What a key asks for.
    pub fn key(&mut self, key: KeyEvent) -> Option<Action> {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return self.control(key.code);
        }
        if std::mem::take(&mut self.shows_keys) {
            return None;
        }
        if !self.promotion.is_empty() {
            return self.promote(key.code);
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
            KeyCode::Char(c) => self.input.insert(c),
            KeyCode::Backspace => self.input.erase_before(),
            KeyCode::Delete => self.input.erase_at(),
            KeyCode::Left => self.input.step(-1),
            KeyCode::Right => self.input.step(1),
            KeyCode::Home => self.input.go_to_begin(),
            KeyCode::End => self.input.go_to_end(),
            KeyCode::Up => self.input.recall(true),
            KeyCode::Down => self.input.recall(false),
            KeyCode::Tab => {
                let moves = self.written_moves();
                self.input.complete(&moves);
            }
            KeyCode::Esc => {
                self.input.clear();
                self.let_go();
            }
            _ => {}
        }
        None
    }

    fn control(&mut self, code: KeyCode) -> Option<Action> {
        match code {
            KeyCode::Char('c' | 'd') => return Some(Action::Quit),
            KeyCode::Char('z') => return Some(Action::Suspend),
            KeyCode::Char('f') => self.is_flipped = !self.is_flipped,
            KeyCode::Char('u') => self.input.clear(),
            KeyCode::Char('a') => self.input.go_to_begin(),
            KeyCode::Char('e') => self.input.go_to_end(),
            _ => {}
        }
        None
    }

    /// Keys that have a meaning of their own on an empty line; whether this is one.
    fn navigates(&mut self, code: KeyCode) -> bool {
        let last = self.model.views.len().saturating_sub(1);
        let at = self.stepped.unwrap_or(last);
        match code {
            KeyCode::Char('?') => self.shows_keys = true,
            KeyCode::Tab => {
                self.is_on_board = !self.is_on_board;
                let home = self.model.color().map_or(0, Color::home_rank);
                self.cursor = if self.is_on_board { self.cursor.or(Square::at(4, home)) } else { None };
            }
            KeyCode::Left if self.model.ending.is_some() => self.stepped = Some(at.saturating_sub(1)),
            KeyCode::Right if self.model.ending.is_some() => self.stepped = Some((at + 1).min(last)),
            KeyCode::Home if self.model.ending.is_some() => self.stepped = Some(0),
            KeyCode::End if self.model.ending.is_some() => self.stepped = None,
            _ => return false,
        }
        true
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
        let square = self.layout?.square_at(mouse.column, mouse.row, self.has_black_below());
        match (mouse.kind, square) {
            (MouseEventKind::Down(MouseButton::Left), Some(square)) => self.click(square),
            (MouseEventKind::Up(MouseButton::Left), Some(square))
                if self.selected.is_some_and(|from| from != square) =>
            {
                self.click(square)
            }
            (MouseEventKind::Down(MouseButton::Right), _) => {
                self.let_go();
                None
            }
            _ => None,
        }
    }

    fn let_go(&mut self) {
        (self.selected, self.premove) = (None, None);
        self.promotion.clear();
    }

    /// Picks a piece, or drops the one that was picked.
    fn click(&mut self, square: Square) -> Option<Action> {
        let view = self.model.view()?;
        let is_own = view.side.piece(square).is_some();
        let is_turn = !self.model.legal().is_empty();
        let Some(from) = self.selected.take() else {
            let may = is_turn || self.settings.premove;
            self.selected = Some(square).filter(|_| is_own && may && self.model.ending.is_none());
            return None;
        };
        let moves: Vec<Move> =
            self.model.legal().iter().filter(|mv| mv.from == from && mv.to == square).copied().collect();
        match &moves[..] {
            [] if !is_turn && from != square && !is_own => self.premove = Some(Move::new(from, square)),
            [] => self.selected = Some(square).filter(|_| is_own && from != square),
            [mv] => return Some(Action::Line(mv.to_string())),
            _ => self.promotion = moves,
        }
        None
    }

    fn promote(&mut self, code: KeyCode) -> Option<Action> {
        let moves = std::mem::take(&mut self.promotion);
        let piece = match code {
            KeyCode::Char(c) => PieceType::from_letter(c.to_ascii_lowercase()),
            KeyCode::Enter => Some(PieceType::Queen),
            _ => return None,
        };
        match moves.iter().find(|mv| mv.promotion == piece) {
            Some(mv) => Some(Action::Line(mv.to_string())),
            None => {
                self.promotion = moves;
                None
            }
        }
    }

    fn submit(&mut self) -> Option<Action> {
        let line = self.input.submit();
        let bare = line.trim().trim_start_matches(':').trim();
        if bare.is_empty() {
            return None;
        }
        if bare == "help" {
            self.shows_keys = true;
            return None;
        }
        let early = bare.parse::<WrittenMove>().ok().filter(|_| self.model.legal().is_empty());
        self.premove = None;
        match early.and_then(|written| written.squares()) {
            Some(mv) if self.settings.premove && self.model.ending.is_none() && self.model.chosen.is_none() => {
                self.premove = Some(mv);
                None
            }
            _ => Some(Action::Line(bare.to_owned())),
        }
    }

    /// The legal moves as players write them.
    fn written_moves(&self) -> Vec<String> {
        let Some(view) = self.model.view() else { return Vec::new() };
        let sight = view.sight_shown().unwrap_or(rules::Sight::DARK);
        self.model.legal().iter().map(|mv| view.side.san(mv, &sight)).collect()
    }

    fn has_black_below(&self) -> bool {
        (self.model.color() == Some(Color::Black)) != self.is_flipped
    }

    /// Draws everything as it is at a time.
    pub fn draw(&mut self, frame: &mut Frame<'_>, now: Instant) {
        let area = frame.area();
        self.layout = Layout::of(area);
        let theme = Theme::new(self.settings.colors);
        let Some(layout) = self.layout else {
            let (width, height) = LEAST;
            let text = format!("The board needs {width} columns and {height} rows. The game goes on.");
            return frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
        };
        self.draw_title(area, &theme, frame);
        self.draw_board(&layout, theme, frame);
        self.model.draw_panel(&layout, &theme, self.settings.ascii, now, frame.buffer_mut());
        self.draw_last_rows(&layout, &theme, now, frame);
        if self.shows_keys {
            popup("Keys", KEYS, &theme, frame);
        }
        if !self.promotion.is_empty() {
            popup(
                "The pawn becomes",
                "q  queen\nr  rook\nb  bishop\nn  knight\n\nEsc takes the move back.",
                &theme,
                frame,
            );
        }
    }

    fn draw_title(&self, area: Rect, theme: &Theme, frame: &mut Frame<'_>) {
        let game = self.model.about.as_ref().map(|about| {
            let id = about.at.game_id.to_string();
            format!("game {} · chain {} · {}", &id[..10], about.at.chain_id, about.terms.mode)
        });
        let link = if self.model.is_connected { "opponent's machine ●" } else { "opponent's machine ○" };
        let block = self.model.last_final.map_or_else(String::new, |block| format!(" · final block {block}"));
        let title = format!(" fogmate · {} · {link}{block}", game.unwrap_or_else(|| "dark chess".to_owned()));
        frame.buffer_mut().set_stringn(area.x, area.y, title, area.width.into(), Style::new().fg(theme.dim));
    }

    fn draw_board(&self, layout: &Layout, theme: Theme, frame: &mut Frame<'_>) {
        let shown = self.stepped.and_then(|at| self.model.views.get(at)).or(self.model.view());
        let start;
        let view = match shown {
            Some(view) => view,
            None => {
                let side = rules::Side::start(self.model.color().unwrap_or(Color::White));
                start = game::View { ply: 0, phase: game::Phase::Pre, side, sight: None, legal: Vec::new() };
                &start
            }
        };
        let legal = self.model.legal().iter();
        let targets = legal.filter(|mv| self.selected == Some(mv.from)).map(|mv| mv.to).collect();
        let is_now = self.stepped.is_none();
        let last_own = self.model.plies.iter().rfind(|ply| ply.mv.is_some()).and_then(|ply| ply.mv);
        let lost = self.model.plies.last().filter(|ply| !self.model.is_own(ply.number)).and_then(|ply| ply.capture);
        let picture = Picture {
            view,
            memory: Some(&self.model.memory).filter(|_| is_now),
            flipped: self.has_black_below(),
            last_move: self.model.chosen.or(last_own).filter(|_| is_now),
            captured: lost.filter(|_| is_now),
            selected: self.selected,
            cursor: self.cursor,
            targets,
            premove: self.premove,
            theme,
            ascii: self.settings.ascii,
        };
        picture.draw(layout, frame.buffer_mut());
    }

    fn draw_last_rows(&self, layout: &Layout, theme: &Theme, now: Instant, frame: &mut Frame<'_>) {
        let [status, typed] = layout.last_rows();
        let mut text = self.model.status(now);
        if self.model.ending.is_some() {
            let stepped = self.stepped.and_then(|at| self.model.views.get(at));
            text += &stepped.map_or_else(
                || {
                    "  ← → steps back, `publish` opens your side to all, `withdraw` fetches what is yours, `quit` ends."
                        .to_owned()
                },
                |view| format!("  Your board {} ply {}.", when(view), view.ply),
            );
        } else if let Some(early) = self.premove {
            text += &format!("  {early} will be played if it can be.");
        }
        let is_urgent = self.model.awaiting.is_some_and(|awaiting| awaiting.until.is_some());
        let color = if is_urgent { theme.warning } else { theme.text };
        let style = Style::new().fg(color).add_modifier(Modifier::BOLD);
        let width = usize::from(layout.area.width);
        frame.buffer_mut().set_stringn(status.x + 1, status.y, text, width - 1, style);
        let help = if self.is_on_board { "Space picks and drops   Tab types" } else { "a move, or a command   ? keys" };
        let prompt = format!("> {}", self.input.text());
        frame.buffer_mut().set_stringn(typed.x + 1, typed.y, &prompt, width - 1, Style::new().fg(theme.text));
        if prompt.chars().count() + help.chars().count() + 4 < width {
            let x = typed.right() - help.chars().count() as u16 - 1;
            frame.buffer_mut().set_string(x, typed.y, help, Style::new().fg(theme.dim));
        }
        let column = (typed.x + 3).saturating_add(self.input.cursor() as u16).min(typed.right() - 1);
        frame.set_cursor_position(Position::new(column, typed.y));
    }
}

fn when(view: &game::View) -> &'static str {
    match view.phase {
        game::Phase::Pre => "before",
        game::Phase::Post => "after",
    }
}

/// A box in the middle of the screen.
fn popup(title: &str, text: &str, theme: &Theme, frame: &mut Frame<'_>) {
    let area = frame.area();
    let width = area.width.saturating_sub(4).min(72);
    let rows: usize =
        text.lines().map(|line| line.chars().count() / usize::from(width.saturating_sub(4).max(1)) + 1).sum();
    let height = (rows as u16 + 2).min(area.height);
    let place = Rect::new(area.x + (area.width - width) / 2, area.y + (area.height - height) / 2, width, height);
    let block = Block::bordered().title(format!(" {title} "));
    let paragraph = Paragraph::new(text).wrap(Wrap { trim: false }).block(block).style(Style::new().fg(theme.text));
    frame.render_widget(Clear, place);
    frame.render_widget(paragraph, place);
}
