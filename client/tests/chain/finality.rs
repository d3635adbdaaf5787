//! Blocks that can still be taken back: what is in them is waited for, and told as what it is.

use std::time::Duration;

use alloy::primitives::B256;
use client::chain::{Chain, ChainError, Follower, News};
use client::wallet::Wallet;

use crate::world::{World, config_of, fog_key, terms};

#[tokio::test]
async fn what_is_not_final_is_waited_for() {
    let world = World::new().await;
    let mut config = config_of(&world.anvil, &world.deployment);
    config.confirmations = 3;
    config.timeout = Duration::from_millis(300);
    let careful = Chain::connect(config, &Wallet::from_secret(&[1; 32]).unwrap())
        .await
        .unwrap();
    let (game, receipt) = careful
        .create(&terms(), B256::repeat_byte(1), &fog_key(1))
        .await
        .unwrap();
    assert!(matches!(
        careful.finalised(&receipt).await,
        Err(ChainError::NotConfirmed { .. })
    ));
    let final_block = careful.final_block().await.unwrap().unwrap();
    assert!(
        careful
            .events(game, 0, final_block)
            .await
            .unwrap()
            .is_empty()
    );
    world.anvil.mine(3).await.unwrap();
    assert_eq!(careful.finalised(&receipt).await.unwrap(), receipt);
    let final_block = careful.final_block().await.unwrap().unwrap();
    assert_eq!(careful.events(game, 0, final_block).await.unwrap().len(), 1);
}

#[tokio::test]
async fn events_are_seen_then_final_or_dropped() {
    let world = World::new().await;
    let wallet = Wallet::from_secret(&[1; 32]).unwrap();
    let mut config = config_of(&world.anvil, &world.deployment);
    config.confirmations = 2;
    let careful = Chain::connect(config, &wallet).await.unwrap();
    let game = careful.next_game_id(wallet.address()).await.unwrap();
    let mut follower = Follower::new(careful.clone(), game);
    assert!(follower.poll().await.unwrap().is_empty());

    careful
        .create(&terms(), B256::repeat_byte(1), &fog_key(1))
        .await
        .unwrap();
    let created = match &follower.poll().await.unwrap()[..] {
        [News::Seen(logged)] => logged.clone(),
        other => panic!("{other:?}"),
    };
    assert!(follower.poll().await.unwrap().is_empty(), "told once");
    world.anvil.mine(2).await.unwrap();
    assert_eq!(follower.poll().await.unwrap(), [News::Final(created)]);

    careful.cancel(game).await.unwrap();
    let cancelled = match &follower.poll().await.unwrap()[..] {
        [News::Seen(logged)] => logged.clone(),
        other => panic!("{other:?}"),
    };
    world.anvil.reorganise(1).await.unwrap();
    assert_eq!(follower.poll().await.unwrap(), [News::Dropped(cancelled)]);

    world.anvil.mine(2).await.unwrap();
    follower.poll().await.unwrap();
    world.anvil.reorganise(4).await.unwrap();
    assert!(matches!(
        follower.poll().await,
        Err(ChainError::Reorganised(_))
    ));
}
