//! Ctrl-C in the middle of the demo leaves no process behind: neither player, nor the chain.

use fogmate_test::{PATIENCE, Running, SHORT_GAME, alone, cache, fogmate, processes_below, script, still_running};
use std::time::Duration;

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_demo_ends_all_that_it_started() {
    let _alone = alone().await;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut command = tokio::process::Command::new(fogmate());
    command
        .arg("demo")
        .arg("--script")
        .arg(script(folder.path(), &SHORT_GAME))
        .arg("--cache")
        .arg(cache())
        .current_dir(env!("CARGO_MANIFEST_DIR"));
    let mut running = Running::start(command);
    // From this line on both players run.
    while let Some(line) = running.line().await {
        if line.starts_with("Chain 31337") {
            break;
        }
    }
    let started = processes_below(running.id());
    assert!(started.len() >= 3, "two players and a chain: {started:?}");
    let interrupted = std::process::Command::new("kill").args(["-INT", &running.id().to_string()]).status();
    assert!(interrupted.is_ok_and(|status| status.success()));
    let (status, complaints) = running.end().await;
    assert_eq!(status.code(), Some(130), "{complaints}");
    let gone = async {
        while !still_running(&started).is_empty() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    let ended = tokio::time::timeout(PATIENCE / 10, gone).await;
    assert!(ended.is_ok(), "still there: {:?}", still_running(&started));
}
