//! Plays the short game in mode `channel` on a local chain of its own, for the test of the audit page: each ply really proven and signed by both, the game closed,
//! both view keys published. Writes its transcript to the named file, prints where the game is, and keeps the chain until it is ended.

use fogmate_test::{BetweenMachines, SHORT_GAME, TestChain, wallet};
use game::Outcome;
use rules::Color;
use serde_json::json;

const SEED: u64 = 0x2e74;

#[tokio::main(flavor = "multi_thread")]
async fn main() {
    let file = std::env::args().nth(1).expect("the file to write");
    let test_chain = TestChain::new().await;
    let mut played = BetweenMachines::open(&test_chain, &wallet(SEED, 0), &wallet(SEED, 1)).await;
    SHORT_GAME.iter().for_each(|mv| played.play(mv));
    played.close(&test_chain, Some(Color::White), Outcome::KingCaptured).await;
    played.publish().await;
    std::fs::write(file, played.transcript.to_json().expect("JSON")).expect("a file");
    let game = played.game.game;
    println!("{}", json!({ "rpc": test_chain.anvil.rpc(), "contract": game.contract, "game": game.game_id }));
    std::future::pending::<()>().await;
}
