//! What both players tell, put together ply by ply: a ply is told once everything of it is known.

use std::collections::BTreeMap;

use rules::Color;

use super::ply::{Ply, costs, index, name};
use super::report::{PlyReport, ResultReport};
use crate::boards::side_by_side;
use crate::event::{MessageKind, PlayEvent, When};

/// The game as it is told.
#[derive(Debug, Default)]
pub struct Story {
    colors: [Option<Color>; 2],
    plies: BTreeMap<u16, Ply>,
    told: u16,
    over: [bool; 2],
    result: Option<ResultReport>,
    published: [bool; 2],
    withdrawn: Option<u64>,
}

impl Story {
    /// Takes what a player tells.
    pub fn take(&mut self, player: usize, event: &PlayEvent) {
        match event {
            PlayEvent::Playing { color, .. } => {
                self.colors[player] = [Color::White, Color::Black]
                    .into_iter()
                    .find(|c| c.to_string() == *color);
            }
            PlayEvent::View {
                ply,
                when,
                board: Some(board),
                ..
            } => self.take_board(player, *ply, *when, board),
            PlayEvent::Moved { ply, mv, capture } => {
                let ply = self.ply(*ply);
                (ply.mv, ply.capture) = (Some(mv.clone()), capture.clone());
            }
            PlayEvent::TurnProved {
                ply,
                prove_s,
                verify_ms,
            } => self.ply(*ply).turn = Some((*prove_s, *verify_ms)),
            PlayEvent::AnswerProved { ply, when, prove_s } => {
                self.ply(*ply).answers[index(*when)].prove_s = Some(*prove_s);
            }
            PlayEvent::AnswerVerified {
                ply,
                when,
                verify_ms,
            } => {
                self.ply(*ply).answers[index(*when)].verify_ms = Some(*verify_ms);
            }
            PlayEvent::MessageSent {
                kind: MessageKind::Answer,
                ply,
                when,
                bytes,
            } => {
                self.ply(*ply).answers[index(*when)].bytes = Some(*bytes);
            }
            PlayEvent::MessageSent {
                kind: MessageKind::Request,
                ply,
                bytes,
                ..
            } => {
                self.ply(*ply).request_bytes = *bytes;
            }
            PlayEvent::Mined {
                ply: Some(ply),
                gas,
                calldata_bytes,
                ..
            } => {
                self.ply(*ply).mined = Some((*gas, *calldata_bytes));
            }
            PlayEvent::Mined { action, gas, .. } if action == "withdraw" => {
                self.withdrawn = Some(*gas)
            }
            PlayEvent::Mined { action, .. } if action == "publish_view_key" => {
                self.published[player] = true
            }
            PlayEvent::Over { winner, reason } => {
                self.over[player] = true;
                self.result = Some(ResultReport {
                    winner: winner.clone(),
                    reason: reason.clone(),
                });
            }
            _ => {}
        }
    }

    fn take_board(&mut self, player: usize, ply: u16, when: When, board: &str) {
        let Some(color) = self.colors[player] else {
            return;
        };
        // The sight before one's own move is the one after the opponent's.
        let after = match when {
            When::After => Some(ply),
            When::Before => ply.checked_sub(1),
        };
        if let Some(after) = after {
            self.ply(after).boards[color.index()] = Some(board.to_owned());
        }
    }

    fn ply(&mut self, ply: u16) -> &mut Ply {
        self.plies.entry(ply).or_default()
    }

    /// The plies that can be told now, in words.
    pub fn tell(&mut self) -> String {
        let mut text = String::new();
        while let Some(ply) = self.plies.get(&self.told) {
            let is_last =
                self.is_over() && !self.plies.get(&(self.told + 1)).is_some_and(Ply::is_played);
            if !(ply.is_whole() || (is_last && ply.is_played())) {
                break;
            }
            text += &self.words(self.told, ply);
            self.told += 1;
        }
        text
    }

    /// Whether both players know that the game is over, and every move has been told.
    pub fn is_told(&self) -> bool {
        self.is_over()
            && self.plies.values().filter(|ply| ply.mv.is_some()).count() == usize::from(self.told)
    }

    fn is_over(&self) -> bool {
        self.over == [true, true]
    }

    /// How the game ended, once it has.
    pub fn result(&self) -> Option<&ResultReport> {
        self.result.as_ref()
    }

    /// Whether both players have published their view keys.
    pub fn is_published(&self) -> bool {
        self.published == [true, true]
    }

    /// Gas of the winner's withdrawal, once it has taken place.
    pub fn withdrawn(&self) -> Option<u64> {
        self.withdrawn
    }

    /// The player of a colour by its English name.
    pub fn player_of(&self, color: &str) -> Option<usize> {
        self.colors
            .iter()
            .position(|known| known.is_some_and(|known| known.to_string() == color))
    }

    fn words(&self, number: u16, ply: &Ply) -> String {
        let mv = ply.mv.as_deref().unwrap_or("?");
        let mut text = format!(
            "ply {number}  {} plays {mv}",
            name(Color::of_ply(number.into()))
        );
        if let Some(square) = &ply.capture {
            text += &format!(", capturing on {square}");
        }
        text.push('\n');
        let before = number
            .checked_sub(1)
            .and_then(|before| self.plies.get(&before));
        let boards = |ply: &Ply| Some((ply.boards[0].clone()?, ply.boards[1].clone()?));
        match (boards(ply), before.and_then(boards)) {
            (Some((white, black)), _) => {
                text += &side_by_side(("White sees", &white), ("Black sees", &black))
            }
            (None, Some((white, black))) => {
                text += &side_by_side(
                    ("White saw before it", &white),
                    ("Black saw before it", &black),
                );
            }
            (None, None) => {}
        }
        text + &costs(ply) + "\n"
    }

    /// The plies for the report.
    pub fn plies(&self) -> Vec<PlyReport> {
        let played = self.plies.iter().filter(|(_, ply)| ply.mv.is_some());
        played.map(|(number, ply)| ply.report(*number)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line() -> String {
        rules::Position::start().board_string(Color::White)
    }

    #[test]
    fn a_ply_is_told_when_all_of_it_is_known() {
        let mut story = Story::default();
        for (player, color) in [(0, "black"), (1, "white")] {
            story.take(
                player,
                &PlayEvent::Playing {
                    color: color.into(),
                    ply: 0,
                },
            );
        }
        let when = When::After;
        let events = [
            (
                1,
                PlayEvent::TurnProved {
                    ply: 0,
                    prove_s: 2.0,
                    verify_ms: 5.0,
                },
            ),
            (
                1,
                PlayEvent::Moved {
                    ply: 0,
                    mv: "e2e4".into(),
                    capture: None,
                },
            ),
            (
                1,
                PlayEvent::MessageSent {
                    kind: MessageKind::Request,
                    ply: 0,
                    when: When::Before,
                    bytes: 4133,
                },
            ),
            (
                0,
                PlayEvent::View {
                    ply: 1,
                    when: When::Before,
                    board: Some(line()),
                    legal: 20,
                },
            ),
            (
                0,
                PlayEvent::AnswerProved {
                    ply: 0,
                    when,
                    prove_s: 3.5,
                },
            ),
            (
                0,
                PlayEvent::MessageSent {
                    kind: MessageKind::Answer,
                    ply: 0,
                    when,
                    bytes: 27_000,
                },
            ),
            (
                1,
                PlayEvent::AnswerVerified {
                    ply: 0,
                    when,
                    verify_ms: 9.0,
                },
            ),
            (
                1,
                PlayEvent::View {
                    ply: 0,
                    when,
                    board: Some(line()),
                    legal: 0,
                },
            ),
        ];
        for (player, event) in &events {
            story.take(*player, event);
            assert_eq!(story.tell(), "");
        }
        let mined = PlayEvent::Mined {
            action: "move".into(),
            ply: Some(0),
            transaction: String::new(),
            gas: 512_345,
            calldata_bytes: 3_100,
            fee_wei: "1".into(),
        };
        story.take(1, &mined);
        let text = story.tell();
        assert!(text.starts_with("ply 0  White plays e2e4\n"), "{text}");
        assert!(
            text.contains("512,345 gas") && text.contains("27,000 bytes"),
            "{text}"
        );
        assert_eq!(
            (story.tell(), story.is_told(), story.player_of("white")),
            (String::new(), false, Some(1))
        );
        let over = PlayEvent::Over {
            winner: None,
            reason: "draw agreed".into(),
        };
        story.take(0, &over);
        story.take(1, &over);
        assert!(story.is_told());
        let [ply] = &story.plies()[..] else {
            panic!("one ply")
        };
        assert_eq!(
            (ply.answer_prove_s, ply.answer_bytes, ply.request_bytes),
            (3.5, 27_000, 4133)
        );
    }
}
