//! What is known of a game: a fold over its notices.

use crate::memory::Memory;
use game::{Awaiting, Ending, Introduction, Notice, Past, Phase, ProofJob, View};
use rules::{Color, Move, PieceType, Square};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Messages that are kept; a screen shows the last ones.
const MESSAGES: usize = 200;

/// A ply of either player, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    pub number: u16,
    /// The own move as players write it, or by its squares; none of the opponent's.
    pub written: Option<String>,
    /// The squares of the own move.
    pub mv: Option<Move>,
    pub capture: Option<Square>,
    /// What was captured, as far as it is known.
    pub captured: Option<PieceType>,
}

/// The clocks as they were told, and when.
#[derive(Clone, Copy, Debug)]
struct Clocks {
    left: [u64; 2],
    turn: Option<Color>,
    runs_from: u64,
    hold: Option<u64>,
    told: u64,
    since: Instant,
}

/// A proof that is being made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proof {
    pub job: ProofJob,
    pub stage: u8,
    pub stages: u8,
    pub elapsed: Duration,
    pub expected: Option<Duration>,
    pub since: Instant,
}

/// A game as one of its players knows it.
#[derive(Clone, Debug, Default)]
pub struct Model {
    pub(crate) about: Option<Box<Introduction>>,
    color: Option<Color>,
    /// Every board that was shown, the earliest first; of each ply and phase the last one.
    pub(crate) views: Vec<View>,
    pub(crate) memory: Memory,
    pub(crate) plies: Vec<Ply>,
    pub(crate) messages: VecDeque<String>,
    /// The own move that is on its way.
    pub(crate) chosen: Option<Move>,
    pub(crate) draw_offered: bool,
    pub(crate) awaiting: Option<Awaiting>,
    pub(crate) proof: Option<Proof>,
    clocks: Option<Clocks>,
    /// What the wallet has and what it is owed, in wei.
    pub(crate) money: Option<(u128, u128)>,
    pub(crate) last_final: Option<u64>,
    pub(crate) is_connected: bool,
    pub(crate) ending: Option<Ending>,
}

impl Model {
    /// Takes what has happened, at a time.
    pub fn take(&mut self, notice: &Notice, now: Instant) {
        match notice {
            Notice::Game(about) => {
                self.color = Some(about.color);
                self.about = Some(about.clone());
            }
            Notice::Playing { color, .. } => self.color = Some(*color),
            Notice::View(view) => self.take_view(view),
            Notice::History { plies } => self.take_history(plies),
            Notice::Proving { mv, .. } | Notice::Sent { mv, .. } => self.chosen = Some(*mv),
            Notice::Moved { ply, mv, capture, captured, .. } => {
                self.chosen = None;
                self.draw_offered = false;
                let written = self.written(*ply, mv);
                self.list(Ply {
                    number: *ply,
                    written: Some(written),
                    mv: Some(*mv),
                    capture: *capture,
                    captured: *captured,
                });
                capture.iter().for_each(|square| self.memory.forget(*square));
            }
            Notice::OpponentMoved { ply, capture, lost, draw_offered } => {
                self.draw_offered = *draw_offered;
                self.list(Ply { number: *ply, written: None, mv: None, capture: *capture, captured: *lost });
            }
            Notice::Awaiting(awaiting) => self.awaiting = Some(*awaiting),
            Notice::Proof { job, stage, stages, elapsed_ms, expected_ms, .. } => {
                let (elapsed, expected) = (Duration::from_millis(*elapsed_ms), expected_ms.map(Duration::from_millis));
                self.proof = Some(Proof { job: *job, stage: *stage, stages: *stages, elapsed, expected, since: now });
            }
            Notice::TurnProved { .. } | Notice::AnswerProved { .. } => self.proof = None,
            Notice::Refused { .. } | Notice::Failed { .. } | Notice::SignedInAnotherPosition { .. } => {
                self.proof = None;
                if self.awaiting.is_none_or(|awaiting| awaiting.what == game::What::Move) {
                    self.chosen = None;
                }
            }
            Notice::Money { wallet_wei, owed_wei } => self.money = Some((*wallet_wei, *owed_wei)),
            Notice::Chain { last_final, .. } => self.last_final = Some(*last_final),
            Notice::Connected => self.is_connected = true,
            Notice::Disconnected => self.is_connected = false,
            Notice::Over(ending) => {
                self.ending = Some(*ending);
                (self.awaiting, self.proof, self.chosen) = (None, None, None);
            }
            _ => {}
        }
        self.take_clocks(notice, now);
    }

    fn take_view(&mut self, view: &View) {
        self.color = Some(view.side.color);
        self.views.retain(|known| (known.ply, known.phase) != (view.ply, view.phase));
        if let Some(sight) = view.sight_shown() {
            self.memory.take(&view.side, &sight, view.ply);
        }
        self.views.push(view.clone());
        // A move that could be chosen again was given up.
        if !view.legal.is_empty() {
            self.chosen = self.chosen.filter(|_| self.proof.is_some());
        }
    }

    /// The plies that are final, where they weren't told one by one.
    fn take_history(&mut self, plies: &[Past]) {
        for past in plies {
            let number = past.ply;
            if self.plies.iter().any(|known| known.number == number) {
                continue;
            }
            let written = past.mv.map(|mv| self.written(number, &mv));
            self.list(Ply { number, written, mv: past.mv, capture: past.capture, captured: past.captured });
        }
    }

    fn list(&mut self, ply: Ply) {
        self.plies.retain(|known| known.number != ply.number);
        self.plies.push(ply);
        self.plies.sort_unstable_by_key(|ply| ply.number);
    }

    fn take_clocks(&mut self, notice: &Notice, since: Instant) {
        if let &Notice::Clocks { white, black, turn, runs_from, hold, now, .. } = notice {
            self.clocks = Some(Clocks { left: [white, black], turn, runs_from, hold, told: now, since });
        }
    }

    /// The own move as players write it, where the board before it was shown.
    fn written(&self, ply: u16, mv: &Move) -> String {
        let before = self.views.iter().rfind(|view| (view.ply, view.phase) == (ply, Phase::Pre));
        match before.and_then(|view| Some((view, view.sight_shown()?))) {
            Some((view, sight)) => view.side.san(mv, &sight),
            None => mv.to_string(),
        }
    }

    /// Says something to the player.
    pub fn say(&mut self, text: &str) {
        for line in text.lines().map(str::trim_end).filter(|line| !line.is_empty()) {
            self.messages.push_back(line.replace(|c: char| c.is_control(), "?"));
        }
        while self.messages.len() > MESSAGES {
            self.messages.pop_front();
        }
    }

    /// What was last seen on a square that is in the dark now, or is seen there, and before which ply.
    pub fn remembered(&self, square: Square) -> Option<(PieceType, u16)> {
        self.memory.at(square)
    }

    /// The own color, once it is drawn.
    pub fn color(&self) -> Option<Color> {
        self.color
    }

    /// The board as it is now.
    pub fn view(&self) -> Option<&View> {
        self.views.last()
    }

    /// The moves to choose from; none unless the player is to move.
    pub fn legal(&self) -> &[Move] {
        match self.view() {
            Some(view) if self.chosen.is_none() && self.ending.is_none() => &view.legal,
            _ => &[],
        }
    }

    /// Seconds on a player's clock, whether it runs, and the seconds that it still stands at the start of a turn.
    pub(crate) fn clock(&self, color: Color, now: Instant) -> Option<(u64, bool, u64)> {
        let clocks = self.clocks?;
        let at = clocks.told + now.saturating_duration_since(clocks.since).as_secs();
        let is_due = clocks.turn == Some(color) && clocks.hold.is_none() && self.ending.is_none();
        let used = if is_due { at.saturating_sub(clocks.runs_from.max(clocks.told)) } else { 0 };
        let left = clocks.left[color.index()].saturating_sub(used);
        Some((left, is_due, if is_due { clocks.runs_from.saturating_sub(at) } else { 0 }))
    }

    /// Seconds until a time of the chain's.
    pub(crate) fn seconds_until(&self, deadline: u64, now: Instant) -> Option<u64> {
        let clocks = self.clocks?;
        let at = clocks.told + now.saturating_duration_since(clocks.since).as_secs();
        Some(deadline.saturating_sub(at))
    }

    /// What each player has captured: the own captures, then the opponent's; unknown kinds are left out.
    pub(crate) fn captured(&self) -> [Vec<PieceType>; 2] {
        let of = |own: bool| {
            let plies = self.plies.iter().filter(|ply| self.is_own(ply.number) == own);
            plies.filter_map(|ply| ply.captured).collect()
        };
        [of(true), of(false)]
    }

    /// Whether this player makes a ply.
    pub(crate) fn is_own(&self, ply: u16) -> bool {
        self.color == Some(Color::of_ply(ply.into()))
    }
}
