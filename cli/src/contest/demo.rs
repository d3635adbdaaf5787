//! A whole game between two processes on a chain of its own, audited at the end: what both say of it, and what its transactions cost.
//!
//! Everything that is started is owned by a value here: dropping [`run_demo`]'s future at any point kills the players, ends Anvil and deletes the
//! demo's folder.

use std::env;
use std::path::{Path, PathBuf};
use std::time::Duration;

use alloy::primitives::B256;
use client::contest::{Chain, audit, name_of_call};
use client::lobby::in_ether;
use contest::Role;
use deploy::anvil::Hardfork;
use deploy::{Contracts, Repository};
use eyre::{OptionExt as _, Result, bail};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::Played;
use super::common::told;
use super::tell::audited;
use crate::cache::of_clone;
use crate::demo::{LocalChain, MINING, Machine, Player, costs, next_of};
use crate::failure::bad_input;
use crate::files::{begin_report, write_report};
use crate::node::config;
use crate::output::{note, say};
use crate::process::Signals;
use crate::words::cost_of;

/// What each player puts in, in ether.
const STAKE: &str = "1";
/// A demo in which nothing happens for so long has failed.
const SILENCE: Duration = Duration::from_secs(120);

/// A chain of its own, and two machines of players with money on it.
struct Stage {
    /// It is deleted with the stage.
    _folder: TempDir,
    local: LocalChain,
    machines: [Machine; 2],
}

impl Stage {
    /// Starts a chain, deploys the game's contract there and gives both players a wallet with money. Keys are looked for in `cache`.
    async fn set<G: Played>(repository: &Repository, cache: PathBuf) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix(&format!("fogmate-{}-", G::NAME)).tempdir()?;
        note!("Starting a chain of our own (Anvil) and deploying the contract of {} …", G::NAME);
        let (anvil, contracts) = (repository.anvil()?, Contracts::shipped(G::KIND, G::IS_PROVEN));
        let local = LocalChain::start(anvil, MINING, Hardfork::default(), &contracts, folder.path(), cache).await?;
        let machines = local.machines(["Alice", "Bob"], Some(G::NAME), folder.path()).await?;
        Ok(Self { _folder: folder, local, machines })
    }

    /// One player creates a game for a stake and the other joins it, as on two machines.
    async fn open<G: Played>(&self, setup: &G::Setup) -> Result<B256> {
        let (opponent, options) = (self.machines[1].wallet.address().to_string(), G::options(setup));
        let mut create = vec!["create", "--stake", STAKE, "--opponent", &opponent];
        create.extend(options.iter().map(String::as_str));
        let created = self.machines[0].ask(&create).await?;
        let game = created["game"].as_str().ok_or_eyre("`create` tells no game")?;
        self.machines[1].ask(&["join", game, "--stake", STAKE]).await?;
        say!("Chain 31337 on {}, game {game}", self.local.environment.rpc)?;
        let [alice, bob] = self.machines.each_ref().map(|machine| machine.wallet.address());
        say!("Alice is {alice}, Bob is {bob}; each puts in {STAKE} ETH.\n")?;
        Ok(game.parse()?)
    }

    /// The processes that play.
    fn play<G: Played>(&self, game: B256) -> Result<[Player<Value>; 2]> {
        let play = |machine: &Machine| -> Result<Player<Value>> {
            let command = machine.command(&[&["play", &game.to_string(), "--json", "--stay"], G::DEMO].concat())?;
            machine.listen(command, |line| serde_json::from_str(line).ok())
        };
        let [alice, bob] = &self.machines;
        Ok([play(alice)?, play(bob)?])
    }

    /// The winner fetches both stakes; gives how much, in ether.
    async fn withdraw(&self, winner: Role) -> Result<String> {
        let machine = &self.machines[winner as usize];
        let fetched = machine.ask(&["withdraw"]).await?;
        let paid = fetched["owed_wei"].as_str().and_then(|wei| wei.parse::<u128>().ok()).unwrap_or_default();
        let paid = in_ether(paid);
        say!("{} has withdrawn both stakes, {paid} ETH ({}).", machine.name, cost_of(&fetched))?;
        Ok(paid)
    }

    /// Audits a game from the chain alone, and tells what its transactions cost: both as JSON. Fails if it isn't in order, or didn't end so.
    async fn audit<G: Played>(&self, game: B256, winner: Option<Role>) -> Result<[Value; 2]> {
        let LocalChain { anvil, deployment, environment } = &self.local;
        let chain = Chain::<G>::connect(&config(&environment.rpc, deployment), None).await.map_err(told)?;
        let history = chain.history(game).await.map_err(told)?;
        let found = audit(&chain, &G::verifier(deployment)?, &history).await.map_err(told)?;
        let (report, words) = audited(&found);
        say!("Audit from the chain alone: {words}")?;
        let name = |calldata: &[u8]| name_of_call::<G>(calldata).unwrap_or("unknown").to_owned();
        let costs = costs::read(&anvil.provider()?, deployment.address(), name).await?;
        say!("\n{}", costs::in_words(&costs).trim_end())?;
        if !found.is_in_order() || found.said.map(|ending| ending.winner) != Some(winner) {
            bail!("the audit found something wrong");
        }
        Ok([report, serde_json::to_value(costs)?])
    }
}

/// Runs a demo, which owns all that it starts, and writes its report. Whichever way it is left, dropping it ends all processes.
pub async fn run_demo<G: Played>(json: Option<&Path>, setup: &G::SetupArgs) -> Result<()> {
    let out = begin_report(json)?;
    let repository = Repository::find_here().map_err(bad_input)?;
    let demo = Box::pin(demo::<G>(&repository, G::setup(setup)));
    write_report(out, &Signals::new()?.during(demo).await?)
}

/// Plays a whole game, shows it on standard output, and gives its report in JSON.
async fn demo<G: Played>(repository: &Repository, setup: G::Setup) -> Result<Value> {
    let cache = env::var_os("FOGMATE_CACHE").map_or_else(|| of_clone(repository), PathBuf::from);
    let stage = Stage::set::<G>(repository, cache.clone()).await?;
    G::prepare(cache, &stage.local.deployment).await?;
    let game = stage.open::<G>(&setup).await?;
    let mut players = stage.play::<G>(game)?;
    let (told, ending) = show::<G>(&mut players).await?;
    for player in players {
        player.ended().await?;
    }
    let winner = Role::ALL.into_iter().find(|role| ending["winner"] == role.name());
    say!("")?;
    let paid = match winner {
        Some(winner) => Some(stage.withdraw(winner).await?),
        None => None,
    };
    let [report, costs] = stage.audit::<G>(game, winner).await?;
    Ok(json!({ "told": told, "ending": ending, "paid_ether": paid, "audit": report, "costs": costs }))
}

/// Shows what both players say and type until both know the end, which they must tell alike; gives what they have said, and the end.
async fn show<G: Played>(players: &mut [Player<Value>; 2]) -> Result<(Vec<Value>, Value)> {
    let (mut told, mut ends): (Vec<Value>, [Option<Value>; 2]) = Default::default();
    while ends.iter().any(Option::is_none) {
        let (by, said) = next_of(players, ends.each_ref().map(Option::is_none), SILENCE).await?;
        let process = &mut players[by].process;
        let (name, text) = (process.name, said["text"].as_str().unwrap_or_default());
        let typed = G::demo_line(Role::ALL[by], &said);
        // What a player waits for or is asked can be seen from what comes next.
        for line in text.lines().filter(|_| typed.is_none() && said["event"] != "waits") {
            say!("{name:5}  {line}")?;
        }
        if let Some(line) = typed {
            say!("{name:5}  > {line}")?;
            process.type_line(line).await?;
        }
        told.push(json!({ "player": name, "said": said }));
        if said["event"] == "over" {
            ends[by] = Some(said);
        }
    }
    let [first, second] = ends.map(Option::unwrap_or_default);
    if (&first["winner"], &first["outcome"]) != (&second["winner"], &second["outcome"]) {
        bail!("the players disagree: {first}, {second}");
    }
    Ok((told, first))
}
