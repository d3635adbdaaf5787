//! Two seats, the game contract, a bad network and a scheduler, all driven by one seed: what happens next is drawn from
//! everything that could. While a game runs the world compares it with the truth (`rules::Position`) and watches the
//! seats' promises: no second move for a ply, nothing released before its move is final, nor twice, sights and legal moves right,
//! no money lost, nobody stuck. A broken one is a panic.
//!
//! Here are the world and its scheduler; its parts have a file each.

mod backend;
mod begin;
mod blocks;
mod chance;
mod end;
mod faults;
mod journalled;
mod lies;
mod link;
mod mischief;
mod moves;
mod player;
mod short;
mod tally;
mod watch;
mod weather;

pub use backend::{Backend, BelowDefect, Connection, NodeWeather};
pub use begin::{Course, Engines, TERMS, shipped};
pub use lies::{Dice, lies};
pub use link::{Link, LinkDefect, LinkWeather};
pub use mischief::{Defect, Mischief};
pub use moves::{Players, recorded_games};
pub use player::{Player, engine, keyed};
pub use short::{before_whites_second_move, finish, short};
pub use tally::Tally;
pub use weather::Weather;

use crate::contract::Contract;
use crate::oracle::Oracle;
use blocks::{Block, Pending};
use client::seat::{Config, Event};
use game::Message;
use rand::{Rng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use rules::{Color, Position};

/// Two players, a chain, a network, and what is drawn.
#[derive(Debug)]
pub struct World {
    /// What is drawn next.
    pub rng: ChaCha8Rng,
    /// The seed of the players' decisions.
    seed: u64,
    /// The contract as it is now, with blocks that may be taken back.
    pub chain: Contract,
    /// Transactions in blocks that aren't final yet.
    blocks: Vec<Block>,
    /// Events that are final.
    finals: usize,
    /// What stands for the proof system.
    pub oracle: Oracle,
    engine: Engines,
    /// Senders, followers and a node with a chain, in a deep world.
    pub backend: Option<Backend>,
    /// The players' links and what is between them, in a deep world.
    pub link: Option<Link>,
    /// The creator and the joiner.
    pub players: [Player; 2],
    /// In a shallow world: messages under way, each with the player that it is for.
    pub network: Vec<(usize, Message)>,
    /// Whether the link is cut for good.
    is_cut: bool,
    pool: Vec<Pending>,
    /// What can go wrong.
    pub weather: Weather,
    script: Players,
    /// Percent of the offers of a draw that are accepted.
    accept_draws: u32,
    /// The positions before each final ply.
    pub truth: Vec<Position>,
    /// Whether the contract takes every proof of a move.
    is_gullible: bool,
    /// Final plies whose proofs are false, which nothing may be released to.
    pub false_plies: Vec<u16>,
    /// Things that have happened.
    pub steps: usize,
    /// Whether each step is printed.
    pub verbose: bool,
    /// Whether the players move by themselves.
    pub autoplay: bool,
    /// How many seconds pass at once, at most, where nothing happens.
    pub longest_tick: u64,
    /// How patient the seats are.
    pub config: Config,
    /// For how many steps nothing has happened.
    idle: u32,
    /// What has gone wrong, by kind.
    pub faults: Tally,
    /// What was looked at, by promise.
    pub checks: Tally,
}

/// How patient seats are unless a test says otherwise.
pub const CONFIG: Config = Config {
    want_every: 3,
    resend_every: 8,
    reserve: 5,
    await_request: 30,
    grace: 12,
    demand_post: true,
    posts_transcript: false,
};
/// Seconds between two decisions of a user whose first came to nothing.
const THINKING: u64 = 20;
const MAX_STEPS: usize = 40_000;
/// Messages that the network keeps; more are lost.
const CAPACITY: usize = 100;

impl World {
    /// The place of the player of a color.
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
        if let Some(link) = &mut self.link {
            link.cut();
        }
    }

    /// One thing that could happen, drawn from all of them.
    pub fn step(&mut self) {
        self.steps += 1;
        assert!(self.steps < MAX_STEPS, "the game hangs: {}", self.state());
        let choice = self.choose();
        if self.verbose {
            crate::tell!("step {}: {choice:?}; {}", self.steps, self.state());
        }
        match choice {
            Choice::Tick => self.idle += 1,
            // A refused transaction is no event; one that is taken resets this, too.
            Choice::Mine(_) | Choice::Look(_) | Choice::Send(_) | Choice::Carry | Choice::HearLink(_) => {}
            _ => self.idle = 0,
        }
        self.carry_out(choice);
        self.check();
    }

    fn choose(&mut self) -> Choice {
        let mut choices: Vec<Choice> = Vec::new();
        for (i, player) in self.players.iter().enumerate() {
            choices.extend(player.chain.first().map(|_| Choice::Hear(i)));
            if let Some(backend) = &self.backend {
                choices.extend((!backend.connections[i].updates.is_empty()).then_some(Choice::HearTold(i)));
                choices.extend(self.may_look(i).then_some(Choice::Look(i)));
                choices.extend(self.may_send(i).then_some(Choice::Send(i)));
            }
            let has_told = self.link.as_ref().is_some_and(|link| link.has_told(i));
            choices.extend(has_told.then_some(Choice::HearLink(i)));
            let jobs = if self.weather.late_jobs { player.jobs.len() } else { player.jobs.len().min(1) };
            choices.extend((0..jobs).map(|k| Choice::Finish(i, k)));
            choices.extend((self.autoplay && self.may_decide(i)).then_some(Choice::Decide(i)));
        }
        let messages = if self.weather.reorder { self.network.len() } else { self.network.len().min(1) };
        choices.extend((0..messages).map(Choice::Deliver));
        choices.extend(self.link.as_ref().is_some_and(Link::has_work).then_some(Choice::Carry));
        let now = self.chain.now;
        choices.extend((0..self.pool.len()).filter(|k| self.pool[*k].from <= now).map(Choice::Mine));
        let is_final = |block: &Block| block.final_from <= now;
        choices.extend(self.blocks.first().is_some_and(is_final).then_some(Choice::Finalise));
        if let Some(crash) = self.draw_crash() {
            return crash;
        }
        match choices.choose(&mut self.rng) {
            Some(choice) if !(self.weather.reorder || self.weather.hurry) || self.rng.gen_range(0..8) > 0 => *choice,
            _ => self.overdue_look().map_or(Choice::Tick, Choice::Look),
        }
    }

    fn carry_out(&mut self, choice: Choice) {
        match choice {
            Choice::Hear(i) => {
                let event = self.players[i].chain.remove(0);
                self.tell(i, event);
            }
            Choice::HearTold(i) => self.hear_told(i),
            Choice::Look(i) => self.look_at_chain(i),
            Choice::Send(i) => self.send_below(i),
            Choice::Carry => self.carry_link(),
            Choice::HearLink(i) => self.hear_link(i),
            Choice::Finish(i, k) => self.finish_job(i, k),
            Choice::Decide(i) if self.unwanted(i).is_some() => self.want_another(i),
            Choice::Decide(i) => {
                let command = self.decide(i);
                self.players[i].decides_from = self.chain.now + THINKING;
                self.tell(i, Event::Command(command));
                // A refused player asks again when something has happened.
                self.players[i].is_refused = self.players[i].seat.chosen().is_none();
            }
            Choice::Deliver(k) => self.deliver(k),
            Choice::Mine(k) => self.mine(k),
            Choice::Finalise => self.finalise(),
            Choice::Crash { who, journal } => self.crash(who, journal),
            // The longer nothing happens, the longer are the steps.
            Choice::Tick => {
                let longest = self.backend.as_ref().map_or(u64::MAX, |backend| backend.longest_tick(self.chain.now));
                let of_link = if self.link.as_ref().is_none_or(Link::is_quiet) { u64::MAX } else { 1 };
                self.tick(self.longest_tick.min(1 << self.idle.min(20)).min(longest).min(of_link).max(1));
            }
        }
    }

    pub fn tick(&mut self, seconds: u64) {
        self.chain.now += seconds;
        if self.backend.is_some() {
            self.make_blocks();
            self.pass_on_link();
        }
        for i in 0..2 {
            let now = self.chain.now;
            let (now, deadline) = match &self.backend {
                Some(backend) => (backend.clock(i, now), backend.connections[i].deadline),
                None => (now, self.chain.deadline()),
            };
            self.tell(i, Event::Tick { now, date: now, deadline });
        }
    }

    fn state(&self) -> String {
        let ply = |player: &Player| player.seat.table().begun().map(|play| play.ply);
        let waiting = |player: &Player| (player.chain.len(), player.jobs.len());
        format!(
            "time {}, final plies {}, known {:?}, waiting (events, jobs) {:?}, {} messages, {} transactions, {} blocks",
            self.chain.now,
            self.truth.len() - 1,
            self.players.each_ref().map(ply),
            self.players.each_ref().map(waiting),
            self.network.len(),
            self.pool.len(),
            self.blocks.len(),
        ) + &self.backend.as_ref().map_or(String::new(), |backend| {
            format!(", backend (told, wanted) {:?}", backend.connections.each_ref().map(Connection::state))
        }) + &self.link.as_ref().map_or(String::new(), |link| format!(", link {}", link.state()))
    }
}

#[derive(Clone, Copy, Debug)]
enum Choice {
    Hear(usize),
    HearTold(usize),
    Look(usize),
    Send(usize),
    Carry,
    HearLink(usize),
    Finish(usize, usize),
    Decide(usize),
    Deliver(usize),
    Mine(usize),
    Finalise,
    Crash { who: usize, journal: bool },
    Tick,
}
