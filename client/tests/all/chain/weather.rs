//! Nodes that are behind, limit, fail or tell something else than others: no event is lost, nothing is taken for a reorganisation, and no
//! look at the chain costs more than another look.

use alloy::primitives::B256;
use alloy::providers::Provider as _;
use chain::NodeError;
use client::chain::{BlockRef, Chain, ChainError, Finality, LogUpdate, Logged, Update, Watcher};
use client::wallet::Wallet;
use game::ChainEvent;
use std::time::Duration;

use crate::chain::test_chain::{TestChain, config_of, create, opening, poll};
use crate::proxy::{Proxy, Trouble};

/// Confirmations of the careful connection.
const CONFIRMATIONS: u64 = 2;

/// A chain with an open game in its latest block, and a connection through a proxy.
async fn scene() -> (TestChain, Proxy, Chain, B256) {
    let test_chain = TestChain::new().await;
    let proxy = Proxy::start(&test_chain.anvil.rpc());
    let careful = connection(&test_chain, &proxy.url, &[]).await;
    let game = create(&test_chain.creator, &opening(&test_chain.creator, 1, B256::repeat_byte(1))).await;
    (test_chain, proxy, careful, game)
}

async fn connection(test_chain: &TestChain, node: &str, cross_checks: &[&str]) -> Chain {
    let mut config = config_of(&test_chain.anvil, &test_chain.deployment);
    config.rpc = node.to_owned();
    config.finality = Finality::Confirmations(CONFIRMATIONS);
    config.cross_checks = cross_checks.iter().map(ToString::to_string).collect();
    Chain::connect(config, Some(&Wallet::from_secret(&[1; 32]).unwrap())).await.unwrap()
}

fn is_creation(logged: &Logged) -> bool {
    matches!(logged.event, ChainEvent::Created(_))
}

fn tells_creation(logs: &[LogUpdate<ChainEvent>]) -> bool {
    matches!(logs, [LogUpdate::Final(logged)] if is_creation(logged))
}

#[tokio::test]
async fn a_node_that_is_behind_loses_no_event() {
    for trouble in [Trouble::LateLogs(3), Trouble::LateBlocks(2), Trouble::LateHead(3)] {
        let (test_chain, proxy, careful, game) = scene().await;
        let mut follower = Watcher::new(careful, game, 0, None);
        test_chain.anvil.mine(CONFIRMATIONS).await.unwrap();
        proxy.set(trouble);
        match poll(&mut follower).await {
            // Its head is older than the game.
            Ok(news) => assert!(news.is_empty() && matches!(trouble, Trouble::LateHead(_)), "{trouble:?}: {news:?}"),
            Err(error) => assert!(!matches!(error, ChainError::Reorganised(_)), "{trouble:?}: {error}"),
        }
        proxy.set(Trouble::None);
        assert!(tells_creation(&poll(&mut follower).await.unwrap()), "{trouble:?}");
        // Behind what was told as final, too.
        proxy.set(trouble);
        match poll(&mut follower).await {
            Ok(news) => assert!(news.is_empty(), "{trouble:?}: {news:?}"),
            Err(error) => assert!(!matches!(error, ChainError::Reorganised(_)), "{trouble:?}: {error}"),
        }
        proxy.set(Trouble::None);
        assert!(poll(&mut follower).await.unwrap().is_empty(), "told once");
    }
}

#[tokio::test]
async fn ranges_shrink_until_the_node_grants_them() {
    let (test_chain, proxy, careful, game) = scene().await;
    test_chain.anvil.mine(500).await.unwrap();
    proxy.set(Trouble::Range(50));
    let mut follower = Watcher::new(careful, game, 0, None);
    assert!(tells_creation(&poll(&mut follower).await.unwrap()));
}

#[tokio::test]
async fn what_fails_is_told_by_the_next_look() {
    let (test_chain, proxy, careful, game) = scene().await;
    test_chain.anvil.mine(CONFIRMATIONS).await.unwrap();
    let mut watcher = Watcher::new(careful, game, 0, None);
    // The block, its logs, the clocks after them.
    for busy in ["eth_getBlockByNumber", "eth_getLogs", "eth_call"] {
        proxy.set(Trouble::Busy(busy, u32::MAX));
        assert!(matches!(watcher.poll().await, Err(ChainError::Node(_))), "{busy}");
    }
    proxy.set(Trouble::None);
    let Update { logs, last_final, .. } = watcher.poll().await.unwrap().unwrap();
    assert!(tells_creation(&logs) && last_final.is_some());
    assert!(watcher.poll().await.unwrap().is_none(), "told once");
    // Another final block is told though nothing has happened in it, and its clocks could not be asked at first.
    test_chain.anvil.mine(1).await.unwrap();
    proxy.set(Trouble::Busy("eth_call", u32::MAX));
    assert!(watcher.poll().await.is_err());
    proxy.set(Trouble::None);
    let update = watcher.poll().await.unwrap().unwrap();
    assert_eq!(update.last_final.unwrap().number, last_final.unwrap().number + 1);
}

/// A new head that makes nothing final says how fresh what is known is.
#[tokio::test]
async fn each_new_head_moves_the_chain_s_clock() {
    let (test_chain, _proxy, _, game) = scene().await;
    let mut config = config_of(&test_chain.anvil, &test_chain.deployment);
    config.finality = Finality::Confirmations(1_000);
    let mut watcher = Watcher::new(Chain::connect(config, None).await.unwrap(), game, 0, None);
    let first = watcher.poll().await.unwrap().unwrap();
    test_chain.anvil.pass_time(500).await.unwrap();
    let update = watcher.poll().await.unwrap().unwrap();
    assert!(update.logs.is_empty() && update.last_final == first.last_final);
    assert!(update.time.chain.of_block() >= first.time.chain.of_block() + 500);
}

/// The node that is asked for everything goes silent in the middle of a game: the next one that was named is asked for all, unless it is on another
/// chain; and a node that tells something else is noticed as before.
#[tokio::test]
async fn another_node_takes_over_from_one_that_falls_silent() {
    let (test_chain, first, _, game) = scene().await;
    // Begun in another second, so that its first block tells.
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    let other_chain = TestChain::new().await;
    other_chain.anvil.mine(10).await.unwrap();
    let (other, second) = (Proxy::start(&other_chain.anvil.rpc()), Proxy::start(&test_chain.anvil.rpc()));
    let silent = Trouble::Busy("eth_getBlockByNumber", u32::MAX);
    other.set(silent);
    let careful = connection(&test_chain, &first.url, &[&other.url, &second.url]).await;
    let mut watcher = Watcher::new(careful.clone(), game, 0, None);
    watcher.poll().await.unwrap();
    first.set(Trouble::Dead);
    other.set(Trouble::None);
    test_chain.anvil.mine(CONFIRMATIONS).await.unwrap();
    let doubted = watcher.poll().await;
    assert!(matches!(doubted, Err(ChainError::NodesDisagree(_))), "{doubted:?}");
    other.set(silent);
    let Update { logs, notes, .. } = watcher.poll().await.unwrap().unwrap();
    assert!(tells_creation(&logs));
    let host = |proxy: &Proxy| proxy.url.trim_start_matches("http://").to_owned();
    let words = format!("the node {} can't be asked: {} is asked in its place", host(&first), host(&second));
    assert!(notes.contains(&words), "{notes:?}");
    // What is read and sent besides goes the same way.
    careful.cancel(game).await.unwrap();
    // When the second falls silent in turn, the first is asked again.
    first.set(Trouble::None);
    second.set(Trouble::Dead);
    assert!(careful.game(game).await.is_ok());
}

#[tokio::test]
async fn what_fails_once_or_twice_is_asked_again_in_the_same_look() {
    let (test_chain, proxy, careful, game) = scene().await;
    test_chain.anvil.mine(CONFIRMATIONS).await.unwrap();
    for busy in ["eth_getBlockByNumber", "eth_getLogs", "eth_call"] {
        proxy.set(Trouble::Busy(busy, 2));
        let looked = Watcher::new(careful.clone(), game, 0, None).poll().await;
        assert!(looked.is_ok_and(|update| update.is_some_and(|update| tells_creation(&update.logs))), "{busy}");
    }
}

#[tokio::test]
async fn blocks_before_the_game_are_not_asked_for() {
    let (test_chain, proxy, careful, game) = scene().await;
    test_chain.anvil.mine(200).await.unwrap();
    let mut follower = Watcher::new(careful.clone(), game, 0, None);
    let news = poll(&mut follower).await.unwrap();
    let [LogUpdate::Final(created)] = &news[..] else { panic!("{news:?}") };
    assert_eq!(proxy.ranges(), [careful.config().first_block]);
    let mut again = Watcher::new(careful, game, created.block.number, None);
    assert_eq!(poll(&mut again).await.unwrap(), news);
    assert_eq!(proxy.ranges(), [created.block.number]);
}

#[tokio::test]
async fn what_counted_as_final_must_still_be_there() {
    let (test_chain, proxy, careful, game) = scene().await;
    test_chain.anvil.mine(CONFIRMATIONS).await.unwrap();
    let mut watcher = Watcher::new(careful.clone(), game, 0, None);
    let last = watcher.poll().await.unwrap().unwrap().last_final.unwrap();
    // After a restart, too, whatever the node tells meanwhile.
    proxy.set(Trouble::LateBlocks(CONFIRMATIONS + 1));
    let mut again = Watcher::new(careful.clone(), game, 0, Some(last));
    assert!(matches!(again.poll().await, Err(ChainError::Behind)));
    proxy.set(Trouble::None);
    assert!(again.poll().await.unwrap().is_some());
    // What was final stays so, however far behind finality is now; a machine without it is behind.
    proxy.set(Trouble::LateHead(CONFIRMATIONS + 1));
    let mut again = Watcher::new(careful.clone(), game, 0, Some(last));
    assert!(again.poll().await.is_err_and(|error| !matches!(error, ChainError::Reorganised(_))));
    proxy.set(Trouble::LateHead(1));
    let update = Watcher::new(careful.clone(), game, 0, Some(last)).poll().await.unwrap().unwrap();
    assert!(tells_creation(&update.logs) && update.last_final == Some(last), "{update:?}");
    proxy.set(Trouble::None);
    let other = BlockRef { hash: B256::repeat_byte(7), ..last };
    let mut elsewhere = Watcher::new(careful, game, 0, Some(other));
    assert!(matches!(elsewhere.poll().await, Err(ChainError::Reorganised(number)) if number == last.number));
}

#[tokio::test]
async fn nodes_that_disagree_release_nothing() {
    let (test_chain, proxy, _, game) = scene().await;
    test_chain.anvil.mine(CONFIRMATIONS).await.unwrap();
    let other_chain = TestChain::new().await;
    other_chain.anvil.mine(10).await.unwrap();
    // Else its first block would tell.
    let other = Proxy::start(&other_chain.anvil.rpc());
    other.set(Trouble::Busy("eth_getBlockByNumber", u32::MAX));
    let doubted = connection(&test_chain, &proxy.url, &[&other.url]).await;
    other.set(Trouble::None);
    let mut follower = Watcher::new(doubted, game, 0, None);
    assert!(matches!(poll(&mut follower).await, Err(ChainError::NodesDisagree(_))));
    // One that agrees, one that is behind, one that is not there: nothing speaks against it.
    let behind = Proxy::start(&test_chain.anvil.rpc());
    behind.set(Trouble::LateBlocks(CONFIRMATIONS + 1));
    let agreed =
        connection(&test_chain, &proxy.url, &[&test_chain.anvil.rpc(), &behind.url, "http://127.0.0.1:1"]).await;
    let mut follower = Watcher::new(agreed, game, 0, None);
    let Update { logs, notes, .. } = follower.poll().await.unwrap().unwrap();
    assert!(tells_creation(&logs));
    // But it is told.
    assert!(matches!(&notes[..], [note] if note.contains("127.0.0.1:1 can't be asked")), "{notes:?}");
}

#[tokio::test]
async fn a_node_to_compare_with_that_falls_silent_is_told_once() {
    let (test_chain, proxy, _, game) = scene().await;
    let witness = Proxy::start(&test_chain.anvil.rpc());
    let compared = connection(&test_chain, &proxy.url, &[&witness.url]).await;
    let mut follower = Watcher::new(compared, game, 0, None);
    let host = witness.url.trim_start_matches("http://");
    let troubles =
        [(false, None), (true, Some("can't be asked")), (true, None), (false, Some("answers again")), (false, None)];
    for (is_silent, told) in troubles {
        witness.set(if is_silent { Trouble::Busy("eth_getBlockByNumber", u32::MAX) } else { Trouble::None });
        test_chain.anvil.mine(1).await.unwrap();
        let notes = follower.poll().await.unwrap().map_or_else(Vec::new, |update| update.notes);
        assert_eq!(notes.len(), usize::from(told.is_some()), "{notes:?}");
        assert!(notes.iter().zip(told).all(|(note, words)| note.contains(host) && note.contains(words)), "{notes:?}");
    }
}

#[tokio::test]
async fn a_node_of_another_chain_is_no_witness() {
    let (test_chain, proxy, ..) = scene().await;
    let other = TestChain::new().await;
    other.anvil.provider().unwrap().raw_request::<_, ()>("anvil_setChainId".into(), (1u64,)).await.unwrap();
    let mut config = config_of(&test_chain.anvil, &test_chain.deployment);
    (config.rpc, config.cross_checks) = (proxy.url.clone(), vec![other.anvil.rpc()]);
    let refused = Chain::connect(config, None).await;
    assert!(
        matches!(refused, Err(ChainError::Node(NodeError::OtherChain { expected: 31_337, found: 1, .. }))),
        "{refused:?}"
    );
}

/// Whoever starts a chain chooses its number; its first block has a time, and a hash that no other has.
#[tokio::test]
async fn nor_is_one_of_another_chain_with_the_same_number() {
    let (test_chain, proxy, ..) = scene().await;
    // Begun in another second.
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    let other = TestChain::new().await;
    let mut config = config_of(&test_chain.anvil, &test_chain.deployment);
    (config.rpc, config.cross_checks) = (proxy.url.clone(), vec![other.anvil.rpc()]);
    let refused = Chain::connect(config.clone(), None).await.expect_err("another chain");
    assert!(matches!(refused, ChainError::Node(NodeError::OtherGenesis { .. })), "{refused:?}");
    let host = other.anvil.rpc().trim_start_matches("http://").to_owned();
    assert!(refused.to_string().contains(&host), "{refused}");
    // Another node of the same chain is one to compare with, and so is one that doesn't answer.
    config.cross_checks = vec![Proxy::start(&test_chain.anvil.rpc()).url, "http://127.0.0.1:1".to_owned()];
    Chain::connect(config, None).await.expect("nodes of one chain");
}

/// What was signed for a chain that is no more doesn't go out again by itself: nobody looks after it until the chain is the known one again.
#[tokio::test]
async fn nothing_is_looked_after_on_a_chain_that_is_another() {
    let (test_chain, proxy, careful, game) = scene().await;
    test_chain.anvil.mine(CONFIRMATIONS).await.unwrap();
    let mut watcher = Watcher::new(careful.clone(), game, 0, None);
    let last = watcher.poll().await.unwrap().unwrap().last_final.unwrap();
    create(&careful, &opening(&careful, 2, B256::repeat_byte(2))).await;
    let other = BlockRef { hash: B256::repeat_byte(7), ..last };
    let mut elsewhere = Watcher::new(careful.clone(), game, 0, Some(other));
    assert!(matches!(elsewhere.poll().await, Err(ChainError::Reorganised(_))));
    // Who looks asks for the latest block first.
    let busy = Trouble::Busy("eth_getBlockByNumber", 1_000);
    proxy.set(busy);
    assert!(careful.look_after().await.is_ok(), "nobody is asked");
    proxy.set(Trouble::None);
    watcher.poll().await.unwrap();
    proxy.set(busy);
    assert!(careful.look_after().await.is_err(), "the node is asked");
}

/// A node that the others contradict is refused before anything is done by its word.
#[tokio::test]
async fn a_node_that_others_contradict_moves_no_record() {
    let test_chain = TestChain::new().await;
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    let other = TestChain::new().await;
    let (folder, wallet) = (tempfile::tempdir().unwrap(), Wallet::from_secret(&[1; 32]).unwrap());
    let mut config = config_of(&test_chain.anvil, &test_chain.deployment);
    config.transactions = Some(folder.path().to_owned());
    let chain = Chain::connect(config.clone(), Some(&wallet)).await.unwrap();
    create(&chain, &opening(&chain, 1, B256::repeat_byte(1))).await;
    let files = || std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect::<Vec<_>>();
    let before = files();
    (config.rpc, config.cross_checks) = (other.anvil.rpc(), vec![test_chain.anvil.rpc()]);
    let refused = Chain::connect(config.clone(), Some(&wallet)).await.expect_err("another chain");
    assert!(matches!(refused, ChainError::Node(NodeError::OtherGenesis { .. })), "{refused:?}");
    assert_eq!(files(), before);
    // Nor does one that nobody contradicts: each chain has its own.
    config.cross_checks = Vec::new();
    let elsewhere = Chain::connect(config, Some(&wallet)).await.expect("a chain");
    let entries = |chain: &Chain| chain.ledger().unwrap().entries().len();
    assert_eq!((entries(&chain), entries(&elsewhere)), (1, 0));
}
