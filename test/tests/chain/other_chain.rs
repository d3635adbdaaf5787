//! The right proof for another chain, the contract having the same address there. Protocol, section 5: `ctx` binds the
//! chain id, and with it the game id does (section 8).

use super::Stage;

pub async fn attack(stage: &Stage) {
    let twin = stage.twin(&stage.other, &stage.other.deployment).await;
    assert_ne!(twin.game.chain_id, stage.bout.game.chain_id);
    assert_eq!(twin.game.contract, stage.bout.game.contract);
    stage.does_not_fit(&twin).await;
}
