//! What somebody meets who has just built the program: times as people write them, hints that work as they stand, and a deployment with the
//! ceremony's keys without any file.

#![cfg(target_os = "linux")]

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use alloy::primitives::U256;
use client::wallet::{Cost, Wallet};
use deploy::Repository;
use deploy::anvil::{Anvil, Mining};

const PASSWORD: &str = "correct horse";
/// A port on which nobody listens.
const NOBODY: &str = "http://127.0.0.1:1";

/// A user's folder, in which the program finds nothing and may write; `alice` is the folder that `--home` names in it.
struct User(tempfile::TempDir);

impl User {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fogmate"));
        let here = ["HOME", "RPC", "DEPLOYMENTS", "SRS", "CACHE"].map(|name| format!("FOGMATE_{name}"));
        for variable in here.iter().map(String::as_str).chain(["XDG_CACHE_HOME"]) {
            command.env_remove(variable);
        }
        command.env("HOME", self.0.path()).env("FOGMATE_PASSWORD", PASSWORD).current_dir(self.0.path());
        command.args(args).stdin(Stdio::null()).output().expect("the binary starts")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

/// What a command says on standard error; it ends with this code.
fn said(output: &Output, code: i32) -> &str {
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{said}{}", text(&output.stdout));
    said
}

#[test]
fn a_time_without_its_unit_is_refused_and_one_of_several_units_taken() {
    let user = User::new();
    let base = |time: &str| user.run(&["create", "--base", time]);
    let refused = base("30");
    assert!(
        said(&refused, 2).contains("\"30\" has no unit at its end: is it 30s or 30m?"),
        "{}",
        text(&refused.stderr)
    );
    for time in ["30s", "1h30m", "1d2h3m4s", "0"] {
        assert!(said(&base(time), 2).contains("there is no wallet"), "{time}");
    }
}

#[test]
fn hints_repeat_the_flags_that_were_given() {
    let user = User::new();
    let hinted = |args: &[&str], code, hint: &str| {
        let output = user.run(args);
        let said = said(&output, code);
        assert!(said.contains(hint), "{args:?}: {said}");
    };
    hinted(&["wallet", "list"], 0, "`fogmate wallet new`");
    hinted(&["wallet", "list", "--home", "alice"], 0, "`fogmate wallet new --home alice`");
    hinted(&["wallet", "list", "--home", "my games"], 0, "`fogmate wallet new --home 'my games'`");
    // A wallet is made without a node.
    hinted(&["create", "--home", "alice", "--rpc", NOBODY], 2, "`fogmate wallet new --home alice`");
    hinted(&["tag", "create", "--home", "alice"], 2, "`fogmate wallet new --home alice`");
    hinted(
        &["play", "abc", "--home", "alice", "--rpc", NOBODY],
        2,
        &format!("`fogmate games --home alice --rpc {NOBODY}`"),
    );
    let games = ["games", "--home", "alice", "--deployments", "there"];
    hinted(&games, 0, "`fogmate create --home alice --deployments there` opens one");
    // A key that was paid for is in no sentence.
    let keyed = ["games", "--rpc", "https://node.example/v2/0123-key"];
    hinted(&keyed, 0, "`fogmate join --rpc URL` joins one");
    assert!(!text(&user.run(&keyed).stderr).contains("0123-key"));
}

/// On any chain but a local one the keys are the ceremony's: who audits gives no file, and needs no folder for keys.
#[test]
fn a_deployment_with_the_ceremony_s_keys_is_audited_without_a_file() {
    let user = User::new();
    let repository = Repository::find_here().expect("a clone");
    let anvil = Anvil::start(&repository, Mining::Instant).expect("a chain");
    let (wallet, _) = Wallet::create(&user.path("alice/wallets"), PASSWORD, Cost::Light).expect("a wallet");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(anvil.fund(wallet.address(), U256::from(10u128.pow(19)))).expect("money");
    let rpc = anvil.rpc();
    let place = ["--rpc", &rpc, "--deployments", "there"];
    let as_alice = |args: &[&str]| user.run(&[args, &place, &["--home", "alice"]].concat());
    said(&as_alice(&["deploy"]), 0);

    let created = as_alice(&["create", "--base", "30s"]);
    let told = said(&created, 0);
    assert!(told.contains("each clock has 0:30 for the whole game"), "{told}");
    let invite = text(&created.stdout).trim();
    assert!(invite.starts_with("fogmate1"), "{invite}");
    let game = told.split("game 0x").nth(1).map(|rest| format!("0x{}", &rest[..64])).expect("a game's id");
    let play = format!("`fogmate play {} --home alice --rpc {rpc} --deployments there`", &game[..10]);
    assert!(told.contains(&play), "{told}");

    let audited = user.run(&[&["audit", &game][..], &place].concat());
    said(&audited, 0);
    assert!(text(&audited.stdout).starts_with("in order: 0 plies"), "{}", text(&audited.stdout));
    // Who hasn't joined waits for nothing.
    Wallet::create(&user.path("bob/wallets"), PASSWORD, Cost::Light).expect("a wallet");
    let stranger = user.run(&[&["play", &game, "--home", "bob"][..], &place].concat());
    assert!(said(&stranger, 2).contains("has no seat in game"), "{}", text(&stranger.stderr));
    let cancelled = as_alice(&["cancel", &game]);
    said(&cancelled, 0);
    assert_eq!(text(&cancelled.stdout).trim(), format!("cancelled {game}"), "there is no stake to fetch");
    // Begun anew, the chain has none of its contracts; its accounts have money all the same.
    let anew = Anvil::start(&repository, Mining::Instant).expect("a chain");
    let args = ["wallet", "show", "--balance", "--home", "alice", "--rpc", &anew.rpc(), "--deployments", "there"];
    let shown = user.run(&args);
    assert!(said(&shown, 0).contains("no game contract is known on this chain"), "{}", text(&shown.stderr));
    assert!(text(&shown.stdout).contains("balance 0 ETH"), "{}", text(&shown.stdout));
    assert!(![".cache", "alice/cache"].iter().any(|name| user.path(name).exists()), "an audit makes no keys");
}
