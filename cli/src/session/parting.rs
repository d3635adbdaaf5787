//! What stays in the shell of a player who has left a game: how it ended, or that its clocks run on, and the commands that go on from there.

use game::Ending;
use rules::Color;

use super::{Keyboard, Manner};
use crate::hint::hint;

impl Keyboard {
    /// The command that goes on with the game, in backquotes.
    pub(super) fn goes_on(&self) -> String {
        hint(&format!("{} {}", self.options.command, self.options.game))
    }

    /// The command that lays open what the player has said, in backquotes.
    pub(super) fn disclose(&self) -> String {
        hint(&format!("disclose --game {} --output FILE", self.options.game))
    }

    /// What a person is told once the terminal is the shell's again. Line by line the end was told there already, and so was what the end
    /// of the input means.
    pub(super) fn parting(&self) -> Option<String> {
        if self.is_json() || self.options.moves.are_given() || !self.has_input {
            return None;
        }
        match (self.model.ending, self.model.color()) {
            (Some(ending), color) if matches!(self.options.manner, Manner::Full(_)) => {
                let game = self.options.game;
                let next = match self.options.is_solo {
                    true => format!("{} plays another game.", hint("solo")),
                    false => {
                        let look = match self.model.has_published || !self.model.opened.is_empty() {
                            true => format!("{} goes through it once more", hint(&format!("replay {game}"))),
                            false => {
                                format!("{} lets everybody go through your side", hint(&format!("publish {game}")))
                            }
                        };
                        let another = format!("{look}, {} plays another.", hint(&format!("rematch {game}")));
                        match self.options.has_proofs {
                            true => another,
                            false => format!("{another} {} lays open what you have said.", self.disclose()),
                        }
                    }
                };
                Some(result(ending, color, self.model.made(), &next))
            }
            (None, color) if !self.options.is_solo && (color.is_some() || !self.options.waits) => {
                Some(format!("The game isn't over, and its clocks run on: {} goes on with it.", self.goes_on()))
            }
            _ => None,
        }
    }
}

/// How a game ended, and after it what comes next, if it was played at all.
fn result(ending: Ending, you: Option<Color>, plies: u16, next: &str) -> String {
    let moves = plies.div_ceil(2);
    let played = if moves == 1 { "1 move".to_owned() } else { format!("{moves} moves") };
    match you {
        Some(_) => format!("{}, after {played}.\n{next}", ending.told(you)),
        None => format!("{}.", ending.told(you)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Outcome;

    #[test]
    fn the_end_is_told_with_the_moves_that_it_took() {
        let told =
            |color, outcome, you, plies| result(Ending { color, outcome, winner: None }, you, plies, "What next.");
        let (white, black) = (Some(Color::White), Some(Color::Black));
        assert_eq!(
            told(white, Outcome::KingCaptured, white, 47),
            "You have won: king captured, after 24 moves.\nWhat next."
        );
        assert_eq!(told(white, Outcome::Resigned, black, 2), "You have lost: resignation, after 1 move.\nWhat next.");
        assert_eq!(told(None, Outcome::Cancelled, None, 0), "Not played: cancelled.");
    }
}
