//! What is below each seat of a deep world: its sender, with one wallet and a ledger on disk, and its follower, both in front of one node. Both
//! are the client's own (`chain::Sender`, `client::chain::Watcher`); here their questions are answered, each perhaps by another machine, or not at
//! all.

mod answers;
mod chain;
mod checks;
mod look;
mod sending;
mod sent;
mod sim_node;
mod watching;

use super::World;
use crate::evm::CONTRACT;
use crate::node::{Making, Node};
use ::chain::send::{Call, Memory, TxStatus};
use ::chain::{BlockRef, Finality};
use alloy::primitives::{B256, Bytes};
use alloy::signers::local::PrivateKeySigner;
use client::chain::ChainClock;
use client::seat::Event;
use sending::Sending;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::{Duration, Instant};
use watching::Watching;

/// Most for a unit of gas: above anything that the base fee comes to, and below what a market would have that could ask for more.
const CEILING: u128 = 3_500;

/// What can go wrong between a player and its chain, beside its mempool and blocks; in percent where nothing else is said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeWeather {
    /// Blocks on top of a final one: no fork goes deeper.
    pub confirmations: u64,
    /// Whether the players go by what the node calls final.
    pub is_tagged: bool,
    /// Most seconds from block to block.
    pub interval: u64,
    /// Blocks with which others are taken back.
    pub fork: u32,
    /// By so many blocks forks are deeper than final blocks: none but in the controls.
    pub deeper: u64,
    /// Answers of a machine that is behind.
    pub lag: u32,
    /// Questions without an answer.
    pub busy: u32,
    /// Answers of a machine that has a block and not yet its logs, as long as the block isn't final: it says that nothing happened there.
    pub logs_behind: u32,
    /// Most blocks that may be asked for at once.
    pub range: u64,
    /// Other nodes that blocks are compared with.
    pub cross_checks: usize,
    /// Final blocks that one of two nodes has made up.
    pub lie: u32,
    /// Answers of a mempool that knows nothing of the account: its pending nonce is 0.
    pub blind: u32,
    /// What goes wrong when a block is made.
    pub making: Making,
    /// Per mille of the times that something was signed and written: the player is killed before it is sent, or before the answer is heard.
    pub torn: u32,
}

impl NodeWeather {
    /// Nothing goes wrong, and a block is final once it is the last.
    pub fn clear() -> Self {
        Self { confirmations: 1, interval: 2, range: 10_000, ..Self::default() }
    }

    /// From now on nothing goes wrong.
    pub(super) fn clear_up(&mut self) {
        (self.fork, self.lag, self.busy, self.logs_behind, self.torn) = (0, 0, 0, 0, 0);
        self.lie = 0;
        self.making = Making::default();
    }

    fn finality(&self) -> Finality {
        match self.is_tagged {
            true => Finality::Finalized,
            false => Finality::Confirmations(self.confirmations),
        }
    }
}

/// What is wrong with a player's sender or follower: the world must find it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BelowDefect {
    /// It keeps its ledger in memory, and writes nothing.
    pub writes_nothing: bool,
    /// It doesn't look after what is under way.
    pub neglects: bool,
    /// It signs another move of a ply with another nonce while the first is under way.
    pub signs_twice: bool,
    /// It offers whatever the market asks.
    pub is_lavish: bool,
    /// Its follower goes by fewer confirmations than blocks are taken back.
    pub is_hasty: bool,
    /// Its sender takes a mempool's word for the number of its transactions in blocks.
    pub trusts_mempools: bool,
}

/// The node and what stands before it.
#[derive(Debug)]
pub struct Backend {
    pub(super) node: Node,
    /// What can go wrong.
    pub node_weather: NodeWeather,
    /// All bytes that were sent, by hash.
    raw: HashMap<B256, Bytes>,
    signers: [PrivateKeySigner; 2],
    next_block: u64,
    /// The machines' clocks count from here.
    epoch: Instant,
    begun: u64,
    /// Of the creator and the joiner.
    pub connections: [Connection; 2],
}

/// A player's sender and follower.
#[derive(Debug)]
pub struct Connection {
    /// On disk: the ledger, the block of the game's creation, and the last final block.
    disk: Memory,
    born: Option<u64>,
    checkpoint: Option<BlockRef>,
    /// What its process has in memory, and forgets when it is killed.
    sending: Sending,
    watching: Watching,
    /// The latest blocks of the machines that have answered in this look.
    views: Vec<usize>,
    /// The pause after the last look, if it failed, and when the next one may begin.
    pause: u64,
    looks_from: u64,
    /// When it last asked anything.
    looked_at: u64,
    /// Whether the last look has met the head that there is.
    is_current: bool,
    /// Told by the follower, and not yet heard by the seat.
    pub(super) updates: VecDeque<Told>,
    /// As the seat's machine has heard of them.
    clock: Option<ChainClock>,
    /// When the game is decided, as far as it knows.
    pub(super) deadline: Option<u64>,
    /// All moves that were signed, by ply, with their nonces.
    moves: BTreeMap<u16, Vec<(Call, u64)>>,
    /// How often its process was started.
    lives: u32,
    /// A cheat whose wallet signs what its ledger refuses.
    pub is_unbound: bool,
    /// What is wrong with it; nothing, but in the controls.
    defect: BelowDefect,
}

/// What a look at the chain brings, piece by piece as the machine above carries it out.
#[derive(Debug)]
pub(super) enum Told {
    Time(Box<ChainClock>, Option<u64>),
    Born(u64),
    Checkpoint(BlockRef),
    Event(Box<Event>),
}

impl Connection {
    fn new(disk: Memory, sending: Sending, watching: Watching) -> Self {
        Self {
            disk,
            born: None,
            checkpoint: None,
            sending,
            watching,
            views: Vec::new(),
            pause: 0,
            looks_from: 0,
            looked_at: 0,
            is_current: false,
            updates: VecDeque::new(),
            clock: None,
            deadline: None,
            moves: BTreeMap::new(),
            lives: 0,
            is_unbound: false,
            defect: BelowDefect::default(),
        }
    }

    /// What a player's process forgets when it is killed.
    fn forget(&mut self, sending: Sending, watching: Watching) {
        let (moves, disk) = (std::mem::take(&mut self.moves), self.disk.clone());
        let Self { born, checkpoint, is_unbound, defect, lives, .. } = *self;
        let lives = lives + 1;
        *self = Self { born, checkpoint, moves, lives, is_unbound, defect, ..Self::new(disk, sending, watching) };
    }

    /// The journal is lost, and what it knows of the chain.
    pub(super) fn lose_journal(&mut self) {
        (self.born, self.checkpoint) = (None, None);
    }

    /// How many pieces wait for the seat, and how many transactions for their blocks.
    pub(super) fn state(&self) -> (usize, usize) {
        (self.updates.len(), self.sending.wanted.len())
    }
}

impl Backend {
    pub(super) fn new(node: Node, node_weather: NodeWeather, now: u64, signers: [PrivateKeySigner; 2]) -> Self {
        let (game, finality) = (node.head().state.game.game_id, node_weather.finality());
        let connection = |signer: &PrivateKeySigner| {
            let disk = Memory::default();
            let sending = Sending::new(signer, &disk, finality, (node.genesis(), game), BelowDefect::default());
            Connection::new(disk, sending, Watching::new(CONTRACT, game, finality, 0, None))
        };
        let connections = signers.each_ref().map(connection);
        Self {
            node,
            node_weather,
            raw: HashMap::new(),
            signers,
            next_block: now,
            epoch: Instant::now(),
            begun: now,
            connections,
        }
    }

    /// A player's program has a defect.
    pub fn break_program(&mut self, i: usize, defect: BelowDefect) {
        self.connections[i].defect = defect;
        self.connections[i].sending = self.sending(i);
    }

    fn sending(&self, i: usize) -> Sending {
        let Connection { disk, defect, .. } = &self.connections[i];
        let chain = (self.node.genesis(), self.node.head().state.game.game_id);
        Sending::new(&self.signers[i], disk, self.node_weather.finality(), chain, *defect)
    }

    /// A player's process is started again.
    fn forget(&mut self, i: usize) {
        let finality = match self.connections[i].defect.is_hasty {
            true => Finality::Confirmations(0),
            false => self.node_weather.finality(),
        };
        let (game, sending) = (self.node.head().state.game.game_id, self.sending(i));
        let connection = &mut self.connections[i];
        let from = connection.born.unwrap_or(0);
        connection.forget(sending, Watching::new(CONTRACT, game, finality, from, connection.checkpoint));
    }

    fn instant(&self, now: u64) -> Instant {
        self.epoch + Duration::from_secs(now.saturating_sub(self.begun))
    }

    /// How much time may pass at once: followers and senders that have something to do go about it by seconds.
    pub(super) fn longest_tick(&self, now: u64) -> u64 {
        let of_desk = |i: usize| {
            let connection = &self.connections[i];
            let look = if connection.is_current { u64::MAX } else { connection.looks_from.saturating_sub(now) };
            look.min(if connection.sending.is_idle() { u64::MAX } else { self.node_weather.interval })
        };
        of_desk(0).min(of_desk(1))
    }

    /// Whether a player's move is on its way, or in a block that isn't final.
    pub(super) fn is_moving(&self, i: usize) -> bool {
        let head = self.node.head().header.block.number;
        let ledger = self.connections[i].disk.read().1;
        let mut moves = ledger.entries().iter().filter(|entry| entry.request.is_exclusive());
        moves.any(|entry| match entry.status() {
            TxStatus::UnderWay => true,
            TxStatus::Mined(mined) => mined.block + self.node_weather.confirmations > head,
            TxStatus::Failed(_) => false,
        })
    }

    /// What a player's machine takes for the chain's time.
    pub(super) fn clock(&self, i: usize, now: u64) -> u64 {
        self.connections[i].clock.map_or(now, |clock| clock.at(self.instant(now)))
    }
}

impl World {
    fn backend(&mut self) -> &mut Backend {
        self.backend.as_mut().expect("only deep worlds have it")
    }

    fn connection(&mut self, i: usize) -> &mut Connection {
        &mut self.backend().connections[i]
    }
}
