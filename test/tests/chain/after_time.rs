//! A right move that comes after its player's time has run out. Protocol, section 8: a chess clock in block time. On the
//! other chain, where time may pass; the game there is still there to be claimed.

use super::Stage;
use fogmate_test::{Bout, wallet};
use game::Outcome;

pub async fn attack(stage: &Stage) {
    let (white, black) = (wallet(stage.seed, 0), wallet(stage.seed, 1));
    let mut late = Bout::open(&stage.other, &white, &black).await;
    let made = tokio::task::block_in_place(|| late.make("e2e4"));
    let passed = stage.other.anvil.pass_time(3_600 + 600 + 1).await;
    passed.expect("time passes");
    assert_eq!(late.refusal(&late.mover().chain, &made).await, "OutOfTime");
    let claimed = late.other().chain.claim_timeout(late.game.game_id).await;
    claimed.expect("the opponent claims the game");
    let state = late.other().chain.game(late.game.game_id).await;
    assert_eq!(state.expect("a game").outcome, Some(Outcome::TimedOut));
    late.sync().await;
}
