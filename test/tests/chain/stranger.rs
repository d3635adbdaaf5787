//! A move, and a resignation, by somebody who doesn't play the game. Protocol, section 8: only the players of a game act
//! in it.

use super::Stage;
use fogmate_test::wallet;

pub async fn attack(stage: &Stage) {
    let bout = &stage.bout;
    let stranger = stage.world.connect(&wallet(stage.seed, 9)).await;
    assert_eq!(bout.refusal(&stranger, &stage.next).await, "NotYourTurn");
    let error = stranger
        .resign(bout.game.game_id)
        .await
        .expect_err("not their game");
    assert_eq!(error.contract_error().map(|e| e.name()), Some("NotPlayer"));
    let before = bout
        .mover()
        .chain
        .game(bout.game.game_id)
        .await
        .expect("a game");
    assert_eq!(before.ply, stage.next.fields.ply);
}
