//! `fogmate tag`: two kings on a small grid, each in the fog of the other (docs/src/tag.md).

use std::path::PathBuf;
use std::sync::Arc;

use ::tag::{Size, Terms};
use alloy::primitives::{Address, B256};
use alloy::providers::Provider as _;
use chain::NodeError;
use clap::{Args as ClapArgs, Subcommand};
use client::connection::Listed;
use client::lobby::in_ether;
use client::tag::{self, Latest, Offer, Player, Proven, Prover, TagChain, TagError};
use client::wallet::Wallet;
use deploy::{Contracts, Deployment, Game as Kind};
use eyre::Result;
use game::clock_time;
use serde_json::{Value, json};

use crate::contest::{
    Action, ContestArgs, GameId, config, expiry, game_id, game_or_start, listed, run_demo, tell_caution, tell_created,
    tell_joined, tell_list, told,
};
use crate::deploying::publish;
use crate::failure::bad_input;
use crate::hint::hint;
use crate::keys::{KeyArgs, tag_prover};
use crate::node::NodeArgs;
use crate::output::{note, say};
use crate::tag::{Options, demo, place as tag_place, play, status};
use crate::terms::{address, ether, turn};

/// What a turn is for: a step takes two proofs.
const STEP: Action<'_> = Action { name: "step and each reply", proving: 30 };

/// Play tag: two kings on a small grid, each in the fog of the other
///
/// Players step by turns, from opposite corners; a king sees the squares around it. Who sees the other's king when it is its own
/// turn wins, so who steps beside the other has lost. Where a king stands nobody else knows: sight is private set intersection, and
/// the chain verifies a proof of every step, reply and capture. Who withholds one has lost when its time is over.
#[derive(Debug, ClapArgs)]
#[command(args_conflicts_with_subcommands = true, arg_required_else_help = true)]
pub struct Args {
    /// Play a whole game between two processes on a local chain of its own, to a capture
    #[arg(long, required = true)]
    demo: bool,
    /// With --demo: the grid, 6x6 or 8x8
    #[arg(long, value_name = "GRID", default_value = "6x6", value_parser = size)]
    grid: Size,
    /// With --demo: the folder with parameters and keys [default: .cache/fogmate in the repository]
    #[arg(long, env = "FOGMATE_CACHE", value_name = "DIR")]
    cache: Option<PathBuf>,
    /// With --demo: write a report in JSON
    #[arg(long, value_name = "OUT")]
    json: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Deploy(Deploy),
    Create(Create),
    Cancel(Game),
    Join(Join),
    Play(Play),
    Status(Status),
    /// List the games that this wallet has opened or joined, or is invited to
    List {
        #[command(flatten)]
        place: ContestArgs,
    },
    /// Fetch what the contract owes you: stakes won or taken back
    Withdraw {
        #[command(flatten)]
        place: ContestArgs,
    },
}

/// Deploy the contract, its verifier and keys to a chain, and write deployments/tag-CHAIN_ID.json
#[derive(Debug, ClapArgs)]
struct Deploy {
    #[command(flatten)]
    place: ContestArgs,
    /// Use keys from development parameters: for local chains only
    #[arg(long)]
    development: bool,
    /// Use the ceremony's keys on a local chain too
    #[arg(long, conflicts_with = "development")]
    ceremony: bool,
}

/// Open a game; prints its id, which the opponent joins it by
#[derive(Debug, ClapArgs)]
struct Create {
    #[command(flatten)]
    place: ContestArgs,
    #[command(flatten)]
    keys: KeyArgs,
    /// The grid, 6x6 or 8x8
    #[arg(long, value_name = "GRID", default_value = "6x6", value_parser = size)]
    grid: Size,
    /// Plies after which the game is drawn
    #[arg(long, value_name = "PLIES", default_value = "40", value_parser = clap::value_parser!(u16).range(1..))]
    plies: u16,
    /// What each player puts in, in ether
    #[arg(long, value_name = "ETHER", default_value = "0", value_parser = ether)]
    stake: u128,
    /// The time for each step and each reply, for a stake at least 5m; who lets it pass loses
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = turn)]
    turn: u32,
    /// How long the game can be joined, at most 30d; it can't be taken back before
    #[arg(long, value_name = "TIME", default_value = "1d", value_parser = turn)]
    open_for: u32,
    /// Who may join [default: anyone]
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    opponent: Option<Address>,
    /// Open another game, although an earlier command with the same terms may have opened one without saying so
    #[arg(long)]
    another: bool,
}

/// Take back a game that nobody has joined in time; `fogmate tag withdraw` then fetches its stake
#[derive(Debug, ClapArgs)]
struct Game {
    /// The game's id, or its first digits
    #[arg(value_parser = game_or_start)]
    game: GameId,
    #[command(flatten)]
    place: ContestArgs,
}

/// Join a game by its id; one for a stake only if --stake says the same amount
#[derive(Debug, ClapArgs)]
struct Join {
    /// The game's id, from whoever opened it; the first digits do if it is for this wallet alone
    #[arg(value_parser = game_or_start)]
    game: GameId,
    #[command(flatten)]
    place: ContestArgs,
    #[command(flatten)]
    keys: KeyArgs,
    /// The stake that you agree to, in ether
    #[arg(long, value_name = "ETHER", default_value = "0", value_parser = ether)]
    stake: u128,
}

/// Play a game that you opened or joined, from wherever it stands
///
/// Type a square beside your king, or a direction. Replies, captures and claims are made without being asked for, so stay
/// while it is the opponent's turn: a reply that doesn't come in time loses. At a terminal Ctrl-D ends it; when a pipe that is its input closes it
/// goes on by itself, without steps. All exponents derive from the wallet and the chain: nothing is stored, and any machine with the wallet goes on
/// with the game.
#[derive(Debug, ClapArgs)]
struct Play {
    /// The game's id, or its first digits
    #[arg(value_parser = game_or_start)]
    game: GameId,
    #[command(flatten)]
    place: ContestArgs,
    #[command(flatten)]
    keys: KeyArgs,
    /// End with standard input
    #[arg(long, hide = true)]
    stay: bool,
}

/// Tell where a game stands, as everybody can see it; no wallet is needed
#[derive(Debug, ClapArgs)]
struct Status {
    /// The game's id
    #[arg(value_parser = game_id)]
    game: B256,
    #[command(flatten)]
    node: NodeArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn size(text: &str) -> Result<Size, String> {
    let found = Size::ALL.into_iter().find(|size| text == format!("{0}x{0}", size.side()));
    found.ok_or_else(|| format!("{text:?} is not a grid: say 6x6 or 8x8"))
}

/// The deployed contract, compared with what this program knows.
async fn deployment(node: &NodeArgs) -> Result<Deployment> {
    Ok(Deployment::read(&node.deployments()?, Kind::Tag, &node.compared(None)?.0).await?)
}

/// The wallet, and the connection that it signs for.
async fn connect(place: &ContestArgs) -> Result<(Wallet, TagChain, Deployment)> {
    let wallet = place.open()?;
    let deployed = deployment(&place.node).await?;
    let chain = TagChain::connect(&place.config(tag_place(&deployed))?, Some(&wallet)).await.map_err(told)?;
    Ok((wallet, chain, deployed))
}

/// Who makes and verifies the proofs.
async fn prover(keys: &KeyArgs, deployed: &Deployment) -> Result<Prover> {
    let parameters = keys.parameters(deployed)?;
    let (cache, deployed) = (keys.cache()?, deployed.clone());
    let proofs = tokio::task::spawn_blocking(move || tag_prover(&parameters, &cache, &deployed)).await??;
    Ok(Arc::new(proofs))
}

/// The id of a game.
async fn find(chain: &TagChain, wallet: &Wallet, game: &GameId) -> Result<B256> {
    game.find("tag", async || chain.ids_of(wallet.address()).await).await
}

pub async fn run(args: &Args) -> Result<()> {
    match &args.command {
        None => {
            let (grid, cache) = (args.grid, args.cache.clone());
            run_demo(args.json.as_deref(), |repository| demo(repository, grid, cache)).await
        }
        Some(Command::Deploy(args)) => run_deploy(args).await,
        Some(Command::Create(args)) => run_create(args).await,
        Some(Command::Cancel(args)) => run_cancel(args).await,
        Some(Command::Join(args)) => run_join(args).await,
        Some(Command::Play(args)) => run_play(args).await,
        Some(Command::Status(args)) => run_status(args).await,
        Some(Command::List { place }) => run_list(place).await,
        Some(Command::Withdraw { place }) => run_withdraw(place).await,
    }
}

async fn run_deploy(args: &Deploy) -> Result<()> {
    let place = &args.place;
    let wallet = place.open()?;
    let node = place.node.rpc(None);
    let chain_id = chain::connect(&node, None)?.get_chain_id().await.map_err(NodeError::from)?;
    if chain::is_local(chain_id) && !args.development && !args.ceremony {
        return Err(bad_input(format!(
            "chain {chain_id} is a local one: say --development, for keys that are made in seconds, or --ceremony, for those of other chains, which \
             take every player minutes to make"
        )));
    }
    if args.development {
        note!("WARNING: DEVELOPMENT parameters: everybody can forge proofs. For play on this machine only.");
    }
    let creator = place.creator(&wallet).await?;
    publish(&place.node, &Contracts::shipped(Kind::Tag, args.development), &creator, place.json).await
}

async fn run_create(args: &Create) -> Result<()> {
    let (wallet, chain, deployed) = connect(&args.place).await?;
    let expiry = expiry(&chain, args.open_for).await?;
    tell_caution(&chain, args.turn, STEP).await?;
    let terms = Terms { size: args.grid, plies: args.plies, turn: args.turn, expiry, opponent: args.opponent };
    let prover = prover(&args.keys, &deployed).await?;
    let offer = Offer { stake: args.stake, terms };
    let created = match args.another {
        false => tag::create(&chain, &wallet, &prover, offer).await,
        true => tag::create_another(&chain, &wallet, &prover, offer).await,
    };
    let (created, proven) = created.map_err(told)?;
    let (words, json) = (described(offer.stake, &terms), args.place.json.then(|| cost(&proven)));
    tell_created("tag", &chain, &created, (&words, terms.opponent), json).await
}

/// Grid, stake and times in words.
fn described(stake: u128, terms: &Terms) -> String {
    let Terms { size, plies, turn, .. } = terms;
    let (stake, time, side) = (in_ether(stake), clock_time((*turn).into()), size.side());
    format!("a {side}x{side} grid, {plies} plies, a stake of {stake} ETH each, {time} for each step and each reply")
}

/// What proofs took, in JSON.
fn cost(proven: &Proven) -> Value {
    json!({ "proofs": proven.proofs, "seconds": proven.seconds })
}

async fn run_cancel(args: &Game) -> Result<()> {
    let (wallet, chain, _) = connect(&args.place).await?;
    let game = find(&chain, &wallet, &args.game).await?;
    let receipt = chain.cancel(game).await.map_err(told)?;
    if args.place.json {
        let (transaction, gas, fee) = (receipt.transaction, receipt.gas_used, receipt.fee.to_string());
        return say!("{}", json!({ "game": game, "transaction": transaction, "gas": gas, "fee_wei": fee }));
    }
    say!("cancelled {game}; {} fetches the stake", hint("tag withdraw"))
}

async fn run_join(args: &Join) -> Result<()> {
    let (wallet, chain, deployed) = connect(&args.place).await?;
    let game = find(&chain, &wallet, &args.game).await?;
    let (latest, json) = (chain.latest(game).await.map_err(told)?, args.place.json);
    if latest.is_joined_by(wallet.address()) {
        return tell_joined("tag", game, None, json.then(|| cost(&Proven::default())));
    }
    if !latest.is_open {
        return Err(told(TagError::NotOpen));
    }
    let opening = chain.history(game, None).await.map_err(told)?.opening;
    note!("game {game} of {}: {}", opening.creator, described(opening.stake, &opening.terms));
    tell_caution(&chain, opening.terms.turn, STEP).await?;
    let prover = prover(&args.keys, &deployed).await?;
    let (receipt, proven) = tag::join(&chain, &wallet, &prover, game, args.stake).await.map_err(told)?;
    tell_joined("tag", game, receipt.as_ref(), json.then(|| cost(&proven)))
}

async fn run_play(args: &Play) -> Result<()> {
    let (wallet, chain, deployed) = connect(&args.place).await?;
    let game = find(&chain, &wallet, &args.game).await?;
    let opening = chain.history(game, None).await.map_err(told)?.opening;
    let (turn, stake) = (opening.terms.turn, opening.stake);
    tell_caution(&chain, turn, STEP).await?;
    let prover = prover(&args.keys, &deployed).await?;
    let player = Player::sit_down(chain, wallet, prover, game).await.map_err(told)?;
    play(player, Options { json: args.place.json, stay: args.stay, stake }).await
}

async fn run_status(args: &Status) -> Result<()> {
    let deployed = deployment(&args.node).await?;
    let chain = TagChain::connect(&config(&args.node, tag_place(&deployed))?, None).await.map_err(told)?;
    let latest = chain.latest(args.game).await.map_err(told)?;
    let (value, words) = status(&latest, chain.now().await?);
    if args.json { say!("{value}") } else { say!("{words}") }
}

async fn run_list(place: &ContestArgs) -> Result<()> {
    let account = place.wallet.find(&place.home.home()?)?.address;
    let deployed = deployment(&place.node).await?;
    let chain = TagChain::connect(&config(&place.node, tag_place(&deployed))?, None).await.map_err(told)?;
    let (games, now) = (chain.games_of(account).await.map_err(told)?, chain.now().await?);
    let state = |Listed { game, latest }: &Listed<Latest>| listed(*game, account, latest.creator, status(latest, now));
    tell_list("tag", games.iter().map(state).collect(), place.json)
}

async fn run_withdraw(place: &ContestArgs) -> Result<()> {
    let (wallet, chain, _) = connect(place).await?;
    let owed = chain.withdrawable(wallet.address()).await.map_err(told)?;
    let receipt = match chain.withdraw().await {
        // Nothing has gone wrong.
        Err(TagError::Refused(_)) if place.json => return say!("{}", json!({ "owed_wei": "0" })),
        Err(TagError::Refused(_)) => return say!("the contract of tag owes this wallet nothing"),
        result => result.map_err(told)?,
    };
    if place.json {
        let (owed_wei, transaction, gas) = (owed.to_string(), receipt.transaction, receipt.gas_used);
        let fee = receipt.fee.to_string();
        return say!("{}", json!({ "owed_wei": owed_wei, "transaction": transaction, "gas": gas, "fee_wei": fee }));
    }
    say!("fetched {} ETH", in_ether(owed.saturating_to()))
}
