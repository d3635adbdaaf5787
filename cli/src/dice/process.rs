//! One of the demo's two machines: this program again, in processes and with a home of its own.
//!
//! Its standard input is a pipe from the demo: however the demo ends, the pipe closes and the player ends (`play --stay`). It is in
//! a process group of its own, so Ctrl-C in a terminal leaves the order of things to the demo.

use std::path::PathBuf;
use std::process::Stdio;

use alloy::primitives::Address;
use client::wallet::{Cost, Wallet};
use eyre::{Context, Result, bail, eyre};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

use crate::account::PASSWORD;
use crate::home::Home;

/// A player's machine: a folder with a wallet.
pub struct Machine {
    /// Who plays there.
    pub name: &'static str,
    /// The wallet's address.
    pub address: Address,
    folder: PathBuf,
    password: String,
    rpc: String,
    deployments: PathBuf,
}

impl Machine {
    /// Makes a machine with a new wallet below a folder.
    pub fn new(name: &'static str, below: &std::path::Path, rpc: &str, deployments: PathBuf) -> Result<Self> {
        // It protects a wallet that is deleted with the demo.
        let password = format!("{:032x}", rand::random::<u128>());
        let folder = below.join(name.to_lowercase());
        let (wallet, _) = Wallet::create(&Home::at(folder.clone()).wallets(), &password, Cost::Light)?;
        Ok(Self { name, address: wallet.address(), folder, password, rpc: rpc.to_owned(), deployments })
    }

    fn command(&self, args: &[&str]) -> Result<Command> {
        let program = std::env::current_exe().wrap_err("this program's own file can't be found")?;
        let mut command = Command::new(program);
        command.arg("dice").args(args).arg("--json").process_group(0).kill_on_drop(true);
        command.env("FOGMATE_HOME", &self.folder).env("FOGMATE_RPC", &self.rpc);
        command.env("FOGMATE_DEPLOYMENTS", &self.deployments).env(PASSWORD, &self.password);
        Ok(command)
    }

    /// Runs a command to its end; gives the JSON that it prints.
    pub async fn ask(&self, args: &[&str]) -> Result<Value> {
        let output = self.command(args)?.stdin(Stdio::null()).output().await?;
        if !output.status.success() {
            let complaint = String::from_utf8_lossy(&output.stderr);
            bail!("{}'s `fogmate dice {}` failed: {}", self.name, args[0], complaint.trim());
        }
        Ok(serde_json::from_slice(&output.stdout)?)
    }

    /// Starts the process that plays.
    pub fn play(&self, game: &str) -> Result<Process> {
        let mut command = self.command(&["play", game, "--auto", "--stay"])?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().wrap_err("a player can't be started")?;
        let output = child.stdout.take().ok_or_else(|| eyre!("a player has no output"))?;
        Ok(Process { name: self.name, child, lines: BufReader::new(output).lines() })
    }
}

/// A player's process. Dropping it kills it.
pub struct Process {
    name: &'static str,
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Process {
    /// The next thing that it says of the game itself; `take` is given all else.
    pub async fn next(&mut self, mut take: impl FnMut(Value)) -> Result<Value> {
        loop {
            let Some(line) = self.lines.next_line().await? else {
                let mut complaint = String::new();
                if let Some(mut errors) = self.child.stderr.take() {
                    errors.read_to_string(&mut complaint).await?;
                }
                let complaint = complaint.trim();
                let why = if complaint.is_empty() { "it was killed" } else { complaint };
                bail!("{}'s process has ended: {why}", self.name);
            };
            let said: Value = serde_json::from_str(&line)?;
            match said["event"].as_str() {
                Some("rolled" | "over") => return Ok(said),
                _ => take(said),
            }
        }
    }

    /// Waits for its end.
    pub async fn end(mut self) -> Result<()> {
        let status = self.child.wait().await?;
        if status.success() { Ok(()) } else { bail!("{}'s process ended with {status}", self.name) }
    }
}
