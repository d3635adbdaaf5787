//! `fogmate demo --script FILE --json OUT` on a short game: the report has the form that the documents promise. Protocol,
//! section 9: anyone can audit; published view keys replay the whole game.

use fogmate_test::{Running, SHORT_GAME, alone, cache, fogmate, script};
use serde_json::Value;

#[tokio::test(flavor = "multi_thread")]
async fn the_demo_plays_a_script_and_writes_its_report() {
    let _alone = alone().await;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("report.json");
    let mut command = tokio::process::Command::new(fogmate());
    command
        .arg("demo")
        .arg("--script")
        .arg(script(folder.path(), &SHORT_GAME))
        .arg("--json")
        .arg(&out)
        .arg("--cache")
        .arg(cache())
        .current_dir(env!("CARGO_MANIFEST_DIR"));
    let (status, complaints) = Running::start(command).end().await;
    assert!(status.success(), "{complaints}");

    let text = std::fs::read_to_string(&out).expect("the report");
    let report: Value = serde_json::from_str(&text).expect("JSON");
    let plies = report["plies"].as_array().expect("plies");
    assert_eq!(plies.len(), SHORT_GAME.len());
    for (number, (ply, mv)) in plies.iter().zip(SHORT_GAME).enumerate() {
        assert_eq!(ply["ply"], number);
        assert_eq!(ply["mover"], ["white", "black"][number % 2]);
        assert_eq!(ply["move"], mv);
        let numbers = ["turn_prove_s", "turn_verify_ms", "gas", "calldata_bytes"];
        for name in numbers {
            let value = ply[name].as_f64().unwrap_or_default();
            assert!(value > 0.0, "ply {number}: {name} is {}", ply[name]);
        }
        for name in ["answer_prove_s", "answer_bytes", "request_bytes", "messages", "message_bytes"] {
            assert!(ply[name].is_number(), "ply {number}: {name} is {}", ply[name]);
        }
    }
    assert!(
        plies[1..4].iter().all(|ply| ply["sight_s"].is_number() && ply["message_bytes"].as_u64() > Some(20_000)),
        "{plies:?}"
    );
    assert!((0..2).all(|player| report["peak_mib"][player].as_u64() > Some(10)), "{}", report["peak_mib"]);
    assert_eq!(report["result"]["winner"], "white");
    assert_eq!(report["result"]["reason"], "king captured");
    assert_eq!(report["audit"]["ok"], true);
    assert_eq!(report["audit"]["plies"], SHORT_GAME.len());
    assert_eq!(report["replay"]["matches_script"], true);
    assert!(report["replay"]["pgn"].as_str().is_some_and(|pgn| pgn.contains("1-0")));
}

/// From ply 3 on the link is cut for good: every sight is demanded and given through the chain, and the game comes to its end.
#[tokio::test(flavor = "multi_thread")]
async fn a_game_whose_link_is_cut_goes_on_through_the_chain_alone() {
    let _alone = alone().await;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("report.json");
    let mut command = tokio::process::Command::new(fogmate());
    command.arg("demo").args(["--cut-link", "3"]);
    command.arg("--script").arg(script(folder.path(), &SHORT_GAME));
    command.arg("--json").arg(&out).arg("--cache").arg(cache()).current_dir(env!("CARGO_MANIFEST_DIR"));
    let (status, told) = Running::start(command).end().await;
    assert!(status.success(), "{told}");
    for name in ["Black's move 2", "White's move 3"] {
        assert!(told.contains(&format!("the sight before {name} has come through the chain")), "{told}");
    }
    let text = std::fs::read_to_string(&out).expect("the report");
    let report: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(report["plies"].as_array().map(Vec::len), Some(SHORT_GAME.len()));
    assert_eq!(report["result"]["winner"], "white");
    assert_eq!((&report["audit"]["ok"], &report["replay"]["matches_script"]), (&true.into(), &true.into()));
}

/// A demo of the short game between the machines: its report, and what was told.
async fn between_the_machines(more: &[&str]) -> (Value, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("report.json");
    let mut command = tokio::process::Command::new(fogmate());
    command.args(["demo", "--mode", "channel"]).args(more).arg("--script").arg(script(folder.path(), &SHORT_GAME));
    command.arg("--json").arg(&out).arg("--cache").arg(cache()).current_dir(env!("CARGO_MANIFEST_DIR"));
    let (status, told) = Running::start(command).end().await;
    assert!(status.success(), "{told}");
    let text = std::fs::read_to_string(&out).expect("the report");
    let report: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(report["plies"].as_array().map(Vec::len), Some(SHORT_GAME.len()));
    assert_eq!((&report["result"]["winner"], &report["result"]["reason"]), (&"white".into(), &"king captured".into()));
    assert_eq!((&report["audit"]["ok"], &report["replay"]["matches_script"]), (&true.into(), &true.into()));
    (report, told)
}

/// The transactions of a demo by their names, and what they took without those that lay the game open.
fn transactions(report: &Value) -> (Vec<&str>, u64) {
    let actions = report["actions"].as_array().expect("transactions").iter();
    let lays_open = |name: &Value| name.as_str().is_some_and(|name| name.starts_with("publishViewKey"));
    let played = actions.filter(|action| !lays_open(&action["action"]));
    let (mut names, mut gas) = (Vec::new(), 0);
    for action in played {
        names.push(action["action"].as_str().expect("a name"));
        gas += action["gas"].as_u64().expect("gas");
    }
    (names, gas)
}

/// A whole game of which the chain hears the beginning and the end: for less than one move and a half of a verified game.
#[tokio::test(flavor = "multi_thread")]
async fn the_demo_plays_between_the_machines_for_the_gas_of_a_beginning_and_an_end() {
    let _alone = alone().await;
    let (report, told) = between_the_machines(&[]).await;
    let (names, gas) = transactions(&report);
    assert_eq!(names, ["create", "join", "revealCreator", "revealJoiner", "close", "withdraw"], "{told}");
    assert!(gas < 520_000, "{gas} gas");
    let plies = report["plies"].as_array().expect("plies");
    assert!(plies[1..4].iter().all(|ply| ply["ply_s"].as_f64() > Some(0.0) && ply["gas"] == 0), "{plies:?}");
}

/// The link is cut for good: the game is woken, and after the contest it goes on through the chain.
#[tokio::test(flavor = "multi_thread")]
async fn a_game_between_the_machines_whose_link_is_cut_is_woken_and_goes_on_on_the_chain() {
    let _alone = alone().await;
    let (report, told) = between_the_machines(&["--cut-link", "3"]).await;
    let (names, _) = transactions(&report);
    assert!(names.contains(&"wake") && !names.contains(&"close"), "{names:?}: {told}");
    // The last ply before the cut may not have arrived: then it is made on the chain, too.
    let moves = names.iter().filter(|name| **name == "move").count();
    assert!(moves == SHORT_GAME.len() - 3 || moves == SHORT_GAME.len() - 2, "{names:?}");
}

/// A demo of the short game whose players trust each other: its report. A sight by the engine takes at least `least` messages.
async fn demo_with(engine: &str, least: u64) -> Value {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("report.json");
    let mut command = tokio::process::Command::new(fogmate());
    command.args(["demo", "--engine", engine]).arg("--script").arg(script(folder.path(), &SHORT_GAME));
    command.arg("--json").arg(&out).arg("--cache").arg(cache()).current_dir(env!("CARGO_MANIFEST_DIR"));
    let (status, told) = Running::start(command).end().await;
    assert!(status.success(), "{told}");
    assert!(told.contains(&format!("With {engine} the contract verifies no move: ")), "the caveat isn't told: {told}");
    let text = std::fs::read_to_string(&out).expect("the report");
    let report: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(report["engine"]["name"], engine);
    assert_eq!((&report["audit"]["ok"], &report["replay"]["matches_script"]), (&true.into(), &true.into()));
    assert_eq!((&report["result"]["winner"], &report["result"]["reason"]), (&"white".into(), &"king captured".into()));
    // Between the moves stand clocks, and lines break anywhere.
    let pgn = report["replay"]["pgn"].as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    let in_order = ["1. e4 ", " f6 ", " 2. Qh5 ", " a6 ", " 3. Qxe8 ", " 1-0"];
    let rest = in_order.iter().try_fold(&pgn[..], |rest, part| rest.split_once(part).map(|(_, after)| after));
    assert_eq!(rest, Some(""), "{pgn}");
    // Both parts, run again from what the players lay open; where all is proven there is nothing to lay open.
    let account = &report["engine"]["account"];
    let expected =
        if engine == "dh-psi-proven" { (Value::Null, Value::Null) } else { (true.into(), SHORT_GAME.len().into()) };
    assert_eq!((&account["ok"], &account["transcripts"]), (&expected.0, &expected.1));
    // Five sights or six: one before each move but the first two, and one after each but the first and the last.
    let plies = report["plies"].as_array().expect("plies");
    let messages = plies.iter().map(|ply| ply["messages"].as_u64().expect("a number")).collect::<Vec<_>>();
    assert!(messages.iter().sum::<u64>() >= 5 * least, "{messages:?}");
    assert!(messages[2..].iter().all(|messages| *messages >= least), "a move without a sight: {messages:?}");
    assert!(plies[2..].iter().all(|ply| ply["message_bytes"].as_u64() > Some(0)), "{plies:?}");
    report
}

#[tokio::test(flavor = "multi_thread")]
async fn the_demo_plays_the_same_game_with_an_engine_of_many_messages() {
    let _alone = alone().await;
    demo_with("emanant", 19).await;
}

/// Minutes: only where `FOGMATE_ENGINES` is set, as by `make engines`.
#[tokio::test(flavor = "multi_thread")]
async fn the_demo_plays_the_same_game_with_every_other_engine() {
    let _alone = alone().await;
    if std::env::var_os("FOGMATE_ENGINES").is_none() {
        println!("NOT RUN: set FOGMATE_ENGINES");
        return;
    }
    let andos = ["andos", "andos-first", "andos-hardened", "andos-chained"];
    let steps = ["andos-steps", "andos-hardened-steps", "bfv-steps"];
    for engine in ["dh-psi-proven", "dh-psi", "dh-psi-plain", "bfv"].into_iter().chain(andos).chain(steps) {
        let report = demo_with(engine, 3).await;
        let bytes = report["engine"]["set_up_bytes"].as_u64().expect("a number");
        assert_eq!(bytes > 0, !engine.starts_with("dh-psi"), "{engine}");
    }
}
