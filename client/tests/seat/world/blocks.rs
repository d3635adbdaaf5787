//! The chain's side of the world: transactions get into blocks, and blocks become final or are taken back.

use super::World;
use client::seat::Event;
use game::audit::Record;
use game::{ChainEvent, Command};

impl World {
    pub(super) fn mine(&mut self, k: usize) {
        if self.finals < self.chain.log.len() && self.percent(self.weather.reorg) {
            return self.reorganise();
        }
        let (sender, tx) = self.pool.remove(k);
        if self.percent(self.weather.lose_transaction) {
            return;
        }
        let before = self.chain.clone();
        let length = self.chain.log.len();
        if let Err(reason) = self.chain.execute(&self.oracle, sender, &tx) {
            // Repeats of a transaction that has made it are refused, as on a real chain.
            assert!(["StalePly", "WrongStatus", "AlreadyPublished"].contains(&reason), "{reason}: {tx:?}");
            return;
        }
        for index in length..self.chain.log.len() {
            self.snapshots.push(before.clone());
            self.announce(index);
        }
    }

    fn announce(&mut self, index: usize) {
        if let ChainEvent::Moved { fields, .. } = self.chain.log[index].event {
            self.players.iter_mut().for_each(|player| player.chain.push(Event::Seen(fields)));
        }
    }

    /// All blocks that aren't final are taken back, and their transactions get lost.
    fn reorganise(&mut self) {
        let unfinal = self.chain.log.split_off(self.finals);
        let now = self.chain.now;
        let count = self.snapshots.len() - unfinal.len();
        if let Some(before) = self.snapshots.get(count).cloned() {
            self.chain = before;
            self.chain.now = now;
        }
        self.snapshots.truncate(count);
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

    /// A player hears of all that has happened on the chain; its jobs don't run.
    pub fn hear(&mut self, i: usize) {
        for event in std::mem::take(&mut self.players[i].chain) {
            self.tell(i, event);
        }
    }

    /// The next event that isn't final becomes so.
    pub(super) fn finalise(&mut self) {
        let event = self.chain.log[self.finals].event.clone();
        self.finals += 1;
        if let ChainEvent::Moved { fields, .. } = &event {
            let mv = self.oracle.move_to(&fields.next_commitment);
            let mut position = self.truth.last().expect("the start").clone();
            let played = position.play(&mv).expect("the chain took an illegal move");
            assert_eq!((played.capture, played.king_fell), (fields.capture, fields.king_fell));
            self.truth.push(position);
        }
        self.players.iter_mut().for_each(|player| player.chain.push(Event::Final(event.clone())));
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

    pub fn records(&self) -> Vec<Record> {
        let time = Some(1_700_000_000);
        let record = |logged: &crate::model_chain::Logged| Record {
            event: logged.event.clone(),
            proof: logged.proof.clone(),
            time,
        };
        self.chain.log.iter().map(record).collect()
    }
}
