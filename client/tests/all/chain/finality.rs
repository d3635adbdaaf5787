//! Blocks that can still be taken back: what is in them is waited for, and told as what it is.

use alloy::primitives::B256;
use client::chain::{Chain, ChainError, Finality, LogUpdate, Watcher};
use client::wallet::Wallet;

use crate::chain::test_chain::{TestChain, config_of, create, opening, poll};

#[tokio::test]
async fn what_is_not_final_is_waited_for() {
    let test_chain = TestChain::new().await;
    let mut config = config_of(&test_chain.anvil, &test_chain.deployment);
    config.finality = Finality::Confirmations(3);
    let careful = Chain::connect(config, Some(&Wallet::from_secret(&[1; 32]).unwrap())).await.unwrap();
    let game = create(&careful, &opening(&careful, 1, B256::repeat_byte(1))).await;
    for events in [0, 1] {
        let last = careful.latest_block().await.unwrap() - 3;
        assert_eq!(careful.events(game, 0, last).await.unwrap().len(), events);
        test_chain.anvil.mine(3).await.unwrap();
    }
}

#[tokio::test]
async fn events_are_seen_then_final_or_dropped() {
    let test_chain = TestChain::new().await;
    let wallet = Wallet::from_secret(&[1; 32]).unwrap();
    let mut config = config_of(&test_chain.anvil, &test_chain.deployment);
    config.finality = Finality::Confirmations(2);
    let careful = Chain::connect(config, Some(&wallet)).await.unwrap();
    let opening = opening(&careful, 1, B256::repeat_byte(1));
    let game = opening.game_id(careful.config().chain_id, careful.config().contract);
    let mut follower = Watcher::new(careful.clone(), game, 0, None);
    assert!(poll(&mut follower).await.unwrap().is_empty());

    careful.create(&opening).await.unwrap();
    let created = match &poll(&mut follower).await.unwrap()[..] {
        [LogUpdate::Included(logged)] => logged.clone(),
        other => panic!("{other:?}"),
    };
    assert!(poll(&mut follower).await.unwrap().is_empty(), "told once");
    test_chain.anvil.mine(2).await.unwrap();
    assert_eq!(poll(&mut follower).await.unwrap(), [LogUpdate::Final(created)]);

    careful.cancel(game).await.unwrap();
    let cancelled = match &poll(&mut follower).await.unwrap()[..] {
        [LogUpdate::Included(logged)] => logged.clone(),
        other => panic!("{other:?}"),
    };
    test_chain.anvil.reorganise(1).await.unwrap();
    assert_eq!(poll(&mut follower).await.unwrap(), [LogUpdate::Reorged(cancelled)]);

    test_chain.anvil.mine(2).await.unwrap();
    poll(&mut follower).await.unwrap();
    test_chain.anvil.reorganise(4).await.unwrap();
    assert!(matches!(poll(&mut follower).await, Err(ChainError::Reorganised(_))));
}
