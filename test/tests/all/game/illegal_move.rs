//! An illegal move in a script ends with a clear sentence, and no transaction. Protocol, section 2: a player always knows
//! which of its moves are legal; an illegal one couldn't be proven anyway.

use fogmate_test::{Machine, Running, TestChain, alone, fogmate, open_game, processes_below, script};

#[tokio::test(flavor = "multi_thread")]
async fn the_demo_refuses_an_illegal_script_before_it_starts_anything() {
    let _alone = alone().await;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut command = tokio::process::Command::new(fogmate());
    command
        .arg("demo")
        .arg("--script")
        .arg(script(folder.path(), &["e2e4", "e7e4"]))
        .current_dir(env!("CARGO_MANIFEST_DIR"));
    let mut running = Running::start(command);
    let started = processes_below(running.id());
    let (status, complaints) = running.end().await;
    assert_eq!(status.code(), Some(2));
    let sentence = "the script's move e7e4 of black at ply 1 is not legal; nothing was sent";
    assert_eq!(complaints, format!("error: {sentence}\n"));
    assert!(started.is_empty(), "{started:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_with_an_illegal_script_sends_nothing() {
    let _alone = alone().await;
    let test_chain = TestChain::new().await;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let moves = script(folder.path(), &["e2e5", "e7e5"]);
    let (alice, bob) = (Machine::new(&test_chain).await, Machine::new(&test_chain).await);
    let game = open_game(&alice, &bob).await;
    let mut players = [alice.play(&game, &moves, &[]), bob.play(&game, &moves, &[])];
    let mut white = None;
    for (index, player) in players.iter_mut().enumerate() {
        if player.event("playing", None).await["color"] == "white" {
            white = Some(index);
        }
    }
    let white = white.expect("one of the two is White");
    let (status, complaints) = players[white].end().await;
    assert_eq!(status.code(), Some(2), "{complaints}");
    let sentence = "the script's move e2e5 of white at ply 0 is not legal; nothing was sent";
    assert!(complaints.contains(sentence), "{complaints}");

    let chain = client::chain::Chain::connect(test_chain.config(&test_chain.deployment), None).await;
    let id = game.parse().expect("a game's id");
    let state = chain.expect("a connection").game(id).await.expect("a game");
    assert_eq!(state.ply, 0);
    assert_eq!(state.outcome, None);
}
