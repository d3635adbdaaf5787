//! One ply: what is known of it, what it cost, and its part of the report.

use game::{Action, MessageKind, Mode, Notice, Phase, grouped};
use rules::{Color, Move, Square};
use std::time::Instant;

use super::report::PlyReport;
use crate::boards::side_by_side;
use crate::words::cost;

#[derive(Debug, Default)]
pub struct Ply {
    /// When moves and sights are proven in its game, and by whom.
    mode: Mode,
    /// The move, as its mover knows it.
    pub mv: Option<Move>,
    /// On which square it captured.
    capture: Option<Square>,
    /// The players' boards after the ply, by color.
    pub boards: [Option<String>; 2],
    /// Seconds to prove the turn, milliseconds to verify it.
    turn: Option<(f64, f64)>,
    /// To the mover, before and after its move.
    answers: [Answer; 2],
    /// Bytes of the mover's new request, or of its signed ply, which carries it.
    request_bytes: usize,
    /// When its proof was begun.
    begun: Option<Instant>,
    /// Messages of either player about it, and their bytes.
    messages: (usize, usize),
    /// Gas, its fee in wei, and bytes of calldata.
    mined: Option<(u64, u128, usize)>,
    /// When the mover had its receipt, and when the opponent was first shown what it sees then.
    shown: [Option<Instant>; 2],
    /// What was demanded and answered through the chain before the move, with its gas and its fee.
    disputes: Vec<(Action, u64, u128)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Answer {
    prove_s: Option<f64>,
    verify_ms: Option<f64>,
    /// Bytes on the wire.
    bytes: Option<usize>,
}

impl Answer {
    fn is_whole(&self) -> bool {
        self.prove_s.is_some() && self.verify_ms.is_some() && self.bytes.is_some()
    }
}

impl Ply {
    /// A ply of which nothing is known, of a game of this mode.
    pub fn new(mode: Mode) -> Self {
        Self { mode, ..Self::default() }
    }

    /// Takes a notice of either player about this ply.
    pub fn take(&mut self, notice: &Notice) {
        match *notice {
            Notice::Moved { mv, capture, .. } => (self.mv, self.capture) = (Some(mv), capture),
            Notice::Proving { .. } => {
                self.begun.get_or_insert_with(Instant::now);
            }
            Notice::TurnProved { prove_s, verify_ms, .. } => self.turn = Some((prove_s, verify_ms)),
            Notice::AnswerProved { phase, prove_s, .. } => {
                self.answer(phase).prove_s = Some(prove_s);
            }
            Notice::AnswerVerified { phase, verify_ms, .. } => self.answer(phase).verify_ms = Some(verify_ms),
            Notice::MessageSent { kind, phase, bytes, .. } => {
                self.messages = (self.messages.0 + 1, self.messages.1 + bytes);
                match kind {
                    MessageKind::Answer => self.answer(phase).bytes = Some(bytes),
                    MessageKind::Request | MessageKind::Ply => self.request_bytes = bytes,
                    _ => {}
                }
            }
            Notice::Mined { action: Action::Move, gas, fee_wei, calldata_bytes, .. } => {
                self.mined = Some((gas, fee_wei, calldata_bytes));
                self.shown[0] = Some(Instant::now());
            }
            Notice::Mined { action, gas, fee_wei, .. } => self.disputes.push((action, gas, fee_wei)),
            _ => {}
        }
    }

    /// A player is shown its board after the ply.
    pub fn take_board(&mut self, color: Color, board: String, is_the_mover_s: bool) {
        if !is_the_mover_s {
            self.shown[1].get_or_insert_with(Instant::now);
        }
        self.boards[color.index()] = Some(board);
    }

    fn answer(&mut self, phase: Phase) -> &mut Answer {
        &mut self.answers[phase as usize]
    }

    /// Whether its move is known with what it cost.
    pub fn is_played(&self) -> bool {
        let is_settled = self.mined.is_some() || self.mode == Mode::Channel;
        self.mv.is_some() && is_settled && (self.turn.is_some() || !self.mode.has_proofs())
    }

    /// Whether both players' sights after it are known, too, as far as they are shown: `is_past` if no board comes any more.
    pub fn is_whole(&self, is_past: bool) -> bool {
        let is_answered = self.answers[1].is_whole() || !self.mode.has_proofs();
        self.is_played() && (is_past || self.boards.iter().all(Option::is_some)) && is_answered
    }

    /// The ply in words, with the boards after it or else those `before` it.
    pub fn words(&self, number: u16, before: Option<&Self>) -> String {
        let mover = Color::of_ply(number.into()).name();
        let mv = self.mv.map_or_else(|| "?".to_owned(), |mv| mv.to_string());
        let capture = self.capture.map(|square| format!(", capturing on {square}"));
        let mut text = format!("ply {number}  {mover} plays {mv}{}\n", capture.unwrap_or_default());
        // Whoever gets no sight after its move has that from before it.
        let boards = Color::ALL.map(|color| {
            let (after, earlier) =
                (&self.boards[color.index()], before.and_then(|ply| ply.boards[color.index()].as_ref()));
            let title = if after.is_some() { "sees" } else { "saw before it" };
            Some((format!("{} {title}", color.name()), after.as_ref().or(earlier)?))
        });
        if let [Some((white, of_white)), Some((black, of_black))] = &boards {
            text += &side_by_side((white, of_white), (black, of_black));
        }
        text + &self.costs() + "\n"
    }

    /// What it cost, in words.
    fn costs(&self) -> String {
        let mut text = match self.turn {
            Some((prove_s, verify_ms)) => {
                format!("  turn     proven in {prove_s:.2} s, verified in {verify_ms:.1} ms\n")
            }
            None => {
                let (messages, bytes) = self.messages;
                format!("  sights   {messages} messages, {} bytes\n", grouped(bytes as u64))
            }
        };
        for (when, answer) in ["before", "after"].iter().zip(&self.answers) {
            if let (Some(prove_s), Some(verify_ms), Some(bytes)) = (answer.prove_s, answer.verify_ms, answer.bytes) {
                let bytes = grouped(bytes as u64);
                text += &format!(
                    "  answer   {when:6} the move: proven in {prove_s:.2} s, verified in {verify_ms:.1} ms, {bytes} bytes\n"
                );
            }
        }
        if self.request_bytes > 0 {
            let what = if self.mode == Mode::Channel { "signed" } else { "request" };
            text += &format!("  {what:8} {} bytes\n", grouped(self.request_bytes as u64));
        }
        if let Some((gas, fee, calldata)) = self.mined {
            text += &format!("  chain    {}, {} bytes of calldata\n", cost(gas, fee), grouped(calldata as u64));
        }
        if let Some(seconds) = self.ply_s() {
            text += &format!("  time     {seconds:.2} s from the mover's choice to the opponent's board\n");
        }
        for (action, gas, fee) in &self.disputes {
            text += &format!("           {action}: {}\n", cost(*gas, *fee));
        }
        text
    }

    /// Seconds from the mover's receipt to the opponent's sight.
    fn sight_s(&self) -> Option<f64> {
        let [mined, seen] = self.shown;
        Some(rounded(seen?.saturating_duration_since(mined?).as_secs_f64()))
    }

    /// Seconds from the mover's choice to the sight that its opponent is shown.
    fn ply_s(&self) -> Option<f64> {
        Some(rounded(self.shown[1]?.checked_duration_since(self.begun?)?.as_secs_f64()))
    }

    /// Its part of the report, once its move is known.
    pub fn report(&self, number: u16) -> Option<PlyReport> {
        let (prove_s, verify_ms) = self.turn.unwrap_or_default();
        let (gas, _, calldata_bytes) = self.mined.unwrap_or_default();
        let answers = self.answers.iter();
        let slowest = answers.clone().filter_map(|answer| answer.prove_s);
        Some(PlyReport {
            ply: number,
            mover: Color::of_ply(number.into()),
            mv: self.mv?,
            turn_prove_s: rounded(prove_s),
            turn_verify_ms: rounded(verify_ms),
            answer_prove_s: rounded(slowest.fold(0.0, f64::max)),
            answer_bytes: answers.filter_map(|answer| answer.bytes).sum(),
            request_bytes: self.request_bytes,
            messages: self.messages.0,
            message_bytes: self.messages.1,
            // Before Black's first move no sight is exchanged.
            sight_s: self.sight_s().filter(|_| number > 0),
            ply_s: self.ply_s().filter(|_| number > 0),
            gas,
            calldata_bytes,
        })
    }
}

/// To a thousandth: more digits would only look exact.
fn rounded(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}
