//! Blocks with moves in them are replaced by empty ones while the game goes on: nothing that wasn't final is acted on, what got lost is
//! sent again, and the game ends as it must. Protocol, section 6: a move is answered once it is final.

use fogmate_test::{Machine, Running, SHORT_GAME, TestChain, alone, assert_audited, open_game, script};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

/// Blocks on top of a block before the players take it for final.
const CONFIRMATIONS: &str = "2";
/// Anvil makes no block without a transaction; a chain with others on it does.
const BLOCK_TIME: Duration = Duration::from_millis(500);

/// A chain on which blocks are made, unless the test holds them up.
struct Blocks {
    test_chain: TestChain,
    held_up: AtomicBool,
}

impl Blocks {
    async fn make(&self) {
        loop {
            tokio::time::sleep(BLOCK_TIME).await;
            if !self.held_up.load(SeqCst) {
                self.test_chain.anvil.mine(1).await.expect("Anvil makes a block");
            }
        }
    }

    /// Waits for a move's block, on top of which nothing is made, and replaces it.
    async fn take_back(&self, ply: u64, opponent: &mut Running) {
        self.held_up.store(true, SeqCst);
        opponent.event("opponent_seen", Some(ply)).await;
        let replaced = self.test_chain.anvil.reorganise(1).await;
        replaced.expect("Anvil replaces a block");
        opponent.event("reorganised", Some(ply)).await;
        self.held_up.store(false, SeqCst);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_survives_reorganisations() {
    let _alone = alone().await;
    let test_chain = TestChain::new().await;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let moves = script(folder.path(), &SHORT_GAME);
    let (alice, bob) = (Machine::new(&test_chain).await, Machine::new(&test_chain).await);
    let game = open_game(&alice, &bob).await;
    let blocks = Blocks { test_chain, held_up: AtomicBool::new(false) };
    let play = async {
        let careful = ["--confirmations", CONFIRMATIONS];
        let mut running = alice.play(&game, &moves, &careful);
        let listening = running.event("listening", None).await;
        let address = listening["addresses"][0].as_str().expect("an address");
        let dialling = [&careful[..], &["--dial", address]].concat();
        let mut white = (running, alice.address);
        let mut black = (bob.play(&game, &moves, &dialling), bob.address);
        if white.0.event("playing", None).await["color"] == "black" {
            std::mem::swap(&mut white, &mut black);
        }
        let ((mut white, winner), (mut black, _)) = (white, black);
        blocks.take_back(0, &mut black).await;
        black.event("opponent_moved", Some(0)).await;
        blocks.take_back(1, &mut white).await;
        white.event("opponent_moved", Some(1)).await;
        black.event("opponent_moved", Some(2)).await;
        white.event("opponent_moved", Some(3)).await;
        // The king has fallen in a block that goes.
        blocks.take_back(4, &mut black).await;
        for player in [&mut white, &mut black] {
            let over = player.event("over", None).await;
            assert_eq!(over["winner"], "white");
            let (status, complaints) = player.end().await;
            assert!(status.success(), "{complaints}");
        }
        winner
    };
    let winner = tokio::select! {
        winner = play => winner,
        () = blocks.make() => unreachable!("blocks are made for ever"),
    };
    assert_audited(&blocks.test_chain, &game, winner, SHORT_GAME.len()).await;
}
