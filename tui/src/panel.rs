//! What stands beside the board: clocks, captures, money, moves and messages.

use crate::board::symbol;
use crate::layout::Layout;
use crate::model::{Model, Ply};
use crate::theme::Theme;
use game::clock_time;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use rules::{Color, PieceType};
use std::time::Instant;

/// A panel with at least so many rows has rules between its parts.
const ROOMY: u16 = 12;

/// A clock with less than this is shown as a warning.
const SHORT: u64 = 60;

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

    fn left(&self) -> usize {
        (self.place.height - self.row).into()
    }
}

impl Model {
    /// Draws the panel.
    pub(crate) fn draw_panel(&self, layout: &Layout, theme: &Theme, ascii: bool, now: Instant, buffer: &mut Buffer) {
        let mut to = Writer { buffer, place: layout.panel, row: 0 };
        let (text, dim) = (Style::new().fg(theme.text), Style::new().fg(theme.dim));
        let own = self.color().unwrap_or(Color::White);
        for color in [!own, own] {
            self.clock_line(color, now, theme, &mut to);
        }
        let as_letter = ascii || !theme.has_colors;
        let [taken, lost] = self.captured();
        let figures = |pieces: &[PieceType], color: Color| match pieces.is_empty() {
            true => "–".to_owned(),
            false => pieces.iter().map(|piece| symbol(*piece, color, as_letter)).collect(),
        };
        to.line(&format!("taken {}   lost {}", figures(&taken, !own), figures(&lost, own)), text);
        if let Some(line) = self.stakes() {
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
        let room = to.left().saturating_sub(messages + usize::from(has_rules));
        let moves = self.move_lines();
        for line in &moves[moves.len().saturating_sub(room)..] {
            to.line(line, text);
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
        let who = if self.color() == Some(color) { "you" } else { "opponent" };
        let Some((left, is_running, stands)) = self.clock(color, now) else {
            return to.line(&format!("  {color:7} {who:10}"), Style::new().fg(theme.dim));
        };
        let arrow = if is_running { "▶" } else { " " };
        let waits = if stands > 0 { format!("  in {}", clock_time(stands)) } else { String::new() };
        let style = match is_running {
            true if left < SHORT => Style::new().fg(theme.warning).add_modifier(Modifier::BOLD),
            true => Style::new().fg(theme.text).add_modifier(Modifier::BOLD),
            false => Style::new().fg(theme.dim),
        };
        let color = color.to_string();
        to.line(&format!("{arrow} {color:7} {who:10}{:>8}{waits}", clock_time(left)), style);
    }

    /// What is at stake, and what the wallet has.
    fn stakes(&self) -> Option<String> {
        let ether = |wei: u128| format!("{:.4} ETH", wei as f64 / 1e18);
        let stake = self.about.as_ref().map(|about| match about.terms.stake {
            0 => "no stake".to_owned(),
            stake => format!("stake {}", ether(stake)),
        });
        let wallet = self.money.map(|(wallet, owed)| match owed {
            0 => format!("wallet {}", ether(wallet)),
            owed => format!("wallet {}, owed {}", ether(wallet), ether(owed)),
        });
        let parts: Vec<String> = stake.into_iter().chain(wallet).collect();
        (!parts.is_empty()).then(|| parts.join(" · "))
    }

    /// The plies by moves, as far as each player may know.
    fn move_lines(&self) -> Vec<String> {
        let last = self.plies.last().map_or(0, |ply| ply.number / 2 + 1);
        let of = |number: u16| {
            let ply = self.plies.iter().find(|ply| ply.number == number);
            ply.map_or_else(String::new, |ply| self.ply_text(ply))
        };
        let chosen = |number: u16| match (self.chosen, self.plies.last()) {
            (Some(mv), last) if last.map_or(0, |ply| ply.number + 1) == number && self.is_own(number) => {
                format!("({mv})")
            }
            _ => of(number),
        };
        let lines = (0..=last).map(|i| (i, chosen(2 * i), chosen(2 * i + 1)));
        let lines = lines.filter(|(_, white, black)| !white.is_empty() || !black.is_empty());
        lines.map(|(i, white, black)| format!("{:3}. {white:14} {black}", i + 1)).collect()
    }

    fn ply_text(&self, ply: &Ply) -> String {
        match (&ply.written, ply.capture, self.is_own(ply.number)) {
            (Some(written), ..) => written.clone(),
            (None, Some(square), _) => format!("… takes {square}"),
            (None, None, true) => "?".to_owned(),
            (None, None, false) => "…".to_owned(),
        }
    }

    /// The messages in lines of a width, broken between words.
    fn wrapped(&self, width: usize) -> Vec<String> {
        let mut lines = Vec::new();
        for message in &self.messages {
            let mut line = String::new();
            for word in message.split(' ') {
                if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
                    lines.push(std::mem::take(&mut line));
                }
                if !line.is_empty() {
                    line.push(' ');
                }
                line.push_str(word);
            }
            lines.push(line);
        }
        lines
    }
}
