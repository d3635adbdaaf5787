//! The demo from the first preparation to the last process ended.
//!
//! Everything that is started is owned by a value here: dropping [`play`]'s future at any point (Ctrl-C, a failure) kills
//! the players, ends Anvil and deletes the demo's folder.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use alloy::primitives::U256;
use alloy::signers::local::PrivateKeySigner;
use client::chain::{Chain, ChainConfig};
use client::runtime::{KeyProver, Parameters};
use deploy::anvil::{Anvil, FIRST_ACCOUNT_KEY, Mining};
use deploy::{DeployConfig, Deployment, Repository, Verifier, deploy};
use eyre::{Context, Result, bail, eyre};
use game::GameRef;
use serde_json::Value;
use tokio::sync::mpsc::{self, UnboundedReceiver};

use super::player::{Player, Process, Told, World};
use super::ply::grouped;
use super::report::{AuditReport, DemoReport, ReplayReport};
use super::story::Story;
use crate::cmd::audit::{Findings, examine, summary};
use crate::event::PlayEvent;
use crate::failure::bad_input;
use crate::keys::{Bar, turn_verifier};
use crate::output::say;
use crate::script::Script;

/// What each player has, in wei: ten ether.
const PURSE: u128 = 10_000_000_000_000_000_000;
/// What each player puts in, in ether.
const STAKE: &str = "1";
/// A demo in which nothing happens for so long has failed.
const SILENCE: Duration = Duration::from_secs(300);

/// What to play, and with what.
#[derive(Debug)]
pub struct Demo {
    /// The moves.
    pub script: Script,
    /// The clone.
    pub repository: Repository,
    /// The folder of parameters and keys.
    pub cache: PathBuf,
}

/// Plays the demo, telling it on standard output.
pub async fn play(demo: Demo) -> Result<DemoReport> {
    let script = &demo.script;
    let verifier = Verifier::development(&demo.repository.contracts());
    let verifier =
        verifier.wrap_err("the generated verifier is missing (`make verifiers` writes it)")?;
    prepare_keys(&demo.cache).await?;

    let folder = tempfile::Builder::new().prefix("fogmate-demo-").tempdir()?;
    let repository = demo.repository.clone();
    eprintln!("Starting a chain of our own (Anvil) and deploying the contracts …");
    let anvil =
        tokio::task::spawn_blocking(move || Anvil::start(&repository, Mining::Instant)).await??;
    let world = World {
        rpc: anvil.rpc(),
        deployments: folder.path().join("deployments"),
        cache: demo.cache.clone(),
        proving_lock: folder.path().join("proving.lock"),
    };
    let deployment = deploy_to(&world, demo.repository.clone(), verifier).await?;
    let parameters = Parameters::Development;
    let (cache, known) = (demo.cache.clone(), deployment.clone());
    let verifier =
        tokio::task::spawn_blocking(move || turn_verifier(&parameters, &cache, &known)).await??;

    let players = [
        Player::new("Alice", folder.path().join("alice"), world.clone())?,
        Player::new("Bob", folder.path().join("bob"), world.clone())?,
    ];
    for player in &players {
        anvil.fund(player.address(), U256::from(PURSE)).await?;
    }
    let game = open_game(&players).await?;
    let script_file = folder.path().join("script.json");
    std::fs::write(
        &script_file,
        serde_json::json!({ "moves": script.uci() }).to_string(),
    )?;
    let (sender, told) = mpsc::unbounded_channel();
    let processes = [
        players[0].play(&game, &script_file, 0, sender.clone())?,
        players[1].play(&game, &script_file, 1, sender)?,
    ];
    say!("Chain 31337 on {}, game {game}", world.rpc)?;
    say!(
        "Alice is {}, Bob is {}; each puts in {STAKE} ETH.\n",
        players[0].address(),
        players[1].address()
    )?;

    let mut table = Table {
        processes,
        told,
        story: Story::default(),
    };
    table.until_told().await?;
    let chain = read_only(&world, &deployment).await?;
    let game = GameRef {
        chain_id: deployment.chain_id,
        contract: deployment.game.address,
        game_id: game.parse()?,
    };
    let findings = examine(&chain, game, &verifier).await?;
    say!("Audit from the chain alone: {}", summary(&findings.report))?;
    table.after_the_game().await?;
    let replayed = examine(&chain, game, &verifier).await?;
    let report = conclude(&table.story, &findings, &replayed, script)?;
    let Table {
        processes: [first, second],
        ..
    } = table;
    first.end().await;
    second.end().await;
    drop(anvil);
    Ok(report)
}

/// Makes or finds the keys before anybody's clock runs.
async fn prepare_keys(cache: &Path) -> Result<()> {
    eprintln!(
        "Preparing the keys in {} (the first time takes a while) …",
        cache.display()
    );
    let cache = cache.to_owned();
    tokio::task::spawn_blocking(move || -> Result<()> {
        let bar = Bar::default();
        KeyProver::load_or_make(&Parameters::Development, &cache, &bar)?;
        bar.clear();
        Ok(())
    })
    .await?
}

async fn deploy_to(
    world: &World,
    repository: Repository,
    verifier: Verifier,
) -> Result<Deployment> {
    let config = DeployConfig {
        rpc: world.rpc.clone(),
        repository,
        verifier,
        deployments: world.deployments.clone(),
    };
    let signer: PrivateKeySigner = FIRST_ACCOUNT_KEY.parse()?;
    Ok(deploy(&config, signer).await?)
}

/// One player creates a game and the other joins it, as on two machines.
async fn open_game(players: &[Player; 2]) -> Result<String> {
    let opponent = players[1].address().to_string();
    let created = players[0]
        .ask(&["create", "--stake", STAKE, "--opponent", &opponent])
        .await?;
    let text = |value: &Value, name: &str| -> Result<String> {
        let found = value[name].as_str().map(str::to_owned);
        found.ok_or_else(|| eyre!("`fogmate create` says nothing of the {name}"))
    };
    let (game, invite) = (text(&created, "game")?, text(&created, "invite")?);
    eprintln!(
        "Alice's invitation to Bob ({}): {invite}",
        players[1].address()
    );
    players[1].ask(&["join", &invite, "--stake", STAKE]).await?;
    Ok(game)
}

async fn read_only(world: &World, deployment: &Deployment) -> Result<Chain> {
    let config = ChainConfig::new(
        &world.rpc,
        deployment.chain_id,
        deployment.game.address,
        deployment.game.code_hash,
        deployment.block,
    );
    Ok(Chain::read_only(config).await?)
}

/// Two players at work.
struct Table {
    processes: [Process; 2],
    told: UnboundedReceiver<Told>,
    story: Story,
}

impl Table {
    /// Tells the game as it goes on, to its end.
    async fn until_told(&mut self) -> Result<()> {
        while !self.story.is_told() {
            self.hear().await?;
            let mut out = std::io::stdout().lock();
            out.write_all(self.story.tell().as_bytes())?;
            out.flush()?;
        }
        if let Some(result) = self.story.result() {
            let winner = result.winner.as_deref().map_or("Nobody", |color| {
                if color == "white" { "White" } else { "Black" }
            });
            say!("{winner} wins: {}.\n", result.reason)?;
        }
        Ok(())
    }

    /// Both publish their view keys, and the winner, or else everybody, fetches the stakes.
    async fn after_the_game(&mut self) -> Result<()> {
        for process in &mut self.processes {
            process.tell("publish").await?;
        }
        while !self.story.is_published() {
            self.hear().await?;
        }
        say!("Both view keys are published.")?;
        let winner = self.story.result().and_then(|result| result.winner.clone());
        if let Some(winner) = winner.and_then(|color| self.story.player_of(&color)) {
            self.processes[winner].tell("withdraw").await?;
            while self.story.withdrawn().is_none() {
                self.hear().await?;
            }
            let gas = grouped(self.story.withdrawn().unwrap_or_default());
            say!("The winner has withdrawn both stakes ({gas} gas).")?;
        }
        Ok(())
    }

    /// Hears the next thing from either player.
    async fn hear(&mut self) -> Result<()> {
        let heard = tokio::time::timeout(SILENCE, self.told.recv()).await;
        match heard.map_err(|_| eyre!("nothing has happened for {} s", SILENCE.as_secs()))? {
            Some((player, Some(event))) => {
                if let PlayEvent::Failed { reason }
                | PlayEvent::Fault {
                    reason,
                    may_be_honest: false,
                } = &event
                {
                    eprintln!("note from {}: {reason}", ["Alice", "Bob"][player]);
                }
                if let PlayEvent::Refused { reason } = &event {
                    bail!("{}'s seat refuses: {reason}", ["Alice", "Bob"][player]);
                }
                self.story.take(player, &event);
                Ok(())
            }
            Some((player, None)) => bail!(self.processes[player].complaint()),
            None => bail!("both players have ended"),
        }
    }
}

/// Prints the replay and puts the report together.
fn conclude(
    story: &Story,
    audited: &Findings,
    replayed: &Findings,
    script: &Script,
) -> Result<DemoReport> {
    let replay = replayed
        .replay
        .as_ref()
        .map_err(|error| eyre!("no replay: {error}"))?;
    for finding in audited.report.findings.iter().chain(&replay.findings) {
        eprintln!("found: {finding}");
    }
    let uci = replay.uci();
    let matches_script = replay.ok() && script.uci() == uci;
    say!(
        "\nThe whole game, replayed from the published view keys:\n\n{}",
        replay.pgn()
    )?;
    let result = story
        .result()
        .cloned()
        .ok_or_else(|| bad_input("the game has no result"))?;
    Ok(DemoReport {
        plies: story.plies(),
        result,
        audit: AuditReport {
            ok: audited.report.ok,
            plies: audited.report.plies,
        },
        replay: ReplayReport {
            pgn: replay.pgn(),
            matches_script,
        },
    })
}
