//! A whole game through `fogmate relay`: two players that know nothing of each other but the way through the relay. Then both audit it.

use fogmate_test::{Machine, Running, TestChain, alone, fogmate, script};
use serde_json::json;

/// White gives up when it has seen its sight before the third ply.
const MOVES: [&str; 2] = ["e2e4", "f7f6"];

/// Starts a relay on this machine: its process, and its address for players.
async fn relay(home: &std::path::Path) -> (Running, String) {
    let mut command = tokio::process::Command::new(fogmate());
    command.args(["relay", "--json", "--listen", "/ip4/127.0.0.1/tcp/0", "--home"]).arg(home);
    let mut running = Running::start(command);
    let line = running.line().await.expect("the relay says its address");
    let said: serde_json::Value = serde_json::from_str(&line).expect("JSON");
    (running, said["addresses"][0].as_str().expect("an address").to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_goes_through_a_relay_from_its_invitation_to_its_end() {
    let _alone = alone().await;
    let test_chain = TestChain::new().await;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let moves = script(folder.path(), &MOVES);
    let (_relay, address) = relay(folder.path()).await;
    let (alice, bob) = (Machine::new(&test_chain).await, Machine::new(&test_chain).await);
    let created = alice.ask(&["create", "--relay", &address]).await;
    let text = |name: &str| created[name].as_str().expect("a text").to_owned();
    let (game, invite) = (text("game"), text("invite"));
    bob.ask(&["join", &invite]).await;
    // All that Bob is told of Alice leads through the relay.
    let known = bob.remembered(&game)["dial"].clone();
    let through_relay = |dial: &serde_json::Value| {
        dial.as_str().is_some_and(|dial| dial.starts_with(&format!("{address}/p2p-circuit")))
    };
    assert!(known.as_array().is_some_and(|known| !known.is_empty() && known.iter().all(through_relay)), "{known}");

    let mut players = [alice.play(&game, &moves, &[]), bob.play(&game, &moves, &[])];
    for player in &mut players {
        player.event("connected", None).await;
    }
    for player in &mut players {
        let over = player.event("over", None).await;
        assert_eq!((&over["winner"], &over["reason"]), (&json!("black"), &json!("resignation")));
        let (status, complaints) = player.end().await;
        assert!(status.success(), "{complaints}");
    }
    for machine in [&alice, &bob] {
        let audit = machine.ask(&["audit", &game]).await;
        assert_eq!((&audit["ok"], &audit["plies"]), (&json!(true), &json!(MOVES.len())), "{audit}");
    }
}
