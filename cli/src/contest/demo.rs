//! What the demos have in common: a report in a file, an end by Ctrl-C, a chain with two machines on it, and what the game's transactions cost.
//!
//! Everything that is started is owned by a value here: dropping [`run_demo`]'s future at any point kills the players, ends Anvil and deletes the
//! demo's folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use alloy::primitives::B256;
use client::contest::{Chain, Mined, audit};
use client::lobby::{about_in_ether, in_ether};
use contest::Role;
use deploy::anvil::Hardfork;
use deploy::{Contracts, Repository};
use eyre::{OptionExt as _, Result, bail, eyre};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::Played;
use super::common::told;
use super::process::Player;
use super::tell::audited;
use crate::demo::{LocalChain, MINING, Machine};
use crate::failure::bad_input;
use crate::files::{begin_report, write_report};
use crate::keys::ProverArgs;
use crate::node::config;
use crate::output::{note, say};
use crate::process::Signals;
use crate::words::cost_of;

/// What each player puts in, in ether.
pub const STAKE: &str = "1";
/// A demo in which nothing happens for so long has failed.
const SILENCE: Duration = Duration::from_secs(120);

/// A chain of its own, and two machines of players with money on it.
pub struct Stage {
    /// It is deleted with the stage.
    _folder: TempDir,
    pub local: LocalChain,
    machines: [Machine; 2],
}

impl Stage {
    /// Starts a chain, deploys the game's contract there and gives both players a wallet with money. Keys are looked for in `cache`.
    pub async fn set<G: Played>(repository: &Repository, cache: PathBuf) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix(&format!("fogmate-{}-", G::NAME)).tempdir()?;
        note!("Starting a chain of our own (Anvil) and deploying the contract of {} …", G::NAME);
        let (anvil, contracts) = (repository.anvil()?, Contracts::shipped(G::KIND, G::IS_PROVEN));
        let (rules, prover) = (Hardfork::default(), ProverArgs::default());
        let local = LocalChain::start(anvil, MINING, rules, &contracts, folder.path(), cache, prover).await?;
        let machines = local.machines(["Alice", "Bob"], Some(G::NAME), folder.path()).await?;
        Ok(Self { _folder: folder, local, machines })
    }

    /// One player creates a game for a stake and the other joins it, as on two machines; gives what both tell of it. `more` are options of `create`.
    pub async fn open(&self, more: &[&str]) -> Result<(B256, [Value; 2])> {
        let opponent = self.machines[1].wallet.address().to_string();
        let create = [&["create", "--stake", STAKE, "--opponent", &opponent], more].concat();
        let created = self.machines[0].ask(&create).await?;
        let game = created["game"].as_str().ok_or_eyre("`create` tells no game")?.to_owned();
        let joined = self.machines[1].ask(&["join", &game, "--stake", STAKE]).await?;
        say!("Chain 31337 on {}, game {game}", self.local.environment.rpc)?;
        let [alice, bob] = self.machines.each_ref().map(|machine| machine.wallet.address());
        say!("Alice is {alice}, Bob is {bob}; each puts in {STAKE} ETH.")?;
        Ok((game.parse()?, [created, joined]))
    }

    /// The processes that play, with further options.
    pub fn play(&self, game: B256, more: &[&str]) -> Result<[Player; 2]> {
        let [alice, bob] = &self.machines;
        Ok([Player::start(alice, game, more)?, Player::start(bob, game, more)?])
    }

    /// The winner fetches both stakes; gives how much, in ether.
    pub async fn withdraw(&self, winner: Role) -> Result<String> {
        let machine = &self.machines[winner as usize];
        let fetched = machine.ask(&["withdraw"]).await?;
        let paid = fetched["owed_wei"].as_str().and_then(|wei| wei.parse::<u128>().ok()).unwrap_or_default();
        let paid = in_ether(paid);
        say!("{} has withdrawn both stakes, {paid} ETH ({}).", machine.name, cost_of(&fetched))?;
        Ok(paid)
    }

    /// Audits a game from the chain alone, and tells what its transactions cost: both as JSON. Fails if it isn't in order, or not won by `winner`.
    pub async fn audit<G: Played>(&self, game: B256, winner: Role) -> Result<[Value; 2]> {
        let LocalChain { deployment, environment, .. } = &self.local;
        let chain = Chain::<G>::connect(&config(&environment.rpc, deployment), None).await.map_err(told)?;
        let history = chain.history(game).await.map_err(told)?;
        let found = audit(&chain, &G::verifier(deployment)?, &history).await.map_err(told)?;
        let (report, words) = audited(&found);
        say!("Audit from the chain alone: {words}")?;
        let costs = costs_told(&chain.costs(&history).await.map_err(told)?)?;
        if !found.is_in_order() || found.said.and_then(|ending| ending.winner) != Some(winner) {
            bail!("the audit found something wrong");
        }
        Ok([report, costs])
    }
}

/// What comes of something that players say, unless they are silent for too long.
pub async fn heard<T>(said: impl Future<Output = T>) -> Result<T> {
    let heard = tokio::time::timeout(SILENCE, said).await;
    heard.map_err(|_| eyre!("nothing has happened for {} s", SILENCE.as_secs()))
}

/// Runs a demo, which owns all that it starts, and writes its report. Whichever way it is left, dropping it ends all processes.
pub async fn run_demo<G: Played>(json: Option<&Path>, args: &G::DemoArgs) -> Result<()> {
    let out = begin_report(json)?;
    let repository = Repository::find_here().map_err(bad_input)?;
    let demo = Box::pin(G::demo(repository, args));
    write_report(out, &Signals::new()?.during(demo).await?)
}

/// Prints what each action cost, and gives it as JSON.
fn costs_told(costs: &[Mined]) -> Result<Value> {
    let mut by_action: BTreeMap<&str, Vec<&Mined>> = BTreeMap::new();
    for mined in costs {
        by_action.entry(&mined.action).or_default().push(mined);
    }
    say!("\naction         times gas, mean     least      most  calldata  mean fee")?;
    let mut report = Vec::new();
    for (action, all) in by_action {
        let gas = all.iter().map(|mined| mined.gas);
        let (least, most) = (gas.clone().min().unwrap_or_default(), gas.clone().max().unwrap_or_default());
        let mean = gas.sum::<u64>() / all.len() as u64;
        let bytes = all.iter().map(|mined| mined.calldata_bytes).max().unwrap_or_default();
        let fees: u128 = all.iter().map(|mined| mined.fee).sum();
        let fee = about_in_ether(fees / all.len() as u128);
        say!("{action:14} {:5} {mean:9} {least:9} {most:9} {bytes:9}  {fee} ETH", all.len())?;
        report.push(json!({
            "action": action, "times": all.len(), "gas": mean, "least": least, "most": most, "calldata_bytes": bytes,
        }));
    }
    let (gas, fee) = costs.iter().fold((0, 0), |(gas, fee), mined| (gas + mined.gas, fee + mined.fee));
    say!("whole game     {:5} {gas:9}  {} ETH", costs.len(), about_in_ether(fee))?;
    Ok(Value::Array(report))
}
