//! The proof of the opponent's last move, verified here before anything is released that hangs on it. The contract has verified it,
//! too; it is asked twice rather than trusted once.

use super::effects::Effects;
use super::event::{Job, JobId, MoveProof};
use super::facts::Facts;
use fog::engine::Fault;
use game::{MoveFields, Notice};

/// The opponent's last move.
#[derive(Debug, Default)]
pub(super) enum Verifying {
    Ready(Box<MoveProof>),
    Running(JobId, Box<MoveProof>),
    /// It could not be verified on this side; it is tried again at the next tick.
    Failed(Box<MoveProof>),
    /// False, though the contract has verified it: nothing more is done in this game.
    Distrusted,
    /// There is none, it is true, or it was verified by the contract alone because its proof can't be read.
    #[default]
    Done,
}

impl Verifying {
    /// The opponent's move is final; `proof` is that of its calldata.
    pub fn opponent_move(&mut self, facts: &Facts, fields: &MoveFields, proof: Option<&[u8]>) {
        let before = facts.before(fields.ply);
        // In a game whose moves have no proofs there are no inputs either, and nothing to verify.
        let public = before.and_then(|play| play.turn_public(facts.table().game(), fields));
        *self = match public.zip(proof) {
            Some((public, proof)) => Self::Ready(Box::new(MoveProof::new(fields.ply, &public, proof))),
            None => Self::Done,
        };
    }

    /// Whether nothing speaks against the opponent's last move, if there is one.
    pub fn is_done(&self) -> bool {
        matches!(self, Self::Done)
    }

    /// Whether the result of this job is waited for.
    pub fn awaits(&self, job: JobId) -> bool {
        matches!(self, Self::Running(id, _) if *id == job)
    }

    /// Verifies what is to be verified.
    pub fn advance(&mut self, facts: &Facts, fx: &mut Effects) {
        let (Self::Ready(proof), Some((player, ..))) = (&*self, facts.in_play()) else {
            return;
        };
        // An engine whose statements no contract verifies has no proof to look at.
        if player.keys().on_chain().is_none() {
            *self = Self::Done;
            return;
        }
        let proof = proof.clone();
        let job = fx.run(Job::verify_move(player.keys(), &proof));
        *self = Self::Running(job, proof);
    }

    /// What failed on this side is tried again.
    pub fn retry(&mut self) {
        if let Self::Failed(proof) = self {
            *self = Self::Ready(proof.clone());
        }
    }

    /// The proof was looked at.
    pub fn finish(&mut self, job: JobId, result: Result<(), Fault>, fx: &mut Effects) {
        if !self.awaits(job) {
            return;
        }
        let Self::Running(_, proof) = std::mem::take(self) else {
            return;
        };
        match result {
            Ok(()) => {}
            Err(fault) if fault.is_own() => {
                fx.failed(&fault);
                *self = Self::Failed(proof);
            }
            Err(_) => {
                fx.notify(Notice::FalseMove { ply: proof.ply });
                *self = Self::Distrusted;
            }
        }
    }
}
