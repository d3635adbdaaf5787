//! A game that is over, position by position: the own side and what it saw, and once the fog has lifted the truth.

use crate::model::{Frame, Model};
use game::{Notice, Phase, View};
use rules::{Color, Move, PieceType, Position, Seen, Side, Sight, Square};

/// The whole board as a side and what it sees: White's men, and all of Black's.
#[must_use]
pub fn everything(position: &Position) -> (Side, Sight) {
    let mut sight = Sight { squares: [Seen::Empty; 64], en_passant: None };
    position.side(Color::Black).men().for_each(|(square, piece)| sight.squares[square.index()] = Seen::Piece(piece));
    (position.side(Color::White).clone(), sight)
}

impl Model {
    /// Takes the moves that a published key has opened.
    pub(crate) fn take_replay(&mut self, notice: &Notice) {
        let Notice::Replay { moves, fault } = notice else { return };
        self.opened.clone_from(moves);
        if let Some(fault) = fault {
            self.say(&format!("The opponent's view key doesn't open its moves: {fault}."));
        }
        let mut position = Position::start();
        for (number, mv) in (0..).zip(moves) {
            let turn = position.turn();
            let written = position.side(turn).san(mv, &position.sight(turn));
            let before = position.clone();
            let Ok(played) = position.play(mv) else { break };
            let captured = played.capture.and_then(|square| before.side(!turn).piece(square));
            if let Some(ply) = self.plies.iter_mut().find(|ply| ply.number == number) {
                (ply.written, ply.mv, ply.captured) = (Some(written), Some(*mv), captured);
            }
        }
    }

    /// Goes through the game, once it is over: the start, and what every ply led to.
    pub(crate) fn find_frames(&mut self) {
        if let Some(color) = self.color().filter(|_| self.ending.is_some()) {
            let frames = if self.opened.is_empty() { self.own_frames(color) } else { self.true_frames(color) };
            self.frames = frames;
        }
    }

    fn true_frames(&self, color: Color) -> Vec<Frame> {
        let mut position = Position::start();
        let frame = |position: &Position, last_move, captured| Frame {
            own: (position.side(color).clone(), position.sight(color)),
            truth: Some(position.clone()),
            last_move,
            captured,
        };
        let mut frames = vec![frame(&position, None, None)];
        for mv in &self.opened {
            let is_loss = self.is_watched() || position.turn() != color;
            let Ok(played) = position.play(mv) else { break };
            frames.push(frame(&position, Some(*mv), played.capture.filter(|_| is_loss)));
        }
        frames
    }

    /// The own side at the start and after every ply, by its moves and what it lost, as far as they are known.
    pub(crate) fn own_sides(&self, color: Color) -> Vec<Side> {
        let mut sides = vec![Side::start(color)];
        for (ply, known) in self.plies.iter().enumerate() {
            let side = &sides[ply];
            sides.push(match (self.is_own(known.number), known.mv) {
                _ if usize::from(known.number) != ply => break,
                (true, Some(mv)) => side.play(&mv),
                (true, None) => break,
                (false, _) => side.without(known.capture),
            });
        }
        sides
    }

    /// What this player knows by itself: its side, and the sights that it was shown.
    fn own_frames(&self, color: Color) -> Vec<Frame> {
        let frame = |(made, side): (u16, &Side)| {
            let ply = made.checked_sub(1).and_then(|last| self.plies.get(usize::from(last)));
            let loss = ply.filter(|ply| self.is_watched() || !self.is_own(ply.number)).and_then(|ply| ply.capture);
            self.own_frame(made, side, ply.and_then(|ply| ply.mv), loss)
        };
        (0..).zip(&self.own_sides(color)).map(frame).collect()
    }

    fn own_frame(&self, made: u16, side: &Side, last_move: Option<Move>, captured: Option<Square>) -> Frame {
        // Between two own plies there are two sights: after the first, and before the second.
        let is_shown = |ply: u16, phase: Phase| {
            (ply, phase) == (made, Phase::Pre) && self.is_own(made)
                || (Some(ply), phase) == (made.checked_sub(1), Phase::Post)
        };
        let fits = |view: &&View| {
            is_shown(view.ply, view.phase) && view.side.pieces == side.pieces && view.sight_shown().is_some()
        };
        let shown = self.views.iter().rfind(fits);
        // At the end nothing more was shown: what was seen last stays.
        let is_end = usize::from(made) == self.plies.len();
        let last = self.views.iter().rfind(|view| is_end && view.sight.is_some());
        let sight = shown.or(last).and_then(View::sight_shown).unwrap_or(Sight::DARK);
        Frame { own: (side.clone(), sight), truth: None, last_move, captured }
    }

    /// The ply that led to a frame, as players count them.
    pub(crate) fn name_of(&self, made: usize) -> String {
        let Some(ply) = made.checked_sub(1).and_then(|last| self.plies.get(last)) else {
            return "the start".to_owned();
        };
        let dots = if ply.number.is_multiple_of(2) { "." } else { "…" };
        let text = self.ply_text(ply);
        format!("{}{dots} {}", ply.number / 2 + 1, text.trim_start_matches("… "))
    }
}

/// What the pieces that this player has taken are worth, less those that it has lost; none where a kind isn't known.
pub(crate) fn advantage([taken, lost]: &[Vec<Option<PieceType>>; 2]) -> Option<i32> {
    let worth = |piece: PieceType| match piece {
        PieceType::Pawn => 1,
        PieceType::Knight | PieceType::Bishop => 3,
        PieceType::Rook => 5,
        PieceType::Queen => 9,
        PieceType::King => 0,
    };
    let sum = |pieces: &[Option<PieceType>]| pieces.iter().map(|piece| piece.map(worth)).sum::<Option<i32>>();
    Some(sum(taken)? - sum(lost)?)
}
