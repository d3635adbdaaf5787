//! What a player does outside the board, and what anybody learns of a game: `resign`, `draw`, `claim`, `publish`, `watch`, `replay`, `doctor`, and the exit code of each end.

#![cfg(target_os = "linux")]

use std::fs;
use std::process::Output;

use serde_json::{Value, json};

use crate::bot::{Table, refused, text};

/// What a command prints last, as JSON; it ends with this code.
fn last(output: &Output, code: i32) -> Value {
    assert_eq!(output.status.code(), Some(code), "{}{}", text(&output.stdout), text(&output.stderr));
    serde_json::from_str(text(&output.stdout).lines().last().expect("a line")).expect("JSON")
}

impl Table {
    fn run(&self, name: &str, args: &[&str]) -> Output {
        self.command(name, args).output().expect("the binary starts")
    }

    /// Has both bots play until Bob has made its second move, and ends Bob's.
    fn begin(&self, game: &str) -> crate::bot::Running {
        let [alice, bob] = ["alice", "bob"].map(|name| self.start(name, &["bot", game, "--level", "easy"]));
        bob.until(|said| said["event"] == "moved" && said["ply"].as_u64() >= Some(2));
        alice
    }
}

#[test]
fn a_game_is_resigned_published_and_replayed_without_a_board() {
    let table = Table::new();
    let game = &table.open();
    for early in ["resign", "publish"] {
        refused(&table.run("bob", &[early, game]), if early == "resign" { "has not begun" } else { "is not over" });
    }
    let alice = table.begin(game);
    refused(&table.run("bob", &["draw", game]), "a draw is offered with a move");
    refused(&table.run("bob", &["draw", game]), &format!("`fogmate draw {game} accept"));
    refused(&table.run("alice", &["resign", game]), "is being played already, in another window or by a bot");
    let resigned = last(&table.run("bob", &["resign", game, "--json"]), 0);
    let over = alice.result();
    assert_eq!((&resigned["command"], &resigned["result"]["winner"]), (&json!("resign"), &over["winner"]));
    assert!(resigned["fee_wei"].as_str().is_some_and(|fee| fee.parse::<u128>().expect("wei") > 0), "{resigned}");
    let again = table.run("bob", &["resign", game]);
    assert_eq!(again.status.code(), Some(2), "{}", text(&again.stderr));
    let complaint = text(&again.stderr);
    assert!(complaint.contains("the game is over") && !complaint.contains("Reading the game"), "{complaint}");

    // A game without its keys is in order as far as it goes.
    let without = table.run("carol", &["replay", game]);
    assert_eq!((without.status.code(), text(&without.stdout)), (Some(5), ""), "{}", text(&without.stderr));
    let published = last(&table.run("bob", &["publish", game, "--json"]), 0);
    assert!(published["transaction"].is_string(), "{published}");
    let again = last(&table.run("bob", &["publish", game, "--json"]), 0);
    assert!(again["transaction"].is_null(), "it costs nothing twice: {again}");
    let path = |name: &str| table.folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let key = path("alice.json");
    let written = last(&table.run("alice", &["publish", game, "--file", &key, "--json"]), 0);
    assert_eq!(written["file"], json!(key));
    refused(&table.run("alice", &["publish", game, "--file", &key]), "exists already");

    let pgn = path("game.pgn");
    let replay = |more: &[&str]| table.run("carol", &[&["replay", game, "--key", &key], more].concat());
    let found = last(&replay(&["--json", "--pgn", &pgn]), 0);
    let moves = found["moves"].as_array().expect("a list");
    assert!(moves.len() >= 3 && found["ok"] == true && found["result"] == resigned["result"], "{found}");
    let text_of = |output: Output| text(&output.stdout).to_owned();
    let whole = fs::read_to_string(&pgn).expect("a game");
    assert!(whole.contains("{[%clk ") && whole.contains("[TimeControl \"3600+30\"]"), "{whole}");
    assert_eq!((&json!(whole), text_of(replay(&[])).trim()), (&found["pgn"], whole.trim()));
    for (flag, field) in [("--uci", "move"), ("--fen", "fen")] {
        let lines = moves.iter().map(|played| played[field].as_str().expect("text").to_owned() + "\n");
        assert_eq!(text_of(replay(&[flag])), lines.collect::<String>());
    }
    // By Bob's key alone: its own moves, and where Alice captured.
    let half = last(&table.run("carol", &["replay", game, "--json"]), 5);
    let is_white = half["color"] == "white";
    let plies = half["plies"].as_array().expect("a list");
    assert_eq!(plies.len(), moves.len());
    for (ply, (known, played)) in plies.iter().zip(moves).enumerate() {
        let expected = if ply.is_multiple_of(2) == is_white { &played["move"] } else { &Value::Null };
        assert_eq!(&known["move"], expected, "{half}");
    }
    let half = table.run("carol", &["replay", game]);
    let own = moves[usize::from(!is_white)]["move"].as_str().expect("a move");
    assert!(half.status.code() == Some(5) && text(&half.stdout).contains(own), "{}", text(&half.stdout));
    assert!(text(&half.stderr).contains("has not published its view key"), "{}", text(&half.stderr));

    // What everybody may know, without a wallet.
    let watched = table.run("carol", &["watch", game, "--json"]);
    let facts: Vec<Value> =
        text(&watched.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let of = |event: &str| facts.iter().filter(|fact| fact["event"] == event).collect::<Vec<_>>();
    let (moved, captures) = (of("moved"), plies.iter().map(|ply| &ply["capture"]));
    assert!(moved.iter().map(|fact| &fact["capture"]).eq(captures), "{facts:?}");
    assert!(moved.iter().all(|fact| fact.get("move").is_none() && fact["v"] == 1), "{moved:?}");
    assert_eq!(["created", "toss_revealed", "started"].map(|event| of(event).len()), [1; 3]);
    assert_eq!((watched.status.code(), &facts.last().expect("the end")["event"]), (Some(0), &json!("over")));
    let told = text_of(table.run("carol", &["watch", game]));
    assert!(told.contains("1. White moves.\n") && told.contains(" has won: resignation.\n"), "{told}");

    // A key that is none, and one of another player's.
    let good = fs::read_to_string(&key).expect("a file");
    let real = serde_json::from_str::<Value>(&good).expect("JSON")["view_key"].as_str().expect("a key").to_owned();
    for (from, to, words) in [
        (real.as_str(), format!("0x{}", "11".repeat(32)), "the key is not the one that"),
        (game.as_str(), format!("0x{}", "22".repeat(32)), "it is a key of the game 0x2222"),
        ("view key 1", "view key 9".to_owned(), "it is no key file"),
    ] {
        let bad = path("bad.json");
        fs::write(&bad, good.replace(from, &to)).expect("a file");
        refused(&table.run("carol", &["replay", game, "--key", &bad]), words);
    }
}

#[test]
fn a_game_that_is_not_there_has_a_code_of_its_own() {
    let table = Table::new();
    let nowhere = format!("{:#066x}", 7);
    for command in ["audit", "replay", "resign"] {
        let output = table.run("alice", &[command, &nowhere]);
        let complaint = text(&output.stderr);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(4), ""), "{command}: {complaint}");
        assert!(complaint.contains("there is no game 0x"), "{complaint}");
    }
    assert_eq!(table.run("alice", &["recover", "--game", &nowhere]).status.code(), Some(4));
    for kind in ["dice", "tag"] {
        assert_ne!(table.run("alice", &[kind, "status", &nowhere]).status.code(), Some(0));
    }
}

#[test]
fn a_draw_is_accepted_and_time_is_claimed_without_a_board() {
    let table = Table::new();
    let game = &table.open();
    let [alice, bob] = ["alice", "bob"].map(|name| (name, table.start(name, &["play", game])));
    let is_white = bob.1.until(|said| said["event"] == "playing")["color"] == "white";
    let (mut white, black) = if is_white { (bob, alice) } else { (alice, bob) };
    white.1.type_line("e2e4 draw");
    black.1.until(|said| said["event"] == "opponent_moved" && said["draw_offered"] == true);
    let name = black.0;
    drop(black);
    let drawn = last(&table.run(name, &["draw", game, "accept", "--json"]), 0);
    assert_eq!(drawn["result"], json!({ "winner": null, "reason": "draw agreed" }));
    drop(white);

    let game = &table.open();
    drop(table.begin(game));
    for name in ["alice", "bob"] {
        refused(&table.run(name, &["claim", game]), "has not run out");
    }
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(table.anvil.pass_time(3 * 3_600)).expect("time passes");
    runtime.block_on(table.anvil.mine(1)).expect("a block");
    let claims = ["alice", "bob"].map(|name| table.run(name, &["claim", game, "--json"]));
    let [won, lost] = if claims[0].status.success() { [&claims[0], &claims[1]] } else { [&claims[1], &claims[0]] };
    assert_eq!(last(won, 0)["result"]["reason"], "time forfeit");
    assert_eq!(lost.status.code(), Some(2), "{}", text(&lost.stderr));
}

#[test]
fn a_doctor_finds_what_is_wrong_and_changes_nothing() {
    let table = Table::new();
    let check = |output: &Output, name: &str| {
        let lines: Vec<Value> =
            text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        lines.into_iter().find(|line| line["check"] == name).unwrap_or_else(|| panic!("no {name}"))
    };
    let anvil = deploy::Repository::find_here().expect("a clone").anvil().expect("a local chain");
    let doctor = |name: &str, rpc: Option<&str>| {
        let mut command = table.command(name, &["doctor", "--json"]);
        command.env("FOGMATE_ANVIL", &anvil);
        rpc.into_iter().for_each(|rpc| _ = command.env("FOGMATE_RPC", rpc));
        command.output().expect("the binary starts")
    };
    let well = doctor("alice", None);
    assert_eq!(well.status.code(), Some(0), "{}{}", text(&well.stdout), text(&well.stderr));
    for name in ["home folder", "wallets", "keys", "arithmetic", "anvil", "node", "clock", "deployment", "money"] {
        assert_eq!(check(&well, name)["ok"], true, "{name}");
    }
    let ill = doctor("nobody", Some("http://127.0.0.1:1"));
    assert_eq!(ill.status.code(), Some(1));
    let found = check(&ill, "node");
    assert!(found["ok"] == false && found["mend"].as_str().is_some_and(|mend| mend.len() > 5), "{found}");
    let unreachable = "the node http://127.0.0.1:1 can't be reached: Connection refused (os error 111)";
    assert_eq!(check(&ill, "node")["found"], unreachable);
    assert!(!table.home("nobody").exists(), "nothing is made");
    let cache = table.folder.path().join("cache");
    fs::create_dir_all(cache.join("fogmate")).expect("a folder");
    fs::write(cache.join("fogmate/turn-0.pk"), "fogmate cache 1\nsomething else").expect("a file");
    let mut command = table.command("alice", &["doctor", "--json"]);
    let damaged = command.env("XDG_CACHE_HOME", &cache).env("FOGMATE_ANVIL", &anvil).output().expect("it starts");
    let found = check(&damaged, "keys");
    assert!(found["found"].as_str().is_some_and(|found| found.ends_with("isn't what its hash says")), "{found}");
    let output = table.command("nobody", &["doctor"]).output().expect("the binary starts");
    let none = "ok   wallets: there is none yet; make one: `fogmate wallet new`";
    assert!(text(&output.stdout).lines().any(|line| line == none), "{}", text(&output.stdout));
    assert!(
        check(&well, "money")["found"].as_str().is_some_and(|found| found.ends_with(" has 10 ETH")),
        "no game is open"
    );
}
