//! A whole game with an engine that proves nothing, and what its players lay open afterwards: on the machines that they played on, on one that has
//! lost its journal, and in files that somebody has changed.

use fogmate_test::{Machine, SHORT_GAME, TestChain, alone, open_unproven, script};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Plays the short game with *emanant* to its end; its id.
async fn play(alice: &Machine, bob: &Machine, folder: &Path) -> String {
    let game = open_unproven(alice, bob, "emanant").await;
    let moves = script(folder, &SHORT_GAME);
    let mut of_alice = alice.play(&game, &moves, &[]);
    let listening = of_alice.event("listening", None).await;
    let at_alice = listening["addresses"][0].as_str().expect("an address");
    let mut of_bob = bob.play(&game, &moves, &["--dial", at_alice]);
    for player in [&mut of_alice, &mut of_bob] {
        let over = player.event("over", None).await;
        assert_eq!((&over["winner"], &over["reason"]), (&json!("white"), &json!("king captured")));
    }
    for mut player in [of_alice, of_bob] {
        let (status, complaints) = player.end().await;
        assert!(status.success(), "{complaints}");
    }
    game
}

/// What a machine has laid open in a file of a name, and what the command says of that.
async fn disclose(machine: &Machine, game: &str, path: &Path) -> (String, Value) {
    let file = path.to_str().expect("UTF-8");
    let told = machine.ask(&["disclose", "--game", game, "--output", file]).await;
    (file.to_owned(), told)
}

/// A file with other words in it.
fn changed(file: &str, name: &str, from: &str, to: &str) -> String {
    let text = std::fs::read_to_string(file).expect("a disclosure");
    assert!(text.contains(from), "{from}");
    let path: PathBuf = Path::new(file).with_file_name(name);
    std::fs::write(&path, text.replacen(from, to, 1)).expect("a file");
    path.to_str().expect("UTF-8").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_missing_or_wrong_in_a_disclosure_is_told_with_its_file() {
    let _alone = alone().await;
    let test_chain = TestChain::new().await;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (alice, bob) = (Machine::new(&test_chain).await, Machine::new(&test_chain).await);
    let game = play(&alice, &bob, folder.path()).await;

    let (of_alice, told) = disclose(&alice, &game, &folder.path().join("alice.json")).await;
    assert_eq!(told["missing"], json!([]));
    assert!(told["messages"].as_u64() > Some(10), "{told}");
    let (of_bob, _) = disclose(&bob, &game, &folder.path().join("bob.json")).await;
    let whole = alice.ask(&["audit", &game, "--disclosure", &of_alice, "--disclosure", &of_bob]).await;
    assert_eq!((&whole["account"]["ok"], &whole["account"]["complete"]), (&json!(true), &json!(true)), "{whole}");

    // Whoever has lost its journal has a file all the same, and is told before anybody else what an audit will miss.
    let bare = bob.bare();
    let path = folder.path().join("lost.json");
    let (lost, told) = disclose(&bare, &game, &path).await;
    assert_eq!(told["messages"], 0);
    let missing = told["missing"].as_array().expect("a list");
    assert!(!missing.is_empty(), "{told}");
    for (output, words) in [(lost.clone(), "exists already"), (format!("{lost}/no/file"), "there is no folder ")] {
        let (code, complaint) = bare.complaint(&["disclose", "--game", &game, "--output", &output]).await;
        assert!(code == Some(2) && complaint.contains(words), "{complaint}");
    }
    let lost = folder.path().join("again.json").display().to_string();
    let (code, said, complaint) = bare.said(&["disclose", "--game", &game, "--output", &lost]).await;
    assert_eq!(code, Some(0), "{complaint}");
    assert!(said.contains("0 messages of the opponent"), "{said}");
    assert!(
        complaint.contains("this machine has no journal of the game") && complaint.contains("it is not complete: ")
    );
    assert!(!complaint.contains("panicked"), "{complaint}");
    let (code, said, complaint) = alice.said(&["audit", &game, "--disclosure", &lost]).await;
    assert_eq!(code, Some(5), "{complaint}");
    assert!(said.contains("missing: ") && complaint.contains("in order, but not complete"), "{said}{complaint}");

    // Of two files the one that is wrong is named.
    let other_game = format!("0x{}", "9a".repeat(32));
    for (name, from, to, words) in [
        ("other.json", game.as_str(), other_game.as_str(), "it is of another game"),
        ("engine.json", "\"emanant\"", "\"bfv\"", "with the engine bfv"),
        ("form.json", "\"heard\": [", "\"heard\": ", "it is no disclosure"),
    ] {
        let bad = changed(&of_bob, name, from, to);
        let (code, complaint) =
            alice.complaint(&["audit", &game, "--disclosure", &of_alice, "--disclosure", &bad]).await;
        assert_eq!((code, complaint.lines().count()), (Some(2), 1), "{complaint}");
        assert!(complaint.contains(&format!("{bad}: ")) && complaint.contains(words), "{complaint}");
    }
    let text = std::fs::read(&of_bob).expect("a disclosure");
    let disclosure: Value = serde_json::from_slice(&text).expect("JSON");
    let branch = disclosure["branch"].as_str().expect("a word");
    let other = changed(&of_bob, "branch.json", branch, &format!("0x{}", "11".repeat(32)));
    let (code, said, complaint) = alice.said(&["audit", &game, "--disclosure", &other]).await;
    assert_eq!(code, Some(3), "{complaint}");
    assert!(said.contains("branch of the seed isn't the one that") && complaint.contains("not in order"), "{said}");
}
