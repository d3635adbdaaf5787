//! `fogmate dice`: Snakes and Ladders with dice that neither player throws alone (docs/src/dice.md).

use std::path::PathBuf;

use ::dice::{Terms, audit};
use alloy::primitives::{Address, B256};
use clap::{Args as ClapArgs, Subcommand};
use client::connection::Listed;
use client::dice::{self, DiceChain, DiceError, Latest, Player};
use client::lobby::in_ether;
use client::wallet::Wallet;
use deploy::{Contracts, Deployment, Game as Kind};
use eyre::{Result, bail};
use game::clock_time;
use serde_json::json;

use crate::contest::{
    Action, ContestArgs, GameId, config, expiry, game_id, game_or_start, listed, run_demo, tell_caution, tell_created,
    tell_joined, tell_list, tell_nodes, told,
};
use crate::deploying::publish;
use crate::dice::{Options, audited, demo, place as dice_place, play, status};
use crate::hint::hint;
use crate::node::NodeArgs;
use crate::output::{note, say};
use crate::terms::{address, ether, turn};

/// What a turn is for.
const ROLL: Action<'_> = Action { name: "roll", proving: 0 };

/// Play Snakes and Ladders with dice that neither player throws alone
///
/// Each roll is the sum of two numbers: one that its player promised before, and one that the opponent gave after that. The
/// chain checks every promise and computes every roll; who keeps a roll to itself has lost when its time is over.
#[derive(Debug, ClapArgs)]
#[command(args_conflicts_with_subcommands = true, arg_required_else_help = true)]
pub struct Args {
    /// Play a whole game between two processes on a local chain of its own, then audit it
    #[arg(long, required = true)]
    demo: bool,
    /// With --demo: write a report in JSON
    #[arg(long, value_name = "OUT")]
    json: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Deploy the dice contract to a chain, and write deployments/dice-CHAIN_ID.json
    Deploy {
        #[command(flatten)]
        place: ContestArgs,
    },
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
    Audit(Audit),
    /// Fetch what the dice contract owes you: stakes won or taken back
    Withdraw {
        #[command(flatten)]
        place: ContestArgs,
    },
}

/// Open a game; prints its id, which the opponent joins it by
#[derive(Debug, ClapArgs)]
struct Create {
    #[command(flatten)]
    place: ContestArgs,
    /// What each player puts in, in ether
    #[arg(long, value_name = "ETHER", default_value = "0", value_parser = ether)]
    stake: u128,
    /// The time for each roll, for a stake at least 5m; who lets it pass loses
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = turn)]
    turn: u32,
    /// How long the game can be joined, at most 30d; it can't be taken back before
    #[arg(long, value_name = "TIME", default_value = "1d", value_parser = turn)]
    open_for: u32,
    /// Who may join; a game for a stake needs it [default: anyone]
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    opponent: Option<Address>,
    /// Open another game, although an earlier command with the same terms may have opened one without saying so
    #[arg(long)]
    another: bool,
}

/// Take back a game that nobody has joined in time; `fogmate dice withdraw` then fetches its stake
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
    /// The stake that you agree to, in ether
    #[arg(long, value_name = "ETHER", default_value = "0", value_parser = ether)]
    stake: u128,
}

/// Play a game that you opened or joined, from wherever it stands
///
/// Every roll is replayed before it is told. All numbers derive from the wallet and the chain: nothing is stored, and any machine with the wallet
/// goes on with the game. At a terminal Ctrl-D ends it; when a pipe that is its input closes it goes on, and claims what is overdue.
#[derive(Debug, ClapArgs)]
struct Play {
    /// The game's id, or its first digits
    #[arg(value_parser = game_or_start)]
    game: GameId,
    #[command(flatten)]
    place: ContestArgs,
    /// Roll without being asked
    #[arg(long)]
    auto: bool,
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

/// Check a game from the chain alone: every promise, roll, square and deadline
///
/// Ends with exit code 1 if anything is wrong. No wallet is needed.
#[derive(Debug, ClapArgs)]
struct Audit {
    /// The game's id
    #[arg(value_parser = game_id)]
    game: B256,
    #[command(flatten)]
    node: NodeArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The wallet, and the connection that it signs for.
async fn connect(place: &ContestArgs) -> Result<(Wallet, DiceChain)> {
    let wallet = place.open()?;
    let deployed = Deployment::read(&place.node.deployments()?, Kind::Dice, &place.node.compared(None)?.0).await?;
    let chain = DiceChain::connect(&place.config(dice_place(&deployed))?, Some(&wallet)).await.map_err(told)?;
    Ok((wallet, chain))
}

/// A connection to read only.
async fn look(node: &NodeArgs) -> Result<DiceChain> {
    let deployed = Deployment::read(&node.deployments()?, Kind::Dice, &node.compared(None)?.0).await?;
    DiceChain::connect(&config(node, dice_place(&deployed))?, None).await.map_err(told)
}

/// The id of a game.
async fn find(chain: &DiceChain, wallet: &Wallet, game: &GameId) -> Result<B256> {
    game.find("dice", async || chain.ids_of(wallet.address()).await).await
}

pub async fn run(args: &Args) -> Result<()> {
    match &args.command {
        None => run_demo(args.json.as_deref(), demo).await,
        Some(Command::Deploy { place }) => run_deploy(place).await,
        Some(Command::Create(args)) => run_create(args).await,
        Some(Command::Cancel(args)) => run_cancel(args).await,
        Some(Command::Join(args)) => run_join(args).await,
        Some(Command::Play(args)) => run_play(args).await,
        Some(Command::Status(args)) => run_status(args).await,
        Some(Command::List { place }) => run_list(place).await,
        Some(Command::Audit(args)) => run_audit(args).await,
        Some(Command::Withdraw { place }) => run_withdraw(place).await,
    }
}

async fn run_deploy(place: &ContestArgs) -> Result<()> {
    let wallet = place.open()?;
    let creator = place.creator(&wallet).await?;
    publish(&place.node, &Contracts::shipped(Kind::Dice, false), &creator, place.json).await
}

async fn run_create(args: &Create) -> Result<()> {
    let (wallet, chain) = connect(&args.place).await?;
    let expiry = expiry(&chain, args.open_for).await?;
    tell_caution(&chain, args.turn, ROLL).await?;
    let terms = Terms { stake: args.stake, turn: args.turn, expiry, opponent: args.opponent };
    let words = described(&terms);
    let created = match args.another {
        false => dice::create(&chain, &wallet, terms).await,
        true => dice::create_another(&chain, &wallet, terms).await,
    };
    let (created, json) = (created.map_err(told)?, args.place.json.then(|| json!({})));
    tell_created("dice", &chain, &created, (&words, args.opponent), json).await
}

/// Stake and time in words.
fn described(terms: &Terms) -> String {
    format!("a stake of {} ETH each, {} for each roll", in_ether(terms.stake), clock_time(terms.turn.into()))
}

async fn run_cancel(args: &Game) -> Result<()> {
    let (wallet, chain) = connect(&args.place).await?;
    let game = find(&chain, &wallet, &args.game).await?;
    let receipt = chain.carry_out(game, &::dice::Action::Cancel).await.map_err(told)?;
    if args.place.json {
        let (transaction, gas, fee) = (receipt.transaction, receipt.gas_used, receipt.fee.to_string());
        return say!("{}", json!({ "game": game, "transaction": transaction, "gas": gas, "fee_wei": fee }));
    }
    say!("cancelled {game}; {} fetches the stake", hint("dice withdraw"))
}

async fn run_join(args: &Join) -> Result<()> {
    let (wallet, chain) = connect(&args.place).await?;
    let game = find(&chain, &wallet, &args.game).await?;
    let (latest, json) = (chain.latest(game).await.map_err(told)?, args.place.json.then(|| json!({})));
    if latest.is_joined_by(wallet.address()) {
        return tell_joined("dice", game, None, json);
    }
    if !latest.is_open {
        return Err(told(DiceError::NotOpen));
    }
    let opening = chain.history(game, None).await.map_err(told)?.opening;
    note!("game {game} of {}: {}", opening.creator, described(&opening.terms));
    tell_caution(&chain, opening.terms.turn, ROLL).await?;
    let receipt = dice::join(&chain, &wallet, game, args.stake).await.map_err(told)?;
    tell_joined("dice", game, receipt.as_ref(), json)
}

async fn run_play(args: &Play) -> Result<()> {
    let (wallet, chain) = connect(&args.place).await?;
    let game = find(&chain, &wallet, &args.game).await?;
    let Terms { stake, turn, .. } = chain.history(game, None).await.map_err(told)?.opening.terms;
    tell_caution(&chain, turn, ROLL).await?;
    let player = Player::sit_down(chain, wallet, game).await.map_err(told)?;
    play(player, Options { json: args.place.json, auto: args.auto, stay: args.stay, stake }).await
}

async fn run_status(args: &Status) -> Result<()> {
    let chain = look(&args.node).await?;
    let latest = chain.latest(args.game).await.map_err(told)?;
    let (value, words) = status(&latest, chain.now().await?);
    if args.json { say!("{value}") } else { say!("{words}") }
}

async fn run_list(place: &ContestArgs) -> Result<()> {
    let account = place.wallet.find(&place.home.home()?)?.address;
    let chain = look(&place.node).await?;
    let (games, now) = (chain.games_of(account).await.map_err(told)?, chain.now().await?);
    let state = |Listed { game, latest }: &Listed<Latest>| listed(*game, account, latest.creator, status(latest, now));
    tell_list("dice", games.iter().map(state).collect(), place.json)
}

async fn run_audit(args: &Audit) -> Result<()> {
    let chain = look(&args.node).await?;
    let history = chain.history(args.game, None).await.map_err(told)?;
    tell_nodes(&chain);
    let found = audit(history.opening.clone(), &history.records, history.said);
    let (value, words) = audited(&found, history.said.as_ref());
    if args.json {
        say!("{value}")?
    } else {
        say!("{words}")?
    }
    if !found.is_in_order() {
        bail!("the game is not in order");
    }
    Ok(())
}

async fn run_withdraw(place: &ContestArgs) -> Result<()> {
    let (wallet, chain) = connect(place).await?;
    let owed = chain.withdrawable(wallet.address()).await.map_err(told)?;
    let receipt = match chain.withdraw().await {
        // Nothing has gone wrong.
        Err(DiceError::Refused(_)) if place.json => return say!("{}", json!({ "owed_wei": "0" })),
        Err(DiceError::Refused(_)) => return say!("the dice contract owes this wallet nothing"),
        result => result.map_err(told)?,
    };
    if place.json {
        let (owed_wei, transaction, gas) = (owed.to_string(), receipt.transaction, receipt.gas_used);
        let fee = receipt.fee.to_string();
        return say!("{}", json!({ "owed_wei": owed_wei, "transaction": transaction, "gas": gas, "fee_wei": fee }));
    }
    say!("fetched {} ETH", in_ether(owed.saturating_to()))
}
