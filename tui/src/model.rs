//! What is known of a game: a fold over its notices.

use crate::clocks::{Clock, Clocks};
use crate::memory::Memory;
use crate::text::printable;
use game::{Awaiting, CommandError, Ending, Introduction, LinkState, Notice, Past, Phase, View};
use rules::{Color, Move, PieceType, Position, Seen, Side, Sight, Square};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Messages that are kept; a screen shows the last ones.
const MESSAGES: usize = 200;

/// A ply of either player, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    pub number: u16,
    /// The move as players write it, or by its squares; none of the opponent's while the fog lies on it.
    pub written: Option<String>,
    /// Its squares: of the own move, and of the opponent's once the fog has lifted.
    pub mv: Option<Move>,
    pub capture: Option<Square>,
    /// What was captured, as far as it is known.
    pub captured: Option<PieceType>,
}

/// How far a game between the machines is on its way to the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// This machine brings it there.
    Sent,
    /// Another position may take the place of the one that stands there until a second of the chain's.
    Contested { until: u64 },
}

/// The game after so many plies.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// This player's side, and what it saw.
    pub own: (Side, Sight),
    /// Everything, once it is known.
    pub truth: Option<Position>,
    /// The ply that led here, as far as it is known.
    pub last_move: Option<Move>,
    pub captured: Option<Square>,
}

/// A game as one of its players knows it.
#[derive(Clone, Debug, Default)]
pub struct Model {
    pub(crate) about: Option<Box<Introduction>>,
    pub(crate) color: Option<Color>,
    /// Every board that was shown, the earliest first; of each ply and phase the last one.
    pub(crate) views: Vec<View>,
    pub(crate) memory: Memory,
    pub(crate) plies: Vec<Ply>,
    pub(crate) messages: VecDeque<String>,
    /// The own move that is on its way.
    pub(crate) chosen: Option<Move>,
    pub(crate) draw_offered: bool,
    /// Whether the last own move has offered a draw.
    pub has_offered: bool,
    /// Whether the opponent's machine was there and is gone, or was dialled in vain.
    pub(crate) is_away: bool,
    /// What holds everything else up in a game that is woken; none before and after.
    pub wake: Option<Wake>,
    pub(crate) awaiting: Option<Awaiting>,
    /// How far the proof is that is being made, and when that was told.
    pub(crate) proof: Option<(Notice, Instant)>,
    /// The clocks as they were told last.
    pub clocks: Option<Clocks>,
    /// What is this player's beside its stake.
    pub(crate) money: Option<Notice>,
    /// Where the chain is, and which nodes answer.
    pub(crate) chain: Option<Notice>,
    /// How the opponent's machine is reached, and how often it was dialled.
    pub(crate) link: Option<(LinkState, u32)>,
    /// How the game ended, once it has.
    pub ending: Option<Ending>,
    /// The sight that is demanded through the chain: its ply and phase.
    pub(crate) demanded: Option<(u16, Phase)>,
    /// Whether this player's own moves show that the opponent's claim of fifty moves is wrong.
    pub(crate) disputes: bool,
    /// All moves, once the opponent's view key has opened them.
    pub opened: Vec<Move>,
    /// The game from its start to its end, once it is over.
    pub(crate) frames: Vec<Frame>,
    /// Whether chain and opponent end with the game.
    pub(crate) is_solo: bool,
    /// Whether the other game that the opponent has opened can still be joined; none if it has opened none.
    pub(crate) rematch: Option<bool>,
    /// Whether this player has published its view key.
    pub has_published: bool,
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
            Notice::AwaitingRequest { mv }
            | Notice::Proving { mv, .. }
            | Notice::Sent { mv, .. }
            | Notice::Refused { error: CommandError::AlreadyChosen { mv }, .. } => self.chosen = Some(*mv),
            Notice::Moved { ply, mv, capture, captured, draw_offered } => {
                (self.chosen, self.has_offered) = (None, *draw_offered);
                // The board that follows may be long in coming.
                self.views.iter_mut().for_each(|view| view.legal.clear());
                self.draw_offered = false;
                let written = self.written(*ply, mv, *capture);
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
                (self.draw_offered, self.has_offered) = (*draw_offered, false);
                self.list(Ply { number: *ply, written: None, mv: None, capture: *capture, captured: *lost });
            }
            Notice::Awaiting(awaiting) => self.awaiting = Some(*awaiting),
            Notice::Proof { .. } => self.proof = Some((notice.clone(), now)),
            Notice::TurnProved { .. } | Notice::AnswerProved { .. } => self.proof = None,
            Notice::Refused { .. }
            | Notice::Failed { .. }
            | Notice::SignedInAnotherPosition { .. }
            | Notice::ConfirmMove { .. } => {
                self.proof = None;
                if self.awaiting.is_none_or(|awaiting| awaiting.what == game::What::Move) {
                    self.chosen = None;
                }
            }
            Notice::Money { .. } => self.money = Some(notice.clone()),
            Notice::Chain { .. } => self.chain = Some(notice.clone()),
            Notice::Link { state, tries, .. } => {
                self.link = Some((*state, *tries));
                self.is_away = *state == LinkState::Dialling && (self.is_away || *tries > 1);
            }
            Notice::Connected => self.is_away = false,
            Notice::Disconnected => self.is_away = true,
            Notice::Waking { .. } => (self.wake, self.proof) = (Some(Wake::Sent), None),
            Notice::Woken { until, .. } => (self.wake, self.proof) = (Some(Wake::Contested { until: *until }), None),
            Notice::Awake { ply } => {
                self.wake = None;
                self.keep_plies(*ply);
            }
            Notice::SightDemanded { ply, phase, .. } => self.demanded = Some((*ply, *phase)),
            Notice::SightAnswered { .. } => self.demanded = None,
            Notice::FiftyClaimed { disputed, .. } => self.disputes = *disputed,
            Notice::RematchOpened { .. } => self.rematch = Some(true),
            Notice::RematchWithdrawn => self.rematch = Some(false),
            Notice::ViewKey { own: true } => self.has_published = true,
            Notice::Replay { .. } => self.take_replay(notice),
            Notice::Over(ending) => {
                self.ending = Some(*ending);
                (self.awaiting, self.proof, self.chosen, self.wake) = (None, None, None, None);
                (self.draw_offered, self.has_offered) = (false, false);
            }
            _ => {}
        }
        self.clocks = Clocks::of(notice, now).or(self.clocks);
        if matches!(
            notice,
            Notice::Game(_) | Notice::View(_) | Notice::History { .. } | Notice::Over(_) | Notice::Replay { .. }
        ) {
            self.find_frames();
        }
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
            let written = past.mv.map(|mv| self.written(number, &mv, past.capture));
            self.list(Ply { number, written, mv: past.mv, capture: past.capture, captured: past.captured });
        }
    }

    /// A woken game may go on before the last ply that was told.
    fn keep_plies(&mut self, made: u16) {
        self.plies.retain(|known| known.number < made);
    }

    fn list(&mut self, ply: Ply) {
        self.plies.retain(|known| known.number != ply.number);
        self.plies.push(ply);
        self.plies.sort_unstable_by_key(|ply| ply.number);
    }

    /// The own move as players write it: by the board before it, or where that wasn't shown by the own pieces and what the move captured.
    fn written(&self, ply: u16, mv: &Move, capture: Option<Square>) -> String {
        let before = self.views.iter().rfind(|view| (view.ply, view.phase) == (ply, Phase::Pre));
        if let Some((view, sight)) = before.and_then(|view| Some((view, view.sight_shown()?))) {
            return view.side.san(mv, &sight);
        }
        let sides = self.color.map_or_else(Vec::new, |color| self.own_sides(color));
        let Some(side) = sides.get(usize::from(ply)) else { return mv.to_string() };
        let mut sight = Sight { squares: [Seen::Empty; 64], en_passant: None };
        if capture.is_some() {
            sight.squares[mv.to.index()] = Seen::Occupied;
        }
        side.san(mv, &sight)
    }

    /// The own move that is on its way, as players write it.
    pub(crate) fn chosen_in_words(&self) -> Option<String> {
        Some(self.written(self.view()?.ply, &self.chosen?, None))
    }

    /// Says something to the player.
    pub fn say(&mut self, text: &str) {
        for line in text.lines().map(str::trim_end).filter(|line| !line.is_empty()) {
            self.messages.push_back(printable(line));
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

    /// How many plies were made, as it was told last.
    pub fn made(&self) -> u16 {
        self.plies.last().map_or(0, |ply| ply.number + 1)
    }

    /// The board that was shown last.
    pub fn view(&self) -> Option<&View> {
        self.views.last()
    }

    /// The board as it is now, with the own move that is on its way or whose sight hasn't come: what else its men see stays as it was.
    pub(crate) fn board(&self) -> Option<(Side, Sight)> {
        let view = self.view()?;
        let mut sight = view.seen();
        let made = self
            .plies
            .last()
            .filter(|ply| ply.number == view.ply && view.phase == Phase::Pre && self.is_own(ply.number));
        let Some(mv) = self.chosen.or(made.and_then(|ply| ply.mv)) else { return Some((view.side.clone(), sight)) };
        let after = view.side.play(&mv);
        let left = Square::all().filter(|square| view.side.piece(*square).is_some() && after.piece(*square).is_none());
        let captured = view.side.capture_square(&mv, &sight);
        left.chain(captured).for_each(|square| sight.squares[square.index()] = Seen::Empty);
        Some((after, sight))
    }

    /// The moves to choose from; none unless the player is to move.
    pub fn legal(&self) -> &[Move] {
        match self.view() {
            Some(view) if self.chosen.is_none() && self.ending.is_none() => &view.legal,
            _ => &[],
        }
    }

    /// A player's clock, while the game is on.
    pub(crate) fn clock(&self, color: Color, now: Instant) -> Option<Clock> {
        let clock = self.clocks?.of_player(color, now);
        Some(Clock { is_due: clock.is_due && self.ending.is_none(), ..clock })
    }

    /// Time until a second of the chain's.
    pub fn until(&self, second: u64, now: Instant) -> Option<Duration> {
        Some(self.clocks?.until(second, now))
    }

    /// How much is at stake, in wei.
    pub(crate) fn stake(&self) -> u128 {
        self.about.as_ref().map_or(0, |about| about.terms.stake)
    }

    /// Whether moves are proven in this game.
    pub(crate) fn has_proofs(&self) -> bool {
        self.about.as_ref().is_none_or(|about| about.terms.mode.has_proofs())
    }

    /// What each player has captured in the first plies: the own captures, then the opponent's, as far as their kinds are known.
    pub(crate) fn captured(&self, plies: usize) -> [Vec<Option<PieceType>>; 2] {
        let of = |own: bool| {
            let plies = self.plies.iter().take(plies).filter(|ply| self.is_own(ply.number) == own);
            plies.filter(|ply| ply.capture.is_some()).map(|ply| ply.captured).collect()
        };
        [of(true), of(false)]
    }

    /// Whether a move can only be given for later.
    pub(crate) fn is_waiting(&self) -> bool {
        self.ending.is_none() && self.legal().is_empty() && !self.views.is_empty()
    }

    /// Whether a game that is over is looked at by somebody who needn't have played it: who plays is introduced first of all.
    pub(crate) fn is_watched(&self) -> bool {
        self.about.is_none() && self.ending.is_some()
    }

    /// Whether this player makes a ply.
    pub(crate) fn is_own(&self, ply: u16) -> bool {
        self.color == Some(Color::of_ply(ply.into()))
    }
}
