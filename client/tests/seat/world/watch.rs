//! What must hold at every step: nothing is released too early, and what is shown is the truth.

use super::World;
use game::{Message, Phase};
use game::{Notice, PeerFault, View};
use rules::{Move, Sight};

impl World {
    /// Nothing that depends on a move leaves before the move is final.
    pub(super) fn watch(&self, message: &Message) {
        let final_moves = self.truth.len() - 1;
        match message {
            Message::Answer { ply, phase: Phase::Pre, .. } => assert!(final_moves >= usize::from(*ply)),
            Message::Answer { ply, phase: Phase::Post, .. } => assert!(final_moves > usize::from(*ply)),
            Message::Request { ply, .. } => assert!(usize::from(*ply) <= final_moves),
            Message::Want { .. } => {}
        }
    }

    /// What is shown is the truth.
    pub(super) fn look(&mut self, i: usize, update: Notice) {
        if let Notice::View(view) = &update {
            self.compare(i, view);
        }
        self.players[i].shown.push(update);
    }

    fn compare(&self, i: usize, view: &View) {
        let color = self.players[i].seat.color().expect("colours are drawn");
        let at = usize::from(view.ply) + usize::from(view.phase == Phase::Post);
        let (Some(position), Some(sight)) = (self.truth.get(at), &view.sight) else {
            return;
        };
        assert_eq!(view.side.pieces, position.side(color).pieces);
        assert_eq!(*sight, Sight::between(position.side(color), position.side(!color), view.phase == Phase::Pre));
        if view.phase == Phase::Pre {
            let sorted = |mut moves: Vec<Move>| {
                moves.sort_by_key(ToString::to_string);
                moves
            };
            assert_eq!(sorted(view.legal.clone()), sorted(position.legal_moves()));
        }
    }

    /// The faults that a player was shown and that no honest opponent causes.
    pub fn accusations(&self, i: usize) -> Vec<&PeerFault> {
        let mut accusations = Vec::new();
        for update in &self.players[i].shown {
            match update {
                Notice::Fault(fault) if !fault.may_be_honest() => accusations.push(fault),
                _ => {}
            }
        }
        accusations
    }
}
