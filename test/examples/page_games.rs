//! Plays games on a local chain of its own, for the test of the audit page, each ply really proven: one in which White has no move at last, and claims
//! that; and if it is told a number of plies, one of so many, with a claim of fifty moves that fails and one that is granted. All view keys are published.
//! Prints where the games are, and keeps the chain until it is ended.

use client::chain::Chain;
use fogmate_test::{TestChain, TestGame, wallet};
use game::Transaction;
use rules::Color;
use serde_json::json;

const SEED: u64 = 0x2e75;

/// White has made fifty moves without a pawn's, and Black has not.
const FIRST_CLAIM: usize = 100;

/// All White's men stand in each other's way, or in front of Black's.
const BLOCKED: &str = "a2a3 e7e5 a1a2 a7a5 b1c3 a5a4 e2e4 h7h5 f1a6 b8a6 g1f3 a6b4 f3g5 b4d3 d1g4 d3c1 e1d1 d7d5 d1c1 c8g4 \
     c1b1 d8g5 b1a1 g4e6 h1e1 d5d4 e1e3 g5e3 c3e2 e3h6 e2c3 d4d3 c3e2 e6d7 e2c3 b7b5 c3e2 b5b4 e2c3 b4b3 \
     c3e2 c7c5 e2c3 c5c4 c3e2 f7f5 e2c3 f5f4 c3e2 f4f3 e2c3 g7g5 c3b1 g5g4 c2c3 h5h4 g2g3 h4h3";

#[tokio::main(flavor = "multi_thread")]
async fn main() {
    let plies: Option<usize> = std::env::args().nth(1).map(|plies| plies.parse().expect("a number of plies"));
    let test_chain = TestChain::new().await;
    let blocked = play_blocked(&test_chain).await;
    let mut games = json!({ "rpc": test_chain.anvil.rpc(), "blocked": blocked.game.game_id });
    if let Some(plies) = plies {
        games["long"] = json!(play_long(&test_chain, plies).await.game.game_id);
    }
    println!("{games}");
    std::future::pending::<()>().await;
}

async fn play_long(test_chain: &TestChain, plies: usize) -> TestGame {
    let mut long = TestGame::open(test_chain, &wallet(SEED, 0), &wallet(SEED, 1)).await;
    let of_white = ["g1f3", "f3g1"].into_iter().cycle();
    let of_black = std::iter::once("e7e6").chain(["g8f6", "f6g8"].into_iter().cycle());
    let moves = of_white.zip(of_black).flat_map(|(white, black)| [white, black]);
    for (ply, mv) in moves.take(plies).enumerate() {
        if ply == FIRST_CLAIM {
            claim_fifty(&mut long, false).await;
        }
        long.play_alone(mv).await;
    }
    claim_fifty(&mut long, true).await;
    publish(&long).await;
    long
}

async fn play_blocked(test_chain: &TestChain) -> TestGame {
    let mut blocked = TestGame::open(test_chain, &wallet(SEED, 2), &wallet(SEED, 3)).await;
    for mv in BLOCKED.split_whitespace() {
        blocked.play_alone(mv).await;
    }
    let claim = Transaction::ClaimNoMove { ply: blocked.play_state().ply, proof: blocked.prove_no_move() };
    carry_out(&blocked, &blocked.mover().chain, &claim).await;
    publish(&blocked).await;
    blocked
}

/// White claims fifty moves, and Black proves its own count.
async fn claim_fifty(played: &mut TestGame, at_least_fifty: bool) {
    let ply = played.play_state().ply;
    let proof = played.prove_fifty(Color::White);
    carry_out(played, &played.mover().chain, &Transaction::ClaimFifty { ply, proof }).await;
    let proof = played.prove_fifty(Color::Black);
    carry_out(played, &played.other().chain, &Transaction::RespondFifty { at_least_fifty, proof }).await;
    played.sync().await;
}

async fn publish(played: &TestGame) {
    for player in &played.players {
        let key = player.secrets.view_key().to_bytes();
        carry_out(played, &player.chain, &Transaction::PublishViewKey { key, transcript: Vec::new() }).await;
    }
}

async fn carry_out(played: &TestGame, by: &Chain, transaction: &Transaction) {
    by.carry_out(played.game.game_id, transaction).await.expect("the contract takes it");
}
