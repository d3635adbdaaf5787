//! `fogmate play`: a player's side of one game, in plain lines (protocol, section 6). The full-screen terminal is not here.

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::sync::Arc;

use alloy::primitives::{B256, U256};
use bot::Level;
use clap::Args as ClapArgs;
use client::backup::{Backup, Owner};
use client::chain::{Chain, GameState, Status};
use client::journal::Store;
use client::link::{self, AddressRecord};
use client::lobby::{self, Invite, InviteError};
use client::runtime::{AddressNews, EngineKind, KeyProver, Parts, PlayedEngine, spawn};
use client::seat::Config;
use client::wallet::Wallet;
use deploy::Deployment;
use eyre::Result;
use game::{GameRef, Mode};
use libp2p::PeerId;
use libp2p::futures::future::join_all;
use libp2p::multiaddr::Protocol;
use tokio::sync::mpsc::{self, UnboundedSender};

use crate::again::again;
use crate::engine::{engine_of, tell_caveat};
use crate::failure::bad_input;
use crate::hint::hint;
use crate::home::{Home, SavedGame, game_id};
use crate::keys::{arithmetic, prover, set_keys, step_keys};
use crate::output::note;
use crate::process::end_with_parent;
use crate::qr::QrArgs;
use crate::screen::ScreenArgs;
use crate::script::Script;
use crate::session::{self, Manner, Moves, Next, Options};
use crate::side::{Player, SideArgs};
use crate::taking::{Agreement, take};
use crate::terminal;
use crate::thinker::{Maker, Thinker};

/// What a player of a game between the machines must know before anything else.
const CHANNEL: &str = "The chain doesn't have it: keep the home folder, play with this wallet on one machine at a time, and don't be away for longer than \
                       the game's window.";

/// Play a game, go on with it, or take an invitation
///
/// Without a game it goes on with the only one of this machine that is in play. Of an invitation the terms are shown first, and joining is asked about;
/// so it is of the whole id of an open game, as `fogmate lobby` lists it.
/// Shows your board as you see it and takes moves as you write them (Nf3, exd6, O-O, or by squares: e2e4, e7e8q). `help` lists the
/// other commands. You can stop at any time and go on later: wallet and chain know the game, or of mode channel the
/// journal and its backup. Lower-case pieces are
/// Black's; "." is seen and empty, "?" occupied by an unknown piece in a pawn's way, the rest is dark.
#[derive(Debug, ClapArgs)]
#[command(mut_arg("game", |game| game.required(false)))]
pub struct Args {
    #[command(flatten)]
    seat: SeatArgs,
    #[command(flatten)]
    agreement: Agreement,
    /// Play the own moves of a script: one JSON object with `moves`, UCI strings of both colors
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    #[command(flatten)]
    screen: ScreenArgs,
}

/// A seat in a game, whoever plays it.
#[derive(Debug, ClapArgs)]
pub struct SeatArgs {
    /// The game's id, or the start of one that this machine knows; or its invitation
    #[arg(required = true)]
    game: Option<String>,
    #[command(flatten)]
    pub side: SideArgs,
    /// Where the opponent is now: a record that its `fogmate address` has printed
    #[arg(long, value_name = "RECORD")]
    at: Option<String>,
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
    if args.seat.side.solo {
        end_with_parent();
    }
    let script = args.script.as_deref().map(Script::read).transpose()?;
    sit(&args.seat, &args.agreement, script.map_or(Chooser::Person(args.screen), Chooser::Script)).await
}

/// Goes back to a seat in a game, or takes one, and plays to the end.
pub async fn sit(args: &SeatArgs, agreement: &Agreement, chooser: Chooser) -> Result<()> {
    let player = args.player(Some(agreement)).await?;
    play(&args.side, player, chooser).await
}

/// Plays one side of a game to its end, and of those that follow.
pub async fn play(args: &SideArgs, mut player: Player, chooser: Chooser) -> Result<()> {
    let Chooser::Person(screen) = chooser else {
        return play_one(args, &player, chooser).await.map(drop);
    };
    while play_one(args, &player, Chooser::Person(screen)).await? == Next::Rematch {
        // Where the opponent was reached is in the game's file.
        if let Some(game) = player.home.find(&player.game.game.game_id.to_string())? {
            player.game = game;
        }
        player = again(player, args, QrArgs::default()).await?;
    }
    Ok(())
}

async fn play_one(args: &SideArgs, player: &Player, chooser: Chooser) -> Result<Next> {
    let Seat { parts, state, home } = ready(args, player).await?;
    let command = if let Chooser::Bot { .. } = chooser { "bot" } else { "play" };
    let manner = match chooser {
        _ if args.json => Manner::Json,
        Chooser::Person(screen) if screen.is_full() => Manner::Full(screen),
        Chooser::Person(screen) => Manner::Lines {
            edited: terminal::is_capable(),
            verbose: screen.verbose,
            premove: std::io::stdin().is_terminal() && (state.terms.stake == 0 || screen.premove),
        },
        Chooser::Script(_) | Chooser::Bot { .. } => {
            Manner::Lines { edited: terminal::is_capable(), verbose: false, premove: false }
        }
    };
    if let (Manner::Lines { verbose: true, .. }, true) = (manner, state.terms.mode.has_proofs()) {
        note!("note: {}", arithmetic().map_err(bad_input)?);
    }
    if state.terms.mode == Mode::Channel && state.status != Status::Over {
        let place = match parts.stores.is_empty() {
            true => "on this machine alone: `--backup DIR` keeps it in another folder, too",
            false => "on this machine and in its backup",
        };
        note!("This game stands {place}. {CHANNEL}");
    }
    let moves = moves(chooser, &home, &parts.wallet, parts.game)?;
    let options = Options {
        manner,
        moves,
        game: parts.game.game_id,
        publish: args.publish || args.publish_transcript,
        command,
        stay: args.stay,
        stake: state.terms.stake,
        has_proofs: state.terms.mode.has_proofs(),
        grace: args.grace.into(),
        waits: state.status == Status::Open,
        is_solo: args.solo,
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
    /// The player's seat in the game that is named, ready to be played.
    pub async fn seat(&self) -> Result<Seat> {
        ready(&self.side, &self.player(None).await?).await
    }

    /// The same of a game that isn't over. Of one that this machine knows that is asked before a password, and before any keys are loaded.
    pub async fn seat_in_play(&self) -> Result<Seat> {
        let home = self.side.machine.home.home()?;
        let saved = self.game.as_deref().and_then(|game| home.find(game).ok().flatten());
        if let Some(saved) = &saved {
            let (chain, _) = self.side.machine.node.connect(Some(saved)).await?;
            check_in_play(saved.game.game_id, chain.game(saved.game.game_id).await?.status)?;
        }
        let seat = self.seat().await?;
        check_in_play(seat.parts.game.game_id, seat.state.status)?;
        Ok(seat)
    }

    /// The game as the command line names it.
    pub fn name(&self) -> &str {
        self.game.as_deref().unwrap_or("GAME")
    }

    /// The id of the only game of this machine that is in play, or if none is, of the only one that waits for an opponent.
    async fn only_in_play(&self, home: &Home) -> Result<String> {
        let games = home.list()?;
        let found = join_all(games.iter().map(async |saved| {
            let (chain, _) = self.side.machine.node.connect(Some(saved)).await?;
            Result::<_>::Ok(chain.game(saved.game.game_id).await?.status)
        }));
        let (mut in_play, mut open) = (Vec::new(), Vec::new());
        for (saved, status) in games.iter().zip(found.await) {
            let id = saved.game.game_id;
            match status {
                Ok(Status::Over) => {}
                Ok(Status::Open) => open.push(id.to_string()),
                Ok(_) => in_play.push(id.to_string()),
                Err(error) => note!("note: game {id} can't be looked up: {error:#}"),
            }
        }
        match if in_play.is_empty() { &open[..] } else { &in_play[..] } {
            [only] => Ok(only.clone()),
            [] => Err(bad_input(format!(
                "no game of this machine is in play: {} lists all, {} plays with somebody, {} against the bot",
                hint("games"),
                hint("host"),
                hint("solo")
            ))),
            several => {
                let plays: Vec<String> = several.iter().map(|id| hint(&format!("play {id}"))).collect();
                Err(bad_input(format!(
                    "{} games of this machine {}: {} goes on with one",
                    several.len(),
                    if in_play.is_empty() { "wait for an opponent" } else { "are in play" },
                    plays.join(" or ")
                )))
            }
        }
    }

    /// The player's seat in the game that is named. Where its terms can be agreed to it is taken, if the game is open.
    async fn player(&self, agreement: Option<&Agreement>) -> Result<Player> {
        let Self { game, side, at } = self;
        let home = side.machine.home.home()?;
        let game = match game {
            Some(game) => game,
            None => &self.only_in_play(&home).await?,
        };
        let invite = match game.parse::<Invite>() {
            Ok(invite) => Some(invite),
            Err(InviteError::Prefix) => None,
            Err(wrong) => return Err(wrong.into()),
        };
        let named = invite.as_ref().map(|invite| invite.game.game_id.to_string());
        let saved = home.find(named.as_deref().unwrap_or(game))?;
        let game_id = match &invite {
            Some(invite) => invite.game.game_id,
            None => game_id(saved.as_ref(), game)?,
        };
        side.machine.check_free(&home, saved.as_ref())?;
        let record: Option<AddressRecord> = at.as_deref().map(str::parse).transpose().map_err(bad_input)?;
        side.check()?;
        if let Some(listen) = side.listen.as_ref().or_else(|| saved.as_ref().map(|game| &game.listen)) {
            link::free(listen).await.map_err(bad_input)?;
        }
        let (wallet, chain, deployment) = match saved.is_none() && agreement.is_some() {
            true => side.machine.connect_to_begin(&home).await?,
            false => side.machine.connect(&home, saved.as_ref()).await?,
        };
        let invite = invite.unwrap_or_else(|| Invite { game: chain.game_ref(game_id), addresses: Vec::new() });
        let state = lobby::look(&chain, &invite.game).await?;
        let (me, nodes) = (wallet.address(), side.machine.node.nodes(saved.as_ref()));
        if let Some(record) = &record {
            let is_seated = state.players.contains(&Some(me));
            let opponent = if is_seated { lobby::opponent(&state, me) } else { Some(state.creator) };
            let opponent = opponent.ok_or_else(|| bad_input("nobody has joined the game yet"))?;
            let heard = saved.as_ref().map_or(0, |saved| saved.heard);
            record.check(&invite.game, opponent, heard).map_err(bad_input)?;
        }
        let game = match (state.players.contains(&Some(me)), agreement) {
            (true, _) => {
                tell_caveat(engine_of(&state)?);
                SavedGame { nodes, ..saved.unwrap_or_else(|| SavedGame::new(invite.game, me, Vec::new())) }
            }
            (false, Some(agreement)) => {
                let taken = take(invite, &state, agreement, &wallet, &chain).await?;
                let (listen, relays) = (side.listen.clone().unwrap_or(taken.listen), side.relay.clone());
                SavedGame { nodes, listen, relays, ..taken }
            }
            (false, None) => {
                return Err(bad_input(format!(
                    "the wallet {me} has no seat in game {game_id}: {} takes one, while the game is open",
                    hint(&format!("play {game_id}"))
                )));
            }
        };
        let heard = record.as_ref().map_or(game.heard, |record| record.number);
        let game = SavedGame { heard, ..game };
        home.remember(&game);
        Ok(Player { home, wallet, chain, deployment, game, record })
    }
}

fn check_in_play(game: B256, status: Status) -> Result<()> {
    match status {
        Status::Over => Err(bad_input(format!(
            "the game is over, and nothing is to be done in it: {} goes through it",
            hint(&format!("replay {game}"))
        ))),
        _ => Ok(()),
    }
}

/// Gets all ready that a player's side of a game takes.
async fn ready(args: &SideArgs, player: &Player) -> Result<Seat> {
    let Player { home, wallet, chain, deployment, game, record } = player;
    let state = chain.game(game.game.game_id).await?;
    if args.publish_transcript && state.terms.mode != Mode::Channel {
        return Err(bad_input(
            "--publish-transcript is for a game of mode channel: of another the chain has all moves",
        ));
    }
    // For good: a block that isn't final could take the end back, and the game would need its keys.
    let is_over =
        state.status == Status::Over && game::audit::is_over(game.game, &chain.final_records(game.game.game_id).await?);
    let game = &backed_up(args, home, game)?;
    let used = used(args, game, record.as_ref());
    let parts = Parts {
        wallet: wallet.clone(),
        chain: chain.clone(),
        game: used.game,
        engine: with_keys(engine_of(&state)?, args, deployment.clone(), is_over).await?,
        journals: home.journals(),
        stores: stores(game, &state, chain).await?,
        listen: used.listen.clone(),
        dial: used.dial.clone(),
        relays: used.relays.clone(),
        heard: used.heard,
        addresses: Some(remember(home.clone(), game.clone(), used)),
        seat: Config {
            grace: args.grace.into(),
            await_request: args.grace.into(),
            demand_post: args.demand_post,
            posts_transcript: args.publish_transcript,
            ..Config::default()
        },
        cut_link: args.cut_link,
    };
    Ok(Seat { parts, state, home: home.clone() })
}

/// What is known of the game, with the folder that its backup is to be in from now on.
fn backed_up(args: &SideArgs, home: &Home, game: &SavedGame) -> Result<SavedGame> {
    let Some(folder) = &args.backup else { return Ok(game.clone()) };
    let folder = std::path::absolute(folder).map_err(|error| bad_input(format!("--backup: {error}")))?;
    let game = SavedGame { backup: Some(folder), ..game.clone() };
    home.remember(&game);
    Ok(game)
}

/// Who else keeps what a game between the machines is recovered from.
async fn stores(game: &SavedGame, state: &GameState, chain: &Chain) -> Result<Vec<Arc<dyn Store>>> {
    let Some(folder) = game.backup.as_ref().filter(|_| state.terms.mode == Mode::Channel) else {
        return Ok(Vec::new());
    };
    let owner = Owner { account: game.wallet, game: game.game, genesis: chain.genesis().await? };
    let (backup, _) = Backup::open(folder, owner)
        .map_err(|error| bad_input(format!("{error}; `--backup DIR` names another folder")))?;
    Ok(vec![Arc::new(backup)])
}

/// Where the moves of a game come from.
fn moves(chooser: Chooser, home: &Home, wallet: &Wallet, game: GameRef) -> Result<Moves> {
    Ok(match chooser {
        Chooser::Person(_) => Moves::Typed,
        Chooser::Script(script) => Moves::Script(script),
        Chooser::Bot { level, log, seed } => {
            let secrets = wallet.opening_secrets(game.chain_id, game.contract, game.game_id);
            let typed = seed.map(|seed| U256::from(seed).to_le_bytes());
            let seed = typed.unwrap_or_else(|| secrets.seed().branch("bot").to_bytes());
            let log = log.unwrap_or_else(|| home.bot_log(wallet.address(), game.game_id));
            Moves::Bot(Thinker::start(Maker { level, seed, log })?)
        }
    })
}

/// An engine with the keys for a deployment that it needs. A game that is over needs none for its moves.
async fn with_keys(engine: EngineKind, args: &SideArgs, deployment: Deployment, is_over: bool) -> Result<PlayedEngine> {
    let (keys, lock) = (args.keys.clone(), args.proving_lock.clone());
    tokio::task::spawn_blocking(move || {
        let moves = || {
            if is_over {
                return Ok(Arc::new(KeyProver::of_game_over()));
            }
            let made = prover(&keys.parameters(&deployment), &keys.cache()?, &deployment)?;
            Ok(Arc::new(made.with_lock(lock)))
        };
        let sets = || set_keys(&keys.parameters(&deployment), &keys.cache()?, deployment.development_only);
        let steps = |ring| step_keys(&keys.parameters(&deployment), &keys.cache()?, deployment.development_only, ring);
        engine.with(moves, sets, steps)
    })
    .await?
}

/// What is known of the game, with the addresses that the command line adds.
fn used(args: &SideArgs, game: &SavedGame, record: Option<&AddressRecord>) -> SavedGame {
    let mut used = game.clone();
    used.listen = args.listen.clone().unwrap_or(used.listen);
    used.dial.extend(args.dial.iter().cloned());
    used.dial.extend(record.into_iter().flat_map(|record| record.addresses.iter().cloned()));
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
    use alloy::primitives::Address;
    use libp2p::Multiaddr;

    #[test]
    fn nothing_is_done_in_a_game_that_is_over() {
        assert!(
            check_in_play(B256::ZERO, Status::Over).is_err_and(|error| error.to_string().contains("the game is over"))
        );
        check_in_play(B256::ZERO, Status::Asleep).expect("in play");
    }

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
