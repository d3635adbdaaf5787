//! A machine in a bad way, a disk without room, nobody who reads what is shown, rubbish typed: the game goes on to its end.

use fogmate_test::{Machine, SHORT_GAME, TestChain, alone, assert_audited, open_game, script};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};

#[tokio::test(flavor = "multi_thread")]
async fn a_player_without_room_or_reader_finishes_its_game() {
    let _alone = alone().await;
    let test_chain = TestChain::new().await;
    let (alice, bob) = (Machine::new(&test_chain).await, Machine::new(&test_chain).await);
    let game = open_game(&alice, &bob).await;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let script = script(folder.path(), &SHORT_GAME);
    let mut bob_plays = bob.play(&game, &script, &[]);
    let listening = bob_plays.event("listening", None).await;
    let address = listening["addresses"][0].as_str().expect("an address");

    let mut alice_plays = alice.play_without_room(&game, &script, &["--dial", address]);
    let mut stdin = alice_plays.stdin.take().expect("a pipe");
    let mut shown = BufReader::new(alice_plays.stdout.take().expect("a pipe"));
    let mut complaints = alice_plays.stderr.take().expect("a pipe");
    let mut line = String::new();
    shown.read_line(&mut line).await.expect("something is shown first");
    assert!(line.starts_with('{'), "{line}");
    // A move that nothing would remember is signed once it is given again, which a script does.
    while !line.contains("confirm_move") {
        line.clear();
        assert!(shown.read_line(&mut line).await.expect("text") > 0, "it ended before its first move");
    }
    let asked: Value = serde_json::from_str(&line).expect("JSON");
    assert!(asked["doubt"] == "unwritten" && asked["ply"].as_u64().is_some_and(|ply| ply < 2), "{asked}");
    drop(shown);
    for rubbish in [&b"\xff\xfe\x00\n\x1b[2J\n"[..], &[b'x'; 100_000], b"\n\xc3"] {
        stdin.write_all(rubbish).await.expect("typed");
    }

    let bob_is_white = bob_plays.event("playing", None).await["color"] == "white";
    let over = bob_plays.event("over", None).await;
    assert_eq!(over["winner"], "white");
    let (status, complaint) = bob_plays.end().await;
    assert!(status.success(), "{complaint}");
    let status = alice_plays.wait().await.expect("it ends");
    let mut complaint = String::new();
    complaints.read_to_string(&mut complaint).await.expect("text");
    assert!(status.success(), "{complaint}");
    assert!(complaint.contains("the game goes on") && !complaint.contains("panicked"), "{complaint}");
    let journals = alice.sizes("journals");
    assert!(!journals.is_empty() && journals.iter().all(|bytes| *bytes == 0), "there was no room: {journals:?}");
    let white = if bob_is_white { bob.address } else { alice.address };
    assert_audited(&test_chain, &game, white, SHORT_GAME.len()).await;
}

/// A pipe that closes is nobody's wish to end: what was typed before is done, and the game goes on to its end.
#[tokio::test(flavor = "multi_thread")]
async fn a_player_whose_input_ends_goes_on() {
    let _alone = alone().await;
    let test_chain = TestChain::new().await;
    let (alice, bob) = (Machine::new(&test_chain).await, Machine::new(&test_chain).await);
    let game = open_game(&alice, &bob).await;
    let (mut alice_plays, mut bob_plays) = (alice.sit(&game, &[]), bob.sit(&game, &[]));
    let color = alice_plays.event("playing", None).await["color"].clone();
    alice_plays.end_input();
    bob_plays.event("playing", None).await;
    bob_plays.type_line("resign yes").await;
    bob_plays.end_input();
    for player in [&mut alice_plays, &mut bob_plays] {
        assert_eq!(player.event("over", None).await["winner"], color);
        let (status, complaint) = player.end().await;
        assert!(status.success() && complaint.contains("the input has ended"), "{complaint}");
    }
}

/// What is typed before anything of the chain was read is done once it was, also when nobody can type any more.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_typed_before_the_chain_was_read_is_done() {
    let _alone = alone().await;
    let test_chain = TestChain::new().await;
    let (alice, bob) = (Machine::new(&test_chain).await, Machine::new(&test_chain).await);
    let game = open_game(&alice, &bob).await;
    let mut bob_plays = bob.sit(&game, &[]);
    let mut alice_plays = alice.sit(&game, &[]);
    for player in [&mut alice_plays, &mut bob_plays] {
        player.event("playing", None).await;
    }
    bob_plays.type_line("resign yes").await;
    for player in [&mut alice_plays, &mut bob_plays] {
        player.event("over", None).await;
        player.end_input();
        player.end().await;
    }

    let mut alice_plays = alice.sit(&game, &[]);
    alice_plays.type_line("publish").await;
    alice_plays.end_input();
    let mined = alice_plays.event("mined", None).await;
    assert_eq!(mined["action"], "publish_view_key", "{mined}");
    let (status, complaint) = alice_plays.end().await;
    assert!(status.success(), "{complaint}");
}
