//! What a player gives: lines that are typed or piped in, moves ahead of their turn, and a script's.

use std::io::IsTerminal as _;

use client::lobby::in_ether;
use eyre::Result;
use game::{Command, Given, move_name};
use rules::{Move, WrittenMove};
use serde_json::json;
use tui::{Clocks, Early};

use super::told::board;
use super::{Face, Keyboard, Manner, Moves, Next};
use crate::failure::bad_input;
use crate::hint::hint;
use crate::input::Unattended;
use crate::line::{Line, help, parse};
use crate::look::{look, read};
use crate::output::note;
use crate::script::illegal;
use crate::terminal;

impl Keyboard {
    /// Gives the script's move when it is asked for. A move that isn't legal is never sent.
    pub(super) fn follow_script(&mut self) -> Result<()> {
        let (Moves::Script(script), Some(view)) = (&self.options.moves, self.model.view()) else {
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
                note!("the script has nothing for {}: resigning", move_name(view.ply));
                self.handle.command(Command::Resign);
            }
        }
        Ok(())
    }

    /// Carries a line out; says whether the user wants to end.
    pub(super) fn on_line(&mut self, line: Option<&str>) -> Result<bool> {
        let Some(line) = line else {
            if self.options.is_solo && std::io::stdin().is_terminal() {
                // Where the system edits the lines nothing is read after their end.
                return Ok(matches!(self.face, Face::Lines(..)) || !self.is_held_back());
            }
            self.has_input = false;
            let unattended = Unattended {
                command: &self.goes_on(),
                does: "sights are given and time is claimed",
                plays: self.options.moves.are_given(),
                stay: self.options.stay,
            };
            return Ok(unattended.is_to_end());
        };
        self.lines += 1;
        if self.is_premove(line) {
            return Ok(false);
        }
        match parse(line) {
            // An object of JSON is a program's, which knows when it wants what.
            Ok(parsed) if self.is_early(&parsed) && !line.trim_start().starts_with('{') => self.kept = Some(parsed),
            Ok(parsed) => return self.carry_out(parsed),
            Err(fault) => self.refuse(&fault),
        }
        Ok(false)
    }

    /// Does what a line asks for; says whether the user wants to end.
    fn carry_out(&mut self, line: Line) -> Result<bool> {
        self.is_leaving &= line == Line::Quit;
        if let Line::Move { .. } = line {
            self.early = None;
        }
        match line {
            Line::Seat(given) => self.handle.command(given),
            Line::Move { written, offer_draw } => self.play(&written, offer_draw),
            Line::Moves => self.answer(&self.moves()),
            Line::Board if self.is_json() => self.handle.command(Command::Show),
            Line::Board => self.answer_of_the_board(board),
            Line::Look(place) => self.answer_of_the_board(|view| look(&view.side, &view.seen(), place)),
            Line::Read => self.answer_of_the_board(|view| read(&view.side, &view.seen(), view.points)),
            Line::Clock => self.answer(&self.clock()),
            Line::Help => {
                let help = help(self.options.has_proofs, self.options.is_solo);
                match &mut self.face {
                    Face::Full(screen) => screen.ui.explain(&help),
                    Face::Lines(..) | Face::Edited(_) => self.answer(&help),
                }
            }
            Line::ExplainFifty if !self.options.has_proofs => self.answer(
                "Nothing can be claimed by a proof in a game without proofs; `Nf3 draw` moves and offers a draw.",
            ),
            Line::ExplainFifty => self.answer(tui::FIFTY),
            Line::Resign if self.options.stake == 0 => self.handle.command(Command::Resign),
            Line::Resign => {
                let stake = in_ether(self.options.stake);
                self.answer(&format!("You would lose your stake of {stake} ETH: `resign yes` gives up."));
            }
            Line::At(record) => match record.parse() {
                Ok(record) => {
                    self.handle.look_at(record);
                    self.answer("The opponent is looked for there, too.");
                }
                Err(fault) => self.refuse(&fault.to_string()),
            },
            Line::Rematch if self.options.is_solo => {
                self.answer(&format!("This opponent ends with the game: {} plays another.", hint("solo")));
            }
            Line::Rematch if self.is_over() => {
                self.next = Next::Rematch;
                return Ok(true);
            }
            Line::Rematch => self.answer("A rematch comes after the end of the game."),
            Line::Quit => return Ok(!self.is_held_back()),
            Line::Nothing => {}
        }
        Ok(false)
    }

    /// Whether a player's Ctrl-C comes as a signal.
    pub(super) fn is_asked_by_signal(&self) -> bool {
        self.is_told() && terminal::is_typewriter()
    }

    /// Whether a player who wants to leave is told first what that means: a game that ends with this program.
    pub(super) fn is_held_back(&mut self) -> bool {
        let is_at_terminal = !matches!(self.face, Face::Lines(..)) || self.is_asked_by_signal();
        let is_lost = self.options.is_solo && !self.is_over() && self.model.view().is_some_and(|view| view.ply > 1);
        let is_first = is_at_terminal && is_lost && !std::mem::replace(&mut self.is_leaving, true);
        if is_first {
            self.face
                .reply("Leaving ends this game, which is on this machine alone. Ctrl-C or `quit` once more leaves it.");
        }
        is_first
    }

    /// Takes a line that gives a move before its turn, or takes such a move back; whether it is one.
    fn is_premove(&mut self, line: &str) -> bool {
        if !matches!(self.options.manner, Manner::Lines { premove: true, .. })
            || self.model.color().is_none()
            || self.is_over()
        {
            return false;
        }
        let bare = line.trim().trim_start_matches(':').trim();
        let turn = self.model.view().filter(|view| !view.legal.is_empty()).map(|view| view.ply);
        let follows = turn.filter(|_| turn == self.asked);
        match Early::of(bare).filter(|_| turn.is_none() || follows.is_some()) {
            Some(early) => {
                let instead =
                    self.early.take().map_or_else(String::new, |(before, _)| format!(" in place of {before}"));
                self.answer(&format!(
                    "{early} is played on your turn{instead}, if it can be then. An empty line takes it back."
                ));
                self.early = Some((early, follows));
                true
            }
            None if bare.is_empty() && self.early.is_some() => {
                let taken = self.early.take();
                taken.iter().for_each(|(early, _)| self.answer(&format!("{early} isn't played.")));
                true
            }
            None => false,
        }
    }

    /// Plays the move that was given before its turn, once there are moves to choose from.
    pub(super) fn play_early(&mut self) -> Result<()> {
        let Some(view) = self.model.view().filter(|view| !view.legal.is_empty() && self.asked != Some(view.ply)) else {
            return Ok(());
        };
        let Some((early, follows)) = self.early.take() else { return Ok(()) };
        // What was meant to follow a move doesn't go in its place.
        let legal = if follows == Some(view.ply) { &[][..] } else { &view.legal };
        match early.due(&view.side, legal) {
            Ok(line) => self.on_line(Some(&line)).map(drop),
            Err(words) => {
                self.answer(&words);
                Ok(())
            }
        }
    }

    /// Whether a line that is piped in comes before its time: a move before the board that it is for, and what ends the game or the session while a
    /// move that was piped in before it is on its way.
    fn is_early(&self, line: &Line) -> bool {
        let is_piped = matches!(&self.face, Face::Lines(..)) && !std::io::stdin().is_terminal();
        let turn = self.model.view().filter(|view| !view.legal.is_empty()).map(|view| view.ply);
        let is_under_way = turn.is_some() && turn == self.asked;
        let is_held = self.model.clocks.as_ref().is_some_and(Clocks::is_held);
        let is_early = match line {
            Line::Move { .. } => !self.is_over() && (turn.is_none() || is_under_way || is_held),
            Line::Seat(Given { command: Command::Resign, .. }) | Line::Resign => is_under_way && !self.is_over(),
            Line::Quit => is_under_way && !self.is_over() || !self.handle.is_done(),
            _ => false,
        };
        is_piped && is_early
    }

    /// Carries out the line that waits for its time, once that has come; says whether the user wants to end.
    pub(super) fn go_on(&mut self) -> Result<bool> {
        match self.kept.take() {
            Some(line) if !self.is_early(&line) => self.carry_out(line),
            kept => {
                self.kept = kept;
                Ok(false)
            }
        }
    }

    pub(super) fn play(&mut self, written: &WrittenMove, offer_draw: bool) {
        match self.meant(written) {
            Ok(mv) => {
                self.asked = self.model.view().map(|view| view.ply);
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
            Face::Full(screen) => screen.ui.reply(fault),
            Face::Lines(..) | Face::Edited(_) => note!("{fault}"),
        }
    }

    /// The move that the player means. One by its squares is for the seat to judge, which knows why there is none to be made.
    pub(super) fn meant(&self, written: &WrittenMove) -> Result<Move, String> {
        let view = self.model.view().filter(|view| !view.legal.is_empty());
        match (written.squares(), view) {
            (Some(mv), _) => Ok(mv),
            (None, Some(view)) => written.find(&view.side, &view.legal).map_err(|error| error.to_string()),
            (None, None) if self.is_over() => Err(format!("{written} can't be played: the game is over")),
            (None, None) => Err(format!("{written} can't be played yet: wait until you are asked for your move")),
        }
    }
}
