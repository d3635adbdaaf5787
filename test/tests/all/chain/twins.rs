//! The right proof for a game that differs from the attacked one in nothing but its name. Protocol, section 5: `ctx` binds chain id,
//! contract and game id.

use super::Target;

/// Another game of the same contract.
pub async fn other_game(target: &Target) {
    let twin = target.twin(&target.test_chain, &target.test_chain.deployment).await;
    assert_ne!(twin.game.game_id, target.game.game.game_id);
    target.does_not_fit(&twin).await;
}

/// Another deployment on the same chain.
pub async fn other_contract(target: &Target) {
    let deployment = target.test_chain.other_contract().await;
    let twin = target.twin(&target.test_chain, &deployment).await;
    assert_ne!(twin.game.contract, target.game.game.contract);
    target.does_not_fit(&twin).await;
}

/// Another chain, where the contract has the same address.
pub async fn other_chain(target: &Target) {
    let other = &target.other_chain;
    let twin = target.twin(other, &other.deployment).await;
    assert_ne!(twin.game.chain_id, target.game.game.chain_id);
    assert_eq!(twin.game.contract, target.game.game.contract);
    target.does_not_fit(&twin).await;
}
