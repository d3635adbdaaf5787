//! On a chain that isn't local a deployment is complete when its contracts stand in a final block.

use std::time::Duration;

use alloy::eips::eip2718::Encodable2718 as _;
use alloy::providers::Provider as _;
use deploy::{Contracts, DeploymentError, Game};

use super::deployment::Fixture;

const CHAIN: u64 = 11_155_111;

async fn real_chain() -> (Fixture, Contracts) {
    let fixture = Fixture::start();
    fixture.set_chain_id(CHAIN).await;
    (fixture, Contracts::shipped(Game::Dice, false))
}

async fn until_created(fixture: &Fixture) {
    while fixture.paid().await == 0 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// A fork in which the same transaction comes some blocks later, after the time in which nothing but finality was waited for.
#[tokio::test]
async fn a_creation_that_a_fork_moves_is_complete_where_it_is_in_the_end() {
    let (fixture, dice) = real_chain().await;
    let fork = async {
        until_created(&fixture).await;
        let block = fixture.provider.get_block(Default::default()).full().await.unwrap().unwrap();
        let created = block.transactions.into_transactions().next().unwrap();
        tokio::time::sleep(Duration::from_secs(2)).await;
        fixture.anvil.reorganise(1).await.unwrap();
        fixture.anvil.mine(3).await.unwrap();
        assert!(matches!(fixture.read(Game::Dice).await, Err(DeploymentError::Unfinished(_))));
        let raw = created.inner.inner().encoded_2718();
        let _pending = fixture.provider.send_raw_transaction(&raw).await.unwrap();
        fixture.anvil.mine(100).await.unwrap();
    };
    let (made, ()) = tokio::join!(fixture.deploy(&dice), fork);
    assert_eq!(fixture.read(Game::Dice).await.unwrap(), made.unwrap());
    assert_eq!(fixture.paid().await, 1);
}

#[tokio::test]
async fn who_stops_waiting_for_finality_pays_for_nothing_twice() {
    let (fixture, dice) = real_chain().await;
    tokio::select! {
        made = fixture.deploy(&dice) => panic!("nothing is final: {made:?}"),
        () = async {
            until_created(&fixture).await;
            tokio::time::sleep(Duration::from_secs(2)).await;
        } => {}
    }
    assert!(matches!(fixture.read(Game::Dice).await, Err(DeploymentError::Unfinished(_))));
    fixture.anvil.mine(100).await.unwrap();
    let made = fixture.deploy(&dice).await.unwrap();
    assert_eq!(fixture.paid().await, 1);
    assert_eq!((fixture.read(Game::Dice).await.unwrap(), made.block), (made, 0));
}
