//! The proof of the opponent's last move, verified here before anything is released that hangs on it, in both modes: the
//! contract of a challengeable game verifies no move by itself, and of a verified game's it is asked twice rather than trusted
//! once. A false proof that the contract hasn't verified wins the game.

use super::effects::Effects;
use super::event::{Job, JobId};
use super::facts::Facts;
use fog::engine::Fault;
use game::{ChainEvent, Mode, MoveFields, Notice, Transaction, Unproven};

#[derive(Debug, Default)]
pub(super) struct Verifying {
    last: Option<Verification>,
}

/// The opponent's last move.
#[derive(Debug)]
struct Verification {
    fields: MoveFields,
    state: State,
}

#[derive(Debug)]
enum State {
    /// Its proof has not been read yet.
    Awaited,
    Ready(Box<Unproven>),
    Running(JobId, Box<Unproven>),
    /// It could not be verified on this side; it is tried again at the next tick.
    Failed(Box<Unproven>),
    /// False, and the contract doesn't know it yet.
    False {
        unproven: Box<Unproven>,
        sent: bool,
    },
    /// False, though the contract has verified it: nothing more is done in this game.
    Distrusted,
    /// True, or verified by the contract alone because its proof can't be read.
    Done,
}

impl Verifying {
    /// The opponent's move is final; `proof` is that of its calldata.
    pub fn opponent_move(&mut self, facts: &Facts, fields: &MoveFields, proof: Option<&[u8]>) {
        let before = facts.before(fields.ply);
        // In a game whose moves have no proofs there are no inputs either, and nothing to verify.
        let public = before.and_then(|play| play.turn_public(facts.table().game(), fields));
        let unproven = public.zip(proof).map(|(public, proof)| Unproven {
            ply: fields.ply,
            inputs: public.to_instance(),
            proof: proof.to_vec(),
        });
        let is_challengeable = facts.table().terms().is_some_and(|terms| terms.mode == Mode::Challengeable);
        let state = match unproven {
            // What the contract keeps of the move comes with the next event.
            _ if is_challengeable && facts.playing().is_some() => State::Awaited,
            Some(unproven) => State::Ready(Box::new(unproven)),
            None => State::Done,
        };
        self.last = Some(Verification { fields: *fields, state });
    }

    /// The contract keeps an unverified move.
    pub fn unproven(&mut self, event: &ChainEvent) {
        let ChainEvent::MoveUnproven { ply, inputs, proof } = event else {
            return;
        };
        if let Some(last) = self.last.as_mut().filter(|last| last.fields.ply == *ply)
            && matches!(last.state, State::Awaited)
        {
            last.state = State::Ready(Box::new(Unproven { ply: *ply, inputs: **inputs, proof: proof.clone() }));
        }
    }

    /// Whether nothing speaks against the opponent's last move, if there is one.
    pub fn is_done(&self) -> bool {
        self.last.as_ref().is_none_or(|last| matches!(last.state, State::Done))
    }

    /// Whether the result of this job is waited for.
    pub fn awaits(&self, job: JobId) -> bool {
        matches!(&self.last, Some(Verification { state: State::Running(id, _), .. }) if *id == job)
    }

    /// Verifies what is to be verified, and refutes what is false.
    pub fn advance(&mut self, facts: &Facts, fx: &mut Effects) {
        let (Some(last), Some((player, ..))) = (&mut self.last, facts.in_play()) else {
            return;
        };
        match &mut last.state {
            State::Ready(unproven) => {
                // An engine whose statements no contract verifies has no proof to look at.
                if player.keys().on_chain().is_none() {
                    last.state = State::Done;
                    return;
                }
                let unproven = unproven.clone();
                let job = fx.run(Job::VerifyMove { keys: player.keys().clone(), unproven: unproven.clone() });
                last.state = State::Running(job, unproven);
            }
            State::False { unproven, sent: sent @ false } => {
                *sent = true;
                fx.transact(Transaction::Refute(unproven.clone()));
            }
            _ => {}
        }
    }

    /// What failed on this side is tried again.
    pub fn retry(&mut self) {
        let Some(last) = &mut self.last else { return };
        if let State::Failed(unproven) = &last.state {
            last.state = State::Ready(unproven.clone());
        }
    }

    /// A refutation may have got lost.
    pub fn resend(&mut self) {
        if let Some(Verification { state: State::False { sent, .. }, .. }) = &mut self.last {
            *sent = false;
        }
    }

    /// The proof was looked at.
    pub fn finish(&mut self, facts: &Facts, job: JobId, result: Result<(), Fault>, fx: &mut Effects) {
        let is_awaited = self.awaits(job);
        let Some(last) = self.last.as_mut().filter(|_| is_awaited) else {
            return;
        };
        let State::Running(_, unproven) = std::mem::replace(&mut last.state, State::Done) else {
            return;
        };
        let ply = unproven.ply;
        match result {
            Ok(()) => {}
            Err(fault) if fault.is_own() => {
                fx.failed(&fault);
                last.state = State::Failed(unproven);
            }
            Err(_) => {
                let kept = facts.playing().and_then(|play| play.unproven.as_ref());
                let can_refute = kept.is_some_and(|kept| kept.ply == ply);
                fx.notify(Notice::FalseMove { ply, can_refute });
                last.state = match can_refute {
                    true => State::False { unproven, sent: false },
                    false => State::Distrusted,
                };
            }
        }
    }
}
