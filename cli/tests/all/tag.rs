//! `fogmate tag` from outside: a game with real proofs between two machines, one of which is killed and started again and one of which falls silent; bad
//! input in one sentence. The whole demo, with 14 proofs.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use alloy::primitives::U256;
use client::wallet::{Cost, Wallet};
use deploy::Repository;
use deploy::anvil::{Anvil, Mining};
use serde_json::Value;

const PASSWORD: &str = "correct horse";
/// Longest that anything here may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(180);

fn fogmate(home: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fogmate"));
    for variable in ["FOGMATE_RPC", "FOGMATE_DEPLOYMENTS", "FOGMATE_SRS"] {
        command.env_remove(variable);
    }
    command.env("FOGMATE_HOME", home).env("FOGMATE_PASSWORD", PASSWORD).current_dir(env!("CARGO_MANIFEST_DIR"));
    command.arg("tag").args(args).stdin(Stdio::null());
    command
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

/// Bad input: exit code 2, nothing on stdout, one sentence on stderr that has these words.
fn refused(output: &Output, words: &str) {
    let complaint = text(&output.stderr);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{complaint}");
    let said = complaint.lines().any(|line| line.starts_with("error: ") && line.contains(words));
    assert!(said && !complaint.contains("panicked"), "{complaint}");
}

fn done(output: &Output) -> &str {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn bad_input_is_one_sentence() {
    let home = tempfile::tempdir().expect("a folder");
    let run = |args: &[&str]| fogmate(home.path(), args).output().expect("the binary starts");
    for args in
        [&["join", "0x12xy"][..], &["play", "castle"], &["audit", "0x12"], &["status", "0x12"], &["cancel", "0x"]]
    {
        refused(&run(args), "is not a game's id");
    }
    for grid in ["4x4", "9x9", "6", "6x8", "0x0", ""] {
        refused(&run(&["create", "--grid", grid]), "is not a grid: say 5x5, 6x6, 7x7 or 8x8");
    }
    refused(&run(&["create", "--stake", "much"]), "is not an amount of ether");
    refused(&run(&["create", "--turn", "soon"]), "is not a time");
    for turn in ["0", "31d"] {
        refused(&run(&["create", "--turn", turn]), "is not between one second and thirty days");
        refused(&run(&["create", "--open-for", turn]), "is not between one second and thirty days");
    }
    refused(&run(&["create", "--plies", "0"]), "");
    refused(&run(&["create", "--opponent", "0x12"]), "is not an address");
    refused(&run(&["withdraw"]), "there is no wallet");
    refused(&run(&["--demo", "--json", "/nowhere/report.json"]), "/nowhere/report.json");
    refused(&run(&["--demo", "play"]), "");
    assert_eq!(run(&[]).status.code(), Some(2));
    let game = format!("0x{:064x}", 1);
    refused(&run(&["status", &game, "--rpc", "no url"]), "is not the URL of a node");
    let nobody = run(&["status", &game, "--rpc", "http://127.0.0.1:1"]);
    assert_eq!(nobody.status.code(), Some(1));
    assert!(text(&nobody.stderr).contains("can't be reached"), "{}", text(&nobody.stderr));
    let several = run(&["status", &game, "--rpc", "http://127.0.0.1:1,http://127.0.0.1:2"]);
    assert!(text(&several.stderr).contains("127.0.0.1:1 can't be reached"), "{}", text(&several.stderr));
    refused(&run(&["status", &game, "--rpc", "http://127.0.0.1:1,http://127.0.0.1:1/"]), "twice");
}

/// Two machines and a node.
struct Table {
    folder: tempfile::TempDir,
    anvil: Anvil,
    cache: PathBuf,
}

impl Table {
    fn new() -> Self {
        let repository = Repository::find_here().expect("a clone");
        let anvil = Anvil::start(&repository, Mining::Instant).expect("a chain");
        let given = std::env::var_os("FOGMATE_CACHE").map(PathBuf::from);
        let cache = given.unwrap_or_else(|| repository.root().join(".cache/fogmate"));
        Self { folder: tempfile::tempdir().expect("a folder"), anvil, cache }
    }

    fn machine(&self, name: &str, args: &[&str]) -> Command {
        let mut command = fogmate(&self.folder.path().join(name), args);
        command.env("FOGMATE_RPC", self.anvil.rpc()).env("FOGMATE_DEPLOYMENTS", self.folder.path());
        command.env("FOGMATE_CACHE", &self.cache);
        command
    }

    fn run(&self, name: &str, args: &[&str]) -> Output {
        self.machine(name, args).output().expect("the binary starts")
    }

    /// Gives a machine a wallet with ten ether; its address.
    fn wallet(&self, name: &str) -> String {
        let folder = self.folder.path().join(name).join("wallets");
        let (wallet, _) = Wallet::create(&folder, PASSWORD, Cost::Light).expect("a wallet");
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let money = U256::from(10_000_000_000_000_000_000u128);
        runtime.block_on(self.anvil.fund(wallet.address(), money)).expect("money");
        wallet.address().to_string()
    }

    fn pass_time(&self, seconds: u64) {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(self.anvil.pass_time(seconds)).expect("time passes");
    }

    /// A player of a demo ends with whoever has started it.
    fn ends_with_its_input(&self, name: &str, game: &str) {
        assert_eq!(self.run(name, &["play", game, "--stay"]).status.code(), Some(0));
    }

    fn play(&self, name: &str, game: &str) -> Running {
        let mut command = self.machine(name, &["play", game, "--json"]);
        let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = spawned.expect("the binary starts");
        let (sender, said) = channel();
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                let value = serde_json::from_str(&line).expect("a line of JSON");
                if sender.send(value).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take().expect("a pipe");
        Running { child, input: Some(input), said }
    }
}

/// A player's process. Dropping it kills it.
struct Running {
    child: Child,
    input: Option<ChildStdin>,
    said: Receiver<Value>,
}

impl Running {
    fn type_line(&mut self, line: &str) {
        writeln!(self.input.as_mut().expect("a pipe"), "{line}").expect("it reads");
    }

    /// The next event of a kind.
    fn until(&self, event: &str) -> Value {
        loop {
            let said = self.said.recv_timeout(PATIENCE).unwrap_or_else(|error| panic!("no {event}: {error}"));
            if said["event"] == event {
                return said;
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_killed_player_goes_on_and_a_silent_one_is_claimed_against() {
    let table = Table::new();
    table.wallet("alice");
    let bob = table.wallet("bob");
    let cost = table.run("alice", &["deploy", "--dry-run"]);
    assert!(
        done(&cost).contains("tag contract") && text(&cost.stderr).contains("deploy with --development"),
        "{cost:?}"
    );
    refused(&table.run("alice", &["create"]), "no deployment on chain 31337");
    assert!(done(&table.run("alice", &["deploy", "--development"])).contains("written"));
    let short = table.run("alice", &["create", "--turn", "5s"]);
    assert!(
        text(&short.stderr).contains("note: 0:05 for each step and each reply is short"),
        "{}",
        text(&short.stderr)
    );
    let hasty = table.run("alice", &["create", "--stake", "0.5", "--turn", "299s", "--opponent", &bob]);
    refused(&hasty, "for a stake five minutes");
    let created = table.run(
        "alice",
        &["create", "--stake", "0.5", "--turn", "10m", "--opponent", &bob, "--plies", "9", "--open-for", "30d"],
    );
    let game = done(&created).trim().to_owned();
    assert!(text(&created.stderr).contains("WARNING: chain 31337 uses DEVELOPMENT parameters"));
    let terms = "a 6x6 grid, 9 plies, a stake of 0.5 ETH each, 10:00 for each step and each reply";
    assert!(text(&created.stderr).contains(terms), "{}", text(&created.stderr));
    refused(&table.run("bob", &["join", &game]), "say --stake 0.5 to agree");
    refused(&table.run("alice", &["cancel", &game[..10]]), "there is time left, until 20");
    refused(&table.run("bob", &["play", &game]), "does not play this game");
    let unknown = table.run("bob", &["join", &format!("0x{:064x}", 1)]);
    assert_eq!(unknown.status.code(), Some(4), "{}", text(&unknown.stderr));
    assert!(text(&unknown.stderr).contains("there is no game of tag"), "{}", text(&unknown.stderr));
    assert!(
        done(&table.run("bob", &["list"]))
            .contains("you are invited; 6x6, 0.5 ETH each, 10:00 for each step and each reply; waits for")
    );
    assert_eq!(done(&table.run("bob", &["join", &game, "--stake", "0.5"])).trim(), game);
    let again = table.run("bob", &["join", &game[..10]]);
    assert_eq!(done(&again).trim(), game);
    assert!(text(&again.stderr).contains("this wallet has joined it before"), "{}", text(&again.stderr));
    let late = table.run("alice", &["join", &game]);
    refused(&late, "not open any more");
    assert!(!text(&late.stderr).contains("WARNING"), "{}", text(&late.stderr));
    assert_eq!(done(&table.run("bob", &["withdraw"])).trim(), "the contract of tag owes this wallet nothing");

    let mut alice = table.play("alice", &game);
    let turn = alice.until("turn");
    assert_eq!((turn["square"].as_str(), turn["steps"].as_array().map(Vec::len)), (Some("a1"), Some(3)), "{turn}");
    alice.type_line("castle");
    alice.type_line("c3");
    alice.type_line("ne");
    let mined = alice.until("mined");
    assert_eq!((mined["action"].as_str(), mined["proofs"].as_u64()), (Some("step"), Some(2)), "{mined}");
    // Killed once its step is on the chain; Bob replies, and leaves.
    drop(alice);
    // Nobody types for Bob: its reply is made all the same.
    let mut bob_plays = table.play("bob", &game);
    drop(bob_plays.input.take());
    assert_eq!(bob_plays.until("stepped")["sees"], Value::Null);
    let mined = bob_plays.until("mined");
    assert_eq!((mined["action"].as_str(), mined["proofs"].as_u64()), (Some("reply"), Some(1)), "{mined}");
    assert!(bob_plays.child.try_wait().expect("a state").is_none(), "it goes on without input");
    drop(bob_plays);
    table.ends_with_its_input("bob", &game);
    let alice = table.play("alice", &game);
    assert_eq!(alice.until("stepped")["square"], "b2");
    let replied = alice.until("replied");
    assert_eq!((replied["ply"].as_u64(), replied.get("sees")), (Some(0), Some(&Value::Null)), "{replied}");
    let waits = alice.until("waits");
    assert_eq!((waits["ply"].as_u64(), waits["for"].as_str()), (Some(1), Some("step")), "{waits}");
    let status = table.run("carol", &["status", &game]);
    assert!(done(&status).contains("ply 1 of 9: waits for the joiner's step"), "{}", text(&status.stdout));
    // Bob doesn't come back.
    table.pass_time(601);
    assert_eq!(alice.until("mined")["action"], "claimTimeout");
    let over = alice.until("over");
    assert_eq!((over["winner"].as_str(), over["outcome"].as_str()), (Some("creator"), Some("timed out")));
    assert_eq!(over["text"], "You win: the opponent has let its time pass.");
    drop(alice);
    assert_eq!(done(&table.run("alice", &["withdraw"])).trim(), "fetched 1 ETH");
    let audit = table.run("carol", &["audit", &game, "--json"]);
    let audit: Value = serde_json::from_str(done(&audit)).expect("JSON");
    assert!(audit["ok"] == true && audit["plies"] == 1 && audit["unshown"] == 0, "{audit}");
    assert_eq!((audit["result"]["winner"].as_str(), audit["fault"].as_str()), (Some("creator"), None), "{audit}");
    let again = table.run("bob", &["play", &game]);
    assert!(done(&again).ends_with("The opponent wins: you have let your time pass.\n"), "{}", text(&again.stdout));
    // Nobody reads: the program ends all the same, and without a panic.
    let mut unread = table.machine("bob", &["play", &game]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let unread = unread.as_mut().expect("the binary starts");
    drop(unread.stdout.take());
    let mut complaint = String::new();
    std::io::Read::read_to_string(&mut unread.stderr.take().expect("a pipe"), &mut complaint).expect("text");
    assert!(unread.wait().expect("an end").success() && !complaint.contains("panicked"), "{complaint}");
}

#[test]
fn the_demo_plays_to_a_capture() {
    let folder = tempfile::tempdir().expect("a folder");
    let report = folder.path().join("report.json");
    let output = fogmate(folder.path(), &["--demo", "--json", report.to_str().expect("UTF-8")]).output();
    let output = output.expect("the demo ends");
    let said = done(&output);
    let seen = "Alice  Ply 3: the opponent has stepped. You see its king on d4, and it is your turn: you capture it.";
    let caught = "Alice  You win: your king on c3 has caught the opponent's on d4.";
    let lost = "Bob    The opponent wins: its king on c3 has caught yours on d4.";
    assert!(["Alice  > b2", "Bob    > d4", seen, caught, lost].iter().all(|line| said.contains(line)), "{said}");
    assert!(said.contains("Alice has withdrawn both stakes, 2 ETH"), "{said}");
    assert!(said.contains("Audit from the chain alone: in order: 3 plies replayed"), "{said}");
    let report: Value = serde_json::from_slice(&fs::read(report).expect("a report")).expect("JSON");
    assert_eq!(report["ending"]["outcome"], "captured", "{report}");
    let told = report["told"].as_array().expect("what was told");
    let sent = |action: &str| {
        let lines = told.iter().filter(|line| line["said"]["event"] == "mined" && line["said"]["action"] == action);
        let sent = lines.map(|line| (line["player"].as_str().expect("a name"), line["said"]["proofs"].as_u64()));
        sent.collect::<Vec<_>>()
    };
    let [two, one] = [Some(2), Some(1)];
    assert_eq!(sent("step"), [("Alice", two), ("Bob", two), ("Alice", two), ("Bob", two)], "{report}");
    assert_eq!(sent("reply"), [("Bob", one), ("Alice", one), ("Bob", one)], "{report}");
    assert_eq!(sent("capture"), [("Alice", one)], "Alice captures in place of her reply: {report}");
    let sees = |player: &str, event: &str| {
        let is_it = |line: &&Value| line["player"] == player && line["said"]["event"] == event;
        told.iter().rev().find(is_it).and_then(|line| line["said"]["sees"].as_str())
    };
    assert_eq!((sees("Alice", "stepped"), sees("Bob", "over")), (Some("d4"), Some("c3")), "both learn of it: {report}");
}
