//! Sights through the chain (protocol, section 8; the honest client's policy): what doesn't arrive in time is demanded, what is
//! demanded is given, and the root of an answer that the own move couldn't carry is posted when the opponent's points come late.
//! Nothing is given for a move that isn't final and verified.

use super::effects::Effects;
use super::event::{Done, Job, JobId, JobKind};
use super::facts::Facts;
use super::released::Released;
use ff::Field;
use fog::engine::{Exchange, Fault, OnChain, Published};
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
    answer_root: Fr,
    sent: bool,
}

/// A demand of the opponent.
#[derive(Debug)]
struct Asked {
    demanded: Demanded,
    exchange: Exchange,
    own: OwnState,
    points: Vec<u8>,
    state: Giving,
}

#[derive(Debug)]
enum Giving {
    Due,
    Proving(JobId),
    /// It could not be proven on this side; it is tried again at the next tick.
    Failed,
    Sending {
        answer: Box<Transaction>,
        sent: bool,
    },
    /// The request can't be answered: told, and nothing more can be done.
    Refused,
}

/// An own demand on its way.
#[derive(Debug)]
struct OwnDemand {
    ctx: Fr,
    ply: u16,
    phase: Phase,
    points: Vec<u8>,
    state: Asking,
}

#[derive(Debug)]
enum Asking {
    Proving(JobId),
    Sending {
        proof: Vec<u8>,
        sent: bool,
    },
    /// The contract or the node doesn't take it: nothing is held by it, and it is tried again if the sight is still missing then.
    Refused {
        proof: Vec<u8>,
    },
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
            self.asked.push(Asked { demanded, exchange, own, points, state: Giving::Due });
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
        let (keys, own) = (player.keys(), own.committed());
        let prove = move |keys: &dyn OnChain| keys.prove_request(&own);
        let job = fx.run(Job::on_chain(JobKind::ProveRequest(ply), keys, prove, Done::ProveRequest));
        self.demands.push(OwnDemand { ctx, ply, phase, points, state: Asking::Proving(job) });
    }

    /// Whether a demand for the sight before the own move has been sent, and not been heard of.
    pub fn is_demanding(&self) -> bool {
        let sent = |demand: &OwnDemand| matches!(demand.state, Asking::Sending { sent: true, .. });
        self.demands.iter().any(|demand| demand.phase == Phase::Pre && sent(demand))
    }

    /// Forgets the demands of exchanges that are over, and those that were refused of sights that have come meanwhile. `keeps` says
    /// which exchanges are not over, `lacks` in which the sight is missing.
    pub fn keep(&mut self, keeps: impl Fn(Fr) -> bool, lacks: impl Fn(Fr) -> bool) {
        self.demands.retain(|demand| match demand.state {
            Asking::Refused { .. } => lacks(demand.ctx),
            _ => keeps(demand.ctx),
        });
    }

    /// An own demand was not taken, or has failed.
    pub fn demand_failed(&mut self, ply: u16, phase: Phase) {
        for demand in self.demands.iter_mut().filter(|demand| (demand.ply, demand.phase) == (ply, phase)) {
            if let Asking::Sending { proof, .. } = &mut demand.state {
                demand.state = Asking::Refused { proof: std::mem::take(proof) };
            }
        }
    }

    /// Whether the root of the answer for this exchange may be posted late: once, and not too often in a game.
    pub fn may_fill(&self, ctx: Fr) -> bool {
        self.fills < FILLS && self.fill.as_ref().is_none_or(|fill| fill.ctx != ctx)
    }

    /// Posts a root late.
    pub fn fill(&mut self, ply: u16, ctx: Fr, answer_root: Fr) {
        self.fills = self.fills.saturating_add(1);
        self.fill = Some(Fill { ply, ctx, answer_root, sent: false });
    }

    /// Whether the result of this job is waited for.
    pub fn awaits(&self, job: JobId) -> bool {
        let giving = |asked: &Asked| matches!(asked.state, Giving::Proving(id) if id == job);
        let asking = |demand: &OwnDemand| matches!(demand.state, Asking::Proving(id) if id == job);
        self.asked.iter().any(giving) || self.demands.iter().any(asking)
    }

    /// Proves and sends what is due. `verified` says that nothing speaks against the opponent's last move.
    pub fn advance(&mut self, facts: &Facts, verified: bool, released: &mut Released, fx: &mut Effects) {
        let Some((player, ..)) = facts.in_play() else {
            return;
        };
        for asked in self.asked.iter_mut().filter(|asked| verified || facts.is_before_last_move(&asked.demanded)) {
            match &mut asked.state {
                Giving::Due => {
                    let kind = JobKind::ProvePublished(asked.demanded.ply, asked.demanded.phase);
                    let (exchange, own, request) =
                        (asked.exchange.clone(), asked.own.committed(), asked.points.clone());
                    let prove = move |keys: &dyn OnChain| keys.prove_answer(&exchange, &own, &request);
                    let job = Job::on_chain(kind, player.keys(), prove, Done::ProvePublished);
                    asked.state = Giving::Proving(fx.run(job));
                }
                Giving::Sending { answer, sent: sent @ false } => {
                    let Demanded { ply, phase, ctx, .. } = asked.demanded;
                    if released.may_leave((ply, phase), ctx, fx) {
                        *sent = true;
                        fx.transact((**answer).clone());
                    }
                }
                _ => {}
            }
        }
        let wanted = facts.playing().filter(|play| play.answer_root == Fr::ZERO && play.hold.is_none());
        let wanted = wanted.map(|play| play.ply);
        if let Some(fill) = self.fill.as_mut().filter(|fill| Some(fill.ply) == wanted && !fill.sent) {
            fill.sent = true;
            let &mut Fill { ply, ctx, answer_root, .. } = fill;
            fx.transact(Transaction::FillAnswer { ply, ctx, answer_root });
        }
        for demand in &mut self.demands {
            if let Asking::Sending { proof, sent: sent @ false } = &mut demand.state {
                *sent = true;
                let (ply, phase) = (demand.ply, demand.phase);
                let (points, proof) = (demand.points.clone(), proof.clone());
                fx.transact(Transaction::DemandSight { phase, ply, points, proof });
            }
        }
    }

    /// What failed on this side is tried again.
    pub fn retry(&mut self) {
        for asked in self.asked.iter_mut().filter(|asked| matches!(asked.state, Giving::Failed)) {
            asked.state = Giving::Due;
        }
    }

    /// Transactions may have got lost.
    pub fn resend(&mut self) {
        if let Some(fill) = &mut self.fill {
            fill.sent = false;
        }
        for asked in &mut self.asked {
            if let Giving::Sending { sent, .. } = &mut asked.state {
                *sent = false;
            }
        }
        for demand in &mut self.demands {
            match &mut demand.state {
                Asking::Proving(_) => {}
                Asking::Sending { sent, .. } => *sent = false,
                Asking::Refused { proof } => {
                    demand.state = Asking::Sending { proof: std::mem::take(proof), sent: false };
                }
            }
        }
    }

    /// An answer was proven for the chain.
    pub fn published(&mut self, job: JobId, result: Result<Published, Fault>, fx: &mut Effects) {
        let mut asked = self.asked.iter_mut();
        let Some(asked) = asked.find(|asked| matches!(asked.state, Giving::Proving(id) if id == job)) else {
            return;
        };
        let answer = result.and_then(|published| {
            let answer_root = from_word(&published.digest);
            let answer_root = answer_root.ok_or_else(|| Fault::internal("the answer's digest is not reduced"))?;
            let (demanded, elements, proof) = (asked.demanded, published.content, published.proof);
            Ok(Transaction::AnswerSight { demanded, answer_root, elements, proof })
        });
        asked.state = match answer {
            Ok(answer) => Giving::Sending { answer: Box::new(answer), sent: false },
            Err(error) => {
                fx.failed(&error);
                if error.is_own() { Giving::Failed } else { Giving::Refused }
            }
        };
    }

    /// The own request was proven for a demand.
    pub fn request_proven(&mut self, job: JobId, result: Result<Vec<u8>, Fault>, fx: &mut Effects) {
        let is_it = |demand: &OwnDemand| matches!(demand.state, Asking::Proving(id) if id == job);
        let Some(index) = self.demands.iter().position(is_it) else {
            return;
        };
        match result {
            Ok(proof) => self.demands[index].state = Asking::Sending { proof, sent: false },
            Err(error) => {
                fx.failed(&error);
                // It is demanded again when that is looked at next.
                self.demands.remove(index);
            }
        }
    }
}
