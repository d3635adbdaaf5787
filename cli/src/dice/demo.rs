//! A whole game of dice between two processes on a chain of its own, audited at the end.
//!
//! Everything that is started is owned by a value here: dropping [`demo`]'s future at any point kills the players, ends Anvil and deletes the
//! demo's folder.

use std::collections::BTreeMap;
use std::time::Duration;

use alloy::primitives::{B256, U256};
use alloy::signers::local::PrivateKeySigner;
use client::dice::{DiceChain, History, Mined, Place};
use deploy::anvil::{Anvil, FIRST_ACCOUNT_KEY, Mining};
use deploy::{DiceDeployment, Repository, deploy_dice};
use dice::{Role, audit};
use eyre::{OptionExt as _, Result, bail, eyre};
use serde_json::{Value, json};

use super::node::told;
use super::process::{Machine, Process};
use super::tell::{audited, name};
use crate::output::{note, say};

/// What each player has, in wei: ten ether.
const FUNDS: u128 = 10_000_000_000_000_000_000;
/// What each player puts in, in ether.
const STAKE: &str = "1";
/// A demo in which nothing happens for so long has failed.
const SILENCE: Duration = Duration::from_secs(120);

/// Plays the demo, shows it on standard output, and gives its report in JSON.
pub async fn demo(repository: Repository) -> Result<Value> {
    let folder = tempfile::Builder::new().prefix("fogmate-dice-").tempdir()?;
    note!("Starting a chain of our own (Anvil) and deploying the dice contract …");
    let clone = repository.clone();
    let anvil = tokio::task::spawn_blocking(move || Anvil::start(&clone, Mining::Instant)).await??;
    let deployments = folder.path().join("deployments");
    let signer: PrivateKeySigner = FIRST_ACCOUNT_KEY.parse()?;
    let deployed = deploy_dice(&anvil.rpc(), repository, &deployments, &signer).await?;

    let new = |name: &'static str| Machine::new(name, folder.path(), &anvil.rpc(), deployments.clone());
    let machines = [new("Alice")?, new("Bob")?];
    for machine in &machines {
        anvil.fund(machine.address, U256::from(FUNDS)).await?;
    }
    let game = open_game(&machines).await?;
    let (rpc, id) = (anvil.rpc(), game.to_string());
    say!("Chain 31337 on {rpc}, game {game}")?;
    let [alice, bob] = machines.each_ref().map(|machine| machine.address);
    say!("Alice is {alice}, Bob is {bob}; each puts in {STAKE} ETH.\n")?;
    let mut processes = [machines[0].play(&id)?, machines[1].play(&id)?];
    let winner = show(&mut processes).await?;
    for process in processes {
        process.end().await?;
    }
    let owed = machines[winner as usize].ask(&["withdraw"]).await?;
    say!("{} has withdrawn both stakes ({} gas).\n", machines[winner as usize].name, owed["gas"])?;

    let chain = connect(&anvil, &deployed).await?;
    let history = chain.history(game, None).await.map_err(told)?;
    let found = audit(history.opening.clone(), &history.records, history.said);
    let (report, words) = audited(&found, history.said.as_ref());
    say!("Audit from the chain alone: {words}")?;
    let costs = chain.costs(&history).await.map_err(told)?;
    let costs = table_of(&costs)?;
    if !found.is_in_order() || history.said.and_then(|ending| ending.winner) != Some(winner) {
        bail!("the audit found something wrong");
    }
    Ok(json!({ "audit": report, "costs": costs, "rolls": rolls_of(&history) }))
}

async fn connect(anvil: &Anvil, deployed: &DiceDeployment) -> Result<DiceChain> {
    let place = Place { chain_id: deployed.chain_id, contract: deployed.dice.address, block: deployed.block };
    DiceChain::connect(&anvil.rpc(), place, None, None).await.map_err(told)
}

/// One player creates a game and the other joins it, as on two machines.
async fn open_game(machines: &[Machine; 2]) -> Result<B256> {
    let opponent = machines[1].address.to_string();
    let created = machines[0].ask(&["create", "--stake", STAKE, "--opponent", &opponent]).await?;
    let game = created["game"].as_str().ok_or_eyre("`fogmate dice create` tells no game")?;
    machines[1].ask(&["join", game, "--stake", STAKE]).await?;
    Ok(game.parse()?)
}

/// Shows the game, of which both players must have replayed the same rolls; gives the winner.
async fn show(processes: &mut [Process; 2]) -> Result<Role> {
    loop {
        let [alice, bob] = processes;
        let both = async { tokio::try_join!(alice.next(|_| ()), bob.next(|_| ())) };
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

/// Prints what each action cost, and gives it as JSON.
fn table_of(costs: &[Mined]) -> Result<Value> {
    let mut by_action: BTreeMap<&str, Vec<&Mined>> = BTreeMap::new();
    for mined in costs {
        by_action.entry(&mined.action).or_default().push(mined);
    }
    say!("\n{:14} {:>5} {:>9} {:>9} {:>9} {:>9}", "action", "times", "gas, mean", "least", "most", "calldata")?;
    let mut report = Vec::new();
    for (action, all) in by_action {
        let gas = all.iter().map(|mined| mined.gas);
        let (least, most) = (gas.clone().min().unwrap_or_default(), gas.clone().max().unwrap_or_default());
        let mean = gas.sum::<u64>() / all.len() as u64;
        let bytes = all.iter().map(|mined| mined.calldata_bytes).max().unwrap_or_default();
        say!("{action:14} {:5} {mean:9} {least:9} {most:9} {bytes:9}", all.len())?;
        report.push(json!({
            "action": action, "times": all.len(), "gas": mean, "least": least, "most": most, "calldata_bytes": bytes,
        }));
    }
    let total: u64 = costs.iter().map(|mined| mined.gas).sum();
    say!("whole game     {:5} {total:9}", costs.len())?;
    Ok(Value::Array(report))
}

/// The dice of a game, in order.
fn rolls_of(history: &History) -> Vec<u8> {
    let rolls = history.records.iter().filter_map(|record| match &record.action {
        dice::Action::Roll(roll) => Some(roll.die.pips()),
        _ => None,
    });
    rolls.collect()
}
