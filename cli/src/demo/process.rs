//! One of the two machines of a demo, or of a game against the bot: this program again, in a process and with a home of its own.
//!
//! Its standard input is a pipe from the demo: however the demo ends, the pipe closes and the player ends (`play --stay`).
//! It is in a process group of its own, so Ctrl-C in a terminal leaves the order of things to the demo.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use alloy::primitives::B256;
use client::wallet::{Cost, Wallet};
use eyre::{Context, Result, bail, ensure, eyre};
use game::{Mode, Notice};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::account::PASSWORD;
use crate::cmd::audit::Opened;
use crate::home::Home;

/// How long a player may take to end when asked to.
const PATIENCE: Duration = Duration::from_secs(3);
/// Most of a player's complaints that are shown when it fails.
const COMPLAINT_LINES: usize = 8;

/// What all commands of both machines have in common.
#[derive(Clone, Debug)]
pub struct Environment {
    pub rpc: String,
    /// The folder of the deployment's file.
    pub deployments: PathBuf,
    /// Parameters and keys, made before.
    pub cache: PathBuf,
    /// The ply before which both cut the link.
    pub cut_link: Option<u16>,
    /// The file whose lock a process holds while it proves: both share this computer's cores.
    pub proving_lock: PathBuf,
}

/// A player's machine: a folder with a wallet.
#[derive(Debug)]
pub struct Machine {
    pub name: &'static str,
    /// The subcommand of its game; none for dark chess.
    subcommand: Option<&'static str>,
    folder: PathBuf,
    password: String,
    environment: Environment,
    pub wallet: Wallet,
}

impl Machine {
    /// Makes a machine with a new wallet in a folder.
    pub fn new(
        name: &'static str,
        subcommand: Option<&'static str>,
        folder: PathBuf,
        environment: Environment,
    ) -> Result<Self> {
        // It protects a wallet that is deleted with the demo; its cost would be paid several times.
        let password = format!("{:032x}", rand::random::<u128>());
        let home = Home { root: folder.clone() };
        let (wallet, _) = Wallet::create(&home.wallets(), &password, Cost::Light)?;
        Ok(Self { name, subcommand, folder, password, environment, wallet })
    }

    /// A command of this program on the machine.
    pub fn command(&self, args: &[&str]) -> Result<Command> {
        let program = std::env::current_exe().wrap_err("this program's own file can't be found")?;
        let Environment { rpc, deployments, cache, .. } = &self.environment;
        let mut command = Command::new(program);
        command.args(self.subcommand).args(args).kill_on_drop(true);
        command.env("FOGMATE_HOME", &self.folder).env("FOGMATE_RPC", rpc);
        command.env("FOGMATE_DEPLOYMENTS", deployments).env("FOGMATE_CACHE", cache);
        command.env(PASSWORD, &self.password);
        Ok(command)
    }

    /// Runs a command to its end; gives the JSON that it prints.
    pub async fn ask(&self, args: &[&str]) -> Result<Value> {
        let mut command = self.command(args)?;
        let output = command.arg("--json").process_group(0).stdin(Stdio::null()).output().await?;
        if !output.status.success() {
            let complaint = String::from_utf8_lossy(&output.stderr);
            let asked = [self.subcommand.as_slice(), &args[..1]].concat().join(" ");
            bail!("{}'s `fogmate {asked}` failed: {}", self.name, complaint.trim());
        }
        Ok(serde_json::from_slice(&output.stdout)?)
    }

    /// Has its part of a game laid open. The game must be over and not be played any more.
    pub async fn disclose(&self, game: B256) -> Result<Opened> {
        let path = self.folder.join("disclosure.json");
        let file = path.to_str().ok_or_else(|| eyre!("{} is no UTF-8", path.display()))?;
        self.ask(&["disclose", "--game", &game.to_string(), "--output", file]).await?;
        Opened::read(&path)
    }

    /// Has the plies of a game between the machines written into a file, from the backup that is kept while it is played.
    pub async fn transcript(&self, game: B256) -> Result<PathBuf> {
        let (path, backup) = (self.folder.join("transcript.json"), self.backup());
        let text =
            |path: &Path| path.to_str().map(str::to_owned).ok_or_else(|| eyre!("{} is no UTF-8", path.display()));
        let (file, folder) = (text(&path)?, text(&backup)?);
        self.ask(&["transcript", &game.to_string(), "--backup", &folder, "--output", &file]).await?;
        Ok(path)
    }

    fn backup(&self) -> PathBuf {
        self.folder.join("backup")
    }

    /// How many bytes the backup of its one game has; none if there is no backup.
    pub fn backup_bytes(&self) -> Option<u64> {
        let file = std::fs::read_dir(self.backup()).ok()?.next()?.ok()?;
        Some(file.metadata().ok()?.len())
    }

    /// Starts the process that plays a script. A game between the machines has a backup, and whoever `posts` publishes its transcript at the end.
    pub fn play(&self, game: &str, mode: Mode, script: &Path, posts: bool) -> Result<Player<Notice>> {
        let mut command = self.seat(&["play", game, "--json", "--stay"])?;
        command.arg("--script").arg(script);
        if mode == Mode::Channel {
            command.arg("--backup").arg(self.backup());
            if posts {
                command.arg("--publish-transcript");
            }
        }
        if let Some(ply) = self.environment.cut_link {
            command.args(["--cut-link", &ply.to_string()]);
        }
        self.listen(command, Notice::from_line)
    }

    /// Starts a process. Each line that it prints is read by `read`; what that gives is heard until the process ends.
    pub fn listen<T: Send + 'static>(&self, command: Command, read: fn(&str) -> Option<T>) -> Result<Player<T>> {
        let mut process = self.start(command, Stdio::piped())?;
        let output = process.child.stdout.take().ok_or_else(|| eyre!("a player has no output"))?;
        let (sender, heard) = unbounded_channel();
        tokio::spawn(async move {
            let mut lines = BufReader::new(output).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                if let Some(said) = read(&line)
                    && sender.send(said).is_err()
                {
                    return;
                }
            }
        });
        Ok(Player { process, heard })
    }

    /// A command that plays: it proves only while no other one does.
    pub fn seat(&self, args: &[&str]) -> Result<Command> {
        let mut command = self.command(args)?;
        command.arg("--proving-lock").arg(&self.environment.proving_lock);
        Ok(command)
    }

    /// Starts a command beside this one, and keeps what it complains of.
    pub fn start(&self, mut command: Command, output: Stdio) -> Result<Process> {
        let complaints = self.folder.join("stderr.txt");
        let file = std::fs::File::create(&complaints).wrap_err_with(|| complaints.display().to_string())?;
        command.process_group(0).stdin(Stdio::piped()).stdout(output).stderr(file);
        let mut child = command.spawn().wrap_err("a player can't be started")?;
        let input = child.stdin.take();
        Ok(Process { name: self.name, child, input, complaints })
    }
}

/// A player's process, and what it says until its end.
pub struct Player<T> {
    pub process: Process,
    heard: UnboundedReceiver<T>,
}

impl<T> Player<T> {
    /// The next thing that it says.
    pub async fn next(&mut self) -> Result<T> {
        match self.heard.recv().await {
            Some(said) => Ok(said),
            None => bail!(self.process.complaint()),
        }
    }

    /// Waits until it has ended by itself, which must be without a failure.
    pub async fn ended(mut self) -> Result<()> {
        let status = self.process.ended().await?;
        ensure!(status.success(), "{}'s process ended with {status}", self.process.name);
        Ok(())
    }
}

/// Which player says something next, of those who still play, and what. Fails if both are silent for so long.
pub async fn next_of<T>(
    [alice, bob]: &mut [Player<T>; 2],
    [alice_plays, bob_plays]: [bool; 2],
    silence: Duration,
) -> Result<(usize, T)> {
    let next = async {
        tokio::select! {
            said = alice.next(), if alice_plays => (0, said),
            said = bob.next(), if bob_plays => (1, said),
        }
    };
    let heard = tokio::time::timeout(silence, next).await;
    let (by, said) = heard.map_err(|_| eyre!("nothing has happened for {} s", silence.as_secs()))?;
    Ok((by, said?))
}

/// A player's process. Dropping it kills it.
#[derive(Debug)]
pub struct Process {
    pub name: &'static str,
    child: Child,
    input: Option<ChildStdin>,
    complaints: PathBuf,
}

impl Process {
    pub async fn type_line(&mut self, line: &str) -> Result<()> {
        let input = self.input.as_mut().ok_or_else(|| eyre!("{} takes no more commands", self.name))?;
        Ok(input.write_all(format!("{line}\n").as_bytes()).await?)
    }

    /// Waits for its end, which its input doesn't bring about.
    pub async fn ended(&mut self) -> io::Result<ExitStatus> {
        self.child.wait().await
    }

    /// Most memory that it had, in MiB, where the system tells (Linux's `/proc`).
    pub fn peak_mib(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()?)).ok()?;
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        Some(peak.trim().strip_suffix(" kB")?.parse::<u64>().ok()? / 1024)
    }

    /// Why it ended, in its own words.
    pub fn complaint(&self) -> String {
        let text = std::fs::read_to_string(&self.complaints).unwrap_or_default();
        let said = |line: &&str| line.starts_with("error: ") || line.contains(" panicked at ");
        let lines: Vec<&str> = text.lines().filter(said).collect();
        let last = &lines[lines.len().saturating_sub(COMPLAINT_LINES)..];
        let last = if last.is_empty() { "it was killed".to_owned() } else { last.join("; ") };
        format!("{}'s process has ended: {last}", self.name)
    }

    /// Ends it: it is asked to, and killed if it doesn't.
    pub async fn end(mut self) {
        drop(self.input.take());
        if tokio::time::timeout(PATIENCE, self.child.wait()).await.is_err() {
            // An error means that it has just ended.
            let _ = self.child.kill().await;
        }
    }
}
