//! The demo from the first preparation to the last process ended.
//!
//! Everything that is started is owned by a value here: dropping [`play`]'s future at any point (Ctrl-C, a failure) kills
//! the players, ends Anvil and deletes the demo's folder.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use alloy::primitives::B256;
use client::chain::{Chain, unix};
use client::runtime::EngineKind;
use deploy::anvil::{Anvil, Hardfork};
use deploy::{Contracts, Game, Repository};
use eyre::{Context, Result, bail, eyre};
use game::{CommandError, Mode, Notice};
use serde_json::json;

use super::costs;
use super::local::{LocalChain, MINING};
use super::process::{Machine, Player, next_of};
use super::report::{AccountReport, AuditReport, DemoReport, EngineReport, ReplayReport, ResultReport};
use super::transcript::Transcript;
use crate::anvil::anvil_of;
use crate::cmd::audit::{Findings, account_summary, examine};
use crate::engine::tell_caveat;
use crate::failure::bad_input;
use crate::keys::{chess_verifiers, development_engine};
use crate::node::config;
use crate::output::{note, say};
use crate::script::Script;
use crate::transcripts::Opened as PlyFile;
use crate::words::cost;

/// What each player puts in, in ether, where moves are proven.
const STAKE: &str = "1";
/// After a contest a machine waits for some seconds more, for the chain's clock goes by its blocks.
pub const AFTERWARDS: u64 = 30;
/// A demo in which nothing happens for so long has failed.
const SILENCE: Duration = Duration::from_secs(300);

/// The names of the players, by their numbers.
const NAMES: [&str; 2] = ["Alice", "Bob"];

/// What to play, and with what.
#[derive(Debug)]
pub struct Demo {
    pub script: Script,
    pub repository: Repository,
    /// The folder of parameters and keys.
    pub cache: PathBuf,
    pub engine: EngineKind,
    /// The ply before which the link is cut.
    pub cut_link: Option<u16>,
    /// When moves are verified.
    pub mode: Mode,
    pub hardfork: Hardfork,
}

/// Plays the demo, and shows it on standard output.
pub async fn play(demo: Demo) -> Result<DemoReport> {
    let has_proofs = demo.mode.has_proofs();
    prepare_keys(demo.engine, &demo.cache).await?;
    tell_caveat(demo.engine);

    let folder = tempfile::Builder::new().prefix("fogmate-demo-").tempdir()?;
    note!("Starting a chain of our own (Anvil) and deploying the contracts …");
    let (anvil, cache) = (anvil_of(&demo.repository)?, demo.cache.clone());
    let contracts = Contracts::shipped(Game::Chess, true);
    let mut local = LocalChain::start(anvil, MINING, demo.hardfork, &contracts, folder.path(), cache).await?;
    local.environment.cut_link = demo.cut_link;
    let LocalChain { anvil, deployment, environment } = &local;
    let verifier = has_proofs.then(|| chess_verifiers(deployment)).transpose()?;

    let mut running = Match::start(&demo, &local, folder.path()).await?;
    running.show().await?;
    let chain = Chain::connect(config(&environment.rpc, deployment), None).await?;
    let file = running.write_transcript().await?;
    let plies = file.as_deref().map(PlyFile::read).transpose()?;
    let id = running.game;
    let look = || examine(&chain, id, verifier.as_ref(), Some(demo.engine), Vec::new(), plies.as_ref());
    let audited = look().await?;
    let of = if plies.is_some() { "the chain and a player's transcript" } else { "the chain alone" };
    let said = audited.said();
    say!("Audit from {of}: {}. {}", said.verdict, said.summary)?;
    running.publish_and_withdraw(has_proofs && demo.stake() != "0").await?;
    let replayed = look().await?;
    let actions = costs::read(&anvil.provider()?, deployment.address(), costs::name_of_chess_call).await?;
    say!("\n{}", costs::in_words(&actions).trim_end())?;
    let peak_mib = running.players.each_ref().map(|player| player.process.peak_mib());
    let backup_bytes = running.machines[0].backup_bytes();
    let replay = tell_replay(&audited, &replayed, &demo.script)?;
    let ending = running.transcript.ending.ok_or_else(|| bad_input("the game has no result"))?;
    for player in running.players {
        player.process.end().await;
    }
    let account = lay_open(&chain, id, demo.engine, &running.machines).await?;
    let (name, set_up_bytes) = (demo.engine.name().to_owned(), running.transcript.set_up_bytes);
    Ok(DemoReport {
        plies: running.transcript.report(),
        actions,
        engine: EngineReport { name, set_up_bytes, account },
        result: ResultReport { winner: ending.color, reason: ending.outcome.to_string() },
        peak_mib,
        backup_bytes,
        audit: AuditReport { ok: audited.audit.ok, plies: audited.audit.plies },
        replay,
    })
}

/// Prints the replay, and what was found before the view keys were published and after it.
fn tell_replay(audited: &Findings, replayed: &Findings, script: &Script) -> Result<ReplayReport> {
    let replay = replayed.replay.as_ref().map_err(|error| eyre!("no replay: {error}"))?;
    for finding in audited.audit.findings.iter().chain(&replay.findings) {
        note!("found: {finding}");
    }
    let (pgn, matches_script) = (replay.pgn(), replay.ok() && script.uci() == replay.uci());
    say!("\nThe whole game, replayed from the published view keys:\n\n{pgn}")?;
    Ok(ReplayReport { pgn, matches_script })
}

/// Both players lay their parts open, which are run again, where an engine's parts can be.
async fn lay_open(
    chain: &Chain,
    game: B256,
    engine: EngineKind,
    [alice, bob]: &[Machine; 2],
) -> Result<Option<AccountReport>> {
    if engine.accountable().is_none() {
        return Ok(None);
    }
    let disclosures = vec![alice.disclose(game).await?, bob.disclose(game).await?];
    let told = examine(chain, game, None, Some(engine), disclosures, None).await?.account;
    let told = told.ok_or_else(|| eyre!("nothing was made of what the players have laid open"))?;
    say!("Both lay their parts open. {}", account_summary(&told))?;
    told.findings.iter().for_each(|finding| note!("found: {finding}"));
    told.missing.iter().for_each(|missing| note!("missing: {missing}"));
    let sessions = told.sessions + told.unfinished;
    Ok(Some(AccountReport { ok: told.ok() && told.is_complete(), sessions, transcripts: told.transcripts }))
}

/// Makes or finds what proves with an engine, before anybody's clock runs.
pub async fn prepare_keys(engine: EngineKind, cache: &Path) -> Result<()> {
    let cache = cache.to_owned();
    tokio::task::spawn_blocking(move || development_engine(engine, || Ok(cache.clone())).map(drop)).await?
}

impl Demo {
    /// What each player puts in, in ether: on moves that nobody proves the contract takes nothing.
    fn stake(&self) -> &'static str {
        if self.engine.about().is_none() { STAKE } else { "0" }
    }
}

/// One player creates a game and the other joins it, as on two machines.
async fn open_game(machines: &[Machine; 2], demo: &Demo) -> Result<B256> {
    let (engine, stake) = (demo.engine, demo.stake());
    let (opponent, mode) = (machines[1].wallet.address().to_string(), demo.mode.to_string());
    let mut create = vec!["create", "--stake", stake, "--opponent", &opponent];
    match engine.about() {
        Some(about) => create.extend(["--engine", about.name]),
        None => create.extend(["--mode", &mode]),
    }
    let created = machines[0].ask(&create).await?;
    let text = |name: &str| -> Result<&str> {
        let found = created[name].as_str();
        found.ok_or_else(|| eyre!("`fogmate create` says nothing of the {name}"))
    };
    let (game, invite) = (text("game")?, text("invite")?);
    note!("Alice's invitation to Bob ({opponent}): {invite}");
    machines[1].ask(&["join", invite, "--stake", stake, "--engine", engine.name()]).await?;
    Ok(game.parse()?)
}

/// Two players' machines and processes in one game.
struct Match<'a> {
    anvil: &'a Anvil,
    game: B256,
    machines: [Machine; 2],
    players: [Player<Notice>; 2],
    transcript: Transcript,
    is_channel: bool,
    /// The ply at which each player last knew a woken game to stand without having a later position.
    settled: [Option<u16>; 2],
}

impl<'a> Match<'a> {
    /// Makes two machines below `folder`, opens a game between them, and starts playing it.
    async fn start(demo: &Demo, local: &'a LocalChain, folder: &Path) -> Result<Self> {
        let LocalChain { anvil, environment, .. } = local;
        let machines = local.machines(NAMES, None, folder).await?;
        let game = open_game(&machines, demo).await?;
        let moves = folder.join("script.json");
        std::fs::write(&moves, json!({ "moves": demo.script.uci() }).to_string())
            .wrap_err_with(|| moves.display().to_string())?;
        let play = |index: usize| machines[index].play(&game.to_string(), demo.mode, &moves, index == 0);
        let players = [play(0)?, play(1)?];
        say!("Chain 31337 on {}, game {game}", environment.rpc)?;
        let [alice, bob] = machines.each_ref().map(|machine| machine.wallet.address());
        say!("Alice is {alice}, Bob is {bob}; each puts in {} ETH.\n", demo.stake())?;
        let transcript = Transcript::new(environment.cut_link, demo.mode);
        let is_channel = demo.mode == Mode::Channel;
        let settled = [None; 2];
        Ok(Self { anvil, game, machines, players, transcript, is_channel, settled })
    }

    /// Shows the game as it goes on, to its end.
    async fn show(&mut self) -> Result<()> {
        while !self.transcript.is_complete() {
            self.hear().await?;
            let mut out = std::io::stdout().lock();
            out.write_all(self.transcript.next_words().as_bytes())?;
            out.flush()?;
        }
        if let Some(ending) = self.transcript.ending {
            let winner = ending.color.map_or("Nobody", |color| color.name());
            say!("{winner} wins: {}.\n", ending.outcome)?;
        }
        Ok(())
    }

    /// Has the plies that went from machine to machine written into a file, if there are any.
    async fn write_transcript(&self) -> Result<Option<PathBuf>> {
        match self.is_channel {
            true => Ok(Some(self.machines[0].transcript(self.game).await?)),
            false => Ok(None),
        }
    }

    /// Both publish their view keys, and the winner fetches the stakes, if there are any.
    async fn publish_and_withdraw(&mut self, has_stakes: bool) -> Result<()> {
        for player in &mut self.players {
            player.process.type_line("publish").await?;
        }
        while !self.transcript.is_published() {
            self.hear().await?;
        }
        say!("Both view keys are published.")?;
        let winner = self.transcript.ending.and_then(|ending| ending.color).filter(|_| has_stakes);
        if let Some(winner) = winner.and_then(|color| self.transcript.player_of(color)) {
            self.players[winner].process.type_line("withdraw").await?;
            let cost = loop {
                match self.transcript.withdrawn {
                    Some((gas, fee)) => break cost(gas, fee),
                    None => self.hear().await?,
                }
            };
            say!("The winner has withdrawn both stakes ({cost}).")?;
        }
        Ok(())
    }

    /// Lets the time of a contest pass, once neither player has a later position to show.
    async fn end_contest(&self, until: u64) -> Result<()> {
        let [alice, bob] = self.settled;
        if alice.is_some() && alice == bob {
            self.anvil.pass_time(until.saturating_sub(unix()) + AFTERWARDS).await?;
            note!("The demo lets the time pass in which a later position can be shown.");
        }
        Ok(())
    }

    /// Takes the next notice of either player.
    async fn hear(&mut self) -> Result<()> {
        let (player, notice) = next_of(&mut self.players, [true; 2], SILENCE).await?;
        match &notice {
            Notice::Failed { reason } => note!("note from {}: {reason}", NAMES[player]),
            Notice::Fault { fault } if !fault.may_be_honest() => {
                note!("note from {}: {fault}", NAMES[player]);
            }
            Notice::DemandingSight { .. } | Notice::SightDemanded { .. } | Notice::SightAnswered { .. } => {
                note!("{}: {}", NAMES[player], notice.note().unwrap_or_default());
            }
            // The seat of a woken game remembers what its player has chosen.
            Notice::Refused { error: CommandError::AlreadyChosen { .. }, .. } => {}
            Notice::Waking { .. } | Notice::Awake { .. } => {
                note!("{}: {}", NAMES[player], notice.note().unwrap_or_default());
            }
            Notice::Woken { ply, contested, until, .. } => {
                note!("{}: {}", NAMES[player], notice.note().unwrap_or_default());
                self.settled[player] = (!contested).then_some(*ply);
                self.end_contest(*until).await?;
            }
            Notice::Refused { error, .. } => bail!("{}'s seat refuses: {error}", NAMES[player]),
            _ => {}
        }
        self.transcript.take(player, &notice);
        Ok(())
    }
}
