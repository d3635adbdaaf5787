//! `fogmate play`: a player's side of one game, in plain lines (protocol, section 6). The full-screen terminal is not here.

use std::path::PathBuf;
use std::sync::Arc;

use bot::Level;
use clap::Args as ClapArgs;
use client::chain::GameState;
use client::link::{self, AddressRecord, LinkError};
use client::runtime::{AddressNews, EngineKind, Parts, PlayedEngine, spawn};
use client::seat::Config;
use client::wallet::Wallet;
use deploy::Deployment;
use eyre::Result;
use game::GameRef;
use libp2p::multiaddr::Protocol;
use libp2p::{Multiaddr, PeerId};
use tokio::sync::mpsc::{self, UnboundedSender};

use crate::engine::{engine_of, tell_caveat};
use crate::failure::bad_input;
use crate::hint::hint;
use crate::home::{Home, SavedGame, check_relays, game_id};
use crate::keys::{KeyArgs, ProverArgs, prover, set_keys};
use crate::machine::{FeeArgs, MachineArgs};
use crate::output::note;
use crate::screen::ScreenArgs;
use crate::script::Script;
use crate::session::{self, Manner, Moves, Options};
use crate::terminal;
use crate::terms;
use crate::thinker::{Maker, Thinker};

/// Play a game, or go on with it
///
/// Shows your board as you see it and takes moves in UCI (e2e4, e7e8q; castling is the king's move). `help` lists the
/// other commands. You can stop at any time and go on later: wallet and chain know the game. Lower-case pieces are
/// Black's; "." is seen and empty, "?" occupied by an unknown piece in a pawn's way, the rest is dark.
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    seat: SeatArgs,
    /// Play the own moves of a script: one JSON object with `moves`, UCI strings of both colors
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    #[command(flatten)]
    screen: ScreenArgs,
}

/// A side of a game, whoever plays it.
#[derive(Debug, ClapArgs)]
pub struct SeatArgs {
    /// The game's id, or the start of one that this machine knows
    game: String,
    #[command(flatten)]
    machine: MachineArgs,
    #[command(flatten)]
    fees: FeeArgs,
    #[command(flatten)]
    keys: KeyArgs,
    #[command(flatten)]
    prover: ProverArgs,
    /// Where to listen for the opponent [default: as remembered]
    #[arg(long, value_name = "MULTIADDR")]
    listen: Option<Multiaddr>,
    /// Where the opponent may be, in addition to what is remembered
    #[arg(long, value_name = "MULTIADDR")]
    dial: Vec<Multiaddr>,
    /// A relay that leads to this machine too, as `fogmate relay` prints it, in addition to what is remembered
    #[arg(long, value_name = "MULTIADDR")]
    relay: Vec<Multiaddr>,
    /// Where the opponent is now: a record that its `fogmate address` has printed
    #[arg(long, value_name = "RECORD")]
    at: Option<String>,
    /// How long to wait for a sight, or for the opponent's request, before the chain is used instead
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = terms::seconds, allow_hyphen_values = true)]
    grace: u32,
    /// Demand sights after own moves through the chain too, which no move needs; each costs both players gas
    #[arg(long)]
    demand_post: bool,
    /// Publish your view key once the game is over, so that everybody can replay your side
    #[arg(long)]
    publish: bool,
    /// Cut the link for good once this ply is to be played: shows that the chain is enough
    #[arg(long, value_name = "PLY", hide = true)]
    cut_link: Option<u16>,
    /// Print what happens as a JSON object a line
    #[arg(long)]
    json: bool,
    /// End when standard input ends, and not before: for programs that start this one
    #[arg(long, hide = true)]
    stay: bool,
    /// Prove only while holding the lock of this file: for several players on one machine
    #[arg(long, value_name = "FILE", hide = true)]
    proving_lock: Option<PathBuf>,
}

/// Who chooses the moves.
#[derive(Debug)]
pub enum Chooser {
    /// A person, by a screen or by lines.
    Person(ScreenArgs),
    Script(Script),
    /// A bot, with its log at another place than in the home folder, and another seed than its wallet's.
    Bot {
        level: Level,
        log: Option<PathBuf>,
        seed: Option<u64>,
    },
}

pub async fn run(args: &Args) -> Result<()> {
    let script = args.script.as_deref().map(Script::read).transpose()?;
    sit(&args.seat, script.map_or(Chooser::Person(args.screen), Chooser::Script)).await
}

/// Plays one side of a game to its end.
pub async fn sit(args: &SeatArgs, chooser: Chooser) -> Result<()> {
    let Seat { parts, state, home } = args.seat().await?;
    let command = if let Chooser::Bot { .. } = chooser { "bot" } else { "play" };
    let manner = match chooser {
        _ if args.json => Manner::Json,
        Chooser::Person(screen) if screen.is_full() => Manner::Full(screen),
        Chooser::Person(screen) => Manner::Lines { edited: terminal::is_capable(), verbose: screen.verbose },
        Chooser::Script(_) | Chooser::Bot { .. } => Manner::Lines { edited: terminal::is_capable(), verbose: false },
    };
    let moves = moves(chooser, &home, &parts.wallet, parts.game)?;
    let options = Options {
        manner,
        moves,
        publish: args.publish,
        command,
        stay: args.stay,
        stake: state.terms.stake,
        has_proofs: state.terms.mode.has_proofs(),
    };
    session::run(spawn(parts), options).await
}

/// A side of a game that is ready to be played.
pub struct Seat {
    pub parts: Parts,
    pub state: GameState,
    pub home: Home,
}

impl SeatArgs {
    /// Whether a program reads what happens.
    pub fn json(&self) -> bool {
        self.json
    }

    /// Opens the wallet, finds its game on the chain, and gets the engine ready.
    pub async fn seat(&self) -> Result<Seat> {
        let home = self.machine.home.home()?;
        let saved = home.find(&self.game)?;
        let game_id = game_id(saved.as_ref(), &self.game)?;
        let record = self.at.as_deref().map(str::parse::<AddressRecord>).transpose().map_err(bad_input)?;
        check_addresses(self, saved.as_ref()).await?;
        let (wallet, chain, deployment) = self.machine.connect(&home, saved.as_ref(), self.fees).await?;
        let state = chain.game(game_id).await?;
        if !state.players.contains(&Some(wallet.address())) {
            return Err(bad_input(format!(
                "the wallet {} has no seat in game {game_id}: {} takes one, while the game is open",
                wallet.address(),
                hint("join INVITATION")
            )));
        }
        let nodes = self.machine.node.nodes(saved.as_ref());
        let saved = saved.unwrap_or_else(|| SavedGame::new(chain.game_ref(game_id), wallet.address(), Vec::new()));
        let mut game = SavedGame { nodes, ..saved };
        if let Some(record) = &record {
            let opponent = state.players.into_iter().flatten().find(|player| *player != wallet.address());
            let opponent = opponent.ok_or_else(|| bad_input("nobody has joined the game yet"))?;
            record.check(&game.game, opponent, game.heard).map_err(bad_input)?;
            game.heard = record.number;
        }
        home.remember(&game);
        let used = used(self, &game, record);
        let engine = engine_of(&state)?;
        tell_caveat(engine);
        let parts = Parts {
            wallet,
            chain,
            game: used.game,
            engine: with_keys(engine, self, deployment).await?,
            journals: home.journals(),
            listen: used.listen.clone(),
            dial: used.dial.clone(),
            relays: used.relays.clone(),
            heard: used.heard,
            addresses: Some(remember(home.clone(), game, used)),
            seat: Config {
                grace: self.grace.into(),
                await_request: self.grace.into(),
                demand_post: self.demand_post,
                ..Config::default()
            },
            cut_link: self.cut_link,
        };
        Ok(Seat { parts, state, home })
    }
}

/// Where the moves of a game come from.
fn moves(chooser: Chooser, home: &Home, wallet: &Wallet, game: GameRef) -> Result<Moves> {
    Ok(match chooser {
        Chooser::Person(_) => Moves::Typed,
        Chooser::Script(script) => Moves::Script(script),
        Chooser::Bot { level, log, seed } => {
            let secrets = wallet.opening_secrets(game.chain_id, game.contract, game.game_id);
            let seed = seed.map_or_else(|| secrets.seed().branch("bot").to_bytes(), bytes);
            let log = log.unwrap_or_else(|| home.bot_log(wallet.address(), game.game_id));
            Moves::Bot(Thinker::start(Maker { level, seed, log })?)
        }
    })
}

/// A seed that is typed as a number.
fn bytes(seed: u64) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes
}

/// An engine with the keys for a deployment that it needs.
async fn with_keys(engine: EngineKind, args: &SeatArgs, deployment: Deployment) -> Result<PlayedEngine> {
    Ok(match engine {
        EngineKind::SightLines(()) => {
            let (parameters, cache) = (args.keys.parameters(&deployment)?, args.keys.cache()?);
            let backend = args.prover.backend();
            let made = tokio::task::spawn_blocking(move || prover(&parameters, backend, &cache, &deployment)).await??;
            EngineKind::SightLines(Arc::new(made.with_lock(args.proving_lock.clone())))
        }
        EngineKind::DhPsiProven(()) => {
            let (parameters, cache) = (args.keys.parameters(&deployment)?, args.keys.cache()?);
            let is_development = deployment.development_only;
            let made = tokio::task::spawn_blocking(move || set_keys(&parameters, &cache, is_development)).await??;
            EngineKind::DhPsiProven(made)
        }
        EngineKind::DhPsi => EngineKind::DhPsi,
        EngineKind::DhPsiPlain => EngineKind::DhPsiPlain,
        EngineKind::Emanant => EngineKind::Emanant,
        EngineKind::Andos => EngineKind::Andos,
        EngineKind::Bfv => EngineKind::Bfv,
    })
}

/// Refuses addresses that can't be used, and a port that is taken, before anybody is asked for a password.
async fn check_addresses(args: &SeatArgs, saved: Option<&SavedGame>) -> Result<()> {
    check_relays(&args.relay)?;
    if let Some(wrong) = args.dial.iter().find(|address| !link::is_dialable(address)) {
        return Err(bad_input(LinkError::Dial(wrong.clone())));
    }
    if let Some(listen) = args.listen.as_ref().or_else(|| saved.map(|game| &game.listen)) {
        link::free(listen).await.map_err(bad_input)?;
    }
    Ok(())
}

/// What is known of the game, with the addresses that the command line adds.
fn used(args: &SeatArgs, game: &SavedGame, record: Option<AddressRecord>) -> SavedGame {
    let mut used = game.clone();
    used.listen = args.listen.clone().unwrap_or(used.listen);
    used.dial.extend(args.dial.iter().cloned());
    used.dial.extend(record.into_iter().flat_map(|record| record.addresses));
    for relay in &args.relay {
        if !used.relays.contains(relay) {
            used.relays.push(relay.clone());
        }
    }
    used
}

/// Writes into the game's file what has worked of the addresses that are used: the next command knows it.
fn remember(home: Home, mut game: SavedGame, used: SavedGame) -> UnboundedSender<AddressNews> {
    let (sender, mut news) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Some(news) = news.recv().await {
            let before = game.clone();
            learn(&mut game, &used, news);
            if game != before
                && let Err(error) = home.save(&game)
            {
                note!("note: the addresses can't be remembered: {error:#}");
            }
        }
    });
    sender
}

/// What is to be remembered of a game when an address that is used has worked.
fn learn(game: &mut SavedGame, used: &SavedGame, news: AddressNews) {
    match news {
        AddressNews::Listening(addresses) => {
            if addresses.iter().any(|address| !link::is_relayed(address)) {
                game.listen = used.listen.clone();
            }
            let leads_here = |relay: &PeerId| {
                let at_relay = |part| part == Protocol::P2p(*relay);
                addresses.iter().any(|address| link::is_relayed(address) && address.iter().any(at_relay))
            };
            for relay in &used.relays {
                if !game.relays.contains(relay) && link::relay_peer(relay).as_ref().is_some_and(leads_here) {
                    game.relays.push(relay.clone());
                }
            }
        }
        AddressNews::Reached(address) => game.reached(address),
        AddressNews::Heard(number) => game.heard = number,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy::primitives::{Address, B256};

    #[test]
    fn only_what_has_worked_is_remembered() {
        let address = |text: &str| text.parse::<Multiaddr>().expect("a multiaddress");
        let reference = GameRef { chain_id: 1, contract: Address::ZERO, game_id: B256::ZERO };
        let before = SavedGame::new(reference, Address::ZERO, Vec::new());
        let [relay, other] = [(); 2].map(|()| address(&format!("/ip4/192.0.2.9/tcp/1/p2p/{}", PeerId::random())));
        let mut used = before.clone();
        used.listen = address("/ip4/0.0.0.0/tcp/4040");
        used.dial = vec![address("/ip4/192.0.2.1/tcp/1"), address("/ip4/192.0.2.2/tcp/2")];
        used.relays = vec![relay.clone(), other];

        let mut game = before.clone();
        learn(&mut game, &used, AddressNews::Listening(Vec::new()));
        assert_eq!(game, before);
        let circuit = relay.clone().with(Protocol::P2pCircuit).with(Protocol::P2p(PeerId::random()));
        learn(&mut game, &used, AddressNews::Listening(vec![circuit]));
        assert_eq!(game, SavedGame { relays: vec![relay], ..before.clone() });
        learn(&mut game, &used, AddressNews::Listening(vec![address("/ip4/192.0.2.7/tcp/4040")]));
        assert_eq!((&game.listen, game.dial.len()), (&used.listen, 0));
        learn(&mut game, &used, AddressNews::Reached(used.dial[1].clone()));
        assert_eq!(game.dial, used.dial[1..]);
    }
}
