//! An invitation as a QR code in the terminal, for the machine that has a camera.

use std::io::{IsTerminal as _, stderr};

use clap::Args;
use client::lobby::Invite;
use qrcode::render::unicode::Dense1x2;
use qrcode::{EcLevel, QrCode};
use ratatui::crossterm::terminal::size;
use tui::Colors;

use crate::output::draw;

/// Rows of the terminal that stay for what is said beside the code.
const BESIDE: usize = 6;

/// Whether an invitation is shown as a QR code, too.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct QrArgs {
    /// Show the invitation as a QR code too, however small the terminal is [default: where it fits]
    #[arg(long, overrides_with = "no_qr")]
    qr: bool,
    /// Show no QR code
    #[arg(long)]
    no_qr: bool,
}

impl QrArgs {
    /// Shows the code beside what is said, if it is wanted.
    pub fn show(self, invite: &Invite) {
        let has_colors = Colors::of_terminal(|name| std::env::var(name).ok()) != Colors::None && stderr().is_terminal();
        // Any invitation is shorter than the longest text of a code.
        let Some(code) = drawn(&invite.to_string(), has_colors).filter(|_| !self.no_qr) else { return };
        if self.qr || fits(&code) {
            draw(&code);
        }
    }
}

/// Whether the terminal has room for a code.
fn fits(code: &[String]) -> bool {
    let width = 2 * code.len();
    let is_room = |(columns, rows): (u16, u16)| width <= columns.into() && code.len() + BESIDE <= rows.into();
    stderr().is_terminal() && size().is_ok_and(is_room)
}

/// The lines of a text's code, two modules in each character. Without colors the terminal is taken for a dark one.
fn drawn(text: &str, has_colors: bool) -> Option<Vec<String>> {
    let code = QrCode::with_error_correction_level(text, EcLevel::L).ok()?;
    let mut picture = code.render::<Dense1x2>();
    if !has_colors {
        picture.dark_color(Dense1x2::Light).light_color(Dense1x2::Dark);
    }
    let picture = picture.build();
    Some(match has_colors {
        true => picture.lines().map(|line| format!("\x1b[30;107m{line}\x1b[0m")).collect(),
        false => picture.lines().map(str::to_owned).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_as_wide_as_it_is_high_and_has_a_margin() {
        // 148 bytes take version 7 with the least correction: 45 modules, and four at each side.
        let lines = drawn(&"a".repeat(148), false).expect("a code");
        assert_eq!(lines.len(), 27);
        assert!(lines.iter().all(|line| line.chars().count() == 53));
        assert!(lines[0].chars().all(|c| c == '█') && lines[2].starts_with("████ "), "{lines:#?}");
        let colored = drawn("a", true).expect("a code");
        assert!(colored.iter().all(|line| line.starts_with("\x1b[30;107m") && line.ends_with("\x1b[0m")));
        assert_eq!(drawn(&"a".repeat(4_000), true), None);
    }
}
