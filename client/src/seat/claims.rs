//! Draws that a player claims, and the answer to the opponent's claim (protocol, section 8): what is claimed is proven first, so
//! a claim that the contract would refuse is never sent.

use super::effects::Effects;
use super::errand::Errand;
use super::event::{JobId, JobKind};
use super::facts::Facts;
use fog::engine::Phase;
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
    errand: Errand,
}

impl Claims {
    /// Whether a claim of the own is on its way.
    pub fn is_pending(&self) -> bool {
        self.current.is_some()
    }

    /// Makes a claim, or answers one.
    pub fn make(&mut self, claim: Claim, ply: u16) {
        self.current = Some(Current { claim, ply, errand: Errand::Due });
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
        self.current.as_ref().is_some_and(|current| current.errand.awaits(job))
    }

    /// What is on its way.
    pub fn errand(&mut self) -> Option<&mut Errand> {
        self.current.as_mut().map(|current| &mut current.errand)
    }

    /// Proves and sends what is due; `seen` are the messages of the proven sight before the own move.
    pub fn advance(&mut self, facts: &Facts, seen: Option<Vec<Vec<u8>>>, fx: &mut Effects) {
        self.forget(facts.playing());
        let (Some(current), Some((player, play, own))) = (&mut self.current, facts.in_play()) else {
            return;
        };
        current.errand.send(|_| true, fx);
        if !current.errand.is_due() {
            return;
        }
        let (keys, own, ply) = (player.keys(), own.committed(), current.ply);
        current.errand = match (current.claim, play.exchange(Phase::Pre).zip(seen)) {
            (Claim::NoMove, Some((exchange, messages))) => Errand::prove(JobKind::ProveNoMove, keys, fx, move |keys| {
                Ok(Transaction::ClaimNoMove { ply, proof: keys.prove_no_move(&exchange, &own, &messages)? })
            }),
            (Claim::NoMove, None) => return,
            (Claim::Fifty, _) => Errand::prove(JobKind::ProveFifty, keys, fx, move |keys| {
                Ok(Transaction::ClaimFifty { ply, proof: keys.prove_fifty(&own)? })
            }),
            (Claim::Fewer, _) => Errand::prove(JobKind::ProveFifty, keys, fx, move |keys| {
                Ok(Transaction::RespondFifty { at_least_fifty: false, proof: keys.prove_fifty(&own)? })
            }),
        };
    }
}
