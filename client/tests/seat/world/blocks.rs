//! The chain's side of the world: transactions get into blocks, and blocks become final or are taken back.

use super::World;
use crate::model_chain::ModelChain;
use client::seat::{Event, Job, JobId};
use game::audit::Record;
use game::{Action, ChainEvent, Command, Phase, Transaction};

/// A transaction that is in no block.
#[derive(Debug, PartialEq)]
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
    before: ModelChain,
    /// The length of the log with it.
    end: usize,
}

/// How the contract refuses what it has already had, or what came too late: as honest seats' transactions may be.
const OVERTAKEN: [&str; 9] = [
    "StalePly",
    "WrongStatus",
    "OutOfTime",
    "AlreadyPublished",
    "NothingToDemand",
    "NothingDemanded",
    "NothingToFill",
    "WrongContext",
    "OnHold",
];

impl World {
    pub(super) fn mine(&mut self, k: usize) {
        if !self.blocks.is_empty() && self.percent(self.weather.reorg) {
            return self.reorganise();
        }
        let Pending { sender, transaction, .. } = self.pool.remove(k);
        if self.percent(self.weather.lose_transaction) {
            return;
        }
        let before = self.chain.clone();
        let length = self.chain.log.len();
        let account = self.players[sender].me;
        if let Err(reason) = self.chain.execute(&self.oracle, account, &transaction) {
            let is_honest = self.players[sender].mischief.is_none();
            let is_late = OVERTAKEN.contains(&reason) || self.is_for_an_older_request(reason, &transaction);
            assert!(!is_honest || is_late, "{reason}: {transaction:?}");
            return;
        }
        let end = self.chain.log.len();
        if end > length {
            self.blocks.push(Block { before, end });
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

    /// Whether a demand came after the own next move: the contract compares its points with that move's request.
    fn is_for_an_older_request(&self, reason: &str, transaction: &Transaction) -> bool {
        let Transaction::DemandSight { phase, ply, .. } = transaction else {
            return false;
        };
        reason == "InvalidProof" && self.chain.ply() >= ply + 2 + u16::from(*phase == Phase::Post)
    }

    fn announce(&mut self, index: usize) {
        if let ChainEvent::Moved { fields, .. } = self.chain.log[index].event {
            self.players.iter_mut().for_each(|player| player.chain.push(Event::Seen(fields)));
        }
    }

    /// All blocks that aren't final are taken back, and their transactions get lost.
    fn reorganise(&mut self) {
        let now = self.chain.now;
        let unfinal = self.chain.log.split_off(self.finals);
        if let Some(block) = self.blocks.drain(..).next() {
            self.chain = block.before;
            self.chain.now = now;
        }
        for logged in unfinal {
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
        let is_verification = |(_, job): &(JobId, Job)| matches!(job, Job::VerifyMove { .. });
        while let Some(place) = self.players[i].jobs.iter().position(is_verification) {
            let (id, job) = self.players[i].jobs.remove(place);
            self.tell(i, Event::Done(id, job.run()));
        }
    }

    /// The next block that isn't final becomes so.
    pub(super) fn finalise(&mut self) {
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
            self.players.iter_mut().for_each(|player| player.chain.push(Event::Final(event.clone())));
        }
        self.finals = end;
    }

    /// Both publish their view keys; the records of the whole game.
    pub fn publish(&mut self) -> Vec<Record> {
        for i in 0..2 {
            self.tell(i, Event::Command(Command::PublishViewKey));
        }
        let weather = std::mem::take(&mut self.weather);
        while !self.pool.is_empty() {
            self.mine(0);
        }
        self.weather = weather;
        self.records()
    }

    /// The log with the times of its blocks.
    pub fn records(&self) -> Vec<Record> {
        let record =
            |logged: &crate::model_chain::Logged| Record { event: logged.event.clone(), time: Some(logged.time) };
        self.chain.log.iter().map(record).collect()
    }

    /// What is in the log, final or not.
    pub fn events(&self) -> impl Iterator<Item = &ChainEvent> {
        self.chain.log.iter().map(|logged| &logged.event)
    }
}
