//! A seat: one player's side of one game, as a pure state machine `(state, event) → (state, effects)` (protocol, sections
//! 6 and 9). No I/O, no clock, no randomness: the same events give the same effects, so a whole game
//! with drops, delays, lies and crashes runs in one process from a seed (`tests/seat`, and the crate `simulate`).
//!
//! [`Seat`] only passes events on. What it knows for certain is in [`facts`]; each of nine sub-machines owns the rest of its
//! state, and nobody else touches it: the engine's set-up ([`set_up`]), the own move ([`turn`]), the own standing request ([`asking`]), the sights that this
//! player gets ([`receiving`]) and those that it gives ([`giving`]), what has left ([`released`]), the proof of the opponent's move ([`verifying`]), what goes
//! through the chain because the link is silent ([`disputes`]), and draws ([`claims`]). What they need of each other they are told.
//! What the last two send is an [`errand`].
//! Sights and set-up are sessions of the engine, each run by a [`dialogue`]: sight-lines' of one message, which answers a request,
//! others' of any number.
//!
//! After each event [`Seat::apply`] asks what there is to do now. Because that question looks at the state alone, a seat rebuilt
//! from wallet, chain and journal ([`Seat::recover`]) goes on by itself: it signs no second move, sends again what may have got
//! lost and asks again for what it lacks.

mod asking;
mod awaiting;
mod beside;
mod chain;
mod claims;
mod clock;
mod command;
mod dialogue;
mod disputes;
mod effects;
mod errand;
mod event;
mod facts;
mod giving;
mod peer;
mod prepare;
mod recall;
mod receiving;
mod recover;
mod released;
mod set_up;
mod turn;
mod verifying;
mod view;

pub use clock::Config;
pub use event::{Done, Effect, Event, Job, JobId, JobKind};

use crate::journal::Entry;
use alloy::primitives::Address;
use asking::Asking;
use awaiting::Awaited;
use claims::Claims;
use clock::Clock;
use disputes::Disputes;
use effects::Effects;
use errand::Errand;
use facts::Facts;
use ff::Field;
use fog::engine::{Engine, Phase};
use game::secrets::GameSecrets;
use game::{GameRef, MoveFields, Notice, PeerFault, Slot, Table, Transaction};
use giving::Giving;
use halo2curves::bn256::Fr;
use receiving::Receiving;
use released::Released;
use rules::{Color, Move};
use set_up::SetUp;
use std::sync::Arc;
use turn::OwnTurn;
use verifying::Verifying;

/// One player's side of one game.
pub struct Seat {
    facts: Facts,
    set_up: SetUp,
    turn: OwnTurn,
    asking: Asking,
    receiving: Receiving,
    giving: Giving,
    released: Released,
    verifying: Verifying,
    disputes: Disputes,
    claims: Claims,
    clock: Clock,
    /// Own choices and signed moves that the journal remembers, of plies that aren't due yet.
    remembered: Vec<Entry>,
    /// Whether the user was told of an own move that the chain has and this side doesn't remember.
    told_of_unknown: bool,
    /// Whom the game waits for, as it was told last.
    told_awaited: Option<Awaited>,
    /// The number of the last job.
    last_job: u64,
    /// Whether the coin toss was opened, as far as this side can do it.
    revealed: bool,
    /// Where the own bonds were that have been asked back.
    reclaimed: Vec<Slot>,
    /// Those of them for which that has failed.
    unreclaimed: Vec<Slot>,
}

// A seat's boards, sights and secrets belong in no log.
fog::redacted!(Seat);

impl Seat {
    /// A seat before the first event of its game. `me` is the address of the wallet that `secrets` come from.
    pub fn new(me: Address, secrets: GameSecrets, engine: Arc<dyn Engine>, game: GameRef, config: Config) -> Self {
        Self {
            facts: Facts::new(me, secrets, engine, game),
            set_up: SetUp::default(),
            turn: OwnTurn::default(),
            asking: Asking::default(),
            receiving: Receiving::default(),
            giving: Giving::default(),
            released: Released::default(),
            verifying: Verifying::default(),
            disputes: Disputes::default(),
            claims: Claims::default(),
            clock: Clock::new(config),
            remembered: Vec::new(),
            told_of_unknown: false,
            told_awaited: None,
            last_job: 0,
            revealed: false,
            reclaimed: Vec::new(),
            unreclaimed: Vec::new(),
        }
    }

    /// Takes an event; gives what is to be done, in this order.
    #[must_use]
    pub fn apply(&mut self, event: Event) -> Vec<Effect> {
        let mut effects = Effects::after(self.last_job);
        let fx = &mut effects;
        match event {
            Event::Final(event) => self.on_final(&event, fx),
            Event::Seen(fields) => self.on_seen(&fields, fx),
            Event::Dropped { ply } => self.on_dropped(ply, fx),
            Event::WakeSeen { .. } | Event::WakeDropped => {}
            Event::Connected => self.want_now(fx),
            Event::LinkCut => self.clock.cut(),
            Event::Received(message) => self.on_message(message, fx),
            Event::Unreadable(error) => fx.fault(PeerFault::Garbage(error)),
            Event::Done(job, done) => self.on_done(job, done, fx),
            Event::TransactionFailed { transaction, is_certain, reason } => {
                if is_certain {
                    self.on_failed(&transaction);
                }
                fx.notify(Notice::Failed { reason });
            }
            Event::Command(command) => {
                if let Err(error) = self.on_command(command, fx) {
                    fx.notify(Notice::Refused { id: None, error });
                }
            }
            Event::Tick { now, deadline, .. } => self.on_tick(now, deadline, fx),
        }
        self.advance(fx);
        self.tell_awaited(fx);
        self.last_job = effects.last_job;
        effects.list
    }

    /// What everybody knows of the game.
    pub fn table(&self) -> &Table {
        self.set_up.ahead().unwrap_or_else(|| self.facts.table())
    }

    /// Whether a move of the game, as far as it is known here, is this one.
    pub fn has_made(&self, fields: &MoveFields) -> bool {
        self.facts.has_made(fields)
    }

    /// This player's color, once it is drawn.
    pub fn color(&self) -> Option<Color> {
        self.facts.color()
    }

    /// The move that was chosen and isn't final yet.
    pub fn chosen(&self) -> Option<Move> {
        self.turn.mv()
    }

    /// Whether the result of a job is waited for. One that isn't needn't be run to its end.
    pub fn awaits(&self, job: JobId) -> bool {
        self.turn.is_proving(job)
            || self.set_up.awaits(job)
            || self.turn.is_verifying(job)
            || self.giving.awaits(job)
            || self.receiving.awaits(job)
            || self.verifying.awaits(job)
            || self.disputes.awaits(job)
            || self.claims.awaits(job)
    }

    /// Everything there is to do in the state as it is.
    fn advance(&mut self, fx: &mut Effects) {
        self.reveal(fx);
        self.set_up.advance(fx);
        if self.facts.in_play().is_none() {
            return;
        }
        fx.send(self.asking.advance(&self.facts));
        self.receiving.advance(&self.facts, fx);
        self.verifying.advance(&self.facts, fx);
        self.advance_turn(fx);
        if self.verifying.is_done() {
            self.giving.advance(&self.facts, &mut self.released, fx);
            self.fill(fx);
        }
        if !self.facts.is_on_chain() {
            return;
        }
        self.disputes.advance(&self.facts, self.verifying.is_done(), &mut self.released, fx);
        let seen = self.facts.exchange(Phase::Pre).and_then(|(ctx, _)| self.receiving.proven(ctx));
        self.claims.advance(&self.facts, seen.map(|seen| seen.messages.to_vec()), fx);
    }

    /// Reveals the own share of the coin toss. What the table knows is final, so no other can have joined in the end.
    fn reveal(&mut self, fx: &mut Effects) {
        let Some((revealer, joiner)) = self.table().to_reveal().filter(|_| !self.revealed) else {
            return;
        };
        if revealer != self.facts.me {
            return;
        }
        self.revealed = true;
        self.clock.sent();
        let share = self.facts.secrets.toss_secret().into();
        fx.transact(match self.table().creator() == Some(self.facts.me) {
            true => Transaction::RevealCreator { share, joiner },
            false => Transaction::RevealJoiner { share },
        });
    }

    /// Carries the chosen move as far as it goes now.
    fn advance_turn(&mut self, fx: &mut Effects) {
        self.resume_choice(fx);
        self.verify_signed(fx);
        let needless = self.facts.my_turn().is_some_and(|play| play.ply == 0);
        let have = needless || self.giving.is_unanswerable() || self.giving.request().is_some();
        let is_late = self.clock.is_late() || self.clock.has_waited_for_request();
        let ready = self.verifying.is_done().then(|| self.turn.ready(have, is_late, fx)).flatten();
        if let Some((mv, offer_draw)) = ready.filter(|_| self.facts.my_turn().is_some()) {
            self.prepare_and_prove(mv, offer_draw, fx);
        }
        // Under an own hold, also one that is on its way, the contract takes no move but the capture of the king.
        let held = self.facts.playing().is_some_and(|play| play.hold.is_some()) || self.disputes.is_demanding();
        if (!held || self.turn.captures_king()) && self.turn.send(fx) {
            self.clock.sent();
        }
    }

    /// Posts the root of an answer that the own move couldn't carry, once the opponent's points are here.
    fn fill(&mut self, fx: &mut Effects) {
        let Some((player, play, own)) = self.facts.in_play().filter(|_| self.facts.my_turn().is_none()) else {
            return;
        };
        // Where there are no requests, no root has to wait for one.
        let is_missing =
            player.has_requests() && !play.opening() && play.answer_root == Fr::ZERO && play.hold.is_none();
        let (Some((ctx, exchange)), Some(request)) = (self.facts.exchange(Phase::Pre), self.giving.request()) else {
            return;
        };
        if !is_missing || !self.disputes.may_fill(ctx) {
            return;
        }
        if let Ok((party, root)) = player.give(&exchange, own, request) {
            let (kind, ply, own) = (player.message_kind(), play.ply, own.clone());
            self.giving.release(kind, ctx, exchange, own, party);
            self.disputes.fill(ply, ctx, root);
            self.giving.advance(&self.facts, &mut self.released, fx);
        }
    }

    /// Takes back the own bonds that nobody has earned, once the game is over and their time has passed.
    fn reclaim(&mut self, fx: &mut Effects) {
        let (Some(_), Some(play), Some(color)) = (self.table().ending(), self.table().begun(), self.color()) else {
            return;
        };
        let own_hold = play.hold.filter(|_| play.hold_owner() == Some(color)).map(|hold| (Slot::Hold, hold.deadline()));
        let own_post = play.posts[color.index()].map(|demand| (Slot::of_post(color), demand.deadline));
        let now = self.clock.now;
        let due = own_hold.into_iter().chain(own_post).filter(|(_, deadline)| now > *deadline);
        let due: Vec<Slot> = due.map(|(slot, _)| slot).filter(|slot| !self.reclaimed.contains(slot)).collect();
        for slot in due {
            self.reclaimed.push(slot);
            fx.transact(Transaction::Reclaim(slot));
        }
    }

    /// A transaction has no effect, and is tried again when it is time for that. Until then nothing waits for it.
    fn on_failed(&mut self, transaction: &Transaction) {
        match transaction {
            Transaction::DemandSight { phase, ply, .. } => self.disputes.demand_failed(*ply, *phase),
            Transaction::Reclaim(slot) => self.unreclaimed.push(*slot),
            _ => {}
        }
    }

    /// Demands what is overdue, where the contract lets it.
    fn demand(&mut self, fx: &mut Effects) {
        if !self.facts.is_on_chain() {
            return;
        }
        let is_late = self.clock.is_late();
        let overdue = self.receiving.overdue(self.clock.now, self.clock.config.grace, is_late);
        self.disputes.keep(|ctx| self.receiving.knows(ctx), |ctx| self.receiving.lacks(ctx));
        let Some((player, play, _)) = self.facts.in_play().filter(|_| self.verifying.is_done()) else {
            return;
        };
        let color = player.color().index();
        for (ctx, exchange) in overdue {
            let may = match exchange.phase {
                Phase::Pre => self.facts.my_turn().is_some() && play.hold.is_none() && !play.pre_demanded,
                Phase::Post => {
                    self.clock.config.demand_post && play.posts[color].is_none() && !play.post_demanded[color]
                }
            };
            if may {
                self.disputes.demand(&self.facts, ctx, &exchange, fx);
            }
        }
    }

    /// A choice from before a restart goes on once the sight is proven again.
    fn resume_choice(&mut self, fx: &mut Effects) {
        if !self.turn.awaits_sight() || self.proven_sight().is_none() {
            return;
        }
        if self.turn.mv().is_some_and(|mv| self.legal_moves().contains(&mv)) {
            self.turn.resume();
        } else {
            fx.note("the remembered move is not legal here and was forgotten");
            self.turn.clear();
        }
    }

    /// A job has run; one that nothing waits for any more is forgotten.
    fn on_done(&mut self, job: JobId, done: Done, fx: &mut Effects) {
        match done {
            Done::ProveMove(result) if self.turn.is_proving(job) => match result {
                Ok(proof) => self.turn.sign(proof, fx),
                Err(error) => {
                    self.withdraw_choice(fx);
                    fx.failed(&error);
                    self.show_board(fx);
                }
            },
            Done::ProveMove(_) => {}
            Done::VerifyMove(result) if self.turn.is_verifying(job) => self.signed_verified(result, fx),
            Done::VerifyMove(result) => {
                let was_awaited = self.verifying.awaits(job);
                self.verifying.finish(job, result, fx);
                if was_awaited && self.verifying.is_done() && self.proven_sight().is_some() {
                    self.show_board(fx);
                }
            }
            Done::Proven(result) => {
                if let Some(errand) = self.errands().find(|errand| errand.awaits(job)) {
                    errand.proven(result, fx);
                }
            }
            Done::SetUp(finished) => {
                if let Some(keys) = self.set_up.finish(job, finished, fx) {
                    self.on_set_up(keys, fx);
                }
            }
            Done::Give(finished) => self.giving.finish(job, finished, fx),
            Done::Receive(finished) => {
                if let Some((ctx, id)) = self.receiving.finish(job, finished, fx) {
                    self.show_sight(ctx, id, fx);
                }
            }
        }
    }

    /// The transactions of disputes and claims, due, proven or sent.
    fn errands(&mut self) -> impl Iterator<Item = &mut Errand> {
        self.disputes.errands().chain(self.claims.errand())
    }

    /// Nothing of the move was signed, so another may be chosen.
    fn withdraw_choice(&mut self, fx: &mut Effects) {
        self.turn.clear();
        self.giving.withdraw();
        if let Some(ply) = self.facts.my_turn().map(|play| play.ply) {
            fx.journal(Entry::Withdrawn { ply });
        }
    }

    fn on_tick(&mut self, now: u64, deadline: Option<u64>, fx: &mut Effects) {
        self.clock.tick(now, deadline, self.facts.my_turn().map(|play| play.ply));
        self.turn.retry();
        self.set_up.retry();
        self.giving.retry();
        self.receiving.retry();
        self.verifying.retry();
        self.errands().for_each(Errand::retry);
        self.demand(fx);
        let missing = self.missing();
        let wishes = self.clock.want(&missing);
        if !wishes.is_empty() {
            self.set_up.ask_again();
            self.receiving.ask_again();
        }
        fx.send(wishes);
        self.reclaim(fx);
        let resend = self.clock.resend_due();
        if resend {
            self.revealed = false;
            self.turn.resend();
            self.disputes.forgive();
            self.errands().for_each(Errand::resend);
            self.reclaimed.retain(|slot| !self.unreclaimed.contains(slot));
            self.unreclaimed.clear();
        }
        let runs = self.facts.playing().is_some() || self.table().to_reveal().is_some();
        if let Some(deadline) = self.clock.passed_deadline().filter(|_| runs) {
            let (is_new, is_won) = (self.clock.tell(deadline), self.has_won_by_time());
            if is_new {
                fx.notify(if is_won { Notice::OpponentOutOfTime } else { Notice::OutOfTime });
            }
            if is_won && (is_new || resend) {
                fx.transact(Transaction::ClaimTimeout);
            }
        }
    }
}
