//! What a player is told: notices in words, boards, clocks with their warnings, and answers.

use std::time::Instant;

use eyre::Result;
use game::{Command, Notice, View, clock_time};
use rules::{Color, Move};
use tui::{Clocks, Wake, time_left};

use super::{Face, Keyboard, Manner, Moves};
use crate::clocks;
use crate::hint::hint;
use crate::look::seen;
use crate::output::note;
use crate::words;

/// The bell rings with the warnings of so many seconds, and of fewer.
const BELL: u64 = 60;

impl Keyboard {
    /// Whether the game is told in sentences, line by line.
    pub(super) fn is_told(&self) -> bool {
        matches!(self.options.manner, Manner::Lines { .. })
    }

    pub(super) fn is_verbose(&self) -> bool {
        matches!(self.options.manner, Manner::Lines { verbose: true, .. })
    }

    pub(super) fn is_json(&self) -> bool {
        matches!(self.options.manner, Manner::Json)
    }

    pub(super) fn show(&mut self, notice: &Notice) -> Result<()> {
        if self.is_json() {
            self.face.say(&notice.to_line()?);
        } else if let Some(words) = self.words(notice).filter(|_| self.is_worth_telling(notice)) {
            match notice {
                Notice::Refused { .. } => self.face.reply(&words),
                _ => self.face.say(&words),
            }
        }
        Ok(())
    }

    pub(super) fn is_worth_telling(&self, notice: &Notice) -> bool {
        match self.options.manner {
            Manner::Full(_) => words::is_beside_the_board(notice),
            Manner::Lines { verbose, .. } => verbose || !words::is_of_the_trade(notice),
            Manner::Json => true,
        }
    }

    /// A notice in words, which may depend on what was told before.
    pub(super) fn words(&self, notice: &Notice) -> Option<String> {
        let words = words::of(notice, self.model.color(), &|mv| self.written(mv))?;
        let is_waking = self.model.wake == Some(Wake::Sent);
        let within = |deadline: u64| self.model.until(deadline, Instant::now()).map(time_left);
        Some(match notice {
            Notice::Disconnected if self.is_over() => "The opponent's machine has left.".to_owned(),
            Notice::Disconnected if !self.options.has_proofs => {
                "The opponent's machine is gone; it is dialled again. This engine's sights need it, and the clocks run on.".to_owned()
            }
            Notice::Disconnected => {
                format!(
                    "{words} What it owes is asked for through the chain after {}; its clock runs on its turn, and is claimed there once it is out.",
                    clock_time(self.options.grace)
                )
            }
            Notice::Proving { mv, .. } if !self.options.has_proofs => format!("Committing to {} …", self.written(mv)),
            // The rest was told with the reason; a status that is in sight has the time, too.
            Notice::Woken { ply, plies, contested: false, until } if is_waking && plies >= ply => {
                match self.options.manner {
                    Manner::Full(_) => return None,
                    _ => match within(*until) {
                        Some(time) => format!("The wake is on the chain. The game goes on there in {time}."),
                        None => "The wake is on the chain.".to_owned(),
                    },
                }
            }
            Notice::Woken { until: deadline, .. }
            | Notice::SightDemanded { deadline, .. }
            | Notice::FiftyClaimed { deadline, .. } => match within(*deadline) {
                Some(time) => format!("{words} Time for it: {time}."),
                None => words,
            },
            _ => words,
        })
    }

    /// An own move as players write it, on the board that was shown last.
    fn written(&self, mv: &Move) -> String {
        self.model.view().map_or_else(|| mv.to_string(), |view| view.written(mv))
    }

    /// Shows the clocks if they say anything new after those before.
    pub(super) fn show_clocks(&mut self, before: Option<Clocks>) {
        let Some(clocks) = self.model.clocks else { return };
        let line = |clocks: &Clocks| clocks::line(clocks, Instant::now());
        let is_new = before.as_ref().map(line) != Some(line(&clocks));
        let was_held = before.as_ref().is_some_and(Clocks::is_held);
        if is_new && self.is_verbose() && !self.is_over() {
            self.face.say(&line(&clocks));
        }
        if was_held && !clocks.is_held() {
            self.prompt();
            if let Moves::Bot(_) = self.options.moves {
                // A move that was refused meanwhile is thought about once more.
                self.handle.command(Command::Show);
            }
        }
    }

    /// Warns once of each time that the own clock comes down to.
    pub(super) fn warn(&mut self) {
        let clocks = self.model.clocks.filter(|_| !self.is_json() && !self.is_over());
        let warning =
            clocks.zip(self.model.color()).and_then(|(clocks, color)| clocks::warning(&clocks, color, Instant::now()));
        if let Some(left) = warning
            && self.warned.is_none_or(|warned| left < warned)
        {
            self.face.say(&format!("Less than {} is left on your clock.", clock_time(left)));
            if let Face::Full(screen) = &self.face
                && left <= BELL
            {
                screen.ring();
            }
        }
        self.warned = warning;
    }

    /// Asks for a move, if there is one to be made.
    pub(super) fn prompt(&mut self) {
        let moves = self.model.view().map_or(0, |view| view.legal.len());
        if moves == 0 || self.options.moves.are_given() || !self.is_told() || self.is_over() {
            return;
        }
        match self.model.clocks.as_ref().is_some_and(Clocks::is_held) {
            true => self.face.say(
                "Your move waits until your demand or claim is answered (`clock` says how long that may take); only a king can be \
                 captured meanwhile.",
            ),
            false => {
                let clocks = self.model.clocks.map_or_else(String::new, |clocks| format!(" {}", clocks::line(&clocks, Instant::now())));
                let lesson = if self.is_taught { "" } else { " `moves` lists yours, `help` all commands." };
                self.face.say(&format!("Your move.{clocks}{lesson}"));
                self.is_taught = true;
            }
        }
    }

    /// Shows the board that a move is to be made on, and of a sight after a move what is in it.
    pub(super) fn show_view(&mut self) {
        let written = self.written_moves();
        if let Face::Edited(editor) = &mut self.face {
            editor.moves = written;
        }
        let Some(view) = self.model.view().filter(|_| self.is_told()) else { return };
        match view.sight_shown() {
            Some(sight) if !view.legal.is_empty() || self.is_verbose() => {
                self.face.say(&format!("\n{}\n{}", board(view), seen(view.side.color, &sight)));
                self.prompt();
            }
            // What an own move has shown may come after the opponent's next one, and is old then.
            Some(sight) if view.ply + 1 >= self.model.made() => self.face.say(&seen(view.side.color, &sight)),
            Some(_) => {}
            None if !self.is_verbose() => {}
            None => self.face.say(match self.options.has_proofs {
                true => "UNPROVEN: your sight here is not proven yet, so nothing of the opponent is shown.",
                false => "Your sight here hasn't come yet, so nothing of the opponent is shown.",
            }),
        }
    }

    /// Shows what is left of the own side when the game is over.
    pub(super) fn show_end(&mut self) {
        if let Some(view) = self.model.view().filter(|_| self.is_told()) {
            self.face.say(&format!("\n{}", board(view)));
        }
    }

    /// Tells what can be done after the end.
    pub(super) fn tell_what_next(&mut self) {
        let words = match self.options.has_proofs {
            _ if self.options.is_solo => format!("`quit` ends; {} plays another game.", hint("solo")),
            true => "`publish` lets everybody replay your side, `withdraw` fetches what you are owed, `rematch` plays once more, `quit` ends.".to_owned(),
            false => format!(
                "`publish` lets everybody replay your side, `rematch` plays once more, `quit` ends; then {} lays open what you have said, and {} holds it \
                 against the opponent's.",
                self.disclose(),
                hint(&format!("audit {} --disclosure FILE", self.options.game))
            ),
        };
        self.face.say(&words);
    }

    /// Tells what was asked for; standard output is for notices alone where a program reads them.
    pub(super) fn answer(&mut self, text: &str) {
        match self.is_json() {
            true => note!("{text}"),
            false => self.face.reply(text),
        }
    }

    /// Tells something of the board as it was shown last.
    pub(super) fn answer_of_the_board(&mut self, of: impl FnOnce(&View) -> String) {
        let text = self.model.view().map_or_else(|| "There is no board yet.".to_owned(), of);
        self.answer(&text);
    }

    /// The moves to choose from, as players write them.
    pub(super) fn written_moves(&self) -> Vec<String> {
        let of = |view: &View| view.legal.iter().map(|mv| view.written(mv)).collect();
        let mut moves: Vec<String> = self.model.view().map(of).unwrap_or_default();
        moves.sort_unstable();
        moves
    }

    pub(super) fn moves(&self) -> String {
        let moves = self.written_moves();
        match moves.is_empty() {
            true if self.is_over() => "The game is over.".to_owned(),
            true if self.model.color().is_some_and(|color| color != Color::of_ply(self.model.made().into())) => {
                "It is the opponent's turn: your moves are listed on yours.".to_owned()
            }
            true => "You can't move yet: your sight is not proven yet, or your move is on its way.".to_owned(),
            false => moves.join(" "),
        }
    }

    pub(super) fn clock(&self) -> String {
        let clocks = self.model.clocks.filter(|_| !self.is_over());
        clocks.map_or_else(|| "No clock runs.".to_owned(), |clocks| clocks::sentences(&clocks, Instant::now()))
    }
}

/// A view as a board in letters.
pub(super) fn board(view: &View) -> String {
    rules::board::render(&view.side, &view.seen()).trim_end_matches('\n').to_owned()
}
