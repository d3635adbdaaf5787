//! Which moves are played.

use super::World;
use client::seat::Event;
use game::{Command, CommandError, MoveFields, Notice};
use rand::seq::{IteratorRandom, SliceRandom};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::{Move, PieceType, Sight};

/// Who decides on the moves.
#[derive(Clone, Debug)]
pub enum Players {
    /// These moves, from ply 0.
    Script(Vec<Move>),
    /// Drawn; kings and often other pieces are captured when they can be. A user that decides again decides the same.
    Random {
        /// After so many the mover resigns.
        plies: u16,
    },
}

impl World {
    /// Whether a player has something to say: while its own demand or claim is open, only that it takes the king.
    pub(super) fn may_decide(&self, i: usize) -> bool {
        if self.unwanted(i).is_some() {
            return true;
        }
        let player = &self.players[i];
        if self.backend.is_some() && self.chain.now < player.decides_from {
            return false;
        }
        let is_held = player.seat.table().playing().is_some_and(|play| play.hold.is_some());
        player.seat.can_move() && !player.is_refused && (!is_held || self.takes_king(i))
    }

    /// Whether the player would take the king, by the truth.
    fn takes_king(&self, i: usize) -> bool {
        let (Some(color), Some(position)) = (self.players[i].seat.color(), self.truth.last()) else {
            return false;
        };
        let takes = |mv: &Move| position.side(!color).piece(mv.to) == Some(PieceType::King);
        match &self.script {
            Players::Script(moves) => moves.get(self.truth.len() - 1).is_some_and(takes),
            Players::Random { .. } => self.players[i].seat.legal_moves().iter().any(takes),
        }
    }

    /// The move of the ply that is due which has left the machine of a user that now wants another. Who has lost its journal is asked to
    /// make the same move again.
    pub(super) fn unwanted(&self, i: usize) -> Option<Move> {
        let player = Some(&self.players[i]).filter(|player| player.wants_another && !player.has_lost_journal)?;
        let play = player.seat.table().playing().filter(|play| Some(play.turn()) == player.seat.color())?;
        let signed = player.signed.get(&play.ply)?;
        Some(self.oracle.move_to(&signed.next_commitment))
    }

    /// A user wants another move in the place of the signed one: it is told that this one stands.
    pub(super) fn want_another(&mut self, i: usize) {
        let (Some(signed), Some(play)) = (self.unwanted(i), self.players[i].seat.table().playing()) else { return };
        let others = self.truth[usize::from(play.ply)].legal_moves().into_iter().filter(|mv| *mv != signed);
        self.players[i].wants_another = false;
        let Some(mv) = others.choose(&mut self.rng) else { return };
        self.checks.add("a signed move stands");
        let shown = self.players[i].shown.len();
        let effects = self.players[i].seat.apply(Event::Command(Command::Move { mv, offer_draw: false }));
        self.carry(i, effects);
        let told = Notice::Refused { id: None, error: CommandError::AlreadyChosen { mv: signed } };
        assert!(
            self.players[i].shown[shown..].contains(&told),
            "a user that wants {mv} isn't told that {signed} is signed"
        );
    }

    pub(super) fn decide(&mut self, i: usize) -> Command {
        let legal = self.players[i].seat.legal_moves();
        let play = self.players[i].seat.table().begun().expect("in play");
        let (ply, is_offered) = (play.ply, play.draw_offered);
        let player = &self.players[i];
        // Without its journal a seat has forgotten a move that is in no block, and its user makes the same one again.
        let forgotten = player.signed.get(&ply).filter(|_| player.has_lost_journal && player.mischief.is_none());
        if let Some(&MoveFields { next_commitment, offer_draw, .. }) = forgotten {
            return Command::Move { mv: self.oracle.move_to(&next_commitment), offer_draw };
        }
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed ^ self.players[i].mood);
        rng.set_stream(ply.into());
        if is_offered && rng.gen_range(0..100) < self.accept_draws {
            return Command::AcceptDraw;
        }
        match &self.script {
            Players::Script(moves) => Command::Move { mv: moves[usize::from(ply)], offer_draw: false },
            Players::Random { plies } if ply >= *plies || legal.is_empty() => Command::Resign,
            Players::Random { .. } => {
                let sight = self.players[i].seat.view().and_then(|view| view.sight);
                let mv = draw_move(&legal, sight.as_ref(), &mut rng);
                Command::Move { mv, offer_draw: rng.gen_range(0..5) == 0 }
            }
        }
    }
}

/// Captures a king if it can, then often anything, else any move.
fn draw_move(legal: &[Move], sight: Option<&Sight>, rng: &mut ChaCha8Rng) -> Move {
    let takes = |mv: &&Move, king: bool| {
        sight.is_some_and(|sight| match sight.at(mv.to) {
            rules::Seen::Piece(piece) => !king || piece == PieceType::King,
            _ => false,
        })
    };
    if let Some(mv) = legal.iter().find(|mv| takes(mv, true)) {
        return *mv;
    }
    let captures: Vec<_> = legal.iter().filter(|mv| takes(mv, false)).collect();
    match captures.choose(rng) {
        Some(mv) if rng.gen_range(0..2) == 0 => **mv,
        _ => *legal.choose(rng).expect("a legal move"),
    }
}

/// The moves of `test/data/games.jsonl`.
pub fn recorded_games() -> Vec<Vec<Move>> {
    let text = include_str!("../../../test/data/games.jsonl");
    let moves = |line: &str| -> Vec<Move> {
        let game: serde_json::Value = serde_json::from_str(line).expect("a JSON object a line");
        let moves = game["moves"].as_array().expect("moves");
        moves.iter().map(|mv| mv.as_str().expect("UCI").parse().expect("UCI")).collect()
    };
    text.lines().filter(|line| !line.is_empty()).map(moves).collect()
}
