//! Games between the machines that end without a board: one is drawn, one given up, and the chain hears of it.

use fogmate_test::{Machine, Running, TestChain, alone, open_between_machines};
use serde_json::{Value, json};

/// A game in which White has made a move of which Black knows: White's process, and the machine of Black, whose process has ended.
async fn begun<'a>(players: [&'a Machine; 2], first: &str, backup: &str) -> (String, Running, &'a Machine) {
    let [alice, bob] = players;
    let game = open_between_machines(alice, bob).await;
    let mut sitting = players.map(|machine| machine.sit(&game, &["--backup", backup]));
    let alice_is_white = sitting[0].event("playing", None).await["color"] == "white";
    let [alice_sits, bob_sits] = sitting;
    let (mut white, mut black, machine) =
        if alice_is_white { (alice_sits, bob_sits, bob) } else { (bob_sits, alice_sits, alice) };
    white.type_line(first).await;
    black.event("opponent_moved", Some(0)).await;
    black.kill().await;
    (game, white, machine)
}

/// What a command prints last.
async fn done(machine: &Machine, args: &[&str]) -> Value {
    let (code, said, complaint) = machine.said(&[args, &["--json"]].concat()).await;
    assert_eq!(code, Some(0), "{complaint}");
    serde_json::from_str(said.lines().last().expect("a line")).expect("JSON")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_between_the_machines_is_drawn_and_resigned_without_a_board() {
    let _alone = alone().await;
    let test_chain = TestChain::new().await;
    let players = &[Machine::new(&test_chain).await, Machine::new(&test_chain).await];

    let folder = tempfile::tempdir().expect("a folder");
    let backup = folder.path().to_str().expect("UTF-8");
    let (game, mut white, black) = begun(players.each_ref(), "e2e4 draw", backup).await;
    let (code, complaint) = black.complaint(&["claim", &game]).await;
    assert!(code == Some(2) && complaint.contains("claims by itself"), "{complaint}");
    let drawn = done(black, &["draw", &game, "accept"]).await;
    assert_eq!(drawn["result"], json!({ "winner": null, "reason": "draw agreed" }), "{drawn}");
    assert!(drawn["transaction"].is_null() && drawn["gas"].is_null(), "White tells the chain: {drawn}");
    assert_eq!(white.event("over", None).await["reason"], "draw agreed");
    white.kill().await;

    // White's machine has posted nothing: the moves come with Black's key.
    let white_machine = players.iter().find(|machine| machine.address != black.address).expect("the other");
    // Nothing is proven of a game that is over, so no keys are made or loaded.
    let no_keys = tempfile::tempdir().expect("a folder");
    let cache = no_keys.path().to_str().expect("UTF-8");
    done(white_machine, &["publish", &game, "--cache", cache]).await;
    assert_eq!(std::fs::read_dir(no_keys.path()).expect("a folder").count(), 0);
    let posted = done(black, &["publish", &game, "--publish-transcript"]).await;
    assert!(posted["gas"].as_u64() > Some(30_000), "{posted}");
    // A player's machine needs no transcript, and no file: it has its own.
    let own = done(white_machine, &["audit", &game]).await;
    assert_eq!((&own["plies"], &own["proofs"], &own["unknown"]), (&json!(1), &json!(1), &Value::Null), "{own}");
    let stranger = Machine::new(&test_chain).await;
    let replayed = done(&stranger, &["replay", &game]).await;
    assert_eq!(replayed["moves"][0]["move"], "e2e4", "{replayed}");

    let (code, complaint) = black.complaint(&["recover", "--game", &game, "--backup", backup]).await;
    assert!(code == Some(2) && complaint.contains("nothing is to be recovered"), "{complaint}");

    // On a machine that has nothing but the wallet the game goes on from its backup.
    let (game, mut white, black) = begun(players.each_ref(), "e2e4", backup).await;
    let black = &black.bare();
    let (code, complaint) = black.complaint(&["recover", "--game", &game]).await;
    assert!(code == Some(2) && complaint.contains("goes on from its backup"), "{complaint}");
    let recovered = done(black, &["recover", "--game", &game, "--backup", backup]).await;
    assert_eq!(recovered, json!({ "game": game, "plies": 1 }));
    let resigned = done(black, &["resign", &game, "--yes", "--grace", "1s"]).await;
    assert_eq!(resigned["result"], json!({ "winner": "white", "reason": "resignation" }), "{resigned}");
    assert!(
        resigned["gas"].as_u64() > Some(30_000),
        "White isn't reached, so this machine tells the chain: {resigned}"
    );
    assert_eq!(white.event("over", None).await["winner"], "white");
    let (code, complaint) = black.complaint(&["resign", &game, "--yes"]).await;
    assert!(code == Some(2) && complaint.contains("the game is over"), "{complaint}");
}
