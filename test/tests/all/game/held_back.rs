//! What becomes of a game between the machines whose memory is hurt: a move waits for a backup that has gone away, however often the opponent asks, and
//! a machine whose journal is damaged signs nothing.

use fogmate_test::{Machine, TestChain, alone, open_between_machines};
use std::path::Path;
use std::time::Duration;

/// In the place of a folder stands a file: what would be written there can't be.
fn take_away(folder: &Path) {
    std::fs::rename(folder, folder.with_extension("away")).expect("the folder is there");
    std::fs::write(folder, "").expect("a file");
}

fn bring_back(folder: &Path) {
    std::fs::remove_file(folder).expect("the file is there");
    std::fs::rename(folder.with_extension("away"), folder).expect("the folder is there");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_leaves_only_once_the_backup_has_it() {
    let _alone = alone().await;
    let test_chain = TestChain::new().await;
    let machines = [Machine::new(&test_chain).await, Machine::new(&test_chain).await];
    let game = open_between_machines(&machines[0], &machines[1]).await;
    let folder = tempfile::tempdir().expect("a folder");
    let backups = [0, 1].map(|i| folder.path().join(format!("backup-{i}")));
    let sit = |i: usize| machines[i].sit(&game, &["--backup", backups[i].to_str().expect("UTF-8")]);
    let mut first = sit(0);
    let second = sit(1);
    let is_white = first.event("playing", None).await["color"] == "white";
    let (of_white, mut white, black) = if is_white { (0, first, second) } else { (1, second, first) };

    take_away(&backups[of_white]);
    white.type_line("e2e4").await;
    let told = |event: &serde_json::Value, words: &str| event["text"].as_str().is_some_and(|text| text.contains(words));
    while !told(&white.event("journal_note", None).await, "nothing is said to the opponent") {}
    black.kill().await;
    let mut black = sit(1 - of_white);
    black.event("connected", None).await;
    // It says that it has no ply, and is given none.
    tokio::time::sleep(Duration::from_secs(2)).await;
    bring_back(&backups[of_white]);
    loop {
        let event = white.any_event(&["message_sent", "journal_note"], None).await;
        assert_ne!(event["kind"], "ply", "it leaves before the backup has it");
        if told(&event, "has all of the game again") {
            break;
        }
    }
    black.event("opponent_moved", Some(0)).await;
    black.type_line("e7e5").await;
    white.event("opponent_moved", Some(1)).await;
}

/// Overwrites each file under a folder that isn't a lock.
fn damage(folder: &Path) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        match entry.path() {
            path if path.is_dir() => damage(&path),
            path if path.metadata().expect("a file").len() > 0 => std::fs::write(path, [7; 5_000]).expect("a file"),
            _ => {}
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_journal_without_a_backup_signs_nothing() {
    let _alone = alone().await;
    let test_chain = TestChain::new().await;
    let machines = [Machine::new(&test_chain).await, Machine::new(&test_chain).await];
    let game = open_between_machines(&machines[0], &machines[1]).await;
    let (mut first, second) = (machines[0].sit(&game, &[]), machines[1].sit(&game, &[]));
    let is_white = first.event("playing", None).await["color"] == "white";
    let (white, mut of_white, mut of_black) = if is_white { (0, first, second) } else { (1, second, first) };
    of_white.type_line("e2e4").await;
    of_black.event("opponent_moved", Some(0)).await;
    of_white.kill().await;
    damage(&machines[white].home().join("journals"));
    let mut again = machines[white].sit(&game, &[]);
    loop {
        let note = again.event("journal_note", None).await;
        if note["text"].as_str().expect("a text").contains("it signs nothing") {
            break;
        }
    }
    again.type_line("d2d4").await;
    let refused = again.event("refused", None).await;
    assert!(
        refused["text"].as_str().is_some_and(|reason| reason.contains("doesn't know how far the game has come")),
        "{refused}"
    );
}
