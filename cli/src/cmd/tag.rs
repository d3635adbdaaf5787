//! `fogmate tag`: two kings on a small grid, each in the fog of the other (docs/src/tag.md).

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ::tag::{Size, Terms};
use alloy::primitives::{Address, B256};
use clap::{Args as ClapArgs, Subcommand};
use client::lobby::in_ether;
use client::tag::{self, Offer, Player, Prover, TagChain, TagError};
use client::wallet::Wallet;
use deploy::{Repository, TagDeployment, deploy_tag};
use eyre::Result;
use game::clock_time;
use serde_json::{Value, json};

use crate::contest::{ContestArgs, NodeArgs, game_id, run_demo, tell_caution, told};
use crate::failure::bad_input;
use crate::keys::{KeyArgs, tag_prover};
use crate::output::{note, say};
use crate::tag::{Options, demo, listed, place as tag_place, play, status};
use crate::terms::{address, ether, seconds};

/// Play tag: two kings on a small grid, each in the fog of the other
///
/// Players step by turns, from opposite corners; a king sees the squares around it, and captures on sight. Where it stands
/// nobody else knows: sight is private set intersection, and the chain verifies a proof of every step, reply and capture.
/// Who withholds one has lost when its time is over.
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
    /// The time for each step and each reply; who lets it pass loses
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = seconds)]
    turn: u32,
    /// How long the game can be joined; it can't be taken back before
    #[arg(long, value_name = "TIME", default_value = "1d", value_parser = seconds)]
    open_for: u32,
    /// Who may join [default: anyone]
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    opponent: Option<Address>,
}

/// Take back a game that nobody has joined in time; `fogmate tag withdraw` then fetches its stake
#[derive(Debug, ClapArgs)]
struct Game {
    /// The game's id
    #[arg(value_parser = game_id)]
    game: B256,
    #[command(flatten)]
    place: ContestArgs,
}

/// Join a game by its id; one for a stake only if --stake says the same amount
#[derive(Debug, ClapArgs)]
struct Join {
    /// The game's id, from whoever opened it
    #[arg(value_parser = game_id)]
    game: B256,
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
/// while it is the opponent's turn: a reply that doesn't come in time loses. It ends with standard input. All exponents derive from the wallet and the
/// chain: nothing is stored, and any machine with the wallet goes on with the game.
#[derive(Debug, ClapArgs)]
struct Play {
    /// The game's id
    #[arg(value_parser = game_id)]
    game: B256,
    #[command(flatten)]
    place: ContestArgs,
    #[command(flatten)]
    keys: KeyArgs,
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
async fn deployment(node: &NodeArgs) -> Result<TagDeployment> {
    Ok(TagDeployment::read(&node.deployments()?, &node.rpc).await?)
}

/// The wallet, and the connection that it signs for.
async fn connect(place: &ContestArgs) -> Result<(Wallet, TagChain, TagDeployment)> {
    let wallet = place.open()?;
    let deployed = deployment(&place.node).await?;
    let chain = TagChain::connect(&place.config(tag_place(&deployed))?, Some(&wallet)).await.map_err(told)?;
    Ok((wallet, chain, deployed))
}

/// Who makes and verifies the proofs.
async fn prover(place: &ContestArgs, keys: &KeyArgs, deployed: &TagDeployment) -> Result<Prover> {
    let parameters = keys.tag_parameters(deployed)?;
    let (cache, deployed) = (keys.cache(place.home.home()?.cache()), deployed.clone());
    let proofs = tokio::task::spawn_blocking(move || tag_prover(&parameters, &cache, &deployed)).await??;
    Ok(Arc::new(proofs))
}

/// Runs the command.
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
    let repository = Repository::find(Path::new(".")).map_err(bad_input)?;
    let folder = place.node.deployments()?;
    let wallet = place.open()?;
    if args.development {
        note!("WARNING: DEVELOPMENT parameters: everybody can forge proofs. For play on this machine only.");
    }
    let creator = place.creator(&wallet).await?;
    let deployed = deploy_tag(&place.node.rpc, repository, &folder, args.development, &creator).await?;
    if place.json {
        return say!("{}", serde_json::to_string(&deployed)?);
    }
    say!("chain     {}", deployed.chain_id)?;
    say!("tag       {}", deployed.tag.address)?;
    say!("written   {}", TagDeployment::path(&folder, deployed.chain_id).display())
}

async fn run_create(args: &Create) -> Result<()> {
    let (wallet, chain, deployed) = connect(&args.place).await?;
    let expiry = chain.time().await?.saturating_add(args.open_for.into());
    tell_caution(&chain, args.turn, "step and each reply").await?;
    let terms = Terms { size: args.grid, plies: args.plies, turn: args.turn, expiry, opponent: args.opponent };
    let prover = prover(&args.place, &args.keys, &deployed).await?;
    let offer = Offer { stake: args.stake, terms };
    let (game, receipt, proven) = tag::create(&chain, &wallet, &prover, offer).await.map_err(told)?;
    if args.place.json {
        let (transaction, gas) = (receipt.transaction, receipt.gas_used);
        let (proofs, seconds) = (proven.proofs, proven.seconds);
        let value =
            json!({ "game": game, "transaction": transaction, "gas": gas, "proofs": proofs, "seconds": seconds });
        return say!("{value}");
    }
    note!("Send this to your opponent, for `fogmate tag join`; then play with `fogmate tag play`:");
    say!("{game}")
}

async fn run_cancel(args: &Game) -> Result<()> {
    let (_, chain, _) = connect(&args.place).await?;
    let receipt = chain.cancel(args.game).await.map_err(told)?;
    if args.place.json {
        let (transaction, gas) = (receipt.transaction, receipt.gas_used);
        return say!("{}", json!({ "game": args.game, "transaction": transaction, "gas": gas }));
    }
    say!("cancelled {}; `fogmate tag withdraw` fetches the stake", args.game)
}

async fn run_join(args: &Join) -> Result<()> {
    let (wallet, chain, deployed) = connect(&args.place).await?;
    let opening = chain.history(args.game, None).await.map_err(told)?.opening;
    let Terms { size, plies, turn, .. } = opening.terms;
    let (stake, time, side) = (in_ether(opening.stake), clock_time(turn.into()), size.side());
    note!(
        "game {} of {}: a {side}x{side} grid, {plies} plies, a stake of {stake} ETH each, {time} for each step and reply",
        args.game,
        opening.creator
    );
    tell_caution(&chain, turn, "step and each reply").await?;
    let prover = prover(&args.place, &args.keys, &deployed).await?;
    let (receipt, proven) = tag::join(&chain, &wallet, &prover, args.game, args.stake).await.map_err(told)?;
    if args.place.json {
        let (game, transaction, gas) = (args.game, receipt.transaction, receipt.gas_used);
        let (proofs, seconds) = (proven.proofs, proven.seconds);
        let value =
            json!({ "game": game, "transaction": transaction, "gas": gas, "proofs": proofs, "seconds": seconds });
        return say!("{value}");
    }
    note!("joined; play with `fogmate tag play {}`", args.game);
    say!("{}", args.game)
}

async fn run_play(args: &Play) -> Result<()> {
    let (wallet, chain, deployed) = connect(&args.place).await?;
    let opening = chain.history(args.game, None).await.map_err(told)?.opening;
    let (turn, stake) = (opening.terms.turn, opening.stake);
    tell_caution(&chain, turn, "step and each reply").await?;
    let prover = prover(&args.place, &args.keys, &deployed).await?;
    let player = Player::sit_down(chain, wallet, prover, args.game).await.map_err(told)?;
    play(player, Options { json: args.place.json, stake }).await
}

async fn run_status(args: &Status) -> Result<()> {
    let deployed = deployment(&args.node).await?;
    let chain = TagChain::connect(&args.node.config(tag_place(&deployed)), None).await.map_err(told)?;
    let latest = chain.latest(args.game).await.map_err(told)?;
    let (value, words) = status(&latest, chain.now().await?);
    if args.json { say!("{value}") } else { say!("{words}") }
}

async fn run_list(place: &ContestArgs) -> Result<()> {
    let account = place.wallet.find(&place.home.home()?)?.address;
    let deployed = deployment(&place.node).await?;
    let chain = TagChain::connect(&place.node.config(tag_place(&deployed)), None).await.map_err(told)?;
    let games = chain.games_of(account).await.map_err(told)?;
    let now = chain.now().await?;
    let told: Vec<(Value, String)> = games.iter().map(|game| listed(game, account, now)).collect();
    if place.json {
        return say!("{}", Value::Array(told.into_iter().map(|(value, _)| value).collect()));
    }
    told.iter().try_for_each(|(_, words)| say!("{words}"))
}

async fn run_withdraw(place: &ContestArgs) -> Result<()> {
    let (wallet, chain, _) = connect(place).await?;
    let owed = chain.withdrawable(wallet.address()).await.map_err(told)?;
    let receipt = chain.withdraw().await.map_err(|error| match error {
        TagError::Refused(_) => bad_input("the contract of tag owes this wallet nothing"),
        other => told(other),
    })?;
    if place.json {
        let (owed_wei, transaction, gas) = (owed.to_string(), receipt.transaction, receipt.gas_used);
        return say!("{}", json!({ "owed_wei": owed_wei, "transaction": transaction, "gas": gas }));
    }
    say!("fetched {} ETH", in_ether(owed.saturating_to()))
}
