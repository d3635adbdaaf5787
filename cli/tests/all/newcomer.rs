//! What somebody meets who has just built the program: times as people write them, hints that work as they stand, and a deployment with the
//! ceremony's keys without any file.

#![cfg(target_os = "linux")]

use std::os::unix::fs::PermissionsExt as _;
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
        for variable in here.iter().map(String::as_str).chain(["XDG_CACHE_HOME", "XDG_DATA_HOME"]) {
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
    let base = |time: &str| user.run(&["create", "--rpc", NOBODY, "--base", time]);
    let refused = base("30");
    assert!(
        said(&refused, 2).contains("\"30\" has no unit at its end: is it 30s or 30m?"),
        "{}",
        text(&refused.stderr)
    );
    for time in ["30s", "1h30m", "1d2h3m4s", "0"] {
        assert!(said(&base(time), 1).contains("can't be reached"), "{time}");
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
    hinted(&["tag", "withdraw", "--home", "alice"], 2, "`fogmate wallet new --home alice`");
    hinted(
        &["play", "abc", "--home", "alice", "--rpc", NOBODY],
        4,
        &format!("`fogmate games --home alice --rpc {NOBODY}`"),
    );
    let games = ["games", "--home", "alice", "--deployments", "there"];
    hinted(&games, 0, "`fogmate create --home alice --deployments there` opens one");
    // A key that was paid for is in no sentence.
    let keyed = ["games", "--rpc", "https://node.example/v2/0123-key"];
    hinted(&keyed, 0, "`fogmate join --rpc URL` joins one");
    assert!(!text(&user.run(&keyed).stderr).contains("0123-key"));
}

/// Runs a command at a terminal of its own: what is sent answers each question for a new password. Prints what the terminal showed, ends as the
/// command did, and with 99 if the terminal would have shown what is typed, or isn't given back.
const AT_A_TERMINAL: &str = r#"
import fcntl, os, pty, subprocess, sys, termios

ours, its = pty.openpty()
before = termios.tcgetattr(its)
child = subprocess.Popen(sys.argv[2:], stdin=its, stdout=its, stderr=its, start_new_session=True,
                         preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
shown, questions = b"", 0
while questions < int(sys.argv[1][:1]):
    shown += os.read(ours, 1)
    if shown.endswith((b"new wallet: ", b"Once more: ")):
        if termios.tcgetattr(its)[3] & termios.ECHO:
            sys.exit(99)
        questions += 1
        os.write(ours, sys.argv[1][1:].encode())
code = child.wait()
os.write(its, b"\0")
while not shown.endswith(b"\0"):
    shown += os.read(ours, 1)
sys.stdout.buffer.write(shown)
sys.exit(code if termios.tcgetattr(its) == before else 99)
"#;

/// What the first command of a user shows who answers so many questions by these keys; it ends with this code.
fn first_wallet(user: &User, answers: &str, code: i32) -> String {
    let mut create = Command::new("python3");
    create.args(["-c", AT_A_TERMINAL, answers, env!("CARGO_BIN_EXE_fogmate")]);
    create.args(["deploy", "--rpc", NOBODY, "--deployments", "."]).env("HOME", user.0.path());
    for variable in ["FOGMATE_HOME", "FOGMATE_PASSWORD", "XDG_DATA_HOME"] {
        create.env_remove(variable);
    }
    let output = create.output().expect("Python starts");
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(code), "{shown}{}", text(&output.stderr));
    shown.to_owned()
}

/// Where a terminal can ask for a password, who begins needs no wallet before, nor a folder.
#[test]
fn the_first_wallet_is_made_where_somebody_can_be_asked_for_its_password() {
    let user = User::new();
    let shown = first_wallet(&user, &format!("2{PASSWORD}!\x7f\n"), 1);
    assert!(
        shown.contains("There is no wallet yet, so one is made in") && shown.contains("Your address is 0x"),
        "{shown}"
    );
    assert!(shown.contains("can't be reached") && !shown.contains(PASSWORD), "{shown}");
    let folder = user.path(".local/share/fogmate");
    let mode = |path: &std::path::Path| std::fs::metadata(path).expect("there").permissions().mode() & 0o777;
    let listed = user.run(&["wallet", "list"]);
    let file = text(&listed.stdout).split_whitespace().nth(1).map(PathBuf::from).expect("a wallet");
    assert!(file.starts_with(&folder), "{}", file.display());
    assert_eq!((mode(&folder), mode(&folder.join("wallets")), mode(&file)), (0o700, 0o700, 0o600));
    Wallet::open(&folder.join("wallets"), "", PASSWORD).expect("the password that was typed");
}

/// Who thinks better of it has no wallet, and a terminal as it was.
#[test]
fn a_password_that_is_not_typed_leaves_the_terminal_as_it_was() {
    let user = User::new();
    let shown = first_wallet(&user, "1\x03", 130);
    assert!(!shown.contains("Your address"), "{shown}");
    assert!(text(&user.run(&["wallet", "list"]).stdout).is_empty());
}

#[test]
fn a_key_of_another_program_is_taken_over_from_a_file_alone() {
    let user = User::new();
    let key = "4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318";
    let address = "0x2c7536e3605d9c16a7a3d7b1898e529396a65c23";
    let import = |args: &[&str]| user.run(&[&["wallet", "import"], args].concat());
    let as_argument = import(&[key]);
    assert!(said(&as_argument, 2).contains("is read by others"), "{}", text(&as_argument.stderr));
    assert!(!text(&as_argument.stderr).contains(key));
    let unasked = import(&[]);
    assert!(said(&unasked, 2).contains("the key can't be asked for without a terminal"), "{}", text(&unasked.stderr));
    std::fs::write(user.path("key"), format!("0x{key}\n")).expect("a file");
    std::fs::write(user.path("typo"), &key[1..]).expect("a file");
    std::fs::write(user.path("broken.json"), "{}").expect("a file");
    for (file, words) in
        [("typo", "neither a private key"), ("nowhere", "nowhere: "), ("broken.json", "can't be opened")]
    {
        let refused = import(&[file]);
        assert!(said(&refused, 2).contains(words), "{file}: {}", text(&refused.stderr));
        assert!(!text(&refused.stderr).contains(&key[1..]));
    }
    let taken = import(&["key", "--home", "alice"]);
    said(&taken, 0);
    assert!(text(&taken.stdout).to_lowercase().starts_with(address), "{}", text(&taken.stdout));
    let again = import(&["key", "--home", "alice"]);
    assert!(said(&again, 2).contains("is here already"), "{}", text(&again.stderr));
    let keystore = format!("alice/wallets/{address}.json");
    let copied = import(&[&keystore, "--home", "bob"]);
    said(&copied, 0);
    let bob = Wallet::open(&user.path("bob/wallets"), address, PASSWORD).expect("the keystore's password");
    assert_eq!(format!("{:#x}", bob.address()), address);
}

/// The commands that only look.
const LOOKING: [&str; 3] = ["audit", "replay", "watch"];

#[test]
fn what_only_looks_names_the_options_that_say_where() {
    let (user, game) = (User::new(), format!("0x{}", "7".repeat(64)));
    for command in LOOKING {
        let output = user.run(&[command, &game, "--rpc", NOBODY]);
        let said = said(&output, 1);
        // Which node is meant was said.
        assert!(said.contains("127.0.0.1:1 can't be reached") && !said.contains("--rpc"), "{said}");
        assert_eq!(said.matches("can't be reached").count(), 1, "{said}");
    }
}

/// The same of a node that has another game, another contract, or no deployment's file; with the contract's address no file is needed.
fn looked_for_elsewhere(user: &User, rpc: &str, game: &str, contract: &str) {
    let options = "; --contract ADDRESS says which contract is meant\n";
    let (other_game, nowhere) = (format!("0x{}", "7".repeat(64)), format!("0x{}", "1".repeat(40)));
    for command in LOOKING {
        let output = user.run(&[command, game, "--rpc", rpc]);
        let without = said(&output, 2);
        assert!(without.contains("no deployment on chain 31337 is known") && without.ends_with(options), "{without}");
        let output = user.run(&[command, &other_game, "--rpc", rpc, "--contract", contract]);
        let unknown = said(&output, 4);
        let words = format!("there is no game {other_game} at the contract {contract} on chain 31337\n");
        assert!(unknown.to_lowercase().ends_with(&words.to_lowercase()), "{unknown}");
        let output = user.run(&[command, game, "--rpc", rpc, "--contract", &nowhere]);
        let none = said(&output, 2);
        let words = format!(
            "no game contract of this version stands at {nowhere} on chain 31337: nothing does. Is the address"
        );
        assert!(none.contains(&words), "{none}");
    }
    let output = user.run(&["replay", game, "--rpc", rpc, "--contract", contract]);
    assert!(said(&output, 5).contains("the game has not begun"), "{}", text(&output.stderr));
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
    assert!(
        text(&audited.stdout).contains("\nIn order. No move was made. The game goes on"),
        "{}",
        text(&audited.stdout)
    );
    let contract = told.split("contract 0x").nth(1).map(|rest| format!("0x{}", &rest[..40])).expect("an address");
    looked_for_elsewhere(&user, &rpc, &game, &contract);
    // Who hasn't joined waits for nothing.
    Wallet::create(&user.path("bob/wallets"), PASSWORD, Cost::Light).expect("a wallet");
    let stranger = user.run(&[&["play", &game, "--home", "bob"][..], &place].concat());
    assert!(
        said(&stranger, 2).contains("has no seat in this game, and nobody can be asked"),
        "{}",
        text(&stranger.stderr)
    );
    let cancelled = as_alice(&["cancel", &game]);
    said(&cancelled, 0);
    assert_eq!(text(&cancelled.stdout).trim(), format!("cancelled {game}"), "there is no stake to fetch");
    let watched = user.run(&["watch", &game, "--contract", &contract, "--rpc", &rpc]);
    said(&watched, 0);
    assert!(text(&watched.stdout).ends_with("Not played: cancelled.\n"), "{}", text(&watched.stdout));
    // Begun anew, the chain has none of its contracts; its accounts have money all the same.
    let anew = Anvil::start(&repository, Mining::Instant).expect("a chain");
    let args = ["wallet", "show", "--balance", "--home", "alice", "--rpc", &anew.rpc(), "--deployments", "there"];
    let shown = user.run(&args);
    assert!(said(&shown, 0).contains("no game contract is known on this chain"), "{}", text(&shown.stderr));
    assert!(text(&shown.stdout).contains("balance 0 ETH"), "{}", text(&shown.stdout));
    assert!(![".cache", "alice/cache"].iter().any(|name| user.path(name).exists()), "an audit makes no keys");
}
