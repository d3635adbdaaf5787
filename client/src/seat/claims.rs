//! Draws that a player claims, and the answer to the opponent's claim (protocol, section 8): what is claimed is proven first, so
//! a claim that the contract would refuse is never sent.

use super::effects::Effects;
use super::event::{Done, Job, JobId, JobKind};
use super::facts::Facts;
use fog::engine::{Fault, OnChain, Phase};
use game::{ChainEvent, Hold, Notice, PlayState, Transaction};

/// Moves without a pawn's that a claim needs, of each player.
pub(super) use fog::statement::fifty::FIFTY;

/// What is claimed or answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// Fifty moves of each player.
    Fifty,
    NoMove,
    /// That the own state has fewer than fifty moves: the answer to the opponent's claim.
    Fewer,
}

#[derive(Debug, Default)]
pub(super) struct Claims {
    current: Option<Current>,
}

#[derive(Debug)]
struct Current {
    claim: Claim,
    ply: u16,
    state: State,
}

#[derive(Debug)]
enum State {
    Due,
    Proving(JobId),
    /// It could not be proven on this side; it is tried again at the next tick.
    Failed,
    Sending {
        transaction: Box<Transaction>,
        sent: bool,
    },
}

impl Claims {
    /// Whether a claim of the own is on its way.
    pub fn is_pending(&self) -> bool {
        self.current.is_some()
    }

    /// Makes a claim, or answers one.
    pub fn make(&mut self, claim: Claim, ply: u16) {
        self.current = Some(Current { claim, ply, state: State::Due });
    }

    /// Somebody claims fifty moves.
    pub fn on_claim(&mut self, facts: &Facts, event: &ChainEvent, fx: &mut Effects) {
        let ChainEvent::FiftyClaimed { ply, deadline, .. } = *event else {
            return;
        };
        let own = facts.my_turn().is_some();
        let disputed = !own && facts.own().is_some_and(|own| own.side.since_pawn < FIFTY);
        fx.notify(Notice::FiftyClaimed { own, disputed, deadline });
        if own {
            self.current = None;
        } else if disputed {
            self.make(Claim::Fewer, ply);
        }
    }

    /// Forgets what is over: the game, the ply, or the claim that was to be answered.
    fn forget(&mut self, play: Option<&PlayState>) {
        let stands = |current: &Current| {
            play.is_some_and(|play| {
                let claimed = matches!(play.hold, Some(Hold::FiftyMoves { .. }));
                play.ply == current.ply && claimed == (current.claim == Claim::Fewer)
            })
        };
        self.current = self.current.take().filter(stands);
    }

    /// Whether the result of this job is waited for.
    pub fn awaits(&self, job: JobId) -> bool {
        matches!(&self.current, Some(Current { state: State::Proving(id), .. }) if *id == job)
    }

    /// Proves and sends what is due; `seen` are the messages of the proven sight before the own move.
    pub fn advance(&mut self, facts: &Facts, seen: Option<Vec<Vec<u8>>>, fx: &mut Effects) {
        self.forget(facts.playing());
        let (Some(current), Some((player, play, own))) = (&mut self.current, facts.in_play()) else {
            return;
        };
        match &mut current.state {
            State::Due => {
                let (keys, own) = (player.keys(), own.committed());
                let sight = play.exchange(Phase::Pre).zip(seen);
                let job = match (current.claim, sight) {
                    (Claim::NoMove, Some((exchange, messages))) => {
                        let prove = move |keys: &dyn OnChain| keys.prove_no_move(&exchange, &own, &messages);
                        Job::on_chain(JobKind::ProveNoMove, keys, prove, Done::ProveClaim)
                    }
                    (Claim::NoMove, None) => return,
                    (Claim::Fifty | Claim::Fewer, _) => {
                        Job::on_chain(JobKind::ProveFifty, keys, move |keys| keys.prove_fifty(&own), Done::ProveClaim)
                    }
                };
                current.state = State::Proving(fx.run(job));
            }
            State::Sending { transaction, sent: sent @ false } => {
                *sent = true;
                fx.transact((**transaction).clone());
            }
            _ => {}
        }
    }

    /// What failed on this side is tried again.
    pub fn retry(&mut self) {
        if let Some(Current { state: state @ State::Failed, .. }) = &mut self.current {
            *state = State::Due;
        }
    }

    /// A transaction may have got lost.
    pub fn resend(&mut self) {
        if let Some(Current { state: State::Sending { sent, .. }, .. }) = &mut self.current {
            *sent = false;
        }
    }

    /// A claim was proven.
    pub fn proven(&mut self, job: JobId, result: Result<Vec<u8>, Fault>, fx: &mut Effects) {
        let is_awaited = self.awaits(job);
        let Some(current) = self.current.as_mut().filter(|_| is_awaited) else {
            return;
        };
        let ply = current.ply;
        current.state = match result {
            Ok(proof) => State::Sending {
                transaction: Box::new(match current.claim {
                    Claim::Fifty => Transaction::ClaimFifty { ply, proof },
                    Claim::NoMove => Transaction::ClaimNoMove { ply, proof },
                    Claim::Fewer => Transaction::RespondFifty { at_least_fifty: false, proof },
                }),
                sent: false,
            },
            Err(error) => {
                fx.failed(&error);
                State::Failed
            }
        };
    }
}
