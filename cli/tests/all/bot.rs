//! `fogmate bot` and `fogmate solo` from outside: two bots play a game over a real link and chain to its end, one of them killed on the way; a game against
//! one leaves nothing behind; and bad input in one sentence.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use alloy::primitives::U256;
use alloy::signers::local::PrivateKeySigner;
use client::wallet::{Cost, Wallet};
use deploy::anvil::{Anvil, FIRST_ACCOUNT_KEY, Mining};
use deploy::{Contracts, Game, Payer, Repository, deploy};
use serde_json::Value;

pub const PASSWORD: &str = "correct horse";
/// Longest that anything here may take on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(180);

pub fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

/// A chain with the contracts, and a folder for each machine.
pub struct Table {
    pub folder: tempfile::TempDir,
    pub anvil: Anvil,
}

impl Table {
    pub fn new() -> Self {
        let anvil = Anvil::start(&Repository::find_here().expect("a clone"), Mining::Instant).expect("a chain");
        let folder = tempfile::tempdir().expect("a folder");
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let signer: PrivateKeySigner = FIRST_ACCOUNT_KEY.parse().expect("a key");
        let creator = runtime.block_on(Payer::on_own_chain(&anvil.rpc(), signer)).expect("a connection");
        let contracts = Contracts::shipped(Game::Chess, true);
        runtime.block_on(deploy(&anvil.rpc(), &contracts, folder.path(), &creator)).expect("deployed");
        for name in ["alice", "bob"] {
            let wallets = folder.path().join(name).join("wallets");
            let (wallet, _) = Wallet::create(&wallets, PASSWORD, Cost::Light).expect("a wallet");
            runtime.block_on(anvil.fund(wallet.address(), U256::from(10u128.pow(19)))).expect("money");
        }
        Self { folder, anvil }
    }

    pub fn home(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn command(&self, name: &str, args: &[&str]) -> Command {
        let mut command = fogmate(&self.home(name), args);
        command.env("FOGMATE_RPC", self.anvil.rpc()).env("FOGMATE_DEPLOYMENTS", self.folder.path());
        command
    }

    /// Runs a command to its end; gives the JSON that it prints.
    pub fn ask(&self, name: &str, args: &[&str]) -> Value {
        let output = self.command(name, args).arg("--json").output().expect("the binary starts");
        assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("JSON")
    }

    /// Opens a game that proves nothing, and has it joined.
    pub fn open(&self) -> String {
        let engine = ["--engine", "dh-psi-plain"];
        let created = self.ask("alice", &[&["create", "--another", "--base", "1h"][..], &engine].concat());
        let (game, invite) = (created["game"].as_str().expect("an id"), created["invite"].as_str().expect("a text"));
        self.ask("bob", &[&["join", invite][..], &engine].concat());
        game.to_owned()
    }

    fn bot(&self, name: &str, game: &str, level: &str) -> Running {
        self.start(name, &["bot", game, "--level", level])
    }

    /// Starts a command that plays.
    pub fn start(&self, name: &str, args: &[&str]) -> Running {
        let mut command = self.command(name, args);
        let complaints = fs::File::create(self.folder.path().join(format!("{name}.stderr"))).expect("a file");
        command.arg("--json").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(complaints);
        let mut child = command.spawn().expect("the binary starts");
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
        Running { child, said }
    }
}

pub fn fogmate(home: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fogmate"));
    for variable in ["FOGMATE_RPC", "FOGMATE_DEPLOYMENTS", "FOGMATE_SRS", "FOGMATE_CACHE"] {
        command.env_remove(variable);
    }
    command.env("FOGMATE_HOME", home).env("FOGMATE_PASSWORD", PASSWORD).args(args).stdin(Stdio::null());
    command
}

/// A bot's process. Dropping it kills it.
pub struct Running {
    child: Child,
    said: Receiver<Value>,
}

impl Running {
    /// The next event that is wanted.
    pub fn until(&self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let said =
                self.said.recv_timeout(PATIENCE).unwrap_or_else(|error| panic!("the bot says nothing more: {error}"));
            // Only a move that it signed before it was killed may be given once more.
            assert!(said["event"] != "refused" || said["error"].get("already_chosen").is_some(), "{said}");
            if wanted(&said) {
                return said;
            }
        }
    }

    pub fn type_line(&mut self, line: &str) {
        writeln!(self.child.stdin.as_mut().expect("a pipe"), "{line}").expect("it reads");
    }

    /// How the game has ended, once the program has ended by itself.
    pub fn result(mut self) -> Value {
        let over = self.until(|said| said["event"] == "over");
        assert!(self.child.wait().expect("an end").success());
        over
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn refused(output: &Output, words: &str) {
    let complaint = text(&output.stderr);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{complaint}");
    assert!(complaint.contains(words) && !complaint.contains("panicked"), "{complaint}");
}

#[test]
fn bad_input_is_one_sentence() {
    let home = tempfile::tempdir().expect("a folder");
    let run = |args: &[&str]| fogmate(home.path(), args).output().expect("the binary starts");
    refused(&run(&["bot", "0x12", "--level", "grandmaster"]), "the levels are easy, medium and hard");
    refused(&run(&["bot", "castle"]), "is not a game's id");
    refused(&run(&["bot"]), "required");
    refused(&run(&["solo", "--level", "grandmaster"]), "the levels are easy, medium and hard");
    refused(&run(&["solo", "--color", "red"]), "the colours are white, black and random");
    refused(&run(&["solo", "--no-prove", "--anvil", "/nowhere/anvil"]), "there is no program /nowhere/anvil");
    refused(&run(&["bot", "0x12", "--script", "moves.json"]), "unexpected argument '--script'");
}

#[test]
fn two_bots_play_to_the_end_and_one_that_is_killed_goes_on() {
    let table = Table::new();
    let game = &table.open();
    let alice = table.bot("alice", game, "medium");
    let bob = table.bot("bob", game, "easy");
    bob.until(|said| said["event"] == "moved" && said["ply"].as_u64() >= Some(2));
    drop(bob);
    let log =
        fs::read_dir(table.home("bob").join("bots")).expect("a folder").next().expect("a log").expect("a file").path();
    let before = fs::read_to_string(&log).expect("text");
    assert!(before.lines().filter(|line| line.contains("\"moved\"")).count() >= 1, "{before}");
    let bob = table.bot("bob", game, "easy");
    let [alice, bob] = [alice, bob].map(Running::result);
    assert_eq!(alice, bob, "both learn the same end");
    let after = fs::read_to_string(&log).expect("text");
    assert!(after.starts_with(&before) && after.len() > before.len());
}

#[test]
fn a_game_against_the_bot_is_played_to_its_end_and_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let [home, temporary] = ["home", "tmp"].map(|name| folder.path().join(name));
    for path in [&home, &temporary] {
        fs::create_dir(path).expect("a folder");
    }
    let mut command = fogmate(&home, &["solo", "--no-prove", "--level", "easy", "--color", "white", "--json"]);
    command.env("HOME", &home).env("TMPDIR", &temporary).env_remove("FOGMATE_HOME").stdin(Stdio::piped());
    let complaints = folder.path().join("stderr");
    command.stdout(Stdio::piped()).stderr(fs::File::create(&complaints).expect("a file"));
    let mut child = command.spawn().expect("the binary starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut asked = None;
    for line in BufReader::new(child.stdout.take().expect("a pipe")).lines() {
        let said: Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        match said["event"].as_str() {
            Some("playing") => {
                assert_eq!(said["color"], "white");
                let folder = fs::read_dir(&temporary).expect("a folder").next().expect("the game's").expect("a folder");
                assert_eq!(folder.metadata().expect("a folder").permissions().mode() & 0o777, 0o700, "it has secrets");
            }
            Some("over") => break,
            _ => {}
        }
        // Pawns and knights go forth in the order of the list: the bot has a king to catch.
        let first = said["legal"].as_array().and_then(|moves| moves.last()?.as_str());
        if let Some(mv) = first.filter(|_| asked != said["ply"].as_u64()) {
            asked = said["ply"].as_u64();
            writeln!(input, "{mv}").expect("it reads");
        }
    }
    assert!(asked >= Some(2), "{asked:?}");
    drop(input);
    let status = child.wait().expect("an end");
    assert!(status.success(), "{}", fs::read_to_string(complaints).expect("text"));
    for path in [home, temporary] {
        assert_eq!(fs::read_dir(path).expect("a folder").count(), 0, "nothing is left");
    }
}

/// A folder with the program and a local chain in it, and nothing else that a game could need.
fn installed() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["bin", "home", "tmp", "here"] {
        fs::create_dir(folder.path().join(name)).expect("a folder");
    }
    let anvil = Repository::find_here().expect("a clone").anvil().expect("a local chain");
    std::os::unix::fs::symlink(anvil, folder.path().join("bin/anvil")).expect("a link");
    fs::copy(env!("CARGO_BIN_EXE_fogmate"), folder.path().join("bin/fogmate")).expect("a copy");
    folder
}

const MOVES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../test/data/solo.moves");

/// Plays the moves of a file against the bot of an installed program; what it prints.
fn solo(folder: &Path, moves: impl AsRef<Path>, args: &[&str]) -> Vec<Value> {
    let path = |name: &str| folder.join(name);
    let mut command = Command::new(path("bin/fogmate"));
    let programs = format!("{}:/usr/bin:/bin", path("bin").display());
    command.env_clear().env("PATH", programs).env("HOME", path("home")).env("TMPDIR", path("tmp"));
    command.current_dir(path("here")).stdin(fs::File::open(moves).expect("moves"));
    let output = command.args(["solo", "--no-prove", "--level", "easy", "--json"]).args(args).output();
    let output = output.expect("the binary starts");
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn an_installed_program_plays_the_moves_of_a_pipe_in_their_order_and_leaves_nothing() {
    let folder = installed();
    let said = solo(folder.path(), MOVES, &[]);
    assert!(said.iter().any(|said| said["event"] == "over"), "{said:?}");
    let moves: Vec<_> = said.iter().filter(|said| said["event"] == "moved").collect();
    assert!(moves.len() > 2 || said.iter().any(|said| said["reason"] == "king captured"), "{moves:?}");
    for refused in said.iter().filter(|said| said["event"] == "refused") {
        let error = &refused["error"];
        assert!(error.get("illegal").is_some() || error == "over", "nothing comes too early: {refused}");
    }
    for name in ["home", "tmp", "here"] {
        assert_eq!(fs::read_dir(folder.path().join(name)).expect("a folder").count(), 0, "nothing is left in {name}");
    }
}

#[test]
fn a_move_whose_turn_never_comes_is_refused_in_words() {
    let folder = installed();
    let moves = folder.path().join("moves");
    fs::write(&moves, "e4\nresign yes\nNf3 draw\n").expect("moves");
    let said = solo(folder.path(), moves, &["--color", "white"]);
    let refused = said.iter().filter(|said| said["event"] == "bad_input" || said["event"] == "refused");
    let texts: Vec<_> = refused.filter_map(|said| said["text"].as_str()).collect();
    assert!(texts.len() == 1 && texts[0].ends_with("the game is over"), "{texts:?}");
}

/// What ends the game is done after the moves that were piped in before it, each in its turn.
#[test]
fn a_game_is_given_up_after_the_moves_that_stand_before() {
    let folder = installed();
    let moves = folder.path().join("moves");
    fs::write(&moves, "e4\nNf3\nresign\n").expect("moves");
    let pgn = folder.path().join("game.pgn");
    let said = solo(folder.path(), moves, &["--color", "white", "--seed", "7", "--pgn", pgn.to_str().expect("UTF-8")]);
    let written = fs::read_to_string(pgn).expect("a file");
    assert!(written.contains("1. e4") && written.contains("2. Nf3"), "{written}");
    let told = said.iter().filter(|said| said["event"] == "moved" || said["event"] == "over");
    let told: Vec<_> = told.map(|said| said["move"].as_str().unwrap_or("over")).collect();
    assert_eq!(told, ["e2e4", "g1f3", "over"]);
}

/// A move that waits for its turn holds up what comes after it: in the pipe, not in this machine's memory.
#[test]
fn input_that_comes_faster_than_the_game_takes_it_waits_in_its_pipe() {
    let table = Table::new();
    let game = table.open();
    let mut play = table.command("alice", &["play", &game]);
    let mut play = play.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let mut keyboard = play.stdin.take().expect("a pipe");
    let (sender, written) = channel();
    let lines = "e2e4\n".repeat(1_000);
    std::thread::spawn(move || while keyboard.write_all(lines.as_bytes()).is_ok() && sender.send(()).is_ok() {});
    let mut thousands = 0;
    while written.recv_timeout(Duration::from_secs(3)).is_ok() && thousands < 1_000 {
        thousands += 1;
    }
    play.kill().and_then(|()| play.wait()).expect("an end");
    assert!(thousands < 100, "{thousands} thousand lines were taken");
}

/// How a process ends within a time; none if it goes on.
fn end_of(child: &mut Child, within: Duration) -> Option<i32> {
    let start = std::time::Instant::now();
    while start.elapsed() < within {
        if let Some(status) = child.try_wait().expect("a process") {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    None
}

#[test]
fn a_program_that_nobody_reads_any_more_can_be_ended() {
    let table = Table::new();
    let game = table.open();
    let _bob = table.bot("bob", &game, "easy");
    let mut play = table.command("alice", &["play", &game, "--json"]);
    let mut play = play.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the binary starts");
    let mut said = BufReader::new(play.stdout.take().expect("a pipe")).lines();
    assert!(said.any(|line| line.is_ok_and(|line| line.contains("\"playing\""))));
    let mut keyboard = play.stdin.take().expect("a pipe");
    // Far more than a pipe holds.
    (0..500).for_each(|_| writeln!(keyboard, r#"{{"command":"show"}}"#).expect("it reads"));
    std::thread::sleep(Duration::from_millis(500));
    let told = Command::new("kill").arg(play.id().to_string()).status();
    assert!(told.expect("kill").success());
    let code = end_of(&mut play, PATIENCE);
    let _ = play.kill();
    assert_eq!(code, Some(130));
}

#[test]
fn what_a_game_against_the_bot_has_started_ends_with_it_even_if_it_is_killed() {
    let folder = installed();
    let mut solo = Command::new(folder.path().join("bin/fogmate"));
    solo.env_clear().env("PATH", format!("{}:/usr/bin:/bin", folder.path().join("bin").display()));
    solo.env("HOME", folder.path().join("home")).env("TMPDIR", folder.path().join("tmp"));
    let mut solo = solo
        .args(["solo", "--no-prove", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut said = BufReader::new(solo.stdout.take().expect("a pipe")).lines();
    assert!(said.any(|line| line.is_ok_and(|line| line.contains("\"playing\""))));
    solo.kill().and_then(|()| solo.wait()).expect("an end");
    let bin = folder.path().join("bin").display().to_string();
    let is_ours = |command: &[u8]| String::from_utf8_lossy(command).contains(&bin);
    let left = || {
        fs::read_dir("/proc")
            .expect("processes")
            .flatten()
            .filter(|entry| fs::read(entry.path().join("cmdline")).is_ok_and(|command| is_ours(&command)))
            .count()
    };
    let start = std::time::Instant::now();
    while left() > 0 {
        assert!(start.elapsed() < PATIENCE, "{} processes go on", left());
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_seed_gives_the_same_game_again_and_a_folder_keeps_it() {
    let folder = installed();
    let moves = folder.path().join("moves");
    let first: Vec<_> = text(&fs::read(MOVES).expect("moves")).lines().take(8).map(str::to_owned).collect();
    fs::write(&moves, first.join("\n") + "\nresign yes\n").expect("moves");
    let mut games = Vec::new();
    for name in ["one", "two"] {
        let kept = folder.path().join(name);
        solo(folder.path(), &moves, &["--seed", "7", "--keep", kept.to_str().expect("UTF-8")]);
        let log = fs::read_dir(kept.join("bot/bots")).expect("a folder").next().expect("a log").expect("a file").path();
        let lines = fs::read_to_string(log).expect("text");
        let notices = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let moved = notices.filter(|notice| notice["event"] == "moved" || notice["event"] == "playing");
        games.push(
            moved.map(|mut told| (told["color"].take(), told["ply"].take(), told["move"].take())).collect::<Vec<_>>(),
        );
        let mut again = fogmate(folder.path(), &["solo", "--no-prove", "--keep", kept.to_str().expect("UTF-8")]);
        refused(&again.output().expect("the binary starts"), "the folder isn't empty");
    }
    // The colour and two moves: for later ones the bot's time may not suffice on a busy machine.
    assert!(games.iter().all(|told| told.len() > 3) && games[0][..3] == games[1][..3], "{games:?}");
}
