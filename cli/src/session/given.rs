//! What a player gives: lines that are typed or piped in, moves ahead of their turn, and a script's.

use std::io::IsTerminal as _;

use client::lobby::in_ether;
use eyre::Result;
use game::Command;
use rules::{Move, WrittenMove};
use serde_json::json;
use tui::Clocks;

use super::told::{board, sight};
use super::{Face, Keyboard, Moves, Next};
use crate::failure::bad_input;
use crate::hint::hint;
use crate::input::Unattended;
use crate::line::{Line, help, parse};
use crate::look::{look, read};
use crate::output::note;
use crate::script::illegal;

impl Keyboard {
    /// Gives the script's move when it is asked for. A move that isn't legal is never sent.
    pub(super) fn follow_script(&mut self) -> Result<()> {
        let (Moves::Script(script), Some(view)) = (&self.options.moves, &self.view) else {
            return Ok(());
        };
        if view.legal.is_empty() || self.asked == Some(view.ply) {
            return Ok(());
        }
        self.asked = Some(view.ply);
        match script.at(view.ply) {
            Some(mv) if view.legal.contains(&mv) => self.handle.command(Command::Move { mv, offer_draw: false }),
            Some(mv) => {
                return Err(bad_input(illegal(view.ply.into(), &mv, &view.side.color.to_string())));
            }
            None => {
                note!("the script has no move for ply {}: resigning", view.ply);
                self.handle.command(Command::Resign);
            }
        }
        Ok(())
    }

    /// Carries a line out; says whether the user wants to end.
    pub(super) fn on_line(&mut self, line: Option<&str>) -> Result<bool> {
        let Some(line) = line else {
            self.has_input = false;
            let unattended = Unattended {
                command: &hint(self.options.command),
                does: "sights are given and time is claimed",
                plays: self.options.moves.are_given(),
                stay: self.options.stay,
            };
            return Ok(unattended.is_to_end());
        };
        self.lines += 1;
        match parse(line) {
            Ok(Line::Seat(given)) => self.handle.command(given),
            Ok(Line::Move { written, offer_draw }) if self.is_early() => self.kept = Some((written, offer_draw)),
            Ok(Line::Move { written, offer_draw }) => self.play(&written, offer_draw),
            Ok(Line::Moves) => self.answer(&self.moves()),
            Ok(Line::Board) if self.is_json() => self.handle.command(Command::Show),
            Ok(Line::Board) => self.answer_of_the_board(board),
            Ok(Line::Look(place)) => self.answer_of_the_board(|view| look(&view.side, &sight(view), place)),
            Ok(Line::Read) => self.answer_of_the_board(|view| read(&view.side, &sight(view))),
            Ok(Line::Clock) => self.answer(&self.clock()),
            Ok(Line::Help) => match &mut self.face {
                Face::Full(screen) => screen.explain(&help(self.options.has_proofs)),
                Face::Lines(..) | Face::Edited(_) => self.answer(&help(self.options.has_proofs)),
            },
            Ok(Line::ExplainFifty) if !self.options.has_proofs => self.answer(
                "Nothing can be claimed by a proof in a game of this engine; `draw` after a move offers a draw.",
            ),
            Ok(Line::ExplainFifty) => self.answer(tui::FIFTY),
            Ok(Line::Resign) if self.options.stake == 0 => self.handle.command(Command::Resign),
            Ok(Line::Resign) => {
                let stake = in_ether(self.options.stake);
                self.answer(&format!("You would lose your stake of {stake} ETH: `resign yes` gives up."));
            }
            Ok(Line::At(record)) => match record.parse() {
                Ok(record) => self.handle.look_at(record),
                Err(fault) => self.refuse(&fault.to_string()),
            },
            Ok(Line::Rematch) if self.is_over && self.options.can_rematch => {
                self.next = Next::Rematch;
                return Ok(true);
            }
            Ok(Line::Rematch) => self.answer(match self.is_over {
                true => "This opponent ends with the game.",
                false => "A rematch comes after the end of the game.",
            }),
            Ok(Line::Quit) => return Ok(true),
            Ok(Line::Nothing) => {}
            Err(fault) => self.refuse(&fault),
        }
        Ok(false)
    }

    /// Whether a move that is piped in comes before the board that it is for.
    pub(super) fn is_early(&self) -> bool {
        let is_piped = matches!(&self.face, Face::Lines(..)) && !std::io::stdin().is_terminal();
        let turn = self.view.as_ref().filter(|view| !view.legal.is_empty()).map(|view| view.ply);
        let is_held = self.clocks.as_ref().is_some_and(Clocks::is_held);
        is_piped && !self.is_over && (turn.is_none() || turn == self.asked || is_held)
    }

    /// Plays the move that waits for its turn, once that has come.
    pub(super) fn play_kept(&mut self) {
        if !self.is_early()
            && let Some((written, offer_draw)) = self.kept.take()
        {
            self.play(&written, offer_draw);
        }
    }

    pub(super) fn play(&mut self, written: &WrittenMove, offer_draw: bool) {
        match self.meant(written) {
            Ok(mv) => {
                self.asked = self.view.as_ref().map(|view| view.ply);
                self.handle.command(Command::Move { mv, offer_draw });
            }
            Err(fault) => self.refuse(&fault),
        }
    }

    /// Tells why a line can't be used; a program is told in its own form.
    pub(super) fn refuse(&mut self, fault: &str) {
        let is_json = self.is_json();
        match &mut self.face {
            face if is_json => face.say(
                &json!({ "v": game::LINES_VERSION, "event": "bad_input", "line": self.lines, "text": fault })
                    .to_string(),
            ),
            Face::Full(screen) => screen.reply(fault),
            Face::Lines(..) | Face::Edited(_) => note!("{fault}"),
        }
    }

    /// The move that the player means. One by its squares is for the seat to judge, which knows why there is none to be made.
    pub(super) fn meant(&self, written: &WrittenMove) -> Result<Move, String> {
        let view = self.view.as_ref().filter(|view| !view.legal.is_empty());
        match (written.squares(), view) {
            (Some(mv), _) => Ok(mv),
            (None, Some(view)) => written.find(&view.side, &view.legal).map_err(|error| error.to_string()),
            (None, None) if self.is_over => Err(format!("{written} can't be played: the game is over")),
            (None, None) => Err(format!("{written} can't be played yet: wait until you are asked for your move")),
        }
    }
}
