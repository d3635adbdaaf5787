//! `fogmate dice` from outside: a whole demo, a game by hand between two machines, bad input in one sentence, and nothing left of a demo that
//! is killed.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use alloy::primitives::{Address, U256};
use alloy::providers::Provider as _;
use client::wallet::{Cost, Wallet};
use deploy::Repository;
use deploy::anvil::{Anvil, Mining};
use serde_json::Value;
use tokio::runtime::Runtime;

const PASSWORD: &str = "correct horse";
/// Longest that anything here may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

fn fogmate(home: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fogmate"));
    for variable in ["FOGMATE_RPC", "FOGMATE_DEPLOYMENTS"] {
        command.env_remove(variable);
    }
    command.env("FOGMATE_HOME", home).env("FOGMATE_PASSWORD", PASSWORD).current_dir(env!("CARGO_MANIFEST_DIR"));
    command.arg("dice").args(args).stdin(Stdio::null());
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

/// What a player was told with `--json`.
fn events(output: &Output) -> Vec<Value> {
    done(output).lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

#[test]
fn the_demo_plays_a_whole_game_and_audits_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let report = folder.path().join("report.json");
    let output = fogmate(folder.path(), &["--demo", "--json", report.to_str().expect("UTF-8")]).output();
    let output = output.expect("the demo ends");
    let said = done(&output);
    let report: Value = serde_json::from_slice(&fs::read(report).expect("a report")).expect("JSON");
    let told = report["told"].as_array().expect("what was told");
    let rolls = |player: &str| {
        let lines = told.iter().filter(|line| line["player"] == player && line["said"]["event"] == "rolled");
        let fields = ["roll", "by", "dice", "chosen", "from", "to"];
        lines.map(|line| fields.map(|field| line["said"][field].clone())).collect::<Vec<_>>()
    };
    let rolled = rolls("Alice");
    assert_eq!(rolled, rolls("Bob"), "both have replayed the same rolls");
    assert!(rolled.len() > 12 && report["audit"]["rolls"] == rolled.len() && report["audit"]["ok"] == true, "{report}");
    for name in ["Alice  ", "Bob    "] {
        let is_roll = |line: &&str| line.starts_with(&format!("{name}Roll ")) && line.contains(" and choose");
        assert_eq!(said.lines().filter(is_roll).count(), rolled.len(), "{said}");
    }
    assert!(said.contains("Audit from the chain alone: in order"), "{said}");
    let costs = report["costs"].as_array().expect("costs").iter().filter(|cost| cost["action"] == "roll");
    let gas = costs.clone().map(|cost| cost["gas"].as_u64().expect("gas")).sum::<u64>() / rolled.len() as u64;
    assert!(costs.clone().all(|cost| cost["calldata_bytes"] == 196) && gas < 70_000, "{report}");
    assert_eq!(costs.count(), rolled.len());
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
    refused(&run(&["create", "--stake", "much"]), "is not an amount of ether");
    refused(&run(&["create", "--turn", "soon"]), "is not a time");
    for turn in ["0", "31d"] {
        refused(&run(&["create", "--turn", turn]), "is not between one second and thirty days");
        refused(&run(&["create", "--open-for", turn]), "is not between one second and thirty days");
    }
    refused(&run(&["create", "--opponent", "0x12"]), "is not an address");
    refused(&run(&["create", "--rpc", "no url"]), "is not the URL of a node");
    refused(&run(&["withdraw", "--rpc", "no url"]), "there is no wallet");
    refused(&run(&["--demo", "--json", "/nowhere/report.json"]), "/nowhere/report.json");
    refused(&run(&["--demo", "play"]), "");
    assert_eq!(run(&["--json", "report.json"]).status.code(), Some(2));
    assert_eq!(run(&[]).status.code(), Some(2));
    let game = format!("0x{:064x}", 1);
    refused(&run(&["audit", &game, "--rpc", "no url"]), "is not the URL of a node");
    let nobody = run(&["audit", &game, "--rpc", "http://127.0.0.1:1"]);
    assert_eq!(nobody.status.code(), Some(1));
    assert!(text(&nobody.stderr).contains("can't be reached"), "{}", text(&nobody.stderr));
}

/// Two machines and a node.
struct Table {
    folder: tempfile::TempDir,
    anvil: Anvil,
}

impl Table {
    fn machine(&self, name: &str, args: &[&str]) -> Command {
        let mut command = fogmate(&self.folder.path().join(name), args);
        command.env("FOGMATE_RPC", self.anvil.rpc()).env("FOGMATE_DEPLOYMENTS", self.folder.path());
        command
    }

    fn run(&self, name: &str, args: &[&str]) -> Output {
        self.machine(name, args).output().expect("the binary starts")
    }

    /// Runs a command on a machine, with lines typed into it.
    fn typed(&self, name: &str, args: &[&str], lines: &str) -> Output {
        let mut command = self.machine(name, args);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let child = child.as_mut().expect("the binary starts");
        child.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("typed");
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        std::io::Read::read_to_end(&mut child.stdout.take().expect("a pipe"), &mut stdout).expect("output");
        std::io::Read::read_to_end(&mut child.stderr.take().expect("a pipe"), &mut stderr).expect("output");
        Output { status: child.wait().expect("an end"), stdout, stderr }
    }

    /// Gives a machine a wallet with ten ether; its address.
    fn wallet(&self, name: &str) -> String {
        self.funded(name, 10_000_000_000_000_000_000)
    }

    /// Gives a machine a wallet with so many wei; its address.
    fn funded(&self, name: &str, wei: u128) -> String {
        let folder = self.folder.path().join(name).join("wallets");
        let (wallet, _) = Wallet::create(&folder, PASSWORD, Cost::Light).expect("a wallet");
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(self.anvil.fund(wallet.address(), U256::from(wei))).expect("money");
        wallet.address().to_string()
    }
}

#[test]
fn a_game_by_hand_between_two_machines() {
    let anvil = Anvil::start(&Repository::find_here().expect("a clone"), Mining::Instant).expect("a chain");
    let table = Table { folder: tempfile::tempdir().expect("a folder"), anvil };
    table.wallet("alice");
    let bob = table.wallet("bob");
    refused(&table.run("alice", &["deploy", "--development"]), "dice has no proofs");
    let cost = table.run("alice", &["deploy", "--dry-run"]);
    assert!(done(&cost).contains("dice contract") && !text(&cost.stderr).contains("keys"), "{cost:?}");
    refused(&table.run("alice", &["create"]), "no deployment on chain 31337");
    assert!(done(&table.run("alice", &["deploy"])).contains("written"));
    refused(&table.run("alice", &["create", "--stake", "0.5"]), "a game for a stake needs a named opponent");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(table.anvil.pass_time(60)).expect("time passes");
    let short = table.run("alice", &["create", "--turn", "1s", "--confirmations", "2"]);
    assert!(
        done(&short).starts_with("0x") && text(&short.stderr).contains("note: of the 0:01"),
        "{}",
        text(&short.stderr)
    );
    assert!(text(&short.stderr).contains("note: 0:01 for each roll is short"), "{}", text(&short.stderr));
    let hasty = table.run("alice", &["create", "--stake", "0.5", "--turn", "299s", "--opponent", &bob]);
    refused(&hasty, "for a stake five minutes");
    let none = table.run("bob", &["list"]);
    assert!(done(&none).is_empty() && text(&none.stderr).contains("no games yet"), "{}", text(&none.stderr));
    let created = table.run("alice", &["create", "--stake", "0.5", "--turn", "10m", "--opponent", &bob]);
    let game = done(&created).trim().to_owned();
    let terms = text(&created.stderr);
    assert!(terms.contains("a stake of 0.5 ETH each, 10:00 for each roll"), "{terms}");
    assert!(terms.contains(&format!("{bob} can join it until 20")) && !terms.contains("is short"), "{terms}");
    let invited = table.run("bob", &["list"]);
    assert!(done(&invited).contains(&format!("{game}  you are invited; 0.5 ETH each")), "{}", text(&invited.stdout));
    refused(&table.run("bob", &["join", &game]), "say --stake 0.5 to agree");
    // The first digits of an own game do.
    refused(&table.run("alice", &["cancel", &game[..10]]), "there is time left, until 20");
    refused(&table.run("carol", &["status", &game[..10]]), "is not a game's id");
    let absent = table.run("alice", &["play", "0x0000000000"]);
    assert_eq!(absent.status.code(), Some(4), "{}", text(&absent.stderr));
    let audited = table.run("carol", &["audit", &game]);
    assert!(done(&audited).contains("Nobody has joined it yet."), "{}", text(&audited.stdout));
    table.funded("poor", 1);
    let poor = table.run("poor", &["create"]);
    refused(&poor, "can't pay for the transaction: it takes about 0.");
    assert!(text(&poor.stderr).contains("ETH at the present fee, and there are "), "{}", text(&poor.stderr));
    // A local chain fills an empty one.
    table.funded("empty", 0);
    let filled = table.run("empty", &["create"]);
    assert!(done(&filled).starts_with("0x") && text(&filled.stderr).contains("the wallet was empty"), "{filled:?}");
    table.funded("less", 400_000_000_000_000_000);
    let less = table.run("less", &["create", "--stake", "0.5", "--opponent", &bob]);
    refused(&less, "it takes about 0.50");
    refused(&table.run("alice", &["join", &game, "--stake", "0.5"]), "nobody can play against themselves");
    refused(&table.run("bob", &["play", &game]), "does not play this game");
    let unknown = table.run("bob", &["join", &format!("0x{:064x}", 1)]);
    assert_eq!(unknown.status.code(), Some(4), "{}", text(&unknown.stderr));
    assert!(text(&unknown.stderr).contains("there is no game of dice"), "{}", text(&unknown.stderr));
    assert_eq!(done(&table.run("bob", &["join", &game, "--stake", "0.5"])).trim(), game);
    let again = table.run("bob", &["join", &game[..10], "--stake", "0.5"]);
    assert_eq!(done(&again).trim(), game);
    assert!(text(&again.stderr).contains("this wallet has joined it before"), "{}", text(&again.stderr));
    refused(&table.run("alice", &["join", &game, "--stake", "0.5"]), "not open any more");
    let status = table.run("carol", &["status", &game]);
    let waits = "0.5 ETH each, 10:00 for each roll; creator on 0, joiner on 0; waits for the creator's roll 1, ";
    assert!(done(&status).starts_with(waits), "{}", text(&status.stdout));
    refused(&table.run("alice", &["cancel", &game]), "the game is in play");
    assert_eq!(done(&table.run("bob", &["withdraw"])).trim(), "the contract of dice owes this wallet nothing");

    let asked = table.typed("alice", &["play", &game, "--json"], "quit\n");
    let asked = events(&asked).into_iter().find(|said| said["event"] == "turn").expect("it is her turn");
    let pips = |value: &Value| value.as_u64().expect("pips");
    let dice = [0, 1].map(|index| pips(&asked["dice"][index]));
    let [low, high] = [dice[0].min(dice[1]), dice[0].max(dice[1])];
    let absent = (1..=6).find(|side| !dice.contains(side)).expect("of six sides");
    // Every square can be told from the board that the help shows.
    let leads = |die: u64| match die {
        1 => 38,
        4 => 14,
        _ => die,
    };
    assert_eq!([0, 1].map(|index| pips(&asked["leads_to"][index])), dice.map(leads));
    // Once her roll is in a block, the other die is asked for in vain.
    runtime.block_on(table.anvil.mine(2)).expect("blocks");
    let typed = format!("castle\n0\n7\nboard\n\n{absent}\n{high}\n{low}\nquit\n");
    let first = table.typed("alice", &["play", &game, "--confirmations", "2"], &typed);
    let said = done(&first);
    assert!(said.contains(&format!("You roll {} and {}:\n", dice[0], dice[1])), "{said}");
    let complaints = text(&first.stderr);
    assert!(complaints.contains("\"castle\" is neither what a die shows nor a command"), "{complaints}");
    assert!(complaints.contains("\"0\" is neither") && complaints.contains("\"7\" is neither"), "{complaints}");
    assert!(complaints.contains("98 to 78"), "{complaints}");
    assert!(complaints.contains("Not sent: you have made this turn's roll already."), "{complaints}");
    if low == high {
        assert!(said.contains("Your move: press Enter"), "{said}");
    } else {
        assert!(said.contains(&format!("Your move: type {} or {} (", dice[0], dice[1])), "{said}");
        assert!(complaints.contains("The choice is yours") && complaints.contains("Neither die shows"), "{complaints}");
    }
    let turn = table.typed("bob", &["play", &game, "--json"], "quit\n");
    let turn = events(&turn).into_iter().find(|said| said["event"] == "turn").expect("it is his turn");
    let bobs = pips(&turn["dice"][1]);
    let typed = format!("{bobs}\nresign\nresign yes\n");
    let second = table.typed("bob", &["play", &game[..12], "--json"], &typed);
    assert!(text(&second.stderr).contains("You would lose your stake of 0.5 ETH"), "{}", text(&second.stderr));
    let events = events(&second);
    let of = |event: &str| events.iter().filter(|said| said["event"] == event).collect::<Vec<_>>();
    assert_eq!((of("rolled")[0]["by"].as_str(), of("rolled")[0]["roll"].as_u64()), (Some("creator"), Some(1)));
    assert_eq!((pips(&of("rolled")[0]["chosen"]), pips(&of("rolled")[0]["to"])), (high, leads(high)));
    assert_eq!(of("rolled")[0]["dice"], asked["dice"]);
    assert_eq!(of("mined").len(), 2, "a roll and a resignation: {events:?}");
    assert_eq!(
        (of("over")[0]["winner"].as_str(), of("over")[0]["outcome"].as_str()),
        (Some("creator"), Some("resigned"))
    );
    let again = table.typed("alice", &["play", &game], "");
    assert!(done(&again).ends_with("You win: the opponent has resigned.\n"), "{}", text(&again.stdout));
    assert!(text(&again.stderr).contains("`fogmate dice withdraw` fetches"), "{}", text(&again.stderr));
    let lost = table.typed("bob", &["play", &game], "");
    assert!(!text(&lost.stderr).contains("withdraw"), "{}", text(&lost.stderr));
    let listed: Value = serde_json::from_str(done(&table.run("bob", &["list", "--json"]))).expect("JSON");
    let of = |field: &str| listed[0][field].as_str().map(str::to_owned);
    assert_eq!(
        [of("game"), of("role"), of("state"), of("outcome")].map(Option::unwrap),
        [&game, "joiner", "over", "resigned"]
    );
    let audit = table.run("carol", &["audit", &game, "--json"]);
    let audit: Value = serde_json::from_str(done(&audit)).expect("JSON");
    assert!(audit["ok"] == true && audit["rolls"] == 2 && audit["result"]["winner"] == "creator", "{audit}");
    assert_eq!(done(&table.run("alice", &["withdraw"])).trim(), "fetched 1 ETH");
}

/// A table at which Alice opens games, and commands are killed.
struct Opening {
    table: Table,
    alice: Address,
    runtime: Runtime,
}

impl Opening {
    fn new() -> Self {
        let anvil = Anvil::start(&Repository::find_here().expect("a clone"), Mining::Instant).expect("a chain");
        let table = Table { folder: tempfile::tempdir().expect("a folder"), anvil };
        let alice = table.wallet("alice").parse().expect("an address");
        done(&table.run("alice", &["deploy"]));
        Self { table, alice, runtime: Runtime::new().expect("a runtime") }
    }

    fn mines(&self, on: bool) {
        let provider = self.table.anvil.provider().expect("a node");
        let set = provider.raw_request::<_, Value>("evm_setAutomine".into(), (on,));
        self.runtime.block_on(set).expect("set");
        if on {
            self.runtime.block_on(self.table.anvil.mine(1)).expect("a block");
        }
    }

    /// How many transactions Alice has signed.
    fn signed(&self) -> u64 {
        let provider = self.table.anvil.provider().expect("a node");
        let count = async { provider.get_transaction_count(self.alice).pending().await };
        self.runtime.block_on(count).expect("a count")
    }

    /// Kills a command once its transaction is in the mempool, where it stays until the chain mines again.
    fn kill(&self, args: &[&str]) {
        let before = self.signed();
        self.mines(false);
        let mut command = self.table.machine("alice", args).spawn().expect("the binary starts");
        let start = Instant::now();
        while self.signed() == before {
            assert!(start.elapsed() < PATIENCE, "nothing is signed");
            std::thread::sleep(Duration::from_millis(20));
        }
        command.kill().expect("killed");
        command.wait().expect("an end");
    }
}

/// What was signed by a command that was killed is gone on with, and nothing else is signed meanwhile.
#[test]
fn a_game_is_opened_once() {
    let opening = Opening::new();
    let (table, before) = (&opening.table, opening.signed());
    opening.kill(&["create", "--turn", "10m"]);
    let other = table.run("alice", &["create", "--turn", "20m"]);
    refused(&other, "for a stake of 0 ETH each, is being opened, and its transaction is in no block yet");
    assert_eq!(opening.signed(), before + 1);
    opening.mines(true);
    let again = table.run("alice", &["create", "--turn", "10m"]);
    let game = done(&again).trim();
    let said = text(&again.stderr);
    assert!(said.contains("opened by an earlier command that could not say so, and can be joined until 20"), "{said}");
    assert!(text(&other.stderr).contains(game), "{}", text(&other.stderr));
    let new = table.run("alice", &["create", "--turn", "10m"]);
    assert!(done(&new).trim() != game && opening.signed() == before + 2, "it is known now");
}

/// What is found again too late is told as what it is, and the same command again opens another; so does `--another` at once.
#[test]
fn a_game_that_is_found_too_late_is_told_so() {
    let opening = Opening::new();
    let (table, create) = (&opening.table, ["create", "--turn", "10m", "--open-for", "1h", "--json"]);
    let run = |args: &[&str]| {
        let output = table.run("alice", args);
        let value: Value = serde_json::from_str(done(&output)).expect("JSON");
        (value, text(&output.stderr).to_owned())
    };
    opening.kill(&create);
    opening.mines(true);
    opening.runtime.block_on(table.anvil.pass_time(3_700)).expect("time passes");
    let (found, said) = run(&create);
    let game = found["game"].as_str().expect("an id");
    let advice = format!("`fogmate dice cancel {}` takes it back; the same command again opens another", &game[..10]);
    assert!(said.contains("can't be joined any more since 20") && said.contains(&advice), "{said}");
    assert!(found["joinable"] == false && found["expiry"].as_u64().is_some(), "{found}");
    let (new, said) = run(&create);
    assert!(new["joinable"] == true && new["game"] != game && !said.contains("earlier command"), "{new} {said}");
    done(&table.run("alice", &["cancel", game]));

    opening.kill(&create);
    opening.mines(true);
    let another = [&create[..], &["--another"]].concat();
    let (another, said) = run(&another);
    assert!(!said.contains("earlier command"), "{said}");
    let (found, said) = run(&create);
    assert!(said.contains("opened by an earlier command") && found["game"] != another["game"], "{found} {said}");

    // Joined meanwhile: the two of them play.
    table.wallet("bob");
    opening.kill(&create);
    opening.mines(true);
    let listed: Value = serde_json::from_str(done(&table.run("alice", &["list", "--json"]))).expect("JSON");
    let last = listed.as_array().and_then(|games| games.last()).expect("a game");
    done(&table.run("bob", &["join", last["game"].as_str().expect("an id")]));
    let (joined, said) = run(&create);
    assert!(joined["game"] == last["game"] && joined["joinable"] == false, "{joined}");
    assert!(said.contains("is in play by now: `fogmate dice play 0x"), "{said}");
}

/// As all commands have it: with commas, the others are asked whether they have the same blocks.
#[test]
fn several_nodes_are_named_as_everywhere() {
    let opening = Opening::new();
    let node = opening.table.anvil.rpc();
    let run = |nodes: &str, args: &[&str]| {
        let mut command = opening.table.machine("alice", args);
        command.env("FOGMATE_RPC", nodes).output().expect("the binary starts")
    };
    let nodes = format!("{node},http://127.0.0.1:1");
    let created = run(&nodes, &["create"]);
    let game = done(&created).trim();
    assert!(done(&run(&nodes, &["list", "--confirmations", "finalized"])).contains(game));
    let audit = run(&nodes, &["audit", game]);
    assert!(done(&audit).contains("in order"), "{}", text(&audit.stdout));
    assert!(text(&audit.stderr).contains("the node 127.0.0.1:1 can't be asked"), "{}", text(&audit.stderr));
    for args in [&["audit", game][..], &["create"], &["list"]] {
        refused(&run(&format!("{node},{node}/"), args), "twice, and a node can't vouch for itself");
    }
}

/// A pipe that closes only says that nobody types: the game goes on, and what is overdue is claimed.
#[test]
fn a_player_without_input_goes_on() {
    let anvil = Anvil::start(&Repository::find_here().expect("a clone"), Mining::Instant).expect("a chain");
    let table = Table { folder: tempfile::tempdir().expect("a folder"), anvil };
    table.wallet("alice");
    let bob = table.wallet("bob");
    done(&table.run("alice", &["deploy"]));
    let created = table.run("alice", &["create", "--stake", "0.5", "--turn", "10m", "--opponent", &bob]);
    let game = done(&created).trim().to_owned();
    done(&table.run("bob", &["join", &game, "--stake", "0.5"]));
    let mut ends = table.machine("bob", &["play", &game, "--stay"]);
    assert!(ends.output().expect("it ends with its input").status.success());
    let mut bob = table.machine("bob", &["play", &game]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let bob = bob.as_mut().expect("the binary starts");
    let mut said = BufReader::new(bob.stderr.take().expect("a pipe")).lines().map_while(Result::ok);
    said.find(|line| line.contains("the input has ended, and nobody can type a move; time is claimed"))
        .expect("a note");
    assert!(bob.try_wait().expect("a state").is_none(), "it goes on");
    // Nobody rolls for Alice.
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(table.anvil.pass_time(601)).expect("time passes");
    said.find(|line| line.contains("`fogmate dice withdraw` fetches")).expect("it has won");
    assert!(bob.wait().expect("an end").success());
    // The chain was begun anew under the file of the contract.
    let other = Anvil::start(&Repository::find_here().expect("a clone"), Mining::Instant).expect("a chain");
    let gone = table.machine("bob", &["status", &game]).env("FOGMATE_RPC", other.rpc()).output().expect("it ends");
    assert!(text(&gone.stderr).contains("was the chain begun anew"), "{}", text(&gone.stderr));
}

#[test]
fn a_killed_demo_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = fogmate(folder.path(), &["--demo"]);
    let mut child = command.env("TMPDIR", folder.path()).stdout(Stdio::piped()).spawn().expect("the demo starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
    let first = lines.next().expect("a line");
    let game = first.split("game ").nth(1).expect("a game").to_owned();
    lines.find(|line| line.contains("  Roll ")).expect("a roll");
    let players = || {
        let processes = fs::read_dir("/proc").expect("/proc").flatten();
        let lines = processes.map(|entry| fs::read_to_string(entry.path().join("cmdline")).unwrap_or_default());
        lines.filter(|line| line.contains("\0play\0") && line.contains(&game)).count()
    };
    assert_eq!(players(), 2);
    child.kill().expect("killed");
    child.wait().expect("an end");
    let start = Instant::now();
    while players() > 0 {
        assert!(start.elapsed() < PATIENCE, "the players go on");
        std::thread::sleep(Duration::from_millis(50));
    }
}
