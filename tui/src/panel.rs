//! What stands beside the board: clocks, captures, money, moves and messages.

use crate::board::symbol;
use crate::layout::Layout;
use crate::model::{Model, Ply};
use crate::replay::advantage;
use crate::text::{in_ether, wrapped};
use crate::theme::Theme;
use game::Notice;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use rules::{Color, PieceType};
use std::time::{Duration, Instant};

/// A panel with at least so many rows has rules between its parts.
const ROOMY: u16 = 12;

/// A clock with less than this is shown as a warning.
const SHORT: Duration = Duration::from_secs(60);

/// What is looked at of the moves, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub stepped: Option<usize>,
    pub scrolled: usize,
    pub ascii: bool,
}

/// Writes lines into a place, one below the other.
struct Writer<'a> {
    buffer: &'a mut Buffer,
    place: Rect,
    row: u16,
}

impl Writer<'_> {
    fn line(&mut self, text: &str, style: Style) {
        if self.row < self.place.height {
            let Rect { x, y, width, .. } = self.place;
            self.buffer.set_stringn(x, y + self.row, text, width.into(), style);
            self.row += 1;
        }
    }

    /// Marks a word of the last line, from a column on.
    fn mark(&mut self, column: u16, word: &str) {
        let Rect { x, y, .. } = self.place;
        let word = Rect::new(x + column, y + self.row.saturating_sub(1), word.chars().count() as u16, 1);
        let style = Style::new().add_modifier(Modifier::BOLD | Modifier::REVERSED);
        self.buffer.set_style(word.intersection(self.place), style);
    }

    fn left(&self) -> usize {
        (self.place.height - self.row).into()
    }
}

impl Model {
    /// Draws the panel, with the moves scrolled back by so many lines, or the one marked that led to a position of the past.
    pub(crate) fn draw_panel(&self, layout: &Layout, theme: &Theme, at: Place, now: Instant, buffer: &mut Buffer) {
        let mut to = Writer { buffer, place: layout.panel, row: 0 };
        let (text, dim) = (Style::new().fg(theme.text), Style::new().fg(theme.dim));
        let own = self.color().unwrap_or(Color::White);
        for color in [!own, own] {
            self.clock_line(color, now, theme, &mut to);
        }
        let as_letter = at.ascii || !theme.has_colors;
        let captured = self.captured(at.stepped.unwrap_or(usize::MAX));
        let figures = |pieces: &[Option<PieceType>], color: Color| match pieces.is_empty() {
            true => "–".to_owned(),
            false => pieces
                .iter()
                .map(|piece| piece.map_or_else(|| "?".to_owned(), |piece| symbol(piece, color, as_letter)))
                .collect(),
        };
        let advantage = match advantage(&captured) {
            None | Some(0) => String::new(),
            Some(ahead) => format!("   {ahead:+}"),
        };
        let [taken, lost] = captured;
        let unknown = if taken.contains(&None) { "   ? kind unknown" } else { "" };
        to.line(&format!("taken {}   lost {}{advantage}{unknown}", figures(&taken, !own), figures(&lost, own)), text);
        // In a game of this machine alone money is worth nothing.
        if let Some(line) = self.money().filter(|_| !self.is_solo) {
            to.line(&line, dim);
        }
        let wrapped = self.wrapped(to.place.width.into());
        let messages = wrapped.len().min((to.left() / 2).max(2)).min(to.left());
        // A panel below the board has no rows to give away.
        let has_rules = to.place.height >= ROOMY;
        let rule = "─".repeat(to.place.width.into());
        if has_rules {
            to.line(&rule, dim);
        }
        let room = to.left().saturating_sub(messages + usize::from(has_rules && messages > 0));
        let moves = self.move_lines();
        // The line of the marked ply is shown, too, and after the last one those before it.
        let marked = at
            .stepped
            .map(|made| moves.iter().position(|(line, _)| Some(*line) == made.checked_sub(1).map(|last| last / 2)));
        let end = match marked {
            Some(line) => (line.unwrap_or_default() + room.div_ceil(2)).max(room).min(moves.len()),
            None => moves.len().saturating_sub(at.scrolled).max(room.min(moves.len())),
        };
        for (line, (number, [white, black])) in moves.iter().enumerate().take(end).skip(end.saturating_sub(room)) {
            to.line(&format!("{:3}. {white:14} {black}", number + 1), text);
            match at.stepped {
                Some(made) if marked == Some(Some(line)) && made % 2 == 1 => to.mark(5, white),
                Some(_) if marked == Some(Some(line)) => to.mark(20, black),
                _ => {}
            }
        }
        if messages > 0 {
            to.row = to.place.height.saturating_sub(messages as u16 + u16::from(has_rules)).max(to.row);
            if has_rules {
                to.line(&rule, dim);
            }
            for line in &wrapped[wrapped.len() - messages.min(to.left())..] {
                to.line(line, dim);
            }
        }
    }

    fn clock_line(&self, color: Color, now: Instant, theme: &Theme, to: &mut Writer<'_>) {
        let who = match &self.about {
            None if self.ending.is_some() => String::new(),
            _ if self.color().is_none() => String::new(),
            _ if self.color() == Some(color) => "you".to_owned(),
            _ if self.is_solo => "bot".to_owned(),
            Some(about) => {
                let address = about.opponent.to_string();
                format!("{}…{}", &address[..6], &address[address.len() - 2..])
            }
            None => "opponent".to_owned(),
        };
        let Some(clock) = self.clock(color, now) else {
            return to.line(&format!("  {color:5} {who}"), Style::new().fg(theme.dim));
        };
        let style = match clock.is_due {
            true if clock.left < SHORT => Style::new().fg(theme.warning).add_modifier(Modifier::BOLD),
            true => Style::new().fg(theme.text).add_modifier(Modifier::BOLD),
            false => Style::new().fg(theme.dim),
        };
        let (arrow, color) = (if clock.is_due { "▶" } else { " " }, color.to_string());
        let why = clock.why_it_stands().map_or_else(String::new, |why| format!("  {why}"));
        to.line(&format!("{arrow} {color:5} {who:9}{:>8}{why}", clock.text()), style);
    }

    /// What the wallet has, and what the contract keeps for it and owes it.
    fn money(&self) -> Option<String> {
        let Some(Notice::Money { wallet_wei, owed_wei, bonded_wei, .. }) = self.money else { return None };
        let parts = [("wallet", wallet_wei), ("bond", bonded_wei), ("owed", owed_wei)];
        let parts = parts.iter().filter(|(name, wei)| *wei > 0 || *name == "wallet");
        Some(parts.map(|(name, wei)| format!("{name} {}", in_ether(*wei))).collect::<Vec<_>>().join(", "))
    }

    /// The plies by moves, as far as each player may know.
    fn move_lines(&self) -> Vec<(usize, [String; 2])> {
        let of = |number: u16| {
            let ply = self.plies.iter().find(|ply| ply.number == number);
            ply.map_or_else(String::new, |ply| self.ply_text(ply))
        };
        let chosen = |number: u16| match self.chosen_in_words() {
            Some(mv) if self.made() == number && self.is_own(number) => format!("({mv})"),
            _ => of(number),
        };
        let lines = (0..=self.made().div_ceil(2)).map(|i| (i, chosen(2 * i), chosen(2 * i + 1)));
        let lines = lines.filter(|(_, white, black)| !white.is_empty() || !black.is_empty());
        lines.map(|(i, white, black)| (usize::from(i), [white, black])).collect()
    }

    /// A ply as far as this player may know it.
    pub(crate) fn ply_text(&self, ply: &Ply) -> String {
        match (&ply.written, ply.capture, self.is_own(ply.number)) {
            (Some(written), ..) => written.clone(),
            (None, Some(square), _) => format!("… takes {square}"),
            (None, None, true) => "?".to_owned(),
            (None, None, false) => "…".to_owned(),
        }
    }

    /// The messages in lines of a width.
    fn wrapped(&self, width: usize) -> Vec<String> {
        self.messages.iter().flat_map(|message| wrapped(message, width)).collect()
    }
}
