//! How a world begins: a game is opened, joined and tossed for.

use super::{Backend, CONFIG, Link, LinkWeather, NodeWeather, Player, Players, Tally, Weather, World, engine};
use crate::contract::{BEGIN, Contract};
use crate::node::Node;
use crate::open_engine::OpenEngine;
use crate::oracle::Oracle;
use crate::sessions::Greeting;
use alloy::primitives::B256;
use client::link::Frames;
use client::seat::Config;
use client::wallet::Wallet;
use engines::{EngineKind, emanant::Emanant, replay::Accountable};
use fog::engine::Engine;
use game::{Mode, Terms};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::Position;
use std::sync::Arc;

/// What the games are played by unless a test says otherwise.
pub const TERMS: Terms = Terms {
    mode: Mode::Verified,
    stake: 1,
    base: 50_000,
    increment: 10,
    delay: 50_000,
    window: 20_000,
    reveal: 1_000,
    expiry: BEGIN + 1_000,
    opponent: None,
};

/// The engines that a world can be played with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engines {
    /// The flagship, with native checks in place of proofs.
    SightLines,
    /// The one that hides nothing.
    Open,
    /// One of several messages a sight, without requests, for games in mode `unproven`.
    Sessions,
    /// One whose set-up has messages too, likewise.
    Greeting,
    /// One that the program ships, by its name, likewise.
    Shipped(&'static str),
}

impl Engines {
    /// The engine, with an oracle in place of a prover.
    pub fn with(self, oracle: &Oracle) -> Arc<dyn Engine> {
        match self {
            Self::SightLines => engine(oracle),
            Self::Open => Arc::new(OpenEngine::new(oracle.clone())),
            Self::Sessions => Arc::new(Emanant::default()),
            Self::Greeting => Arc::new(Greeting),
            Self::Shipped(name) => shipped(name),
        }
    }

    /// Which frames its games have on the link.
    pub fn frames(self) -> Frames {
        match self {
            Self::SightLines | Self::Open => Frames::Answers,
            Self::Sessions | Self::Greeting => Frames::Sessions { max_message: 1 << 20 },
            Self::Shipped(name) => Frames::Sessions { max_message: shipped(name).about().max_message },
        }
    }
}

/// The shipped engine of a name.
///
/// # Panics
/// If there is none.
pub fn shipped(name: &str) -> Arc<dyn Accountable> {
    EngineKind::named(name).and_then(|kind| kind.accountable()).expect("an engine that is shipped")
}

/// All that decides how a world goes.
#[derive(Clone, Debug)]
pub struct Course {
    /// Decides all that is drawn.
    pub seed: u64,
    /// Which moves are made.
    pub script: Players,
    /// Percent of the offers of a draw that are accepted.
    pub accept_draws: u32,
    /// What can go wrong.
    pub weather: Weather,
    /// What the game is played by.
    pub terms: Terms,
    /// Whether the contract takes every proof of a move, as no shipped one does.
    pub is_gullible: bool,
    /// How patient the seats are.
    pub config: Config,
    /// What the sights are exchanged by.
    pub engine: Engines,
    /// What is below the seats; nothing in a shallow world, whose chain tells each seat by itself.
    pub node_weather: Option<NodeWeather>,
    /// What can go wrong between the players of a deep world; in a shallow one `weather` says it.
    pub link_weather: LinkWeather,
    /// What other courses with the same have checked isn't checked again.
    pub oracle: Oracle,
}

impl Course {
    /// In fair weather, by the usual terms.
    pub fn new(seed: u64, script: Players) -> Self {
        Self {
            seed,
            script,
            accept_draws: 0,
            weather: Weather::default(),
            terms: TERMS,
            config: CONFIG,
            engine: Engines::SightLines,
            node_weather: None,
            link_weather: LinkWeather::clear(),
            oracle: Oracle::default(),
            is_gullible: false,
        }
    }

    /// Plays the course with the open engine, which takes little time.
    pub fn open(mut self) -> Self {
        self.engine = Engines::Open;
        self
    }

    /// Plays the course with an engine that proves no moves, in the mode that takes it.
    pub fn unproven(mut self, engine: Engines) -> Self {
        self.engine = engine;
        (self.terms.mode, self.terms.stake) = (Mode::Unproven, 0);
        self
    }

    /// The world, once both seats know their colors.
    pub fn begin(&self) -> World {
        let mut world = self.join();
        while world.players.iter().any(|player| player.seat.color().is_none()) {
            world.step();
        }
        world.autoplay = true;
        world
    }

    /// The world, once the game is joined.
    pub fn join(&self) -> World {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        let keys: [[u8; 32]; 2] = rng.r#gen();
        let wallets = keys.map(|key| Wallet::from_secret(&key).expect("a secret key"));
        let nonce = B256::from(rng.r#gen::<[u8; 32]>());
        let (has_proofs, engine) = (self.oracle.has_proof_system(), self.engine.with(&self.oracle));
        let (mut chain, [of_creator, of_joiner]) = Contract::begin(has_proofs, &*engine, &keys, nonce, self.terms);
        if self.is_gullible {
            chain.break_verifier();
        }
        let [creator, joiner] = wallets.each_ref().map(Wallet::address);
        let player = |me, secrets| Player::new(me, secrets, self.engine.with(&self.oracle), chain.game, self.config);
        let link = self
            .node_weather
            .map(|_| Link::new(&wallets, chain.game, self.engine.frames(), self.link_weather, chain.now));
        let mut world = World {
            players: [player(creator, of_creator), player(joiner, of_joiner)],
            rng,
            seed: self.seed,
            engine: self.engine,
            backend: self.node_weather.map(|node_weather| {
                let signers = wallets.each_ref().map(|wallet| wallet.signer().clone());
                Backend::new(Node::new(chain.clone(), [creator, joiner]), node_weather, chain.now, signers)
            }),
            link,
            accept_draws: self.accept_draws,
            faults: Tally::default(),
            checks: Tally::default(),
            blocks: Vec::new(),
            finals: 0,
            oracle: self.oracle.clone(),
            network: Vec::new(),
            is_cut: false,
            pool: Vec::new(),
            weather: self.weather,
            script: self.script.clone(),
            truth: vec![Position::start()],
            is_gullible: self.is_gullible,
            false_plies: Vec::new(),
            steps: 0,
            verbose: false,
            autoplay: false,
            longest_tick: 1,
            config: self.config,
            idle: 0,
            chain,
        };
        world.make_final(world.chain.log.len());
        world
    }
}

impl World {
    /// A game whose moves are verified by the contract.
    pub fn new(seed: u64, script: Players, weather: Weather) -> Self {
        Course { weather, ..Course::new(seed, script) }.begin()
    }
}
