//! One of a demo's two machines: this program again, in processes and with a home of its own.
//!
//! Its standard input is a pipe from the demo: however the demo ends, the pipe closes and the player ends with it. It is in
//! a process group of its own, so Ctrl-C in a terminal leaves the order of things to the demo.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use alloy::primitives::Address;
use client::wallet::{Cost, Wallet};
use eyre::{Context, Result, bail, eyre};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use crate::account::PASSWORD;
use crate::home::Home;

/// A player's machine: a folder with a wallet.
pub struct Machine {
    pub name: &'static str,
    pub address: Address,
    /// The subcommand of its game.
    game: &'static str,
    folder: PathBuf,
    password: String,
    /// Variables of its processes.
    environment: Vec<(&'static str, PathBuf)>,
}

impl Machine {
    /// Makes a machine with a new wallet below a folder, for the game of a subcommand.
    pub fn new(
        game: &'static str,
        name: &'static str,
        below: &Path,
        environment: &[(&'static str, PathBuf)],
    ) -> Result<Self> {
        // It protects a wallet that is deleted with the demo.
        let password = format!("{:032x}", rand::random::<u128>());
        let folder = below.join(name.to_lowercase());
        let (wallet, _) = Wallet::create(&Home { root: folder.clone() }.wallets(), &password, Cost::Light)?;
        Ok(Self { name, address: wallet.address(), game, folder, password, environment: environment.to_vec() })
    }

    fn command(&self, args: &[&str]) -> Result<Command> {
        let program = std::env::current_exe().wrap_err("this program's own file can't be found")?;
        let mut command = Command::new(program);
        command.arg(self.game).args(args).arg("--json").process_group(0).kill_on_drop(true);
        command.env("FOGMATE_HOME", &self.folder).env(PASSWORD, &self.password);
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        Ok(command)
    }

    /// Runs a command to its end; gives the JSON that it prints.
    pub async fn ask(&self, args: &[&str]) -> Result<Value> {
        let output = self.command(args)?.stdin(Stdio::null()).output().await?;
        if !output.status.success() {
            let complaint = String::from_utf8_lossy(&output.stderr);
            bail!("{}'s `fogmate {} {}` failed: {}", self.name, self.game, args[0], complaint.trim());
        }
        Ok(serde_json::from_slice(&output.stdout)?)
    }

    /// Starts the process that plays.
    pub fn play(&self, game: &str, more: &[&str]) -> Result<Process> {
        let mut command = self.command(&[&["play", game], more].concat())?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().wrap_err("a player can't be started")?;
        let output = child.stdout.take().ok_or_else(|| eyre!("a player has no output"))?;
        let input = child.stdin.take().ok_or_else(|| eyre!("a player has no input"))?;
        Ok(Process { name: self.name, child, input, lines: BufReader::new(output).lines() })
    }
}

/// A player's process. Dropping it kills it.
pub struct Process {
    pub name: &'static str,
    child: Child,
    input: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Process {
    /// The next thing that it says.
    pub async fn next(&mut self) -> Result<Value> {
        match self.lines.next_line().await? {
            Some(line) => Ok(serde_json::from_str(&line)?),
            None => {
                let mut complaint = String::new();
                if let Some(mut errors) = self.child.stderr.take() {
                    errors.read_to_string(&mut complaint).await?;
                }
                let complaint = complaint.trim();
                let why = if complaint.is_empty() { "it was killed" } else { complaint };
                bail!("{}'s process has ended: {why}", self.name);
            }
        }
    }

    pub async fn type_line(&mut self, line: &str) -> Result<()> {
        Ok(self.input.write_all(format!("{line}\n").as_bytes()).await?)
    }

    /// Waits for its end.
    pub async fn end(mut self) -> Result<()> {
        let status = self.child.wait().await?;
        if status.success() { Ok(()) } else { bail!("{}'s process ended with {status}", self.name) }
    }
}
