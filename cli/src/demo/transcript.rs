//! What both players say, put together ply by ply: a ply is shown once everything of it is known.

use std::collections::BTreeMap;

use game::{Action, Ending, MessageKind, Mode, Notice, Phase, View};
use rules::Color;

use super::ply::Ply;
use super::report::PlyReport;

/// The game as far as it is known. Players have the numbers 0 and 1, whatever their colors.
#[derive(Debug, Default)]
pub struct Transcript {
    colors: [Option<Color>; 2],
    plies: BTreeMap<u16, Ply>,
    /// Plies that have been shown.
    shown: u16,
    over: [bool; 2],
    /// How the game ended, once it has.
    pub ending: Option<Ending>,
    published: [bool; 2],
    /// Gas of the winner's withdrawal, once it has taken place, and its fee in wei.
    pub withdrawn: Option<(u64, u128)>,
    /// The ply before which the link is cut: from then on no sight comes after a move.
    cut_link: Option<u16>,
    /// When the proofs of moves are verified.
    mode: Mode,
    /// Bytes on the wire of all messages of the engine's set-up.
    pub set_up_bytes: usize,
}

impl Transcript {
    /// Of a game of a mode whose link is cut before a ply, or never.
    pub fn new(cut_link: Option<u16>, mode: Mode) -> Self {
        Self { cut_link, mode, ..Self::default() }
    }

    /// Takes a notice of a player.
    pub fn take(&mut self, player: usize, notice: &Notice) {
        match notice {
            Notice::Playing { color, .. } => self.colors[player] = Some(*color),
            Notice::View(view) => self.take_board(view),
            Notice::Mined { action: Action::Withdraw, gas, fee_wei, .. } => self.withdrawn = Some((*gas, *fee_wei)),
            Notice::Mined { action: Action::PublishViewKey, .. } => self.published[player] = true,
            Notice::Over(ending) => {
                self.over[player] = true;
                self.ending = Some(*ending);
            }
            Notice::MessageSent { kind: MessageKind::SetUp, bytes, .. } => self.set_up_bytes += bytes,
            Notice::Moved { ply, .. }
            | Notice::Proving { ply, .. }
            | Notice::TurnProved { ply, .. }
            | Notice::AnswerProved { ply, .. }
            | Notice::AnswerVerified { ply, .. }
            | Notice::MessageSent {
                ply, kind: MessageKind::Answer | MessageKind::Request | MessageKind::Want, ..
            }
            | Notice::MessageSent { ply, kind: MessageKind::Exchange | MessageKind::WantExchange, .. }
            | Notice::MessageSent { ply, kind: MessageKind::Ply | MessageKind::Countersigned, .. }
            | Notice::Mined {
                action: Action::Move | Action::DemandSight | Action::AnswerSight, ply: Some(ply), ..
            } => {
                self.ply(*ply).take(notice);
            }
            _ => {}
        }
    }

    fn take_board(&mut self, view: &View) {
        // The sight before the own move is the one after the opponent's.
        let after = match view.phase {
            Phase::Post => Some(view.ply),
            Phase::Pre => view.ply.checked_sub(1),
        };
        if let (Some(after), Some(board)) = (after, view.board()) {
            let color = view.side.color;
            self.ply(after).take_board(color, board, color == Color::of_ply(after.into()));
        }
    }

    fn ply(&mut self, ply: u16) -> &mut Ply {
        let mode = self.mode;
        self.plies.entry(ply).or_insert_with(|| Ply::new(mode))
    }

    /// The plies that can be shown now, in words.
    pub fn next_words(&mut self) -> String {
        let mut text = String::new();
        while let Some(ply) = self.plies.get(&self.shown) {
            let next = self.plies.get(&(self.shown + 1));
            let is_last = self.is_over() && !next.is_some_and(Ply::is_played);
            let is_cut = self.cut_link.is_some_and(|cut| self.shown + 1 >= cut);
            let goes_on = is_cut && next.is_some_and(Ply::is_played);
            // A sight after a move that comes when its player chooses the next one is shown to nobody.
            let later = [1, 2].map(|more| self.plies.get(&(self.shown + more)).is_some_and(Ply::is_played));
            let is_past = later[0] && (later[1] || self.is_over());
            if !(ply.is_whole(is_past) || ((is_last || goes_on) && ply.is_played())) {
                break;
            }
            let before = self.shown.checked_sub(1).and_then(|ply| self.plies.get(&ply));
            text += &ply.words(self.shown, before);
            self.shown += 1;
        }
        text
    }

    /// Whether both players know that the game is over, and every move has been shown.
    pub fn is_complete(&self) -> bool {
        self.is_over() && self.plies.values().filter(|ply| ply.mv.is_some()).count() == usize::from(self.shown)
    }

    fn is_over(&self) -> bool {
        self.over == [true, true]
    }

    /// Whether both players have published their view keys.
    pub fn is_published(&self) -> bool {
        self.published == [true, true]
    }

    /// The player of a color.
    pub fn player_of(&self, color: Color) -> Option<usize> {
        self.colors.iter().position(|known| *known == Some(color))
    }

    /// The plies for the report.
    pub fn report(&self) -> Vec<PlyReport> {
        let plies = self.plies.iter();
        plies.filter_map(|(number, ply)| ply.report(*number)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Outcome;
    use rules::Position;

    /// All notices of ply 0 but the last: Bob, player 1, has White.
    fn notices() -> Vec<(usize, Notice)> {
        let start = Position::start();
        let playing = |color| Notice::Playing { color, ply: 0 };
        let view = |color, ply, phase| {
            let sight = Some(start.sight(color));
            let side = start.side(color).clone();
            let legal = Vec::new();
            Notice::View(Box::new(View::new(ply, phase, side, sight, legal, [0; 2])))
        };
        let sent = |kind, phase, bytes| Notice::MessageSent { kind, ply: 0, phase, bytes };
        let mv = "e2e4".parse().expect("a move");
        let phase = Phase::Post;
        vec![
            (0, playing(Color::Black)),
            (1, playing(Color::White)),
            (1, Notice::TurnProved { ply: 0, prove_s: 2.0, verify_ms: 5.0 }),
            (1, Notice::Moved { ply: 0, mv, capture: None, captured: None, draw_offered: false }),
            (1, sent(MessageKind::Request, Phase::Pre, 4_133)),
            (0, view(Color::Black, 1, Phase::Pre)),
            (0, Notice::AnswerProved { ply: 0, phase, prove_s: 3.5 }),
            (0, sent(MessageKind::Answer, phase, 27_000)),
            (1, Notice::AnswerVerified { ply: 0, phase, verify_ms: 9.0 }),
            (1, view(Color::White, 0, phase)),
        ]
    }

    #[test]
    fn a_ply_is_shown_when_all_of_it_is_known() {
        let mut transcript = Transcript::new(None, Mode::Verified);
        for (player, notice) in notices() {
            transcript.take(player, &notice);
            assert_eq!(transcript.next_words(), "");
        }
        let mined = Notice::Mined {
            action: Action::Move,
            ply: Some(0),
            transaction: Default::default(),
            gas: 512_345,
            calldata_bytes: 3_100,
            fee_wei: 1_079_000_000_000_000,
        };
        transcript.take(1, &mined);
        let text = transcript.next_words();
        assert!(text.starts_with("ply 0  White plays e2e4\n"), "{text}");
        let costs = ["512,345 gas, 0.0011 ETH", "27,000 bytes"];
        assert!(costs.iter().all(|cost| text.contains(cost)), "{text}");
        assert_eq!(transcript.next_words(), "");
        assert!(!transcript.is_complete());
        assert_eq!(transcript.player_of(Color::White), Some(1));
    }

    /// Between the machines a move takes no transaction.
    #[test]
    fn a_ply_between_the_machines_is_shown_without_one() {
        let mut transcript = Transcript::new(None, Mode::Channel);
        let mv = "e2e4".parse().expect("a move");
        transcript.take(1, &Notice::Proving { ply: 0, mv });
        for (player, notice) in notices() {
            transcript.take(player, &notice);
        }
        let text = transcript.next_words();
        assert!(text.starts_with("ply 0  White plays e2e4\n"), "{text}");
        assert!(text.contains("s from the mover's choice") && !text.contains("gas"), "{text}");
    }

    /// A sight that comes too late is shown to nobody: the demo once waited for it while the game went on.
    #[test]
    fn a_ply_without_its_last_board_is_shown_once_both_have_moved_again() {
        let mut transcript = Transcript::new(None, Mode::Channel);
        let mut notices = notices();
        notices.pop();
        for (ply, mv) in [(1, "e7e5"), (2, "g1f3")] {
            let mv = mv.parse().expect("a move");
            notices.push((0, Notice::TurnProved { ply, prove_s: 2.0, verify_ms: 5.0 }));
            notices.push((0, Notice::Moved { ply, mv, capture: None, captured: None, draw_offered: false }));
        }
        let last = notices.pop().expect("the move of ply 2");
        for (player, notice) in notices {
            transcript.take(player, &notice);
            assert_eq!(transcript.next_words(), "");
        }
        transcript.take(last.0, &last.1);
        assert!(transcript.next_words().starts_with("ply 0  White plays e2e4\n"));
    }

    #[test]
    fn a_game_is_complete_when_both_know_its_end() {
        let mut transcript = Transcript::new(None, Mode::Verified);
        for (player, notice) in notices() {
            transcript.take(player, &notice);
        }
        let (winner, color) = (None, None);
        let over = Notice::Over(Ending { winner, color, outcome: Outcome::DrawAgreed });
        transcript.take(0, &over);
        assert!(!transcript.is_complete());
        transcript.take(1, &over);
        assert!(!transcript.is_complete(), "ply 0 isn't shown");
        let mined = r#"{"v":1,"event":"mined","action":"move","ply":0,"transaction":"0x0000000000000000000000000000000000000000000000000000000000000000","gas":1,"calldata_bytes":1,"fee_wei":"1"}"#;
        transcript.take(1, &Notice::from_line(mined).expect("a notice"));
        assert!(transcript.next_words().starts_with("ply 0"));
        assert!(transcript.is_complete());
        let [ply] = &transcript.report()[..] else { panic!("one ply") };
        let numbers = (ply.answer_prove_s, ply.answer_bytes, ply.request_bytes);
        assert_eq!(numbers, (3.5, 27_000, 4_133));
    }
}
