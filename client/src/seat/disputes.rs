//! Sights through the chain (protocol, section 8; the honest client's policy): what doesn't arrive in time is demanded, what is
//! demanded is given, and the root of an answer that the own move couldn't carry is posted when the opponent's points come late.
//! Nothing is given for a move that isn't final and verified.

use super::effects::Effects;
use super::errand::Errand;
use super::event::{JobId, JobKind};
use super::facts::Facts;
use super::released::Released;
use ff::Field;
use fog::engine::{Exchange, Fault};
use fog::word::from_word;
use game::{ChainEvent, Demanded, Notice, OwnState, Phase, Transaction};
use halo2curves::bn256::Fr;

/// Roots that are posted late, at most, in a game: each costs gas that an opponent could make one spend.
const FILLS: u8 = 2;

#[derive(Debug, Default)]
pub(super) struct Disputes {
    /// What the opponent demands.
    asked: Vec<Asked>,
    /// Own demands, by the exchange that they are about.
    demands: Vec<OwnDemand>,
    fills: u8,
    /// The root that is being posted late.
    fill: Option<Fill>,
}

/// A root that is posted after the move that should have carried it.
#[derive(Debug)]
struct Fill {
    ply: u16,
    ctx: Fr,
    errand: Errand,
}

/// A demand of the opponent.
#[derive(Debug)]
struct Asked {
    demanded: Demanded,
    exchange: Exchange,
    own: OwnState,
    points: Vec<u8>,
    errand: Errand,
}

/// An own demand on its way.
#[derive(Debug)]
struct OwnDemand {
    ctx: Fr,
    ply: u16,
    phase: Phase,
    errand: Errand,
    /// The contract or the node doesn't take it: nothing is held by it, and it is tried again if the sight is still missing then.
    is_refused: bool,
}

impl Disputes {
    /// The opponent demands a sight.
    pub fn on_demand(&mut self, facts: &Facts, event: &ChainEvent, fx: &mut Effects) {
        let ChainEvent::SightDemanded { demanded, deadline, points, .. } = event else {
            return;
        };
        let own = facts.color() == Some(demanded.receiver);
        let (ply, phase, deadline) = (demanded.ply, demanded.phase, *deadline);
        fx.notify(Notice::SightDemanded { ply, phase, own, deadline });
        if own {
            return;
        }
        if let Some((exchange, own)) = facts.demanded(demanded) {
            let (demanded, points) = (*demanded, points.clone());
            self.asked.push(Asked { demanded, exchange, own, points, errand: Errand::Due });
        }
    }

    /// A demanded sight was given, to whomever.
    pub fn on_answer(&mut self, ctx: Fr) {
        self.asked.retain(|asked| asked.demanded.ctx != ctx);
        self.demands.retain(|demand| demand.ctx != ctx);
    }

    /// The game is over: nothing is given or demanded any more.
    pub fn clear(&mut self) {
        self.asked.clear();
        self.demands.clear();
        self.fill = None;
    }

    /// Demands a sight, unless that is under way: what the contract lets through is the caller's business.
    pub fn demand(&mut self, facts: &Facts, ctx: Fr, exchange: &Exchange, fx: &mut Effects) {
        if self.demands.iter().any(|demand| demand.ctx == ctx) {
            return;
        }
        let Some((player, _, own)) = facts.in_play() else {
            return;
        };
        let Ok(points) = player.request(own) else {
            return;
        };
        let (ply, phase) = (u16::try_from(exchange.ply).unwrap_or(u16::MAX), exchange.phase);
        fx.notify(Notice::DemandingSight { ply, phase });
        let own = own.committed();
        let errand = Errand::prove(JobKind::ProveRequest(ply), player.keys(), fx, move |keys| {
            Ok(Transaction::DemandSight { phase, ply, points, proof: keys.prove_request(&own)? })
        });
        self.demands.push(OwnDemand { ctx, ply, phase, errand, is_refused: false });
    }

    /// Whether a demand for the sight before the own move has been sent, and not been heard of.
    pub fn is_demanding(&self) -> bool {
        let sent = |demand: &OwnDemand| demand.errand.is_sent() && !demand.is_refused;
        self.demands.iter().any(|demand| demand.phase == Phase::Pre && sent(demand))
    }

    /// Forgets the demands of exchanges that are over, those that could not be proven, which are made anew, and those that were refused of
    /// sights that have come meanwhile. `keeps` says which exchanges are not over, `lacks` in which the sight is missing.
    pub fn keep(&mut self, keeps: impl Fn(Fr) -> bool, lacks: impl Fn(Fr) -> bool) {
        self.demands.retain(|demand| match demand.errand {
            // One that had failed may be due again by now.
            Errand::Due | Errand::Failed | Errand::Unanswerable => false,
            _ if demand.is_refused => lacks(demand.ctx),
            _ => keeps(demand.ctx),
        });
    }

    /// An own demand was not taken, or has failed.
    pub fn demand_failed(&mut self, ply: u16, phase: Phase) {
        for demand in self.demands.iter_mut().filter(|demand| (demand.ply, demand.phase) == (ply, phase)) {
            demand.is_refused = matches!(demand.errand, Errand::Sending { .. });
        }
    }

    /// Whether the root of the answer for this exchange may be posted late: once, and not too often in a game.
    pub fn may_fill(&self, ctx: Fr) -> bool {
        self.fills < FILLS && self.fill.as_ref().is_none_or(|fill| fill.ctx != ctx)
    }

    /// Posts a root late.
    pub fn fill(&mut self, ply: u16, ctx: Fr, answer_root: Fr) {
        self.fills = self.fills.saturating_add(1);
        let transaction = Box::new(Transaction::FillAnswer { ply, ctx, answer_root });
        self.fill = Some(Fill { ply, ctx, errand: Errand::Sending { transaction, sent: false } });
    }

    /// Whether the result of this job is waited for.
    pub fn awaits(&self, job: JobId) -> bool {
        let is_asked = self.asked.iter().any(|asked| asked.errand.awaits(job));
        is_asked || self.demands.iter().any(|demand| demand.errand.awaits(job))
    }

    /// All that is on its way.
    pub fn errands(&mut self) -> impl Iterator<Item = &mut Errand> {
        let asked = self.asked.iter_mut().map(|asked| &mut asked.errand);
        let demands = self.demands.iter_mut().map(|demand| &mut demand.errand);
        asked.chain(demands).chain(self.fill.as_mut().map(|fill| &mut fill.errand))
    }

    /// Proves and sends what is due. `verified` says that nothing speaks against the opponent's last move.
    pub fn advance(&mut self, facts: &Facts, verified: bool, released: &mut Released, fx: &mut Effects) {
        let Some((player, ..)) = facts.in_play() else {
            return;
        };
        for asked in self.asked.iter_mut().filter(|asked| verified || facts.is_before_last_move(&asked.demanded)) {
            let demanded @ Demanded { ply, phase, ctx, .. } = asked.demanded;
            asked.errand.send(|fx| released.may_leave((ply, phase), ctx, fx), fx);
            if !asked.errand.is_due() {
                continue;
            }
            let (exchange, own, request) = (asked.exchange.clone(), asked.own.committed(), asked.points.clone());
            asked.errand = Errand::prove(JobKind::ProvePublished(ply, phase), player.keys(), fx, move |keys| {
                let published = keys.prove_answer(&exchange, &own, &request)?;
                let answer_root = from_word(&published.digest);
                let answer_root = answer_root.ok_or_else(|| Fault::internal("the answer's digest is not reduced"))?;
                let (elements, proof) = (published.content, published.proof);
                Ok(Transaction::AnswerSight { demanded, answer_root, elements, proof })
            });
        }
        let wanted = facts.playing().filter(|play| play.answer_root == Fr::ZERO && play.hold.is_none());
        let wanted = wanted.map(|play| play.ply);
        if let Some(fill) = self.fill.as_mut().filter(|fill| Some(fill.ply) == wanted) {
            fill.errand.send(|_| true, fx);
        }
        for demand in self.demands.iter_mut().filter(|demand| !demand.is_refused) {
            demand.errand.send(|_| true, fx);
        }
    }

    /// Demands that were not taken may be sent again.
    pub fn forgive(&mut self) {
        self.demands.iter_mut().for_each(|demand| demand.is_refused = false);
    }
}
