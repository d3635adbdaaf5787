//! Games over nodes that are late or disagree; and over one node from two processes.

use std::time::Duration;

use alloy::providers::Provider as _;
use chain::Classified;
use client::chain::{ChainConfig, ChainError};
use client::contest::{Chain, create};
use contest::tag::Tag;

use crate::proxy::{Proxy, Trouble};
use crate::tag::world::{Player, STAKE, TagError, World, square, wallet};

/// More blocks than a node is given to bring a receipt.
const BLOCKS: u32 = 8;

/// A node may have a game long before it has the receipt of its opening: a second opening would pay a second stake.
#[tokio::test]
async fn create_given_again_while_receipts_are_late_pays_no_second_stake() {
    let world = World::new().await;
    let (folder, proxy) = (tempfile::tempdir().unwrap(), Proxy::start(&world.anvil.rpc()));
    let provider = world.anvil.provider().unwrap();
    let transactions = Some(folder.path().to_owned());
    let config = ChainConfig { rpc: proxy.url.clone(), transactions, ..world.config() };
    let connect = async || Chain::<Tag>::connect(&config, Some(&wallet(1))).await.unwrap();
    let mined = async || provider.get_transaction_count(wallet(1).address()).await.unwrap();
    let offer = world.offer(STAKE).await;
    proxy.set(Trouble::NoReceipts);
    let (chain, alice) = (connect().await, wallet(1));
    // Stopped once its opening is in a block.
    tokio::select! {
        created = create(&chain, &alice, &world.prover, offer, false) => panic!("{created:?}"),
        () = async { while mined().await == 0 { tokio::time::sleep(Duration::from_millis(20)).await } } => {}
    }
    for _ in 0..BLOCKS {
        world.anvil.mine(1).await.unwrap();
        chain.look_after().await.unwrap();
    }
    let again = create(&connect().await, &wallet(1), &world.prover, offer, false).await;
    let games = world.chain(1).await.games_of(wallet(1).address()).await.unwrap();
    assert_eq!(games.len(), 1, "one command, one stake: {again:?}");
    assert!(matches!(again, Err(TagError::LateReceipt(game)) if game == games[0].game), "{again:?}");
    assert_eq!(world.made.count(), 1, "nothing else is proven");
    proxy.set(Trouble::None);
    let (found, _) = create(&connect().await, &wallet(1), &world.prover, offer, false).await.unwrap();
    assert!(found.earlier && found.game == games[0].game, "{found:?}");
}

/// A reply shows a sight: it isn't given to a step that another node denies.
#[tokio::test]
async fn while_nodes_disagree_nothing_is_replied_to() {
    let world = World::new().await;
    let game = world.begun().await;
    let elsewhere = World::new().await;
    elsewhere.anvil.mine(50).await.unwrap();
    let other = Proxy::start(&elsewhere.anvil.rpc());
    // Else its first block would tell.
    let silent = Trouble::Busy("eth_getBlockByNumber", u32::MAX);
    other.set(silent);
    let config = ChainConfig { cross_checks: vec![other.url.clone()], ..world.config() };
    let chain = Chain::<Tag>::connect(&config, Some(&wallet(2))).await.unwrap();
    let mut player = Player::open(chain, wallet(2), world.prover.clone(), game).await.unwrap();
    player.look().await.unwrap();
    world.player(1, game).await.choose(square("b2")).await.unwrap().expect("a receipt");
    other.set(Trouble::None);
    for _ in 0..2 {
        let doubted = player.look().await.unwrap_err();
        assert!(matches!(doubted, TagError::Chain(ChainError::NodesDisagree(_))) && doubted.may_pass(), "{doubted:?}");
        assert_eq!(player.act().await.unwrap(), None);
    }
    other.set(silent);
    player.look().await.unwrap();
    assert_eq!(player.act().await.unwrap().map(|done| done.name), Some("reply"));
}

/// By a false time a step came too late, which the contract would have refused.
#[tokio::test]
async fn a_log_with_a_false_time_ends_no_game() {
    let world = World::new().await;
    let (game, proxy) = (world.begun().await, Proxy::start(&world.anvil.rpc()));
    let config = ChainConfig { rpc: proxy.url.clone(), ..world.config() };
    let chain = Chain::<Tag>::connect(&config, Some(&wallet(2))).await.unwrap();
    let mut player = Player::open(chain, wallet(2), world.prover.clone(), game).await.unwrap();
    player.look().await.unwrap();
    world.player(1, game).await.choose(square("b2")).await.unwrap().expect("a receipt");
    proxy.set(Trouble::FalseTimes);
    let doubted = player.look().await.unwrap_err();
    assert!(matches!(doubted, TagError::NotInOrder { .. }) && doubted.may_pass(), "{doubted:?}");
    proxy.set(Trouble::None);
    player.look().await.unwrap();
    assert_eq!(player.act().await.unwrap().map(|done| done.name), Some("reply"));
}

/// Two processes of one wallet share the record of its transactions: of two replies, which have other proofs, one is signed.
#[tokio::test]
async fn a_game_that_is_played_twice_at_once_is_replied_to_once() {
    let (world, folder) = (World::new().await, tempfile::tempdir().unwrap());
    let game = world.begun().await;
    world.player(1, game).await.choose(square("b2")).await.unwrap().expect("a receipt");
    let transactions = Some(folder.path().to_owned());
    let config = ChainConfig { transactions, ..world.config() };
    let seat = async || {
        let chain = Chain::<Tag>::connect(&config, Some(&wallet(2))).await.unwrap();
        let mut player = Player::open(chain, wallet(2), world.prover.clone(), game).await.unwrap();
        player.look().await.unwrap();
        player
    };
    let (mut first, mut second) = (seat().await, seat().await);
    let tried = tokio::join!(first.act(), second.act());
    let signed = world.anvil.provider().unwrap().get_transaction_count(wallet(2).address()).await.unwrap();
    assert_eq!(signed, 2, "the joining and one reply: {tried:?}");
    for (player, tried) in [(&mut first, tried.0), (&mut second, tried.1)] {
        assert!(tried.as_ref().err().is_none_or(Classified::may_pass), "{tried:?}");
        player.look().await.unwrap();
        assert_eq!(player.side().table().ply(), 1);
    }
}
