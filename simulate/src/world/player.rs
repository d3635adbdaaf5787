//! A player's machine: the seat, its journal, and what is on its way to it. The world carries its effects out.

use super::blocks::Pending;
use super::chance::Chance as _;
use super::{CAPACITY, Defect, Mischief, World};
use crate::oracle::Oracle;
use alloy::primitives::Address;
use client::journal::Entry;
use client::seat::{Config, Effect, Event, Job, JobId, JobKind, Seat};
use fog::engine::{Engine, SightLines};
use game::Phase;
use game::secrets::GameSecrets;
use game::{Action, ChainEvent, GameRef, MessageId, MoveFields, Notice, Transaction};
use halo2curves::bn256::Fr;
use rand::Rng;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

#[derive(Debug)]
pub struct Player {
    /// The account that it plays from.
    pub me: Address,
    /// Its secrets of this game.
    pub secrets: GameSecrets,
    pub seat: Seat,
    /// As the journal keeps it: by key.
    pub journal: BTreeMap<Vec<u8>, Entry>,
    /// Told by the chain and not yet heard, results of provers, in order each.
    pub(super) chain: Vec<Event>,
    pub(super) jobs: Vec<(JobId, Job)>,
    /// What its user was shown.
    pub shown: Vec<Notice>,
    /// The one move signed for each ply.
    pub(super) signed: BTreeMap<u16, MoveFields>,
    /// Whether its journal was lost since a ply was signed: only the move itself is the same then.
    pub(super) has_lost_journal: bool,
    /// What a sight given for a ply and phase said.
    pub(super) given: BTreeMap<(u16, Phase), Fr>,
    /// What it has sent to the contract, repeats included.
    pub sent: Vec<(Action, Option<u16>)>,
    /// How often it has sent each message.
    pub said: HashMap<MessageId, u32>,
    /// What a cheating player does to its seat's effects; an honest one does nothing to them.
    pub mischief: Option<Mischief>,
    /// What is wrong with its program; nothing, but in the controls.
    pub defect: Defect,
    /// Changes what a user decides on: another number, other moves.
    pub mood: u64,
    /// Whether its user, back after a crash, still wants another move than the one that is signed.
    pub(super) wants_another: bool,
    /// Whether its last command was refused and nothing has happened since.
    pub(super) is_refused: bool,
    /// In a deep world: when its user looks at the board again.
    pub(super) decides_from: u64,
    /// Effects that its machine has carried out and that outlive it: entries written, messages and transactions sent.
    pub carried: usize,
    /// After how many of them it dies, in the middle of what an event asks for.
    pub dies_at: Option<usize>,
}

impl Player {
    pub(super) fn new(
        me: Address,
        secrets: GameSecrets,
        engine: Arc<dyn Engine>,
        game: GameRef,
        config: Config,
    ) -> Self {
        Self {
            me,
            seat: Seat::new(me, secrets.clone(), engine, game, config),
            secrets,
            journal: BTreeMap::new(),
            chain: Vec::new(),
            jobs: Vec::new(),
            shown: Vec::new(),
            signed: BTreeMap::new(),
            has_lost_journal: false,
            given: BTreeMap::new(),
            sent: Vec::new(),
            said: HashMap::new(),
            mischief: None,
            defect: Defect::default(),
            mood: 0,
            wants_another: false,
            is_refused: false,
            decides_from: 0,
            carried: 0,
            dies_at: None,
        }
    }

    /// Whether its machine has died: nothing is carried out any more.
    pub fn is_dead(&self) -> bool {
        self.dies_at == Some(self.carried)
    }

    /// How often it has sent something to the contract, repeats included.
    pub fn count(&self, action: Action) -> usize {
        self.sent.iter().filter(|(sent, _)| *sent == action).count()
    }

    /// The jobs under way, taken away from the scheduler.
    pub fn take_jobs(&mut self) -> Vec<(JobId, Job)> {
        std::mem::take(&mut self.jobs)
    }

    fn write(&mut self, entry: Entry) {
        let (key, entry) = keyed(entry);
        self.journal.insert(key, entry);
    }
}

/// The flagship engine with native checks in place of proofs.
pub fn engine(oracle: &Oracle) -> Arc<dyn Engine> {
    Arc::new(SightLines::new(Arc::new(oracle.clone())))
}

/// An entry with its key.
pub fn keyed(entry: Entry) -> (Vec<u8>, Entry) {
    (entry.key(), entry)
}

impl World {
    /// Everything that the chain and the provers have for a seat reaches it.
    pub fn settle(&mut self, i: usize) {
        loop {
            let player = &mut self.players[i];
            let event = match (player.chain.is_empty(), player.jobs.is_empty()) {
                (false, _) => player.chain.remove(0),
                (true, false) => {
                    let (id, job) = player.jobs.remove(0);
                    Event::Done(id, job.run())
                }
                (true, true) => return,
            };
            self.tell(i, event);
        }
    }

    /// An event for a seat; its effects are carried out.
    pub fn tell(&mut self, i: usize, event: Event) {
        let mut effects = self.players[i].seat.apply(event);
        self.players[i].is_refused = false;
        // As the runtime: proofs that the seat doesn't await are stopped, and their results never come.
        let Player { seat, jobs, .. } = &mut self.players[i];
        jobs.retain(|(id, job)| matches!(job.kind, JobKind::Receive(_) | JobKind::SetUp) || seat.awaits(*id));
        let torn = self.draw_torn(effects.len());
        effects.truncate(torn.unwrap_or(effects.len()));
        self.carry(i, effects);
        if torn.is_some() {
            self.crash(i, true);
        }
    }

    /// Whatever a seat signs, by any engine, stands in its journal before it leaves: there the oracle learns which move it is.
    fn note_moves(&self, effects: &[Effect]) {
        for effect in effects {
            if let Effect::Journal(Entry::Signed { mv, fields, .. }) = effect {
                self.oracle.record(&fields.next_commitment, *mv);
            }
        }
    }

    pub(super) fn carry(&mut self, i: usize, effects: Vec<Effect>) {
        self.note_moves(&effects);
        let Player { mischief, defect, seat, .. } = &mut self.players[i];
        let effects = [&mut defect.effects, mischief]
            .into_iter()
            .flatten()
            .fold(effects, |effects, change| change.apply(effects, seat));
        let is_honest = self.players[i].mischief.is_none();
        for effect in effects {
            if self.players[i].is_dead() {
                return;
            }
            let outlives = !matches!(effect, Effect::Run(..) | Effect::Notify(_));
            self.players[i].carried += usize::from(outlives);
            if self.verbose {
                crate::tell!("    player {i}: {effect:?}");
            }
            if is_honest {
                self.check_journalled(i, &effect);
            }
            match effect {
                Effect::Journal(entry) => self.players[i].write(entry),
                Effect::Run(id, job) => self.players[i].jobs.push((id, job)),
                Effect::SendTransaction(transaction) => {
                    if is_honest {
                        self.check_signed(i, &transaction);
                        self.watch_transaction(i, &transaction);
                    }
                    self.send(i, transaction);
                }
                Effect::SendMessage(message) => {
                    *self.players[i].said.entry(message.id()).or_default() += 1;
                    if is_honest {
                        self.watch(i, &message);
                    }
                    if self.link.is_some() {
                        self.give_to_link(i, message);
                    } else if self.network.len() >= CAPACITY {
                        self.faults.add("messages dropped");
                    } else if !self.is_cut {
                        self.network.push((1 - i, message));
                    }
                }
                Effect::Notify(notice) => self.look(i, notice),
            }
        }
    }

    /// No second move is signed for a ply. Whoever has lost its journal makes the same move again, at another time.
    fn check_signed(&mut self, i: usize, transaction: &Transaction) {
        let Transaction::Move { fields, .. } = transaction else { return };
        self.checks.add("one move a ply");
        let player = &mut self.players[i];
        let mut signed = *player.signed.entry(fields.ply).or_insert(*fields);
        if player.has_lost_journal {
            (signed.answer_root, signed.offer_draw) = (fields.answer_root, fields.offer_draw);
            // A sight after the move before may have come meanwhile.
            if !self.chain.has_proofs() {
                signed.next_request_root = fields.next_request_root;
            }
        }
        assert_eq!(signed, *fields, "a second, different move was signed");
    }

    fn send(&mut self, sender: usize, transaction: Transaction) {
        self.players[sender].sent.push((transaction.action(), transaction.ply()));
        if self.backend.is_some() {
            return self.wish(sender, transaction);
        }
        let is_known = |pending: &Pending| pending.sender == sender && pending.transaction == transaction;
        if !self.pool.iter().any(is_known) {
            let wait = self.rng.gen_range(0..=self.weather.inclusion);
            self.pool.push(Pending { sender, transaction, from: self.chain.now + wait });
        }
    }

    /// The player's process is killed and started again; with or without its journal.
    pub fn crash(&mut self, i: usize, journal: bool) {
        self.faults.add(if journal { "crashes" } else { "crashes without a journal" });
        if journal && self.rng.percent(self.weather.otherwise) {
            self.faults.add("users that want other moves");
            (self.players[i].mood, self.players[i].wants_another) = (self.rng.r#gen(), true);
        }
        let player = &mut self.players[i];
        if !journal {
            player.journal.clear();
            player.has_lost_journal = true;
        }
        player.jobs.clear();
        player.chain.clear();
        if let Some(backend) = &mut self.backend {
            if !journal {
                backend.connections[i].lose_journal();
            }
            if let Some(link) = &mut self.link {
                link.restart(i);
            }
            return self.start_again(i);
        }
        let events: Vec<_> = self.chain.log[..self.finals].iter().map(|logged| logged.event.clone()).collect();
        let entries = player.journal.values().cloned().collect();
        let (me, secrets) = (player.me, player.secrets.clone());
        let (seat, effects) =
            Seat::recover(me, secrets, self.engine.with(&self.oracle), self.chain.game, self.config, &events, entries);
        player.seat = seat;
        for logged in &self.chain.log[self.finals..] {
            if let ChainEvent::Moved { fields, .. } = logged.event {
                player.chain.push(Event::Seen(fields));
            }
        }
        self.carry(i, effects);
        // What the chain reader finds before the user is asked (see `Seat::recover`).
        while !self.players[i].chain.is_empty() {
            let event = self.players[i].chain.remove(0);
            self.tell(i, event);
        }
    }
}
