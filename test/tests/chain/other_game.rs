//! The right proof for another game of the same contract. Protocol, section 5: `ctx` binds the game id.

use super::Stage;

pub async fn attack(stage: &Stage) {
    let twin = stage.twin(&stage.world, &stage.world.deployment).await;
    assert_ne!(twin.game.game_id, stage.bout.game.game_id);
    stage.does_not_fit(&twin).await;
}
