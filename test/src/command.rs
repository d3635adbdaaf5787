//! The built `fogmate` command, run as its users run it: players on machines of their own, killed and started again.

use crate::{PATIENCE, TestChain, cache};
use alloy::primitives::{Address, U256};
use client::wallet::{Cost, Wallet};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::mpsc::{self, UnboundedReceiver};

const PASSWORD: &str = "of no importance";

/// The command's file: beside this test's own, where a build of the workspace puts it; built if it isn't there.
pub fn fogmate() -> PathBuf {
    let own = std::env::current_exe().expect("a test has a file");
    let profile = own.ancestors().nth(2).expect("target/release/deps");
    let program = profile.join("fogmate");
    if !program.exists() {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let target = profile.parent().expect("target");
        let built = std::process::Command::new(cargo)
            .args(["build", "--release", "--package", "fogmate", "--target-dir"])
            .arg(target)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status();
        assert!(built.is_ok_and(|status| status.success()), "the command doesn't build");
    }
    program
}

/// A player's machine: a folder with a wallet, and the command.
#[derive(Debug)]
pub struct Machine {
    home: TempDir,
    pub address: Address,
    rpc: String,
    deployments: PathBuf,
}

impl Machine {
    /// A machine with a new wallet, and money for it.
    pub async fn new(test_chain: &TestChain) -> Self {
        let home = tempfile::tempdir().expect("a temporary folder");
        let made = Wallet::create(&home.path().join("wallets"), PASSWORD, Cost::Light);
        let address = made.expect("a wallet").0.address();
        let money = U256::from(10).pow(U256::from(19));
        test_chain.anvil.fund(address, money).await.expect("Anvil gives money");
        Self { home, address, rpc: test_chain.anvil.rpc(), deployments: test_chain.deployments().to_owned() }
    }

    /// A bare machine with the same wallet and nothing else: no journal, no memory of the game.
    pub fn bare(&self) -> Self {
        let home = tempfile::tempdir().expect("a temporary folder");
        let wallets = home.path().join("wallets");
        std::fs::create_dir(&wallets).expect("a folder");
        let name = format!("{:#x}.json", self.address);
        let copied = std::fs::copy(self.home.path().join("wallets").join(&name), wallets.join(&name));
        copied.expect("the wallet's file");
        Self { home, address: self.address, rpc: self.rpc.clone(), deployments: self.deployments.clone() }
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(fogmate());
        command
            .args(args)
            .arg("--home")
            .arg(self.home.path())
            .args(["--rpc", &self.rpc])
            .arg("--deployments")
            .arg(&self.deployments)
            .env("FOGMATE_PASSWORD", PASSWORD)
            .kill_on_drop(true);
        command
    }

    /// Runs a command to its end; the JSON that it prints.
    pub async fn ask(&self, args: &[&str]) -> Value {
        let output = self.command(args).arg("--json").stdin(Stdio::null()).output().await;
        let output = output.expect("the command runs");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{args:?}: {complaint}");
        serde_json::from_slice(&output.stdout).expect("JSON")
    }

    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// What it remembers of a game.
    pub fn remembered(&self, game: &str) -> Value {
        let name = format!("{}.json", game.trim_start_matches("0x"));
        let text = std::fs::read(self.home.path().join("games").join(name)).expect("the game's file");
        serde_json::from_slice(&text).expect("JSON")
    }

    /// Runs a command that can't be carried out: its exit code, and what it complains of.
    pub async fn complaint(&self, args: &[&str]) -> (Option<i32>, String) {
        let (code, said, complaint) = self.said(args).await;
        assert!(said.is_empty(), "{args:?}: {said}");
        (code, complaint)
    }

    /// Runs a command to its end, for people: its exit code, what it says, and what it complains of.
    pub async fn said(&self, args: &[&str]) -> (Option<i32>, String, String) {
        let output = self.command(args).stdin(Stdio::null()).output().await.expect("the command runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    }

    /// Starts playing the own moves of a script in a game.
    pub fn play(&self, game: &str, script: &Path, more: &[&str]) -> Running {
        let mut command = self.player(game, more);
        command.arg("--script").arg(script).stdin(Stdio::null());
        Running::start(command)
    }

    /// Starts playing what is typed.
    pub fn sit(&self, game: &str, more: &[&str]) -> Running {
        let mut command = self.player(game, more);
        command.stdin(Stdio::piped());
        Running::start(command)
    }

    /// What `fogmate address` prints for the opponent in a game.
    pub async fn record(&self, game: &str, announce: &str) -> String {
        let mut command = Command::new(fogmate());
        command.args(["address", "--game", game, "--announce", announce, "--json", "--home"]).arg(self.home.path());
        let output = command.env("FOGMATE_PASSWORD", PASSWORD).stdin(Stdio::null()).output().await;
        let said: Value = serde_json::from_slice(&output.expect("the command runs").stdout).expect("JSON");
        said["record"].as_str().expect("a record").to_owned()
    }

    /// Starts playing a script where no file can be written, as on a full disk; with pipes of its own.
    pub fn play_without_room(&self, game: &str, script: &Path, more: &[&str]) -> Child {
        let mut player = self.player(game, more);
        let player = player.arg("--script").arg(script).as_std();
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -f 0; exec \"$0\" \"$@\""]).arg(player.get_program()).args(player.get_args());
        command.env("FOGMATE_PASSWORD", PASSWORD).kill_on_drop(true);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a shell")
    }

    fn player(&self, game: &str, more: &[&str]) -> Command {
        let mut command = self.command(&["play", game, "--json"]);
        command.args(more).arg("--cache").arg(cache());
        command
    }

    /// The bytes of each file below a folder of its home.
    pub fn sizes(&self, folder: &str) -> Vec<u64> {
        let (mut sizes, mut folders) = (Vec::new(), vec![self.home.path().join(folder)]);
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
                let metadata = entry.metadata().expect("it is there");
                match metadata.is_dir() {
                    true => folders.push(entry.path()),
                    false => sizes.push(metadata.len()),
                }
            }
        }
        sizes
    }
}

/// Creates a game on one machine and joins it on another; its id.
pub async fn open_game(creator: &Machine, joiner: &Machine) -> String {
    open(creator, joiner, &["--stake", "1"], &[]).await
}

/// Creates and joins a game whose players trust each other, so without stakes; its id.
pub async fn open_unproven(creator: &Machine, joiner: &Machine, engine: &str) -> String {
    open(creator, joiner, &["--stake", "0", "--engine", engine], &[]).await
}

/// Creates and joins a game between the machines; its id.
pub async fn open_between_machines(creator: &Machine, joiner: &Machine) -> String {
    open(creator, joiner, &["--stake", "1"], &["--mode", "channel"]).await
}

/// Creates a game of these terms, of which the joiner names the first alone.
async fn open(creator: &Machine, joiner: &Machine, terms: &[&str], more: &[&str]) -> String {
    let created = creator.ask(&[&["create"], terms, more].concat()).await;
    let text = |name: &str| created[name].as_str().expect("a text").to_owned();
    joiner.ask(&[&["join", &text("invite")], terms].concat()).await;
    text("game")
}

/// Writes a script of moves.
pub fn script(folder: &Path, moves: &[&str]) -> PathBuf {
    let path = folder.join("script.json");
    let text = serde_json::json!({ "moves": moves }).to_string();
    std::fs::write(&path, text).expect("a file");
    path
}

/// A running command. Dropping it kills it.
#[derive(Debug)]
pub struct Running {
    child: Child,
    lines: UnboundedReceiver<String>,
    complaints: UnboundedReceiver<String>,
    heard: Vec<String>,
}

impl Running {
    /// Starts a command, with its output to be read line by line.
    pub fn start(mut command: Command) -> Self {
        let spawned = command.stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true).spawn();
        let mut child = spawned.expect("the command starts");
        let lines = read(child.stdout.take().expect("its output is piped"));
        let complaints = read(child.stderr.take().expect("its complaints are piped"));
        Self { child, lines, complaints, heard: Vec::new() }
    }

    pub fn id(&self) -> u32 {
        self.child.id().expect("it runs")
    }

    pub async fn type_line(&mut self, line: &str) {
        let input = self.child.stdin.as_mut().expect("its input is piped");
        input.write_all(format!("{line}\n").as_bytes()).await.expect("it reads");
    }

    pub fn end_input(&mut self) {
        self.child.stdin = None;
    }

    /// The next line of its output; none at its end.
    pub async fn line(&mut self) -> Option<String> {
        let next = tokio::time::timeout(PATIENCE, self.lines.recv()).await;
        let line = next.unwrap_or_else(|_| panic!("silence after:\n{}", self.heard.join("\n")));
        self.heard.extend(line.clone());
        line
    }

    /// Skips events until one has this name and, if it is said, this ply.
    pub async fn event(&mut self, name: &str, ply: Option<u64>) -> Value {
        self.any_event(&[name], ply).await
    }

    /// Skips events until one has one of these names and, if it is said, this ply.
    pub async fn any_event(&mut self, names: &[&str], ply: Option<u64>) -> Value {
        while let Some(line) = self.line().await {
            let event: Value = serde_json::from_str(&line).expect("a JSON object a line");
            let named = event["event"].as_str().is_some_and(|name| names.contains(&name));
            if named && ply.is_none_or(|ply| event["ply"] == ply) {
                return event;
            }
        }
        let (_, complaints) = self.end().await;
        let heard = self.heard.join("\n");
        panic!("no {names:?} {ply:?}; it said:\n{heard}\n{complaints}");
    }

    /// kill -9, and waits until it is dead.
    pub async fn kill(mut self) {
        self.child.kill().await.expect("it is killed");
    }

    /// Waits for its end; what it complained of.
    pub async fn end(&mut self) -> (ExitStatus, String) {
        while self.line().await.is_some() {}
        let status = self.child.wait().await.expect("it ends");
        let mut text = String::new();
        while let Some(line) = self.complaints.recv().await {
            text += &(line + "\n");
        }
        (status, text)
    }
}

fn read(output: impl tokio::io::AsyncRead + Unpin + Send + 'static) -> UnboundedReceiver<String> {
    let (sender, lines) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        let mut output = BufReader::new(output).lines();
        while let Ok(Some(line)) = output.next_line().await {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

/// The processes that a process has started, and those that they have: by number and start time, so that a number that
/// is given to another process later isn't taken for the same one. Processes that have ended don't count.
pub fn processes_below(ancestor: u32) -> BTreeMap<u32, u64> {
    let mut parents = BTreeMap::new();
    for entry in std::fs::read_dir("/proc").expect("/proc").flatten() {
        let name = entry.file_name();
        let Some(id) = name.to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else {
            continue;
        };
        // After the name, which is in brackets and may contain anything: state, parent, …, start time (field 22).
        let fields: Vec<&str> = match stat.rsplit_once(')') {
            Some((_, rest)) => rest.split_whitespace().collect(),
            None => continue,
        };
        if let [state, parent, ..] = fields[..]
            && state != "Z"
            && let (Ok(parent), Ok(start)) = (parent.parse::<u32>(), fields[19].parse::<u64>())
        {
            parents.insert(id, (parent, start));
        }
    }
    let mut found = BTreeMap::new();
    loop {
        let more: Vec<_> = parents
            .iter()
            .filter(|(id, (parent, _))| !found.contains_key(*id) && (*parent == ancestor || found.contains_key(parent)))
            .map(|(id, (_, start))| (*id, *start))
            .collect();
        if more.is_empty() {
            return found;
        }
        found.extend(more);
    }
}

/// Which of these processes still run.
pub fn still_running(processes: &BTreeMap<u32, u64>) -> Vec<u32> {
    let runs = |(id, start): (&u32, &u64)| {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let same = fields.get(19)?.parse::<u64>().ok()? == *start;
        (same && fields.first() != Some(&"Z")).then_some(*id)
    };
    processes.iter().filter_map(runs).collect()
}
