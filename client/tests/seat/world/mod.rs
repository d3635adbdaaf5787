//! Two seats, a model chain, a bad network and a scheduler, all driven by one seed: what happens next is drawn from
//! everything that could. While a game runs the world compares it with the truth (`rules::Position`) and watches the
//! seats' promises: no second move for a ply, nothing released before its move is final, sights and legal moves right.
//!
//! Here are the world and its scheduler; its parts have a file each.

mod begin;
mod blocks;
mod mischief;
mod moves;
mod player;
mod short;
mod watch;

pub use begin::{Course, TERMS};
pub use mischief::Mischief;
pub use moves::{Players, recorded_games};
pub use player::{Player, engine, keyed};
pub use short::{before_whites_second_move, finish, short};

use crate::model_chain::{ModelChain, Oracle};
use blocks::{Block, Pending};
use client::seat::{Config, Event};
use game::Message;
use rand::{Rng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use rules::{Color, Position};

/// What can go wrong, each in percent of the messages or steps.
#[derive(Clone, Copy, Debug, Default)]
pub struct Weather {
    pub drop: u32,
    pub duplicate: u32,
    /// Messages are delivered in any order, and may wait long.
    pub reorder: bool,
    /// A block that isn't final is taken back.
    pub reorg: u32,
    pub lose_transaction: u32,
    /// So many seconds at most until a transaction can get into a block.
    pub inclusion: u64,
}

#[derive(Debug)]
pub struct World {
    pub rng: ChaCha8Rng,
    pub chain: ModelChain,
    /// Transactions in blocks that aren't final yet.
    blocks: Vec<Block>,
    /// Events that are final.
    finals: usize,
    pub oracle: Oracle,
    pub players: [Player; 2],
    pub network: Vec<(usize, Message)>,
    /// Whether the link is cut for good.
    is_cut: bool,
    pool: Vec<Pending>,
    pub weather: Weather,
    script: Players,
    /// The positions before each final ply.
    pub truth: Vec<Position>,
    /// Final plies whose proofs are false, which nothing may be released to.
    pub false_plies: Vec<u16>,
    pub steps: usize,
    pub verbose: bool,
    /// Whether the players move by themselves.
    pub autoplay: bool,
    /// How many seconds pass at once, at most, where nothing happens.
    pub longest_tick: u64,
    pub config: Config,
    /// For how many steps nothing has happened.
    idle: u32,
}

/// How patient seats are unless a test says otherwise.
pub const CONFIG: Config =
    Config { want_every: 3, resend_every: 8, reserve: 5, await_request: 30, grace: 12, demand_post: true };
const MAX_STEPS: usize = 20_000;

impl World {
    pub fn seat_of(&self, color: Color) -> usize {
        usize::from(self.players[0].seat.color() != Some(color))
    }

    /// Whether both seats know that the game is over.
    pub fn is_over(&self) -> bool {
        self.players.iter().all(|player| player.seat.table().ending().is_some())
    }

    /// Plays until the end of the game.
    pub fn run(&mut self) {
        while !self.is_over() {
            self.step();
        }
    }

    /// From now on no message arrives: only the chain is left.
    pub fn cut_link(&mut self) {
        self.is_cut = true;
        self.network.clear();
    }

    /// One thing that could happen, drawn from all of them.
    pub fn step(&mut self) {
        self.steps += 1;
        assert!(self.steps < MAX_STEPS, "the game hangs: {}", self.state());
        if self.verbose {
            println!("step {}: {}", self.steps, self.state());
        }
        let mut choices: Vec<Choice> = Vec::new();
        for (i, player) in self.players.iter().enumerate() {
            choices.extend(player.chain.first().map(|_| Choice::Hear(i)));
            choices.extend(player.jobs.first().map(|_| Choice::Finish(i)));
            choices.extend((self.autoplay && self.may_decide(i)).then_some(Choice::Decide(i)));
        }
        let messages = if self.weather.reorder { self.network.len() } else { self.network.len().min(1) };
        choices.extend((0..messages).map(Choice::Deliver));
        let now = self.chain.now;
        choices.extend((0..self.pool.len()).filter(|k| self.pool[*k].from <= now).map(Choice::Mine));
        choices.extend((!self.blocks.is_empty()).then_some(Choice::Finalise));
        let choice = match choices.choose(&mut self.rng) {
            Some(choice) if !self.weather.reorder || self.rng.gen_range(0..8) > 0 => *choice,
            _ => Choice::Tick,
        };
        match choice {
            Choice::Tick => self.idle += 1,
            // A refused transaction is no event; one that is taken resets this, too.
            Choice::Mine(_) => {}
            _ => self.idle = 0,
        }
        self.carry_out(choice);
    }

    fn carry_out(&mut self, choice: Choice) {
        match choice {
            Choice::Hear(i) => {
                let event = self.players[i].chain.remove(0);
                self.tell(i, event);
            }
            Choice::Finish(i) => {
                let (id, job) = self.players[i].jobs.remove(0);
                self.tell(i, Event::Done(id, job.run()));
            }
            Choice::Decide(i) => {
                let command = self.decide(i);
                self.tell(i, Event::Command(command));
                // A refused player asks again when something has happened.
                self.players[i].is_refused = self.players[i].seat.chosen().is_none();
            }
            Choice::Deliver(k) => self.deliver(k),
            Choice::Mine(k) => self.mine(k),
            Choice::Finalise => self.finalise(),
            // The longer nothing happens, the longer are the steps.
            Choice::Tick => self.tick(self.longest_tick.min(1 << self.idle.min(20)).max(1)),
        }
    }

    pub fn tick(&mut self, seconds: u64) {
        self.chain.now += seconds;
        let (now, deadline) = (self.chain.now, self.chain.deadline());
        for i in 0..2 {
            self.tell(i, Event::Tick { now, deadline });
        }
    }

    fn deliver(&mut self, k: usize) {
        let (to, message) = self.network.remove(k);
        if self.percent(self.weather.drop) {
            return;
        }
        if self.percent(self.weather.duplicate) {
            self.network.push((to, message.clone()));
        }
        self.tell(to, Event::Received(message));
    }

    fn percent(&mut self, chance: u32) -> bool {
        self.rng.gen_range(0..100) < chance
    }

    fn state(&self) -> String {
        let ply = |player: &Player| player.seat.table().begun().map(|play| play.ply);
        format!(
            "time {}, final plies {}, known {:?}, {} messages, {} transactions, last shown {:?}",
            self.chain.now,
            self.truth.len() - 1,
            self.players.each_ref().map(ply),
            self.network.len(),
            self.pool.len(),
            self.players.each_ref().map(|player| player.shown.iter().rev().take(3).collect::<Vec<_>>()),
        )
    }
}

#[derive(Clone, Copy, Debug)]
enum Choice {
    Hear(usize),
    Finish(usize),
    Decide(usize),
    Deliver(usize),
    Mine(usize),
    Finalise,
    Tick,
}
