//! A whole game of dice between two processes on a chain of its own, audited at the end.
//!
//! Everything that is started is owned by a value here: dropping [`demo`]'s future at any point kills the players, ends Anvil and deletes the
//! demo's folder.

use std::time::Duration;

use alloy::primitives::{B256, U256};
use alloy::signers::local::PrivateKeySigner;
use client::connection::ConnectionConfig;
use client::dice::{DiceChain, History};
use deploy::anvil::{Anvil, FIRST_ACCOUNT_KEY, Mining};
use deploy::{Contracts, Deployment, Direct, Game, Repository, deploy};
use dice::{Role, audit};
use eyre::{OptionExt as _, Result, bail, eyre};
use serde_json::{Value, json};

use super::place;
use super::tell::{audited, name};
use crate::contest::{DEMO_FUNDS, Machine, Process, costs_told, told};
use crate::output::{note, say};
use crate::words::cost_of;

/// What each player puts in, in ether.
const STAKE: &str = "1";
/// A demo in which nothing happens for so long has failed.
const SILENCE: Duration = Duration::from_secs(120);

/// Plays the demo, shows it on standard output, and gives its report in JSON.
pub async fn demo(repository: Repository) -> Result<Value> {
    let folder = tempfile::Builder::new().prefix("fogmate-dice-").tempdir()?;
    note!("Starting a chain of our own (Anvil) and deploying the dice contract …");
    let anvil = tokio::task::spawn_blocking(move || Anvil::start(&repository, Mining::Instant)).await??;
    let deployments = folder.path().join("deployments");
    let signer: PrivateKeySigner = FIRST_ACCOUNT_KEY.parse()?;
    let (contracts, creator) = (Contracts::shipped(Game::Dice, false), Direct::new(&anvil.rpc(), &signer)?);
    let deployed = deploy(&anvil.rpc(), &contracts, &deployments, &creator).await?;

    let environment = [("FOGMATE_RPC", anvil.rpc().into()), ("FOGMATE_DEPLOYMENTS", deployments.clone())];
    let new = |name: &'static str| Machine::new("dice", name, folder.path(), &environment);
    let machines = [new("Alice")?, new("Bob")?];
    for machine in &machines {
        anvil.fund(machine.address, U256::from(DEMO_FUNDS)).await?;
    }
    let game = open_game(&machines).await?;
    let (rpc, id) = (anvil.rpc(), game.to_string());
    say!("Chain 31337 on {rpc}, game {game}")?;
    let [alice, bob] = machines.each_ref().map(|machine| machine.address);
    say!("Alice is {alice}, Bob is {bob}; each puts in {STAKE} ETH.\n")?;
    let auto = ["--auto", "--stay"];
    let mut processes = [machines[0].play(&id, &auto)?, machines[1].play(&id, &auto)?];
    let winner = show(&mut processes).await?;
    for process in processes {
        process.end().await?;
    }
    let owed = machines[winner as usize].ask(&["withdraw"]).await?;
    say!("{} has withdrawn both stakes ({}).\n", machines[winner as usize].name, cost_of(&owed))?;

    let chain = connect(&anvil, &deployed).await?;
    let history = chain.history(game, None).await.map_err(told)?;
    let found = audit(history.opening.clone(), &history.records, history.said);
    let (report, words) = audited(&found, history.said.as_ref());
    say!("Audit from the chain alone: {words}")?;
    let costs = chain.costs(&history).await.map_err(told)?;
    let costs = costs_told(&costs)?;
    if !found.is_in_order() || history.said.and_then(|ending| ending.winner) != Some(winner) {
        bail!("the audit found something wrong");
    }
    Ok(json!({ "audit": report, "costs": costs, "rolls": rolls_of(&history) }))
}

async fn connect(anvil: &Anvil, deployed: &Deployment) -> Result<DiceChain> {
    DiceChain::connect(&ConnectionConfig::new(&anvil.rpc(), place(deployed)), None).await.map_err(told)
}

/// One player creates a game and the other joins it, as on two machines.
async fn open_game(machines: &[Machine; 2]) -> Result<B256> {
    let opponent = machines[1].address.to_string();
    let created = machines[0].ask(&["create", "--stake", STAKE, "--opponent", &opponent]).await?;
    let game = created["game"].as_str().ok_or_eyre("`fogmate dice create` tells no game")?;
    machines[1].ask(&["join", game, "--stake", STAKE]).await?;
    Ok(game.parse()?)
}

/// The next thing that a player says of the game itself.
async fn of_the_game(process: &mut Process) -> Result<Value> {
    loop {
        let said = process.next().await?;
        if matches!(said["event"].as_str(), Some("rolled" | "over")) {
            return Ok(said);
        }
    }
}

/// Shows the game, of which both players must have replayed the same rolls; gives the winner.
async fn show(processes: &mut [Process; 2]) -> Result<Role> {
    loop {
        let [alice, bob] = processes;
        let both = async { tokio::try_join!(of_the_game(alice), of_the_game(bob)) };
        let said = tokio::time::timeout(SILENCE, both).await;
        let (first, second) = said.map_err(|_| eyre!("nothing has happened for {} s", SILENCE.as_secs()))??;
        if first != second {
            bail!("the players disagree: {first}, {second}");
        }
        let number = |field: &str| first[field].as_u64().unwrap_or_default();
        if first["event"] == "rolled" {
            let who = if first["by"] == name(Role::Creator) { "Alice" } else { "Bob" };
            let [roll, die, from, to] = ["roll", "die", "from", "to"].map(number);
            let jump = if to == from + die || to == from { String::new() } else { format!(" by {}", from + die) };
            say!("roll {roll:3}  {who:5} rolls {die}: {from} to {to}{jump}")?;
            continue;
        }
        let winner = if first["winner"] == name(Role::Creator) { Role::Creator } else { Role::Joiner };
        let who = ["Alice", "Bob"][winner as usize];
        say!("\n{who} wins: {}.", first["outcome"].as_str().unwrap_or_default())?;
        return Ok(winner);
    }
}

/// The dice of a game, in order.
fn rolls_of(history: &History) -> Vec<u8> {
    let rolls = history.records.iter().filter_map(|record| match &record.action {
        dice::Action::Roll(roll) => Some(roll.die.pips()),
        _ => None,
    });
    rolls.collect()
}
