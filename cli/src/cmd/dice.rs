//! `fogmate dice`: Snakes and Ladders with dice that neither player throws alone (docs/src/dice.md).

use std::path::{Path, PathBuf};

use ::dice::{Terms, audit};
use alloy::primitives::{Address, B256};
use clap::{Args as ClapArgs, Subcommand};
use client::dice::{self, DiceChain, DiceError, Player};
use client::lobby::in_ether;
use client::wallet::Wallet;
use deploy::{DiceDeployment, Repository, deploy_dice};
use eyre::{Result, bail};
use game::clock_time;
use serde_json::json;

use crate::contest::{ContestArgs, NodeArgs, game_id, run_demo, tell_caution, told};
use crate::dice::{Options, audited, demo, place as dice_place, play};
use crate::failure::bad_input;
use crate::output::{note, say};
use crate::terms::{address, ether, seconds};

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
    /// The time for each roll; who lets it pass loses
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = seconds)]
    turn: u32,
    /// How long the game can be joined; it can't be taken back before
    #[arg(long, value_name = "TIME", default_value = "1d", value_parser = seconds)]
    open_for: u32,
    /// Who may join; a game for a stake needs it [default: anyone]
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    opponent: Option<Address>,
}

/// Take back a game that nobody has joined in time; `fogmate dice withdraw` then fetches its stake
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
    /// The stake that you agree to, in ether
    #[arg(long, value_name = "ETHER", default_value = "0", value_parser = ether)]
    stake: u128,
}

/// Play a game that you opened or joined, from wherever it stands
///
/// Every roll is replayed before it is told. All numbers derive from the wallet and the chain: nothing is stored, and any machine with the wallet
/// goes on with the game.
#[derive(Debug, ClapArgs)]
struct Play {
    /// The game's id
    #[arg(value_parser = game_id)]
    game: B256,
    #[command(flatten)]
    place: ContestArgs,
    /// Roll without being asked
    #[arg(long)]
    auto: bool,
    /// End with standard input
    #[arg(long, hide = true)]
    stay: bool,
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
    let deployed = DiceDeployment::read(&place.node.deployments()?, &place.node.rpc).await?;
    let chain = DiceChain::connect(&place.config(dice_place(&deployed))?, Some(&wallet)).await.map_err(told)?;
    Ok((wallet, chain))
}

/// Runs the command.
pub async fn run(args: &Args) -> Result<()> {
    match &args.command {
        None => run_demo(args.json.as_deref(), demo).await,
        Some(Command::Deploy { place }) => run_deploy(place).await,
        Some(Command::Create(args)) => run_create(args).await,
        Some(Command::Cancel(args)) => run_cancel(args).await,
        Some(Command::Join(args)) => run_join(args).await,
        Some(Command::Play(args)) => run_play(args).await,
        Some(Command::Audit(args)) => run_audit(args).await,
        Some(Command::Withdraw { place }) => run_withdraw(place).await,
    }
}

async fn run_deploy(place: &ContestArgs) -> Result<()> {
    let repository = Repository::find(Path::new(".")).map_err(bad_input)?;
    let folder = place.node.deployments()?;
    let wallet = place.open()?;
    let deployed = deploy_dice(&place.node.rpc, repository, &folder, &place.creator(&wallet).await?).await?;
    if place.json {
        return say!("{}", serde_json::to_string(&deployed)?);
    }
    say!("chain     {}", deployed.chain_id)?;
    say!("dice      {}", deployed.dice.address)?;
    say!("written   {}", DiceDeployment::path(&folder, deployed.chain_id).display())
}

async fn run_create(args: &Create) -> Result<()> {
    let (wallet, chain) = connect(&args.place).await?;
    let expiry = chain.time().await?.saturating_add(args.open_for.into());
    tell_caution(&chain, args.turn, "roll").await?;
    let terms = Terms { stake: args.stake, turn: args.turn, expiry, opponent: args.opponent };
    let (game, receipt) = dice::create(&chain, &wallet, terms).await.map_err(told)?;
    if args.place.json {
        let (transaction, gas) = (receipt.transaction, receipt.gas_used);
        return say!("{}", json!({ "game": game, "transaction": transaction, "gas": gas }));
    }
    note!("Send this to your opponent, for `fogmate dice join`; then play with `fogmate dice play`:");
    say!("{game}")
}

async fn run_cancel(args: &Game) -> Result<()> {
    let (_, chain) = connect(&args.place).await?;
    let receipt = chain.carry_out(args.game, &::dice::Action::Cancel).await.map_err(told)?;
    if args.place.json {
        let (transaction, gas) = (receipt.transaction, receipt.gas_used);
        return say!("{}", json!({ "game": args.game, "transaction": transaction, "gas": gas }));
    }
    say!("cancelled {}; `fogmate dice withdraw` fetches the stake", args.game)
}

async fn run_join(args: &Join) -> Result<()> {
    let (wallet, chain) = connect(&args.place).await?;
    let opening = chain.history(args.game, None).await.map_err(told)?.opening;
    let (stake, turn) = (in_ether(opening.terms.stake), clock_time(opening.terms.turn.into()));
    note!("game {} of {}: a stake of {stake} ETH each, {turn} for each roll", args.game, opening.creator);
    tell_caution(&chain, opening.terms.turn, "roll").await?;
    let receipt = dice::join(&chain, &wallet, args.game, args.stake).await.map_err(told)?;
    if args.place.json {
        let (transaction, gas) = (receipt.transaction, receipt.gas_used);
        return say!("{}", json!({ "game": args.game, "transaction": transaction, "gas": gas }));
    }
    note!("joined; play with `fogmate dice play {}`", args.game);
    say!("{}", args.game)
}

async fn run_play(args: &Play) -> Result<()> {
    let (wallet, chain) = connect(&args.place).await?;
    let stake = chain.history(args.game, None).await.map_err(told)?.opening.terms.stake;
    let player = Player::sit_down(chain, wallet, args.game).await.map_err(told)?;
    play(player, Options { json: args.place.json, auto: args.auto, stay: args.stay, stake }).await
}

async fn run_audit(args: &Audit) -> Result<()> {
    let deployed = DiceDeployment::read(&args.node.deployments()?, &args.node.rpc).await?;
    let chain = DiceChain::connect(&args.node.config(dice_place(&deployed)), None).await.map_err(told)?;
    let history = chain.history(args.game, None).await.map_err(told)?;
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
    let receipt = chain.withdraw().await.map_err(|error| match error {
        DiceError::Refused(_) => bad_input("the dice contract owes this wallet nothing"),
        other => told(other),
    })?;
    if place.json {
        let (owed_wei, transaction, gas) = (owed.to_string(), receipt.transaction, receipt.gas_used);
        return say!("{}", json!({ "owed_wei": owed_wei, "transaction": transaction, "gas": gas }));
    }
    say!("fetched {} ETH", in_ether(owed.saturating_to()))
}
