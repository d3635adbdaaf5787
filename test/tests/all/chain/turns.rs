//! Moves at the wrong time or by the wrong player. Protocol, section 8: per game the contract keeps the `ply`, by which the players
//! alternate, and a chess clock in block time; only the players of a game act in it.

use super::Target;
use alloy::eips::eip2718::Encodable2718 as _;
use alloy::primitives::B256;
use alloy::providers::Provider as _;
use fogmate_test::{ProvenMove, TestGame, wallet};
use game::{Outcome, Transaction};

/// A move of another ply than the one to come.
pub async fn stale_ply(target: &Target) {
    let [white, black] = target.game.players.each_ref().map(|player| &player.chain);
    let [first, second] = &target.past;
    assert_eq!(target.game.refusal(white, first).await, "StalePly");
    assert_eq!(target.game.refusal(black, second).await, "StalePly");
    for ply in [0, 1, 3, 4, u16::MAX] {
        let mut made: ProvenMove = target.next.clone();
        made.fields.ply = ply;
        let refusal = target.game.refusal(white, &made).await;
        assert_eq!(refusal, "StalePly", "ply {ply}");
    }
}

/// A move by the player whose turn it isn't, be it the opponent's very own proven move.
pub async fn out_of_turn(target: &Target) {
    let black = &target.game.other().chain;
    let refusal = target.game.refusal(black, &target.next).await;
    assert_eq!(refusal, "NotYourTurn");
    let id = target.game.game.game_id;
    let play = target.game.play_state();
    let accept = Transaction::AcceptDraw { ply: play.ply, commitment: play.commitments[1] };
    let accepted = black.carry_out(id, &accept).await;
    let error = accepted.expect_err("it is White's turn");
    assert_eq!(error.contract_error().map(|e| e.name()), Some("NotYourTurn"));
}

/// A move, and a resignation, by somebody who doesn't play the game.
pub async fn stranger(target: &Target) {
    let stranger = target.test_chain.connect(&wallet(target.seed, 9)).await;
    let refusal = target.game.refusal(&stranger, &target.next).await;
    assert_eq!(refusal, "NotYourTurn");
    let id = target.game.game.game_id;
    let resigned = stranger.carry_out(id, &Transaction::Resign).await;
    let error = resigned.expect_err("not their game");
    assert_eq!(error.contract_error().map(|e| e.name()), Some("NotPlayer"));
    assert_eq!(target.game.state().await.ply, target.next.fields.ply);
}

/// A right move that comes after its player's time has run out; on the other chain, where time may pass. The game there is still there
/// to be claimed.
pub async fn after_time(target: &Target) {
    let (white, black) = (wallet(target.seed, 0), wallet(target.seed, 1));
    let mut late = TestGame::open(&target.other_chain, &white, &black).await;
    let made = tokio::task::block_in_place(|| late.make("e2e4"));
    let clocks = late.mover().chain.clocks(late.game.game_id).await.expect("the game is in play");
    let now = late.mover().chain.block_time().await.expect("the chain has a time");
    let passed = target.other_chain.anvil.pass_time(clocks.deadline - now + 1).await;
    passed.expect("time passes");
    assert_eq!(late.refusal(&late.mover().chain, &made).await, "OutOfTime");
    let (id, black) = (late.game.game_id, &late.other().chain);
    let claimed = black.carry_out(id, &Transaction::ClaimTimeout).await;
    claimed.expect("the opponent claims the game");
    assert_eq!(late.state().await.outcome, Some(Outcome::TimedOut));
    late.sync().await;
}

/// Move transactions that were accepted, sent once more: the same signed bytes, and the same call signed anew. The `ply` goes on with
/// every move, and an account's nonce with every transaction.
pub async fn replayed_moves(target: &Target, last: B256) {
    let provider = target.test_chain.anvil.provider().expect("a connection");
    let before = target.game.state().await;
    for hash in [target.sent[0], target.sent[1], last] {
        let found = provider.get_transaction_by_hash(hash).await;
        let found = found.expect("an answer").expect("it is on the chain");
        let signed = found.inner.encoded_2718();
        let refused = provider.send_raw_transaction(&signed).await;
        let error = refused.expect_err("a nonce is used once").to_string();
        assert!(error.contains("nonce too low"), "{error}");
    }
    assert_eq!(before, target.game.state().await);
    let game = &target.game;
    let [white, black] = game.players.each_ref().map(|player| &player.chain);
    assert_eq!(game.refusal(white, &target.next).await, "StalePly");
    assert_eq!(game.refusal(black, &target.past[1]).await, "StalePly");
    // At Black's turn White's move is Black's no more than it was.
    let mut renumbered = target.next.clone();
    renumbered.fields.ply = game.play_state().ply;
    let renumbered = game.with_right_basis(&renumbered);
    assert_eq!(game.refusal(white, &renumbered).await, "NotYourTurn");
    assert_eq!(game.refusal(black, &renumbered).await, "InvalidProof");
}
