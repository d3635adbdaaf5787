//! The commands of `fogmate dice` and `fogmate tag`.

use std::path::PathBuf;

use alloy::primitives::{Address, B256};
use clap::{Args as ClapArgs, Subcommand};
use client::contest::{self as chain, Chain, GameError, Listed, Player, Proven};
use client::lobby::in_ether;
use client::wallet::Wallet;
use contest::Terms;
use deploy::Deployment;
use eyre::Result;
use serde_json::json;

use super::Played;
use super::common::{expiry, game_id, tell_caution, tell_nodes, told};
use super::demo::run_demo;
use super::games::{GameId, game_by_start, game_or_start, listed, short, tell_created, tell_list};
use super::play::{Options, play};
use super::tell::{audited, described, proofs, status};
use crate::cmd;
use crate::failure::Found;
use crate::machine::CommandArgs;
use crate::node::NodeArgs;
use crate::output::{note, say};
use crate::terms::{address, ether, turn};
use crate::words::{tell_cancelled, tell_joined, with_receipt};

/// What a subcommand for a game takes.
#[derive(Debug, ClapArgs)]
#[command(args_conflicts_with_subcommands = true, arg_required_else_help = true)]
pub struct Args<G: Played> {
    /// Play a whole game between two processes on a local chain of its own
    #[arg(long, required = true)]
    demo: bool,
    #[command(flatten)]
    setup: G::SetupArgs,
    /// With --demo: write a report in JSON
    #[arg(long, value_name = "OUT")]
    json: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command<G>>,
}

#[derive(Debug, Subcommand)]
enum Command<G: Played> {
    /// Deploy the game's contract to a chain, and write where it stands to the folder of --deployments
    ///
    /// If it is interrupted, give it again: it pays for nothing twice. Sources, settings and arguments of each contract are written beside that file, in
    /// Sourcify's folders, for block explorers and --verify-bundle.
    Deploy(cmd::deploy::Args),
    Create(Create<G>),
    Cancel(Cancel),
    Join(Join<G>),
    Play(Play<G>),
    /// Tell where a game stands, as everybody can see it; no wallet is needed
    Status(LookedAt),
    /// List the games that this wallet has opened or joined, or is invited to
    List(CommandArgs),
    /// Check a game from the chain alone: every message, proof and deadline
    ///
    /// Ends with exit code 3 if anything is wrong. No wallet is needed.
    Audit(LookedAt),
    /// Fetch what the contract owes you: stakes won or taken back
    Withdraw(CommandArgs),
}

/// Open a game; prints its id, which the opponent joins it by
#[derive(Debug, ClapArgs)]
struct Create<G: Played> {
    #[command(flatten)]
    common: CommandArgs,
    #[command(flatten)]
    keys: G::KeyArgs,
    #[command(flatten)]
    setup: G::SetupArgs,
    /// What each player puts in, in ether
    #[arg(long, value_name = "ETHER", default_value = "0", value_parser = ether)]
    stake: u128,
    /// The time for each action, for a stake at least 5m; who lets it pass loses
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = turn)]
    turn: u32,
    /// How long the game can be joined, at most 30d; it can't be taken back before
    #[arg(long, value_name = "TIME", default_value = "1d", value_parser = turn)]
    open_for: u32,
    /// Who may join; in dice, a stake needs a named opponent [default: anyone]
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    opponent: Option<Address>,
    /// Open another game, although an earlier command with the same terms may have opened one without saying so
    #[arg(long)]
    another: bool,
}

/// Take back a game that nobody has joined in time; the command `withdraw` then fetches its stake
#[derive(Debug, ClapArgs)]
struct Cancel {
    /// The game's id, or its first digits
    #[arg(value_parser = game_or_start)]
    game: GameId,
    #[command(flatten)]
    common: CommandArgs,
}

/// Join a game by its id; one for a stake only if --stake says the same amount
#[derive(Debug, ClapArgs)]
struct Join<G: Played> {
    /// The game's id, from whoever opened it; the first digits do if it is for this wallet alone
    #[arg(value_parser = game_or_start)]
    game: GameId,
    #[command(flatten)]
    common: CommandArgs,
    #[command(flatten)]
    keys: G::KeyArgs,
    /// The stake that you agree to, in ether
    #[arg(long, value_name = "ETHER", default_value = "0", value_parser = ether)]
    stake: u128,
}

/// Play a game that you opened or joined, from wherever it stands
///
/// All that the opponent says is checked before it is told. What leaves no choice, such as a reply, a capture or a claim, is done without being asked
/// for: stay while it is the opponent's turn. At a terminal Ctrl-D ends it; when a pipe that is its input closes it goes on by itself, without moves of yours.
/// All secrets derive from the wallet and the chain: nothing is stored, and any machine with the wallet goes on with the game.
#[derive(Debug, ClapArgs)]
struct Play<G: Played> {
    /// The game's id, or its first digits
    #[arg(value_parser = game_or_start)]
    game: GameId,
    #[command(flatten)]
    common: CommandArgs,
    #[command(flatten)]
    keys: G::KeyArgs,
    #[command(flatten)]
    of_game: G::PlayArgs,
    /// End with standard input
    #[arg(long, hide = true)]
    stay: bool,
}

/// A game that is looked at from outside
#[derive(Debug, ClapArgs)]
struct LookedAt {
    /// The game's id
    #[arg(value_parser = game_id)]
    game: B256,
    #[command(flatten)]
    node: NodeArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

async fn deployment<G: Played>(node: &NodeArgs) -> Result<Deployment> {
    Ok(Deployment::read(&node.deployments(), G::KIND, &node.compared(None)?.0).await?)
}

/// The wallet, and the connection that it signs for.
async fn connect<G: Played>(args: &CommandArgs) -> Result<(Wallet, Chain<G>, Deployment)> {
    let wallet = args.machine.wallet.open(&args.machine.home.home()?)?;
    connect_as(args, wallet, deployment::<G>(&args.machine.node).await?).await
}

/// The wallet of who begins, and the connection that it signs for. Nobody is asked for a password where no game can be begun.
async fn connect_to_begin<G: Played>(args: &CommandArgs) -> Result<(Wallet, Chain<G>, Deployment)> {
    let deployed = deployment::<G>(&args.machine.node).await?;
    let wallet = args.machine.wallet_to_begin(&args.machine.home.home()?).await?;
    connect_as(args, wallet, deployed).await
}

async fn connect_as<G: Played>(
    CommandArgs { machine, .. }: &CommandArgs,
    wallet: Wallet,
    deployed: Deployment,
) -> Result<(Wallet, Chain<G>, Deployment)> {
    let config = machine.sending(machine.node.config(None, &deployed)?, &machine.home.home()?);
    let chain = Chain::connect(&config, Some(&wallet)).await.map_err(told)?;
    Ok((wallet, chain, deployed))
}

/// A connection to read only.
async fn look<G: Played>(node: &NodeArgs) -> Result<(Chain<G>, Deployment)> {
    let deployed = deployment::<G>(node).await?;
    Ok((Chain::connect(&node.config(None, &deployed)?, None).await.map_err(told)?, deployed))
}

/// The id of a game.
async fn find<G: Played>(chain: &Chain<G>, wallet: &Wallet, game: &GameId) -> Result<B256> {
    match game {
        GameId::Whole(id) => Ok(*id),
        GameId::Start(start) => game_by_start(G::NAME, start, chain.ids_of(wallet.address()).await.map_err(told)?),
    }
}

pub async fn run<G: Played>(args: &Args<G>) -> Result<()> {
    match &args.command {
        None => run_demo::<G>(args.json.as_deref(), &args.setup).await,
        Some(Command::Deploy(args)) => cmd::deploy::deploy(args, G::KIND).await,
        Some(Command::Create(args)) => create(args).await,
        Some(Command::Cancel(args)) => cancel::<G>(args).await,
        Some(Command::Join(args)) => join(args).await,
        Some(Command::Play(args)) => go_on(args).await,
        Some(Command::Status(args)) => tell_status::<G>(args).await,
        Some(Command::List(common)) => list::<G>(common).await,
        Some(Command::Audit(args)) => audit::<G>(args).await,
        Some(Command::Withdraw(common)) => withdraw::<G>(common).await,
    }
}

async fn create<G: Played>(args: &Create<G>) -> Result<()> {
    let (wallet, chain, deployed) = connect_to_begin::<G>(&args.common).await?;
    let expiry = expiry(&chain, args.open_for).await?;
    tell_caution(&chain, args.turn, G::ACTION).await?;
    let Create { stake, turn, opponent, .. } = *args;
    let terms = Terms { stake, turn, expiry, opponent, setup: G::setup(&args.setup) };
    let prover = G::prover(&args.keys, &deployed).await?;
    let (created, proven) = chain::create(&chain, &wallet, &prover, terms, args.another).await.map_err(told)?;
    let json = args.common.json.then(|| proofs(&proven));
    tell_created(G::NAME, &chain, &created, (&described::<G>(&terms), opponent), json).await
}

async fn cancel<G: Played>(args: &Cancel) -> Result<()> {
    let (wallet, chain, _) = connect::<G>(&args.common).await?;
    let game = find(&chain, &wallet, &args.game).await?;
    let stake = chain.latest(game).await.map_err(told)?.stake;
    let receipt = chain.cancel(game).await.map_err(told)?;
    tell_cancelled(game, stake, &receipt, args.common.json, &format!("{} withdraw", G::NAME))
}

async fn join<G: Played>(args: &Join<G>) -> Result<()> {
    let (wallet, chain, deployed) = connect_to_begin::<G>(&args.common).await?;
    let game = find(&chain, &wallet, &args.game).await?;
    let (latest, json) = (chain.latest(game).await.map_err(told)?, args.common.json);
    let play = format!("{} play {}", G::NAME, short(game));
    if latest.is_joined_by(wallet.address()) {
        return tell_joined(&play, game, None, json.then(|| proofs(&Proven::default())));
    }
    if !latest.is_open {
        return Err(told(GameError::<G>::NotOpen));
    }
    let opening = chain.history(game).await.map_err(told)?.opening;
    note!("game {game} of {}: {}", opening.creator, described::<G>(&opening.terms));
    tell_caution(&chain, opening.terms.turn, G::ACTION).await?;
    let prover = G::prover(&args.keys, &deployed).await?;
    let (receipt, proven) = chain::join(&chain, &wallet, &prover, game, args.stake).await.map_err(told)?;
    tell_joined(&play, game, receipt.as_ref(), json.then(|| proofs(&proven)))
}

async fn go_on<G: Played>(args: &Play<G>) -> Result<()> {
    let (wallet, chain, deployed) = connect::<G>(&args.common).await?;
    let game = find(&chain, &wallet, &args.game).await?;
    let turn = chain.history(game).await.map_err(told)?.opening.terms.turn;
    tell_caution(&chain, turn, G::ACTION).await?;
    let prover = G::prover(&args.keys, &deployed).await?;
    let player = Player::open(chain, wallet, prover, game).await.map_err(told)?;
    play(player, Options { json: args.common.json, auto: G::is_auto(&args.of_game), stay: args.stay }).await
}

async fn tell_status<G: Played>(args: &LookedAt) -> Result<()> {
    let (chain, _) = look::<G>(&args.node).await?;
    let latest = chain.latest(args.game).await.map_err(told)?;
    let (value, words) = status(&latest, chain.now().await?);
    if args.json { say!("{value}") } else { say!("{words}") }
}

async fn list<G: Played>(common: &CommandArgs) -> Result<()> {
    let account = common.machine.wallet.find(&common.machine.home.home()?)?.address;
    let (chain, _) = look::<G>(&common.machine.node).await?;
    let (games, now) = (chain.games_of(account).await.map_err(told)?, chain.now().await?);
    let state = |Listed { game, latest }: &Listed<G>| listed(*game, account, latest.creator, status(latest, now));
    tell_list(G::NAME, games.iter().map(state).collect(), common.json)
}

async fn audit<G: Played>(args: &LookedAt) -> Result<()> {
    let (chain, deployed) = look::<G>(&args.node).await?;
    let history = chain.history(args.game).await.map_err(told)?;
    tell_nodes(&chain);
    let found = chain::audit(&chain, &G::verifier(&deployed)?, &history).await.map_err(told)?;
    let (value, words) = audited(&found);
    if args.json {
        say!("{value}")?
    } else {
        say!("{words}")?
    }
    if !found.is_in_order() {
        return Err(Found::NotInOrder("the game is not in order".to_owned()).into());
    }
    Ok(())
}

async fn withdraw<G: Played>(common: &CommandArgs) -> Result<()> {
    let (wallet, chain, _) = connect::<G>(common).await?;
    let owed = chain.withdrawable(wallet.address()).await.map_err(told)?;
    let receipt = match chain.withdraw().await {
        // Nothing has gone wrong.
        Err(GameError::<G>::Refused(_)) if common.json => return say!("{}", json!({ "owed_wei": "0" })),
        Err(GameError::<G>::Refused(_)) => return say!("the contract of {} owes this wallet nothing", G::NAME),
        result => result.map_err(told)?,
    };
    if common.json {
        return say!("{}", with_receipt(json!({ "owed_wei": owed.to_string() }), Some(&receipt)));
    }
    say!("fetched {} ETH", in_ether(owed.saturating_to()))
}
