//! How two people get to a game: one hosts, the other takes the invitation, both play once more; the lobby; and what can't be had, in one sentence.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use alloy::providers::Provider as _;
use serde_json::{Value, json};

use crate::bot::{PATIENCE, Table, fogmate, text};

/// The engine of the games here, whose moves take no proof.
const UNPROVEN: [&str; 1] = ["--no-prove"];

/// Somebody at the keyboard of a game, told line by line. Dropping it kills the program.
struct Person {
    child: Child,
    keyboard: ChildStdin,
    said: Receiver<String>,
}

impl Person {
    fn new(table: &Table, name: &str, args: &[&str]) -> Self {
        let complaints = fs::File::create(table.folder.path().join(format!("{name}.stderr"))).expect("a file");
        let mut command = table.command(name, args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(complaints);
        let mut child = command.spawn().expect("the binary starts");
        let (sender, said) = channel();
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        std::thread::spawn(move || output.lines().map_while(Result::ok).all(|line| sender.send(line).is_ok()));
        let keyboard = child.stdin.take().expect("a pipe");
        Self { child, keyboard, said }
    }

    /// The next line with these words.
    fn until(&self, words: &str) -> String {
        self.until_all(&[words])
    }

    /// Listens until each of these words has been in a line, in any order; gives the last of those lines.
    fn until_all(&self, words: &[&str]) -> String {
        let (mut missing, mut heard) = (words.to_vec(), Vec::new());
        loop {
            let said = self.said.recv_timeout(PATIENCE);
            let line = said.unwrap_or_else(|error| panic!("nobody says {missing:?}: {error}; heard: {heard:#?}"));
            missing.retain(|words| !line.contains(words));
            if missing.is_empty() {
                return line;
            }
            heard.push(line);
        }
    }

    fn types(&mut self, line: &str) {
        writeln!(self.keyboard, "{line}").expect("it reads");
    }

    fn leaves(mut self) {
        self.types("quit");
        assert!(self.child.wait().expect("an end").success());
    }
}

impl Drop for Person {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn refused<'a>(output: &'a Output, code: i32, words: &str) -> &'a str {
    let complaint = text(&output.stderr);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(code), ""), "{complaint}");
    let last = complaint.lines().last().unwrap_or_default();
    assert!(last.starts_with("error: ") && last.contains(words), "{complaint}");
    complaint
}

#[test]
fn who_hosts_and_who_takes_the_invitation_play_and_play_once_more() {
    let table = Table::new();
    let run = |name: &str, args: &[&str]| table.command(name, args).output().expect("the binary starts");
    let host = [&["host", "--base", "10m"][..], &UNPROVEN].concat();
    let alice = Person::new(&table, "alice", &host);
    let invitation = alice.until("fogmate1");
    drop(alice);
    // Given again it opens no second game, and waits where the invitation says.
    let mut alice = Person::new(&table, "alice", &host);
    assert_eq!(alice.until("fogmate1"), invitation);
    alice.until("Waiting for an opponent");

    let games = table.ask("alice", &["games"]);
    let game = games["game"].as_str().expect("one game");
    assert_eq!(table.ask("alice", &["invite", &game[..8]])["invite"], invitation.as_str());
    let open = table.ask("bob", &["lobby"]);
    assert_eq!((&open["game"], &open["engine"]), (&games["game"], &Value::from("dh-psi-plain")));
    assert_eq!((&open["creator"], &open["terms"]["base_s"]), (&games["wallet"], &Value::from(600)));
    // The chain says all of it but where the creator's machine is, without which this engine can't be played with.
    refused(&run("bob", &["play", game, "--yes"]), 2, "ask the creator for the invitation");
    let unasked = run("bob", &["play", &invitation]);
    assert!(refused(&unasked, 2, "nobody can be asked whether to join it: say --yes").contains("10:00 on each clock"));
    refused(&run("bob", &["play", &invitation, "--stake", "1"]), 2, "say --stake 0 to agree");
    refused(&run("bob", &["play"]), 2, "no game of this machine is in play");
    refused(&run("bob", &["invite", game]), 2, "has not opened the game");

    let bob = Person::new(&table, "bob", &["play", &invitation, "--accept-any"]);
    bob.until("You play");
    alice.until("You play");
    // Who leaves a game is told that it isn't over, and how to go on with it: by its id, or without while it is the only one.
    bob.leaves();
    let told = fs::read_to_string(table.folder.path().join("bob.stderr")).expect("what it said");
    let words = format!("The game isn't over, and its clocks run on: `fogmate play {game}` goes on with it.\n");
    assert!(told.ends_with(&words), "{told}");
    let bob = Person::new(&table, "bob", &["play"]);
    bob.until("You play");
    let another = table.ask("alice", &[&["create", "--another"][..], &UNPROVEN].concat());
    table.ask("bob", &[&["join", another["invite"].as_str().expect("an invitation")][..], &UNPROVEN].concat());
    refused(&run("bob", &["play"]), 2, "2 games of this machine are in play: `fogmate play 0x");
    refused(&run("alice", &["rematch", game]), 2, "the game is not over");
    refused(&run("alice", &["invite", game]), 2, "nobody can join the game");
    alice.types("rematch");
    alice.until("A rematch comes after the end of the game.");
    alice.types("resign");
    for player in [&alice, &bob] {
        player.until("The game is over");
    }
    // Nothing is sent by hand: the chain has the game, and one machine is where it was.
    alice.types("rematch");
    alice.until("fogmate1");
    alice.until("Waiting for an opponent");
    bob.until("the opponent wants another game, on the same terms: `rematch` joins it");
    bob.leaves();
    let mut bob = Person::new(&table, "bob", &["rematch", game]);
    for player in [&alice, &bob] {
        // The chain may show the seats before the machines have found each other, and after.
        player.until_all(&["The opponent's machine is connected.", "You play"]);
    }
    bob.types("resign");
    for player in [alice, bob] {
        player.until("The game is over");
        player.leaves();
    }
    let lobby = run("bob", &["lobby"]);
    assert!(lobby.status.success() && lobby.stdout.is_empty());
    assert!(text(&lobby.stderr).contains("no game waits for an opponent"), "{}", text(&lobby.stderr));
}

/// Who opens a rematch may take it back, which the other is told; where both open one, the later in the chain is taken back by itself.
#[test]
fn who_both_want_a_rematch_at_once_meet_in_one_game() {
    let table = Table::new();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let provider = table.anvil.provider().expect("a connection");
    let ask = |method: &'static str, arguments: Value| -> Value {
        runtime.block_on(provider.raw_request(method.into(), arguments)).expect("the node answers")
    };
    let game = table.open();
    let mut alice = Person::new(&table, "alice", &["play", &game]);
    let mut bob = Person::new(&table, "bob", &["play", &game]);
    for player in [&alice, &bob] {
        player.until("You play");
    }
    alice.types("resign");
    for player in [&alice, &bob] {
        player.until("The game is over");
    }
    alice.types("rematch");
    alice.until("Waiting for an opponent");
    bob.until("`rematch` joins it");
    drop(alice);
    let offered = table.ask("bob", &["lobby"]);
    table.ask("alice", &["cancel", offered["game"].as_str().expect("an id")]);
    bob.until("the opponent has taken back its offer of another game");

    ask("evm_setAutomine", json!([false]));
    let alice = Person::new(&table, "alice", &["rematch", &game]);
    bob.types("rematch");
    let start = Instant::now();
    while ask("txpool_status", json!([]))["pending"] != "0x2" {
        assert!(start.elapsed() < PATIENCE, "both open a game before either is mined");
        std::thread::sleep(Duration::from_millis(50));
    }
    ask("evm_setAutomine", json!([true]));
    ask("evm_mine", json!([]));
    for player in [&alice, &bob] {
        player.until("You play");
    }
    let said = ["alice", "bob"]
        .map(|name| fs::read_to_string(table.folder.path().join(format!("{name}.stderr"))).expect("what it said"));
    let yields = said.iter().filter(|said| said.contains("You have both opened a game: yours is taken back.")).count();
    assert_eq!(yields, 1, "{said:#?}");

    // Who is interrupted and says it again goes back to that game, and opens no other.
    let games = || {
        let listed = table.command("alice", &["games", "--json"]).output().expect("the binary starts");
        text(&listed.stdout).lines().count()
    };
    let before = games();
    drop((alice, bob));
    for name in ["alice", "bob"] {
        Person::new(&table, name, &["rematch", &game]).until("You play");
    }
    assert_eq!(games(), before);
}

/// On a terminal, which shows the colours of a code.
#[test]
fn the_code_of_an_invitation_is_drawn_as_it_is() {
    let table = Table::new();
    let created = table.ask("alice", &["create"]);
    let asked = format!("{} invite {} --qr", env!("CARGO_BIN_EXE_fogmate"), created["game"].as_str().expect("an id"));
    let mut script = std::process::Command::new("script");
    script.args(["--quiet", "--return", "--command", &asked, "/dev/null"]).stdin(Stdio::null());
    let alice = table.command("alice", &[]);
    script.envs(alice.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = script.env("TERM", "xterm-256color").env_remove("NO_COLOR").output().expect("util-linux has `script`");
    let shown = text(&output.stdout);
    assert!(output.status.success() && shown.contains("\u{1b}[30;107m") && !shown.contains("?["), "{shown:?}");
}

/// What is piped in behind another command waits until that is done.
#[test]
fn a_piped_quit_overtakes_nothing() {
    let table = Table::new();
    let game = table.open();
    let seats = ["alice", "bob"].map(|name| Person::new(&table, name, &["play", &game]));
    seats.iter().for_each(|player| drop(player.until("You play")));
    drop(seats);
    let mut child = table.command("alice", &["play", &game]).stdin(Stdio::piped()).stdout(Stdio::null()).spawn();
    let child = child.as_mut().expect("the binary starts");
    child.stdin.take().expect("a pipe").write_all(b"resign\nquit\n").expect("it reads");
    assert!(child.wait().expect("an end").success());
    let listed = table.command("alice", &["games", "--chain", "--json"]).output().expect("the binary starts");
    let listed = text(&listed.stdout);
    assert!(listed.contains("resign") && !listed.contains("\"color\":null"), "{listed}");
}

/// A game of sight-lines is joined by its id alone; who does is told what that means.
#[test]
fn a_game_of_the_lobby_is_joined_by_its_id() {
    let table = Table::new();
    let created = table.ask("alice", &["create"]);
    let game = created["game"].as_str().expect("an id");
    refused(&table.command("nobody", &["host"]).output().expect("an end"), 2, "there is no wallet");
    let shown = table.command("bob", &["lobby"]).output().expect("the binary starts");
    assert!(text(&shown.stdout).contains(&format!("`fogmate play {game}` joins it")), "{}", text(&shown.stdout));
    let unasked = table.command("bob", &["play", game]).output().expect("the binary starts");
    let told = refused(&unasked, 2, "say --yes");
    assert!(told.contains("the chain doesn't say where the creator's machine is"), "{told}");
    let between = table.ask("alice", &["create", "--mode", "channel", "--another"]);
    let id = between["game"].as_str().expect("an id");
    let unasked = table.command("bob", &["play", id]).output().expect("the binary starts");
    let told = refused(&unasked, 2, "say --yes");
    assert!(told.contains("no move reaches the other, and the game is soon woken"), "{told}");
    // An open game can be taken back, and is in no lobby then.
    for game in [game, id] {
        assert!(table.command("alice", &["cancel", game]).status().expect("an end").success());
    }
    let gone = table.command("bob", &["lobby", "--json"]).output().expect("the binary starts");
    assert!(gone.status.success() && gone.stdout.is_empty(), "{}", text(&gone.stdout));
    refused(&table.command("bob", &["play", game, "--yes"]).output().expect("an end"), 2, "not open any more");
    refused(&table.command("alice", &["rematch", game]).output().expect("an end"), 2, "nobody has joined that game");
}

/// A seat is taken, and paid for, by who can go on to play alone.
#[test]
fn who_cannot_play_takes_no_seat() {
    let table = Table::new();
    let created = table.ask("alice", &[&["create", "--listen", "/ip4/127.0.0.1/tcp/4040"][..], &UNPROVEN].concat());
    let (game, invite) = (created["game"].as_str().expect("an id"), created["invite"].as_str().expect("a text"));
    let of_another = table.ask("alice", &[&["create", "--another"][..], &UNPROVEN].concat());
    let record = table.ask("alice", &["address", "--game", game, "--announce", "/ip4/127.0.0.1/tcp/4040"]);
    let record = record["record"].as_str().expect("a text");
    let other = of_another["invite"].as_str().expect("a text");
    let run = |args: &[&str]| table.command("bob", args).output().expect("the binary starts");
    refused(&run(&["play", other, "--yes", "--at", record]), 2, "the record of addresses is of another game");
    refused(&run(&["bot", invite, "--yes", "--log", "/proc/no/log"]), 1, "/proc/no/log");
    refused(&run(&["host", "--no-prove", "--dial", "/ip4/192.0.2.1/udp/5"]), 2, "can't dial");
    for command in ["host", "rematch"] {
        let complaint = run(&[command, "--at", record]);
        assert!(!complaint.status.success() && text(&complaint.stderr).contains("'--at'"), "{command}");
    }
    let open = run(&["lobby", "--json"]);
    assert_eq!(text(&open.stdout).lines().count(), 2, "{}", text(&open.stdout));
}

#[test]
fn what_is_typed_wrong_is_one_sentence() {
    let home = tempfile::tempdir().expect("a folder");
    let run = |args: &[&str]| fogmate(home.path(), args).output().expect("the binary starts");
    let id = format!("0x{}", "11".repeat(32));
    refused(&run(&["play", "fogmate1abc"]), 2, "typing error");
    refused(&run(&["bot", "fogmate1abc", "--accept-any"]), 2, "typing error");
    refused(&run(&["invite", "castle"]), 2, "is not a game's id");
    refused(&run(&["invite", &id]), 2, "this machine has not opened the game");
    refused(&run(&["rematch", "castle"]), 2, "is not a game's id");
    refused(&run(&["host", "--listen", "/ip4/0.0.0.0/tcp/4040"]), 2, "nobody can dial 0.0.0.0");
    // There is no wallet either, and nobody is asked for its password in vain.
    for command in ["lobby", "host"] {
        let nobody = [command, "--rpc", "http://127.0.0.1:1", "--deployments", "."];
        refused(&run(&nobody), 1, "the node http://127.0.0.1:1 can't be reached");
    }
    for wrong in
        [&["host", "--base", "30"][..], &["lobby", "--back", "30"], &["lobby", "--limit", "many"], &["rematch"]]
    {
        let output = run(wrong);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{wrong:?}");
    }
}
