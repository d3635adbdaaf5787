//! The binary from outside, as far as no chain is needed: help texts, wallets, and one clear sentence for bad input.

use std::{
    path::Path,
    process::{Command, Output, Stdio},
};

const COMMANDS: [&str; 37] = [
    "address",
    "demo",
    "wallet",
    "deploy",
    "create",
    "cancel",
    "join",
    "games",
    "play",
    "recover",
    "relay",
    "tower",
    "withdraw",
    "audit",
    "proof",
    "transcript",
    "disclose",
    "explorer",
    "rules",
    "sight",
    "dice",
    "tag",
    "solo",
    "bot",
    "schema",
    "resign",
    "draw",
    "claim",
    "publish",
    "replay",
    "doctor",
    "completions",
    "man",
    "host",
    "invite",
    "lobby",
    "rematch",
];
/// A port on which nobody listens.
const NOBODY: &str = "http://127.0.0.1:1";

fn fogmate(home: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fogmate"));
    for variable in ["FOGMATE_RPC", "FOGMATE_DEPLOYMENTS", "FOGMATE_SRS", "FOGMATE_CACHE", "FOGMATE_PASSWORD"] {
        command.env_remove(variable);
    }
    command.env("FOGMATE_HOME", home).args(args).stdin(Stdio::null());
    command.output().expect("the binary starts")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

/// Bad input: exit code 2, nothing on stdout, one sentence on stderr that has these words.
fn refused(output: &Output, words: &str) {
    let complaint = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{complaint}");
    assert_eq!(text(&output.stdout), "");
    let last = complaint.lines().last().unwrap_or_default();
    assert!(last.starts_with("error: ") && last.contains(words), "{complaint}");
    assert!(!complaint.contains("panicked"), "{complaint}");
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn file(folder: &tempfile::TempDir, name: &str, contents: &str) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, contents).expect("a file");
    path.to_str().expect("UTF-8").to_owned()
}

#[test]
fn every_command_explains_itself() {
    let home = folder();
    let overview = fogmate(home.path(), &["--help"]);
    for command in COMMANDS {
        assert!(text(&overview.stdout).contains(&format!("  {command} ")), "{command}");
        let output = fogmate(home.path(), &[command, "--help"]);
        assert_eq!(output.status.code(), Some(0));
        let help = text(&output.stdout);
        assert!(help.contains(&format!("fogmate {command}")), "{help}");
        assert!(help.lines().next().is_some_and(|line| line.len() > 10), "{help}");
    }
    assert_eq!(fogmate(home.path(), &["castle"]).status.code(), Some(2));
}

#[test]
fn shells_and_manuals_are_served() {
    let home = folder();
    let bash = fogmate(home.path(), &["completions", "bash"]);
    assert!(bash.status.success() && text(&bash.stdout).contains("resign"), "{}", text(&bash.stderr));
    assert_eq!(fogmate(home.path(), &["completions", "cmd.exe"]).status.code(), Some(2));
    let page = fogmate(home.path(), &["man"]);
    assert!(page.status.success() && text(&page.stdout).contains(".TH"), "{}", text(&page.stderr));
    let pages = home.path().join("pages");
    assert!(fogmate(home.path(), &["man", pages.to_str().expect("UTF-8")]).status.success());
    let resign = std::fs::read_to_string(pages.join("fogmate-resign.1")).expect("a page");
    assert!(resign.contains("Examples:"), "{resign}");
}

#[test]
fn wallets_are_made_listed_and_shown() {
    let home = folder();
    let password = file(&home, "password", "correct horse\n");
    refused(&fogmate(home.path(), &["wallet", "show"]), "there is no wallet");
    let made = fogmate(home.path(), &["wallet", "new", "--json", "--password-file", &password]);
    assert_eq!(made.status.code(), Some(0), "{}", text(&made.stderr));
    let made: serde_json::Value = serde_json::from_slice(&made.stdout).expect("JSON");
    let address = made["address"].as_str().expect("an address");
    for args in [&["wallet", "list", "--json"][..], &["wallet", "show", "--json", "--wallet", &address[..8]]] {
        let output = fogmate(home.path(), args);
        let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(found, made);
    }
    refused(&fogmate(home.path(), &["wallet", "show", "--wallet", "xyz"]), "is not an address");
    let wrong = file(&home, "wrong", "battery staple\n");
    let output = fogmate(home.path(), &["withdraw", "--rpc", NOBODY, "--password-file", &wrong]);
    refused(&output, "wrong password");
    assert!(!text(&output.stderr).contains("battery staple"));
    let empty = file(&home, "empty", "\n");
    refused(&fogmate(home.path(), &["wallet", "new", "--password-file", &empty]), "this one is empty");
    let twice = format!("{NOBODY},{NOBODY}");
    let output = fogmate(home.path(), &["join", &invite(), "--rpc", &twice, "--password-file", &password]);
    refused(&output, "names the node 127.0.0.1:1 twice");
    let missing = fogmate(home.path(), &["wallet", "new", "--password-file", "/nowhere/password"]);
    refused(&missing, "/nowhere/password");
}

/// An invitation to nowhere, with a right check sum.
fn invite() -> String {
    INVITE.to_owned()
}

const INVITE: &str = "fogmate1111111o9qxe6d1TobSpt75kjFf7W5WPUrL9GUsyYxp7kCkVPNwwMgta8i6kdEHBdeJVXb3oNV7oR34p6WFv4wo9357WTdaszApcaetGGRdUkFeJU6SGCH7L2E8u8mFNnqdEdrjF7x5BsnBpTEdd7CHJp";

#[test]
fn invitations_with_typing_errors_are_noticed() {
    let home = folder();
    let invite = invite();
    let mut typed = invite.clone().into_bytes();
    typed[40] = if typed[40] == b'a' { b'b' } else { b'a' };
    let typed = String::from_utf8(typed).expect("ASCII");
    refused(&fogmate(home.path(), &["join", &typed]), "typing error");
    refused(&fogmate(home.path(), &["join", "hello"]), "not an invitation");
    refused(&fogmate(home.path(), &["join", &invite[..invite.len() - 3]]), "typing error");
}

#[test]
fn a_key_without_an_end_and_what_is_no_file_among_the_games_hold_nothing_up() {
    let home = folder();
    std::fs::create_dir_all(home.path().join("games/odd.json")).expect("a folder");
    let pipe = Command::new("mkfifo").arg(home.path().join("games/pipe.json")).status();
    assert!(pipe.expect("mkfifo").success());
    let game = format!("0x{}", "11".repeat(32));
    refused(&fogmate(home.path(), &["address", "--game", &game]), "this machine has not played that game");
    refused(&fogmate(home.path(), &["replay", &game, "--key", "/dev/zero"]), "the file is too long for a key");
}

#[test]
fn scripts_are_checked_before_anything_starts() {
    let home = folder();
    let illegal = file(&home, "illegal.json", r#"{"moves": ["e2e4", "e7e4"]}"#);
    let output = fogmate(home.path(), &["demo", "--script", &illegal]);
    refused(&output, "move e7e4 of black at ply 1 is not legal; nothing was sent");
    let garbage = file(&home, "garbage.json", "e2e4 e7e5");
    refused(&fogmate(home.path(), &["demo", "--script", &garbage]), "not one JSON object with `moves`");
    refused(&fogmate(home.path(), &["demo", "--script", "/nowhere/script.json"]), "/nowhere/script.json");
    refused(&fogmate(home.path(), &["demo", "--script", "/dev/zero"]), "the file is too long for a game");
    refused(&fogmate(home.path(), &["demo", "--cut-link", "999"]), "the game has no ply 999: say a ply from 0 to");
    let ply = fogmate(home.path(), &["demo", "--cut-link", "-1"]);
    assert!(text(&ply.stderr).contains("\"-1\" is not a ply"), "{}", text(&ply.stderr));
    let beyond = file(&home, "beyond.json", r#"{"moves": ["e2e4", "f7f6", "d1h5", "a7a6", "h5e8", "a6a5"]}"#);
    refused(&fogmate(home.path(), &["demo", "--script", &beyond]), "after a king has been captured");
}

#[test]
fn a_node_that_is_not_there_is_named() {
    let home = folder();
    let password = file(&home, "password", "p");
    let made = fogmate(home.path(), &["wallet", "new", "--password-file", &password]);
    assert_eq!(made.status.code(), Some(0));
    let deployments = home.path().to_str().expect("UTF-8");
    let common = ["--rpc", NOBODY, "--deployments", deployments, "--password-file", &password];
    let output = fogmate(home.path(), &[&["create"][..], &common].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains("the node http://127.0.0.1:1 can't be reached: "),
        "{}",
        text(&output.stderr)
    );
    let bad = ["create", "--rpc", "no url", "--deployments", deployments, "--password-file", &password];
    refused(&fogmate(home.path(), &bad), "is not the URL of a node");
}

#[test]
fn amounts_times_and_games_are_checked() {
    let home = folder();
    for args in [
        &["create", "--stake", "much"][..],
        &["create", "--base", "soon"],
        &["create", "--opponent", "0x12"],
        &["create", "--listen", "nowhere"],
        &["join"],
        &["play"],
    ] {
        let output = fogmate(home.path(), args);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{args:?}");
        assert!(text(&output.stderr).starts_with("error: "), "{}", text(&output.stderr));
    }
    refused(&fogmate(home.path(), &["create", "--listen", "/ip4/127.0.0.1/udp/1"]), "can't be listened at");
    refused(&fogmate(home.path(), &["create", "--listen", "/ip4/0.0.0.0/tcp/4040"]), "nobody can dial 0.0.0.0");
    refused(&fogmate(home.path(), &["play", "castle"]), "is not a game's id");
    refused(&fogmate(home.path(), &["audit", "castle"]), "is not a game's id");
    let id = format!("0x{}", "1".repeat(64));
    let audit = |path: &str| fogmate(home.path(), &["audit", &id, "--disclosure", path]);
    refused(&audit("/nowhere/alice.json"), "/nowhere/alice.json");
    refused(&audit(&file(&home, "garbage.json", "e2e4")), "it is no disclosure");
    refused(&audit(&file(&home, "earlier.json", r#"{"fogmate": "disclosure 1"}"#)), "of version disclosure 1");
    refused(&fogmate(home.path(), &["disclose", "--game", "castle", "-o", "x.json"]), "is not a game's id");
    let negative = fogmate(home.path(), &["create", "--base", "-5m"]);
    assert!(text(&negative.stderr).contains("\"-5m\" is not a time"), "{}", text(&negative.stderr));
    let stranger = fogmate(home.path(), &["create", "--opponent", "0x12"]);
    assert!(text(&stranger.stderr).contains("\"0x12\" is not an address"), "{}", text(&stranger.stderr));
    // One letter is a capital that isn't one in the address.
    let mistyped = fogmate(home.path(), &["audit", &id, "--contract", "0x35Ec630aed657bA8dE88368D982afa70123f4619"]);
    let complaint = text(&mistyped.stderr);
    assert!(mistyped.status.code() == Some(2) && complaint.contains("capital letters don't fit"), "{complaint}");
    let unknown = fogmate(home.path(), &["play", "abc"]);
    assert_eq!((unknown.status.code(), text(&unknown.stdout)), (Some(4), ""));
    let words = "knows no game whose id starts with abc: `fogmate games`";
    assert!(text(&unknown.stderr).contains(words), "{}", text(&unknown.stderr));
    let games = fogmate(home.path(), &["games"]);
    assert_eq!((games.status.code(), text(&games.stdout)), (Some(0), ""));
}

/// Where the desktop has no browser, the page's address is for the user to open.
#[cfg(unix)]
#[test]
fn a_browser_that_is_not_there_is_told_of() {
    use std::io::{BufRead as _, BufReader};
    use std::os::unix::fs::PermissionsExt as _;
    let home = folder();
    let opener = file(&home, if cfg!(target_os = "macos") { "open" } else { "xdg-open" }, "#!/bin/sh\nexit 3\n");
    std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755)).expect("permissions");
    let mut command = Command::new(env!("CARGO_BIN_EXE_fogmate"));
    command.args(["explorer", "--port", "0", "--open"]).env("PATH", home.path());
    let mut serving =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut url = String::new();
    BufReader::new(serving.stdout.take().expect("piped")).read_line(&mut url).expect("the page's address");
    let told = BufReader::new(serving.stderr.take().expect("piped")).lines().map(|line| line.expect("UTF-8"));
    let told = told.take(2).last().expect("a sentence");
    serving.kill().expect("it ends");
    serving.wait().expect("it has ended");
    assert!(
        told.starts_with("no browser could be opened (") && told.ends_with(&format!("open {} in yours", url.trim())),
        "{told}"
    );
}

/// The path of a node's URL often is a key that was paid for: no sentence shows it.
#[test]
fn no_sentence_shows_the_key_in_a_node_s_url() {
    let home = tempfile::tempdir().expect("a folder");
    let game = format!("0x{}", "11".repeat(32));
    let key = "0123456789abcdef-key";
    for (first, second) in
        [("https://node.example", "https://node.example"), ("wss://node.example", "https://a.example")]
    {
        let [first, second] = [first, second].map(|node| format!("{node}/v2/{key}"));
        let output = fogmate(home.path(), &["audit", &game, "--rpc", &first, "--rpc", &second]);
        let said = text(&output.stderr);
        assert!(output.status.code() == Some(2) && !said.contains(key), "{said}");
    }
}

/// A node can't vouch for itself, in other words neither.
#[test]
fn a_node_that_is_named_twice_in_other_words_is_refused() {
    let home = tempfile::tempdir().expect("a folder");
    let game = format!("0x{}", "11".repeat(32));
    let node = "http://127.0.0.1:1";
    for again in [node, "http://127.0.0.1:1/", "HTTP://127.0.0.1:1", "http://user@127.0.0.1:1"] {
        let output = fogmate(home.path(), &["audit", &game, "--rpc", node, "--rpc", again]);
        let said = text(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains("twice"), "{again}: {said}");
    }
}

/// A file that may not grow is a full disk: said in a sentence, not by the signal that would end the process without a word.
#[cfg(target_os = "linux")]
#[test]
fn a_limit_on_the_size_of_files_is_told() {
    let home = folder();
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -f 0; exec \"$0\" wallet new"]).arg(env!("CARGO_BIN_EXE_fogmate"));
    shell.env("FOGMATE_HOME", home.path()).env("FOGMATE_PASSWORD", "long enough").stdin(Stdio::null());
    let output = shell.output().expect("a shell");
    let complaint = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{:?}: {complaint}", output.status);
    assert!(complaint.starts_with("error: ") && complaint.contains("File too large"), "{complaint}");
}
