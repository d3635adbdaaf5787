//! Players that are killed (kill -9) at several points of a game and started again finish it: with wallet, chain and
//! journal, and with wallet and chain alone on a bare machine. Protocol, section 9: "wallet + chain restores a game in
//! progress", and "a client never signs a second, different move for a ply".

use fogmate_test::{Machine, Running, SHORT_GAME, TestChain, alone, assert_audited, open_game, script};
use serde_json::Value;
use std::path::PathBuf;
use tempfile::TempDir;

/// A player and the process in which it plays.
struct RunningPlayer {
    machine: Machine,
    running: Running,
    address: String,
    /// How the game ended, if it had ended before the process started.
    over: Option<Value>,
}

/// The game that both play, and its moves.
struct ScriptedGame {
    game: String,
    script: PathBuf,
    _folder: TempDir,
}

impl ScriptedGame {
    async fn sit(&self, machine: Machine, dial: Option<&str>) -> RunningPlayer {
        let more: Vec<&str> = dial.iter().flat_map(|address| ["--dial", *address]).collect();
        let mut running = machine.play(&self.game, &self.script, &more);
        // A player that comes back to a game that is over has nobody to listen for.
        let first = running.any_event(&["listening", "over"], None).await;
        let address = first["addresses"][0].as_str().unwrap_or_default().to_owned();
        RunningPlayer { machine, running, address, over: (first["event"] == "over").then_some(first) }
    }

    /// Kills a player and starts it again on the same machine.
    async fn again(&self, player: RunningPlayer, opponent: &str) -> RunningPlayer {
        player.running.kill().await;
        println!("killed, and started again with its journal");
        self.sit(player.machine, Some(opponent)).await
    }

    /// Kills a player and starts it again on a machine that has nothing but its wallet.
    async fn elsewhere(&self, player: RunningPlayer, opponent: &str) -> RunningPlayer {
        player.running.kill().await;
        println!("killed, and started again with its wallet alone");
        let bare = player.machine.bare();
        self.sit(bare, Some(opponent)).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_players_finish_their_game() {
    let _alone = alone().await;
    let test_chain = TestChain::new().await;
    let (alice, bob) = (Machine::new(&test_chain).await, Machine::new(&test_chain).await);
    let game = open_game(&alice, &bob).await;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let scripted = ScriptedGame { game: game.clone(), script: script(folder.path(), &SHORT_GAME), _folder: folder };
    let alice = scripted.sit(alice, None).await;
    let bob = scripted.sit(bob, None).await;
    // The creator, before or after it has opened the coin toss.
    let mut alice = scripted.again(alice, &bob.address).await;
    let alice_is_white = alice.running.event("playing", None).await["color"] == "white";
    let (mut white, mut black) = if alice_is_white { (alice, bob) } else { (bob, alice) };
    let white_account = white.machine.address;

    // Chosen, and not yet signed.
    black.running.event("proving", Some(1)).await;
    black = scripted.again(black, &white.address).await;
    // Signed, and perhaps in a block, perhaps not.
    white.running.event("sent", Some(2)).await;
    white = scripted.again(white, &black.address).await;
    // The opponent has moved; two answers are owed, none is there.
    black.running.event("opponent_moved", Some(2)).await;
    black = scripted.elsewhere(black, &white.address).await;
    // Its move is in a block; the answer that belongs to it may not have left.
    black.running.event("mined", Some(3)).await;
    black = scripted.again(black, &white.address).await;
    // Signed, perhaps in a block, and no journal to remember it.
    white.running.event("sent", Some(4)).await;
    white = scripted.elsewhere(white, &black.address).await;

    for player in [&mut white, &mut black] {
        let over = match player.over.take() {
            Some(over) => over,
            None => player.running.event("over", None).await,
        };
        assert_eq!(over["winner"], "white");
        let (status, complaints) = player.running.end().await;
        assert!(status.success(), "{complaints}");
    }
    assert_audited(&test_chain, &game, white_account, SHORT_GAME.len()).await;
}
