//! The right proof for another deployment on the same chain. Protocol, section 5: `ctx` binds the contract.

use super::Stage;

pub async fn attack(stage: &Stage) {
    let deployment = stage.world.other_contract().await;
    let twin = stage.twin(&stage.world, &deployment).await;
    assert_ne!(twin.game.contract, stage.bout.game.contract);
    stage.does_not_fit(&twin).await;
}
