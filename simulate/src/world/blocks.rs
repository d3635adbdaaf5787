//! The chain's side of the world: transactions get into blocks, and blocks become final or are taken back.

use super::World;
use super::chance::Chance as _;
use crate::contract::{Contract, Logged};
use client::seat::{Event, Job, JobId, JobKind};
use events::Sent;
use game::audit::Record;
use game::{Action, ChainEvent, Command, Phase, Transaction};
use rand::Rng;

/// A transaction that is in no block.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pending {
    pub sender: usize,
    pub transaction: Transaction,
    /// When it can get into a block.
    pub from: u64,
}

/// A block of one transaction.
#[derive(Debug)]
pub(super) struct Block {
    /// The chain before it.
    before: Contract,
    /// The length of the log with it.
    end: usize,
    /// When it is final.
    pub final_from: u64,
    /// What it is a block of.
    pending: Pending,
}

/// How the contract refuses what it has already had, or what came too late, for the base fee too: as honest seats' transactions may be.
const OVERTAKEN: [&str; 9] = [
    "StalePly",
    "WrongStatus",
    "OutOfTime",
    "NothingToDemand",
    "NothingDemanded",
    "NothingToFill",
    "WrongContext",
    "OnHold",
    "SmallBond",
];

/// Steps in which the view keys get into blocks.
const PUBLISHING: usize = 2_000;

impl World {
    pub(super) fn mine(&mut self, k: usize) {
        if !self.blocks.is_empty() && self.rng.percent(self.weather.reorg) {
            return self.reorganise();
        }
        let pending = self.pool.remove(k);
        let (sender, transaction) = (pending.sender, &pending.transaction);
        if self.rng.percent(self.weather.lose_transaction) {
            return self.lose(pending);
        }
        self.draw_base_fee();
        let before = self.chain.clone();
        let length = self.chain.log.len();
        let account = self.players[sender].me;
        if let Err(refusal) = self.chain.execute(account, transaction) {
            let reason = refusal.name();
            let is_honest = self.players[sender].mischief.is_none();
            let is_late = self.is_overtaken(reason, transaction);
            assert!(!is_honest || is_late, "{reason}: {transaction:?}");
            return;
        }
        let end = self.chain.log.len();
        if end > length {
            let final_from = self.chain.now + self.draw_delay(self.weather.confirmation);
            self.blocks.push(Block { before, end, final_from, pending });
            self.idle = 0;
        }
        for index in length..end {
            self.announce(index);
        }
    }

    /// A player's transactions of a kind are refused before they are sent, as where its account can't pay for them.
    pub fn refuse(&mut self, i: usize, action: Action) {
        let is_it = |pending: &Pending| pending.sender == i && pending.transaction.action() == action;
        while let Some(place) = self.pool.iter().position(is_it) {
            let transaction = Box::new(self.pool.remove(place).transaction);
            let reason = "the account can't pay".to_owned();
            self.tell(i, Event::TransactionFailed { transaction, is_certain: true, reason });
        }
    }

    /// Whether a refusal says that something was had already, or came too late.
    pub(super) fn is_overtaken(&self, reason: &str, transaction: &Transaction) -> bool {
        OVERTAKEN.contains(&reason)
            || self.is_for_an_older_request(reason, transaction)
            || self.is_for_an_older_ply(reason, transaction)
    }

    /// Whether a player accepted a draw, forgot it in a crash, and moved instead: the move came first, and the acceptance is no longer its turn.
    /// Only where users decide otherwise after a crash.
    fn is_for_an_older_ply(&self, reason: &str, transaction: &Transaction) -> bool {
        self.weather.otherwise > 0
            && matches!(transaction, Transaction::AcceptDraw { ply, .. } if reason == "NotYourTurn" && self.chain.ply() > *ply)
    }

    /// Whether a demand came after the own next move: the contract compares its points with that move's request.
    fn is_for_an_older_request(&self, reason: &str, transaction: &Transaction) -> bool {
        let Transaction::DemandSight { phase, ply, .. } = transaction else {
            return false;
        };
        reason == "InvalidProof" && self.chain.ply() >= ply + 2 + u16::from(*phase == Phase::Post)
    }

    fn announce(&mut self, index: usize) {
        if let ChainEvent::Moved { fields, .. } = self.chain.log[index].event {
            for player in &mut self.players {
                player.chain.push(match player.defect.trusts_blocks {
                    true => Event::Final(self.chain.log[index].event.clone()),
                    false => Event::Seen(fields),
                });
            }
        }
    }

    /// A transaction gets lost. The seat sends again what still has no effect; of the money that it asks back it hears nothing from
    /// the chain, and leaves that to the client's sender, which sends it until it is in a block.
    fn lose(&mut self, pending: Pending) {
        self.faults.add("transactions lost");
        if let Transaction::Reclaim(_) | Transaction::Withdraw = pending.transaction {
            let from = self.chain.now + self.config.resend_every;
            self.pool.push(Pending { from, ..pending });
        }
    }

    /// So many seconds at most; nothing is drawn where there are none.
    fn draw_delay(&mut self, most: u64) -> u64 {
        if most == 0 { 0 } else { self.rng.gen_range(0..=most) }
    }

    /// Whether a move of a player is under way or in a block that isn't final.
    pub fn is_moving(&self, i: usize) -> bool {
        if let Some(backend) = &self.backend {
            return backend.is_moving(i);
        }
        let mut pending = self.pool.iter().chain(self.blocks.iter().map(|block| &block.pending));
        pending.any(|pending| pending.sender == i && matches!(pending.transaction, Transaction::Move { .. }))
    }

    /// The base fee of the next block.
    fn draw_base_fee(&mut self) {
        if self.weather.fees {
            let rise = match self.rng.gen_range(0..20) {
                0 => 10_000,
                _ => self.rng.gen_range(875..=1_125),
            };
            self.chain.base_fee = (self.chain.base_fee * rise / 1_000).clamp(8, 1_000_000_000);
        }
    }

    /// Blocks that aren't final are taken back: all, and their transactions get lost; on a fork any number, and some transactions come
    /// again, in whatever order.
    fn reorganise(&mut self) {
        self.faults.add("blocks taken back");
        let depth = if self.weather.fork { self.rng.gen_range(1..=self.blocks.len()) } else { self.blocks.len() };
        let first = self.blocks.len() - depth;
        let kept = first.checked_sub(1).map_or(self.finals, |last| self.blocks[last].end);
        let now = self.chain.now;
        let undone = self.chain.log.split_off(kept);
        let taken: Vec<Block> = self.blocks.drain(first..).collect();
        for block in &taken {
            if self.weather.fork && self.rng.gen_range(0..3) > 0 {
                let from = now + self.draw_delay(self.weather.inclusion);
                self.pool.push(Pending { from, ..block.pending.clone() });
            } else {
                self.lose(block.pending.clone());
            }
        }
        if let Some(block) = taken.into_iter().next() {
            self.chain = block.before;
            self.chain.now = now;
        }
        for logged in undone {
            if let ChainEvent::Moved { fields, .. } = logged.event {
                self.players.iter_mut().for_each(|player| player.chain.push(Event::Dropped { ply: fields.ply }));
            }
        }
    }

    /// The first transaction of the pool gets into a block, which is final at once.
    pub fn mine_for_good(&mut self) {
        self.mine(0);
        self.finalise();
    }

    /// A player hears of all that has happened on the chain, and verifies the moves; its other jobs don't run.
    pub fn hear(&mut self, i: usize) {
        for event in std::mem::take(&mut self.players[i].chain) {
            self.tell(i, event);
        }
        let is_verification = |(_, job): &(JobId, Job)| matches!(job.kind, JobKind::VerifyMove(_));
        while let Some(place) = self.players[i].jobs.iter().position(is_verification) {
            let (id, job) = self.players[i].jobs.remove(place);
            self.tell(i, Event::Done(id, job.run()));
        }
    }

    /// The next block that isn't final becomes so, unless it is taken back at the last moment.
    pub(super) fn finalise(&mut self) {
        if self.weather.fork && self.rng.percent(self.weather.reorg) {
            return self.reorganise();
        }
        let block = self.blocks.remove(0);
        self.make_final(block.end);
    }

    /// The events up to `end` become final.
    pub(super) fn make_final(&mut self, end: usize) {
        for index in self.finals..end {
            let event = self.chain.log[index].event.clone();
            if let ChainEvent::Moved { .. } = &event {
                self.follow(index);
            }
            // In a deep world each player's follower finds out by itself.
            if self.backend.is_none() {
                self.players.iter_mut().for_each(|player| player.chain.push(Event::Final(event.clone())));
            }
        }
        self.finals = end;
    }

    /// Both publish their view keys; the records of the whole game.
    pub fn publish(&mut self) -> Vec<Record> {
        let weather = std::mem::take(&mut self.weather);
        for i in 0..2 {
            self.tell(i, Event::Command(Command::PublishViewKey));
        }
        while !self.pool.is_empty() {
            self.mine(0);
        }
        self.clear_up();
        let limit = self.steps + PUBLISHING;
        let is_key = |event: &ChainEvent| matches!(event, ChainEvent::ViewKeyPublished { .. });
        while self.backend.is_some() && self.events().filter(|event| is_key(event)).count() < 2 {
            assert!(self.steps < limit, "the view keys are never published");
            self.step();
        }
        self.weather = weather;
        self.records()
    }

    /// The log with the times of its blocks and what its transactions say, as an audit has it.
    pub fn records(&self) -> Vec<Record> {
        let game = self.chain.game.game_id;
        let record = |Logged { event, time, call, .. }: &Logged| {
            let sent = Sent { sender: Some(call.from), value: call.value, calldata: &call.input };
            events::record(event.clone(), Some(*time), game, Some(sent)).expect("its own call tells each event")
        };
        self.chain.log.iter().map(|logged| record(logged)).collect()
    }

    /// What is in the log, final or not.
    pub fn events(&self) -> impl Iterator<Item = &ChainEvent> {
        self.chain.log.iter().map(|logged| &logged.event)
    }
}
