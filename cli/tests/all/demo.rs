//! The demo from outside: however it ends, nothing that it started goes on (Ctrl-C, the death of a player, its own).
//!
//! Whole games are played in `test/`. Processes are found in /proc, by the id of their game.

#![cfg(target_os = "linux")]

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    net::TcpStream,
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

/// Longest that anything here may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A demo whose players have been started.
struct Demo {
    /// What the demo itself writes.
    folder: tempfile::TempDir,
    child: Child,
    output: BufReader<std::process::ChildStdout>,
    address: String,
    game: String,
}

impl Demo {
    fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut command = Command::new(env!("CARGO_BIN_EXE_fogmate"));
        command.env("TMPDIR", folder.path());
        command.arg("demo").current_dir(env!("CARGO_MANIFEST_DIR"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the demo starts");
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        output.read_line(&mut line).expect("a line");
        if line.is_empty() {
            let mut complaint = String::new();
            let errors = child.stderr.as_mut().expect("a pipe");
            errors.read_to_string(&mut complaint).expect("text");
            panic!("the demo says nothing but {complaint}");
        }
        // "Chain 31337 on http://127.0.0.1:PORT, game 0x…"
        let (address, game) = line.trim().split_once(", game ").expect("chain and game");
        let address = address.split_once("http://").expect("a URL").1.to_owned();
        let demo = Self { folder, child, output, address, game: game.to_owned() };
        until("both players are there", || demo.players().len() == 2);
        assert!(demo.has_chain());
        demo
    }

    /// The processes of its players.
    fn players(&self) -> Vec<u32> {
        let processes = fs::read_dir("/proc").expect("/proc").flatten();
        let ids = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        ids.filter(|id: &u32| {
            let line = fs::read_to_string(format!("/proc/{id}/cmdline")).unwrap_or_default();
            line.contains("\0play\0") && line.contains(&self.game)
        })
        .collect()
    }

    fn has_chain(&self) -> bool {
        TcpStream::connect(&self.address).is_ok()
    }

    /// Waits for its end; gives exit code and complaint.
    fn end(&mut self) -> (Option<i32>, String) {
        // To the end, or the demo would wait for a reader.
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).expect("text");
        let mut complaint = String::new();
        let errors = self.child.stderr.as_mut().expect("a pipe");
        errors.read_to_string(&mut complaint).expect("text");
        (self.child.wait().expect("an end").code(), complaint)
    }

    fn nothing_is_left(&self) {
        until("the players have ended", || self.players().is_empty());
        until("the chain has ended", || !self.has_chain());
    }
}

impl Demo {
    /// A demo that isn't killed itself takes its files away, too.
    fn no_file_is_left(&self) {
        assert_eq!(fs::read_dir(self.folder.path()).expect("a folder").count(), 0);
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        // Its end has been waited for, unless the test fails.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn until(what: &str, condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < PATIENCE, "in vain: {what}");
        sleep(Duration::from_millis(50));
    }
}

fn signal(name: &str, process: u32) {
    let status = Command::new("kill").args([name, &process.to_string()]).status();
    assert!(status.expect("kill").success());
}

#[test]
fn an_interrupted_demo_leaves_nothing() {
    for name in ["-INT", "-TERM"] {
        let mut demo = Demo::start();
        signal(name, demo.child.id());
        let (code, complaint) = demo.end();
        assert_eq!(code, Some(130), "{complaint}");
        assert!(!complaint.contains("error"), "{complaint}");
        demo.nothing_is_left();
        demo.no_file_is_left();
    }
}

#[test]
fn a_demo_whose_player_dies_says_so_and_leaves_nothing() {
    let mut demo = Demo::start();
    signal("-KILL", demo.players()[0]);
    let (code, complaint) = demo.end();
    assert_eq!(code, Some(1), "{complaint}");
    let last = complaint.lines().last().unwrap_or_default();
    assert!(last.contains("process has ended: it was killed"), "{complaint}");
    demo.nothing_is_left();
}

#[test]
fn a_killed_demo_leaves_nothing() {
    let mut demo = Demo::start();
    signal("-KILL", demo.child.id());
    demo.child.wait().expect("an end");
    demo.nothing_is_left();
}
