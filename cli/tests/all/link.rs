//! The binary from outside, as far as addresses go: ports that are taken, relays, and records of addresses. No chain is
//! needed, because all of it is looked at before.

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

const GAME: &str = "0x9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a";

fn command(home: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fogmate"));
    for variable in ["FOGMATE_RPC", "FOGMATE_DEPLOYMENTS", "FOGMATE_SRS", "FOGMATE_CACHE"] {
        command.env_remove(variable);
    }
    command.env("FOGMATE_PASSWORD", "correct horse").env("FOGMATE_HOME", home).args(args).stdin(Stdio::null());
    command
}

fn fogmate(home: &Path, args: &[&str]) -> Output {
    command(home, args).output().expect("the binary starts")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

/// Exit code 2, nothing on stdout, and one sentence on stderr that has these words.
fn refused(output: &Output, words: &str) {
    let complaint = text(&output.stderr);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{complaint}");
    assert!(complaint.lines().count() == 1 && complaint.contains(words), "{complaint}");
}

/// A machine with a wallet and a game, which listens at `listen`.
fn machine(listen: &str) -> tempfile::TempDir {
    let home = tempfile::tempdir().expect("a folder");
    let made = fogmate(home.path(), &["wallet", "new", "--json"]);
    assert_eq!(made.status.code(), Some(0), "{}", text(&made.stderr));
    let made: serde_json::Value = serde_json::from_slice(&made.stdout).expect("JSON");
    let game = serde_json::json!({
        "chain_id": 31337, "contract": format!("0x{}", "c0".repeat(20)), "game": GAME, "wallet": made["address"],
        "nodes": ["http://127.0.0.1:1"], "listen": listen, "dial": [],
    });
    let games = home.path().join("games");
    std::fs::create_dir_all(&games).expect("a folder");
    std::fs::write(games.join(format!("{}.json", &GAME[2..])), game.to_string()).expect("a file");
    home
}

#[test]
fn a_port_that_is_taken_is_one_sentence_before_anything_is_paid() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let listen = format!("/ip4/127.0.0.1/tcp/{}", taken.local_addr().expect("an address").port());
    let home = machine(&listen);
    let words = format!("can't listen on {listen}: another program listens there");
    refused(&fogmate(home.path(), &["create", "--listen", &listen]), &words);
    refused(&fogmate(home.path(), &["play", GAME]), &words);
    let file = home.path().join("games").join(format!("{}.json", &GAME[2..]));
    let before = std::fs::read(&file).expect("a file");
    refused(&fogmate(home.path(), &["play", GAME, "--listen", "/ip4/192.0.2.1/tcp/4040"]), "has no such address");
    assert_eq!(std::fs::read(&file).expect("a file"), before, "what doesn't work isn't remembered");
}

#[test]
fn addresses_are_checked_before_anything_starts() {
    let home = machine("/ip4/127.0.0.1/tcp/0");
    for (args, words) in [
        (["--dial", "/ip4/192.0.2.1/udp/4040"], "can't dial /ip4/192.0.2.1/udp/4040"),
        (["--relay", "/ip4/192.0.2.1/tcp/4041"], "is no relay's address"),
        (["--at", "fogmate-at1abc"], "its signature is wrong"),
        (["--at", "hello"], "not a record of addresses"),
        (["--listen", "/ip4/127.0.0.1/udp/4040"], "say an address and a port"),
    ] {
        refused(&fogmate(home.path(), &[&["play", GAME][..], &args].concat()), words);
    }
    refused(&fogmate(home.path(), &["create", "--relay", "/ip4/192.0.2.1/tcp/4041"]), "is no relay's address");
}

#[test]
fn a_record_of_addresses_is_numbered_and_says_what_it_says() {
    let home = machine("/ip4/127.0.0.1/tcp/4040");
    let record = |args: &[&str]| {
        let output = fogmate(home.path(), &[&["address", "--game", "0x9a", "--json"][..], args].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        serde_json::from_slice::<serde_json::Value>(&output.stdout).expect("JSON")
    };
    let (first, second) = (record(&[]), record(&["--announce", "/dns4/alice.example/udp/4040/quic-v1"]));
    assert!(first["number"].as_u64() < second["number"].as_u64());
    assert!(first["addresses"][0].as_str().expect("text").starts_with("/ip4/127.0.0.1/tcp/4040/p2p/12D3"));
    assert!(
        second["addresses"][0].as_str().expect("text").starts_with("/dns4/alice.example/udp/4040/quic-v1/p2p/12D3")
    );
    assert!(second["record"].as_str().expect("text").starts_with("fogmate-at1"));
    let nobody = fogmate(home.path(), &["address", "--game", "0x9a", "--announce", "/ip4/0.0.0.0/tcp/1"]);
    refused(&nobody, "nobody can dial 0.0.0.0");
}

/// A relay that ends with the test.
struct Relay(Child);

impl Drop for Relay {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Relay {
    fn start(home: &Path) -> (Self, String) {
        let mut command = command(home, &["relay", "--listen", "/ip4/127.0.0.1/tcp/0"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the binary starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
        (Self(child), line.trim().to_owned())
    }
}

#[test]
fn a_relay_says_its_address_and_keeps_its_name() {
    let home = tempfile::tempdir().expect("a folder");
    let peer = |address: &str| {
        assert!(address.starts_with("/ip4/127.0.0.1/tcp/"), "{address}");
        address.split_once("/p2p/").expect("a peer").1.to_owned()
    };
    let (relay, first) = Relay::start(home.path());
    drop(relay);
    let (_relay, second) = Relay::start(home.path());
    assert_eq!(peer(&first), peer(&second));
    // Its address is good for an invitation's --relay: what fails afterwards is the password.
    let machine = machine("/ip4/127.0.0.1/tcp/0");
    let play = fogmate(machine.path(), &["play", GAME, "--relay", &second]);
    assert!(!text(&play.stderr).contains("relay"), "{}", text(&play.stderr));
    let taken = second.split("/p2p/").next().expect("a place");
    let elsewhere = tempfile::tempdir().expect("a folder");
    refused(&fogmate(elsewhere.path(), &["relay", "--listen", taken]), "another program listens there");
}
