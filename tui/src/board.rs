//! The board: own pieces, what they see, fog, and what was seen before.

use crate::layout::Grid;
use crate::memory::Memory;
use crate::theme::Theme;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color as Paint, Modifier, Style};
use rules::{Color, Move, PieceType, Seen, Side, Sight, Square};

/// What is shown on a board.
pub(crate) struct Picture<'a> {
    pub side: Side,
    pub sight: Sight,
    pub memory: Option<&'a Memory>,
    pub flipped: bool,
    pub last_move: Option<Move>,
    pub captured: Option<Square>,
    pub selected: Option<Square>,
    pub cursor: Option<Square>,
    /// Where the selected piece can go.
    pub targets: Vec<Square>,
    /// The move that is given for later.
    pub premove: Option<Move>,
    pub theme: Theme,
    pub ascii: bool,
}

impl Picture<'_> {
    pub fn draw(&self, grid: &Grid, buffer: &mut Buffer) {
        for square in Square::all() {
            self.draw_square(square, grid.place(square, self.flipped), buffer);
        }
    }

    /// Writes the names of files below the board and those of ranks beside it.
    pub fn draw_names(&self, grid: &Grid, buffer: &mut Buffer) {
        let style = Style::new().fg(self.theme.dim);
        let middle = |length: u16| length.saturating_sub(1) / 2;
        for i in 0..8 {
            let (file, rank) = (Square::at(i, 0), Square::at(0, i));
            for (square, is_file) in [(file, true), (rank, false)] {
                let Some(square) = square else { continue };
                let place = grid.place(square, self.flipped);
                let name = square.to_string();
                match is_file {
                    true => buffer.set_string(place.x + middle(place.width), grid.board.bottom(), &name[..1], style),
                    false => buffer.set_string(grid.board.x - 2, place.y + middle(place.height), &name[1..], style),
                };
            }
        }
    }

    fn draw_square(&self, square: Square, place: Rect, buffer: &mut Buffer) {
        let theme = &self.theme;
        let seen = self.sight.at(square);
        let is_own = self.side.piece(square).is_some();
        let is_dark = !is_own && seen == Seen::Dark;
        let shade = usize::from((square.file() + square.rank()).is_multiple_of(2));
        let plain = if is_dark { theme.fog } else { theme.squares };
        let under = self.highlight(square).map_or(plain[shade], |(paint, _)| paint);
        let mut style = Style::new().bg(under).fg(theme.text);
        if self.selected == Some(square) && !theme.has_colors {
            style = style.add_modifier(Modifier::REVERSED);
        }
        buffer.set_style(place, style);
        if is_dark {
            let fog = "░".repeat(place.width.into());
            let halftone = Style::new().fg(if theme.has_colors { theme.fog[1 - shade] } else { Paint::Reset });
            (place.y..place.bottom()).for_each(|y| buffer.set_string(place.x, y, &fog, halftone));
        }
        let row = place.y + (place.height - 1) / 2;
        let column = place.x + (place.width - 1) / 2;
        let figure = self.figure(square, seen, is_dark);
        if let Some((figure, style)) = &figure {
            buffer.set_string(column, row, figure, *style);
        } else if !theme.has_colors && !is_dark && shade == 1 {
            buffer.set_string(column, row, "·", Style::new().add_modifier(Modifier::DIM));
        }
        if let Some(mark) = self.mark(square, seen) {
            let is_free = figure.is_none() && place.width > 2;
            let beside = if is_free { column } else { column + 1 };
            buffer.set_string(beside, row, mark, Style::new().fg(theme.mark).add_modifier(Modifier::BOLD));
        }
        if self.cursor == Some(square) {
            let style = Style::new().fg(theme.mark).add_modifier(Modifier::BOLD);
            match place.width {
                0..=2 => buffer.set_style(place, Style::new().add_modifier(Modifier::REVERSED)),
                _ => {
                    buffer.set_string(place.x, row, "[", style);
                    buffer.set_string(place.right() - 1, row, "]", style);
                }
            }
        }
    }

    /// The color of a square, and its mark for who can't tell colors apart, if it is about to be left or reached, or something has happened there.
    fn highlight(&self, square: Square) -> Option<(Paint, &'static str)> {
        let theme = &self.theme;
        let all = [
            (self.selected == Some(square), theme.selected, "‹"),
            (is_of(self.premove, square), theme.selected, "°"),
            (self.captured == Some(square), theme.captured, "†"),
            (is_of(self.last_move, square), theme.last_move, "′"),
        ];
        all.into_iter().find(|(is_so, ..)| *is_so).map(|(_, paint, mark)| (paint, mark))
    }

    /// What stands on a square, or stood there when it was seen last.
    fn figure(&self, square: Square, seen: Seen, is_dark: bool) -> Option<(String, Style)> {
        let theme = &self.theme;
        let own = self.side.color;
        let painted = |piece, color: Color| {
            let style = Style::new().fg(theme.pieces[color.index()]).add_modifier(Modifier::BOLD);
            (self.symbol(piece, color), style)
        };
        if let Some(piece) = self.side.piece(square) {
            return Some(painted(piece, own));
        }
        match seen {
            Seen::Piece(piece) => Some(painted(piece, !own)),
            Seen::Occupied => Some(("?".to_owned(), Style::new().fg(theme.pieces[(!own).index()]))),
            Seen::Empty => None,
            Seen::Dark => {
                let (piece, _) = self.memory.filter(|_| is_dark)?.at(square)?;
                let style = Style::new().fg(theme.faint).add_modifier(Modifier::DIM);
                Some((self.symbol(piece, !own), style))
            }
        }
    }

    /// A figure, or a letter where colors or figures are missing.
    pub fn symbol(&self, piece: PieceType, color: Color) -> String {
        symbol(piece, color, !self.theme.has_colors || self.ascii)
    }

    /// What colors say of a square, for who can't tell them apart: what the selected piece would do there, or what has happened there.
    fn mark(&self, square: Square, seen: Seen) -> Option<&'static str> {
        if let Some(from) = self.selected.filter(|_| self.targets.contains(&square)) {
            return Some(match self.side.capture_square(&Move::new(from, square), &self.sight) {
                Some(place) if place != square => "◆",
                _ if seen.is_occupied() => "×",
                _ => "•",
            });
        }
        self.highlight(square).map(|(_, mark)| mark)
    }
}

/// Whether a move begins or ends on a square.
fn is_of(mv: Option<Move>, square: Square) -> bool {
    mv.is_some_and(|mv| mv.from == square || mv.to == square)
}

/// A piece as a figure, or as a letter: White's are capitals.
pub(crate) fn symbol(piece: PieceType, color: Color, as_letter: bool) -> String {
    match (as_letter, piece) {
        (true, _) => piece.letter_of(color),
        (_, PieceType::King) => '♚',
        (_, PieceType::Queen) => '♛',
        (_, PieceType::Rook) => '♜',
        (_, PieceType::Bishop) => '♝',
        (_, PieceType::Knight) => '♞',
        (_, PieceType::Pawn) => '♟',
    }
    .to_string()
}
