//! What is between the seats of a deep world: each player's link, which decides by the client's own machine and gate (`client::link`), and a
//! network of connections and streams. Connections come up and break, with all that is under way on them; strangers knock (`strangers`). What
//! `client::link` carries on sockets is carried here from one machine to the other (`connections`, `streams`), and the promises are looked at (`checks`).
//!
//! Time goes by seconds, so what a link waits 400 ms for comes with the next second.

mod checks;
mod connection;
mod connections;
mod damage;
mod strangers;
mod streams;
mod weather;

use super::{Tally, World};
use alloy::primitives::Address;
use checks::Book;
use client::link::gate::{Gate, Source};
use client::link::machine::{Effect, Input, Machine};
use client::link::{Ack, Frames, Identity, LinkEvent};
use client::runtime::event_of_link;
use client::wallet::Wallet;
use connection::Connection;
use game::{GameRef, Message};
use libp2p::PeerId;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;
use std::net::{IpAddr, Ipv4Addr};
use std::time::{Duration, Instant};
use streams::Stream;

pub use weather::{LinkDefect, LinkWeather};

/// Events that may wait for a seat, as in `client::link`.
const EVENTS: usize = 64;
/// Seconds after which the links of quiet players are looked at at the latest.
const BEAT: u64 = 10;

/// The players' links and what is between them.
#[derive(Debug)]
pub struct Link {
    /// What can go wrong.
    pub weather: LinkWeather,
    /// What is wrong with the links; nothing, but in the controls.
    pub defect: LinkDefect,
    game: GameRef,
    frames: Frames,
    ends: [End; 2],
    connections: Vec<Connection>,
    streams: Vec<Stream>,
    next: usize,
    is_cut: bool,
    /// Who breaks the rules: whose packets may be damaged, in some weather.
    is_cheat: [bool; 2],
    is_corrupting: bool,
    /// One that says it is the opponent and has another wallet, once it is needed.
    impostor: Option<Identity>,
    epoch: Instant,
    begun: u64,
    now: u64,
}

#[derive(Debug)]
struct End {
    identity: Identity,
    peer: PeerId,
    opponent: Address,
    machine: Machine,
    gate: Gate,
    /// What has happened to its connections and streams and the machine has yet to hear.
    inputs: VecDeque<Input>,
    /// What the seat has yet to hear.
    told: VecDeque<LinkEvent>,
    pause: u64,
    next_dial: u64,
    /// Whom it has reached by dialling, ever: those know who it is.
    reached: Vec<PeerId>,
    /// What it was given.
    book: Book,
}

/// What is drawn and counted.
pub(super) struct Luck<'a> {
    rng: &'a mut ChaCha8Rng,
    faults: &'a mut Tally,
    checks: &'a mut Tally,
}

impl Link {
    /// Nobody is connected yet. The network keys are of the wallets, as in the client.
    pub(super) fn new(wallets: &[Wallet; 2], game: GameRef, frames: Frames, weather: LinkWeather, now: u64) -> Self {
        let epoch = Instant::now();
        let end = |i: usize| {
            let identity = Identity::new(&wallets[i], game).expect("a wallet signs");
            let opponent = wallets[1 - i].address();
            End {
                peer: identity.peer_id(),
                opponent,
                machine: Machine::new(&identity, opponent, frames, epoch),
                identity,
                gate: Gate::default(),
                inputs: VecDeque::new(),
                told: VecDeque::new(),
                pause: 1,
                next_dial: now,
                reached: Vec::new(),
                book: Book::default(),
            }
        };
        Self {
            weather,
            defect: LinkDefect::default(),
            game,
            frames,
            ends: [end(0), end(1)],
            connections: Vec::new(),
            streams: Vec::new(),
            next: 0,
            is_cut: false,
            is_cheat: [false; 2],
            is_corrupting: weather.corrupt > 0,
            impostor: None,
            epoch,
            begun: now,
            now,
        }
    }

    /// Connections, streams, and what waits at each player.
    pub(super) fn state(&self) -> String {
        let waiting = self.ends.each_ref().map(|end| end.machine.size().waiting);
        format!("(connections, streams, waiting) {:?}", (self.connections.len(), self.streams.len(), waiting))
    }

    fn instant(&self) -> Instant {
        self.epoch + Duration::from_secs(self.now.saturating_sub(self.begun))
    }

    /// Whether a seat has something to hear.
    pub(super) fn has_told(&self, i: usize) -> bool {
        !self.ends[i].told.is_empty()
    }

    /// Whether nothing is under way or waits: then the seats alone decide how fast time passes.
    pub(super) fn is_quiet(&self) -> bool {
        let is_calm = |end: &End| end.machine.opponent().is_some() && end.machine.size().waiting == 0;
        !self.has_work() && (self.is_cut || self.ends.iter().all(is_calm))
    }

    /// Cuts the players off from each other for good.
    pub(super) fn cut(&mut self) {
        self.is_cut = true;
        for connection in &mut self.connections {
            connection.breaks(false);
        }
    }

    /// A player's process is killed and started again; its network key is the same.
    pub(super) fn restart(&mut self, i: usize) {
        let now = self.instant();
        self.drop_connections(i);
        let frames = self.frames;
        let end = &mut self.ends[i];
        end.machine = Machine::new(&end.identity, end.opponent, frames, now);
        end.gate = Gate::default();
        end.inputs.clear();
        end.told.clear();
        (end.pause, end.next_dial) = (1, self.now);
        end.book.begin_anew();
    }

    /// A message of a seat, as `LinkHandle::send` takes it.
    pub(super) fn give(&mut self, i: usize, message: Message, luck: &mut Luck) {
        if message.check().is_err() {
            luck.faults.add("messages that can't be sent");
            return;
        }
        self.ends[i].book.give(&message);
        if !self.defect.is_mute {
            self.apply(i, Input::Send(message), luck);
        }
    }

    /// Something happens to a player's link; its machine's effects are carried out. Gives the answer to a packet.
    fn apply(&mut self, i: usize, input: Input, luck: &mut Luck) -> Option<Ack> {
        let now = self.instant();
        let end = &mut self.ends[i];
        let room = EVENTS - end.told.len().min(EVENTS);
        let mut answer = None;
        for effect in end.machine.apply(input, room, now) {
            match effect {
                Effect::Send { peer, stream, packet } => self.open_stream(i, peer, stream, packet, luck),
                Effect::Answer(ack) => answer = Some(ack),
                Effect::Disconnect(peer) => self.disconnect(i, peer),
                Effect::Trust(peer) => {
                    self.ends[i].gate.trust(peer);
                    self.close_what_the_gate_closes(i);
                }
                Effect::DialAnew => (self.ends[i].pause, self.ends[i].next_dial) = (1, self.now),
                Effect::Reached(_) => {}
                Effect::Tell(event) => self.hear(i, event, luck),
            }
        }
        self.check_size(i, luck);
        answer
    }

    /// Time passes. Where nothing happens for long the players only show now and then that they are there.
    pub(super) fn pass(&mut self, until: u64, luck: &mut Luck) {
        while self.now < until {
            let step = BEAT.min(until - self.now);
            self.now += step;
            self.time_out();
            for i in 0..2 {
                self.hear_of_network(i, luck);
                self.apply(i, Input::Tick, luck);
                self.dial(i, luck);
            }
            (0..step).for_each(|_| self.come_and_go(luck));
            if step > 1 {
                self.settle(luck);
            }
        }
    }
}

/// Where a player sits.
fn host(i: usize) -> Source {
    Source::Host(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1 + u8::try_from(i).unwrap_or(0))))
}

impl World {
    fn with_link<T>(&mut self, act: impl FnOnce(&mut Link, &mut Luck) -> T) -> Option<T> {
        let is_cheat = self.players.each_ref().map(|player| player.mischief.is_some());
        let Self { link, rng, faults, checks, .. } = self;
        let link = link.as_mut()?;
        link.is_cheat = is_cheat;
        Some(act(link, &mut Luck { rng, faults, checks }))
    }

    /// A seat's message goes to its link.
    pub(super) fn give_to_link(&mut self, i: usize, message: Message) {
        self.with_link(|link, luck| link.give(i, message, luck));
    }

    /// Some of what is under way between the players arrives, or is lost.
    pub(super) fn carry_link(&mut self) {
        self.with_link(|link, luck| {
            for _ in 0..luck.rng.gen_range(1..=4) {
                link.carry(luck);
            }
        });
    }

    pub(super) fn pass_on_link(&mut self) {
        let now = self.chain.now;
        self.with_link(|link, luck| link.pass(now, luck));
    }

    /// A player's seat hears the next thing of its link.
    pub(super) fn hear_link(&mut self, i: usize) {
        let Some(link) = &mut self.link else { return };
        let told = &mut link.ends[i].told;
        let event = std::iter::from_fn(|| told.pop_front()).find_map(event_of_link);
        if let Some(event) = event {
            self.idle = 0;
            self.tell(i, event);
        }
    }
}
