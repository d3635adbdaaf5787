//! A move by the player whose turn it isn't, be it the opponent's very own proven move. Protocol, section 8: the players
//! alternate by `ply`.

use super::Stage;

pub async fn attack(stage: &Stage) {
    let bout = &stage.bout;
    let black = &bout.other().chain;
    assert_eq!(bout.refusal(black, &stage.next).await, "NotYourTurn");
    let accepted = black.accept_draw(bout.game.game_id).await;
    let error = accepted.expect_err("it is White's turn");
    assert_eq!(
        error.contract_error().map(|e| e.name()),
        Some("NotYourTurn")
    );
}
