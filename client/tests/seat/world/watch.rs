//! What must hold at every step: nothing is released too early or to a false move, and what is shown is the truth.

use super::World;
use crate::model_chain::Statement;
use game::{ChainEvent, Message, Phase, Transaction};
use game::{Notice, PeerFault, View};
use rules::{Move, Sight};

impl World {
    /// Takes a move that has become final: the truth goes on with it, unless its proof is false.
    pub(super) fn follow(&mut self, index: usize) {
        let ChainEvent::Moved { fields, .. } = &self.chain.log[index].event else {
            return;
        };
        let unproven = self.chain.log.get(index + 1).map(|logged| &logged.event);
        if let Some(ChainEvent::MoveUnproven { inputs, proof, .. }) = unproven
            && !self.oracle.verify(Statement::Turn, &inputs[..], proof)
        {
            self.false_plies.push(fields.ply);
            return;
        }
        assert!(self.false_plies.is_empty(), "a game goes on after a false move");
        let mv = self.oracle.move_to(&fields.next_commitment);
        let mut position = self.truth.last().expect("the start").clone();
        let played = position.play(&mv).expect("the chain took an illegal move");
        assert_eq!((played.capture, played.king_fell), (fields.capture, fields.king_fell));
        self.truth.push(position);
    }

    /// Nothing that depends on a move leaves before the move is final, and nothing at all for a false one.
    pub(super) fn watch(&self, message: &Message) {
        match message {
            Message::Answer { ply, phase, .. } => self.watch_sight(*ply, *phase),
            Message::Request { ply, .. } => assert!(usize::from(*ply) <= self.final_moves()),
            Message::Want { .. } => {}
        }
    }

    /// The same of a transaction; and only what was demanded is given on chain.
    pub(super) fn watch_transaction(&self, i: usize, transaction: &Transaction) {
        let due = self.players[i].seat.table().begun().map(|play| play.ply);
        match transaction {
            Transaction::FillAnswer { ply, .. } => {
                assert_eq!(Some(*ply), due, "a root is posted late for a ply that isn't due");
            }
            Transaction::AnswerSight { demanded, .. } => {
                self.watch_sight(demanded.ply, demanded.phase);
                let is_final = self.events().take(self.finals).any(
                    |event| matches!(event, ChainEvent::SightDemanded { demanded: known, .. } if known == demanded),
                );
                assert!(is_final, "an answer on chain to what nobody demands for good");
            }
            Transaction::Move { fields, .. } => {
                assert!(self.false_plies.is_empty(), "a move of ply {} after a false one", fields.ply);
            }
            _ => {}
        }
    }

    fn watch_sight(&self, ply: u16, phase: Phase) {
        assert!(!self.false_plies.contains(&ply), "a sight is given to a false move");
        match phase {
            Phase::Pre => assert!(self.final_moves() >= usize::from(ply)),
            Phase::Post => assert!(self.final_moves() > usize::from(ply)),
        }
    }

    fn final_moves(&self) -> usize {
        self.truth.len() - 1
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
