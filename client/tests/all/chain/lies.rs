//! Nodes that lie, or whose indices are behind: nothing is signed that nobody here has wished, no stake is paid twice, no journal is lost,
//! and no other game's end is this one's.

use alloy::primitives::{Address, B256, U256};
use alloy::providers::Provider as _;
use alloy::sol_types::SolCall as _;
use chain::send::Priority;
use client::chain::{
    BlockRef, Chain, ChainConfig, ChainError, Finality, IFogmate, LogUpdate, Status, Watcher, priority,
};
use client::lobby;
use client::wallet::Wallet;
use game::{ChainEvent, Transaction};
use std::net::TcpListener;
use std::time::Duration;

use crate::chain::test_chain::{PROOF_BYTES, TestChain, basis_of, config_of, create, fields, opening, poll, terms};
use crate::proxy::{Forged, Proxy, Trouble};

/// Blocks after which a slow transaction has been raised, and some more.
const BLOCKS: u64 = 8;

async fn connect(test_chain: &TestChain, rpc: &str, seed: u8) -> Chain {
    let mut config = config_of(&test_chain.anvil, &test_chain.deployment);
    config.rpc = rpc.to_owned();
    Chain::connect(config, Some(&Wallet::from_secret(&[seed; 32]).unwrap())).await.unwrap()
}

/// A machine with a wallet looks for a move of its own in the mempool of a node that shows it something else there, once; then looks after
/// what is under way, as `fogmate play` does, while the node is honest.
async fn believe(test_chain: &TestChain, seed: u8, game: B256, input: Vec<u8>) {
    let proxy = Proxy::start(&test_chain.anvil.rpc());
    let chain = connect(test_chain, &proxy.url, seed).await;
    let account = chain.account().unwrap();
    let nonce = test_chain.anvil.provider().unwrap().get_transaction_count(account).await.unwrap();
    let contract = chain.config().contract;
    proxy.set(Trouble::Forges(Forged { account, contract, nonce, input: input.try_into().unwrap() }));
    // What is found is of no interest here, nor whether it is refused.
    let _ = chain.move_may_be_under_way(game, 0).await;
    proxy.set(Trouble::None);
    for _ in 0..BLOCKS {
        test_chain.anvil.mine(1).await.unwrap();
        let _ = chain.look_after().await;
    }
}

/// A transaction that a node shows as this wallet's is this wallet's if its signature says so, and not because the node does.
#[tokio::test]
async fn a_node_can_t_have_a_player_resign_by_showing_a_transaction_that_nobody_signed() {
    let test_chain = TestChain::new().await;
    let (game, white, _) = test_chain.playing().await;
    let seed = if white.account() == test_chain.creator.account() { 1 } else { 2 };
    believe(&test_chain, seed, game, IFogmate::resignCall { gameId: game }.abi_encode()).await;
    let state = test_chain.state(game).await;
    assert_eq!((state.status, state.outcome), (Status::Playing, None), "nobody has wished to resign");
}

/// Winnings go to whom the wallet has named, whatever a node shows as its transaction.
#[tokio::test]
async fn a_node_can_t_have_winnings_paid_to_itself_by_showing_a_transaction_that_nobody_signed() {
    let test_chain = TestChain::new().await;
    let game = create(&test_chain.creator, &opening(&test_chain.creator, 1, B256::repeat_byte(1))).await;
    test_chain.creator.cancel(game).await.unwrap();
    let account = test_chain.creator.account().unwrap();
    let owed = test_chain.creator.withdrawable(account).await.unwrap();
    assert!(!owed.is_zero());
    let thief = Address::repeat_byte(0x66);
    believe(&test_chain, 1, game, IFogmate::withdrawCall { to: thief }.abi_encode()).await;
    assert_eq!(test_chain.creator.balance(thief).await.unwrap(), U256::ZERO, "the thief has the winner's money");
    assert_eq!(test_chain.creator.withdrawable(account).await.unwrap(), owed);
}

/// The journal belongs to the chain of this first block: if that is another one after the node has thrown away some history, or when
/// another machine is asked, the journal is put aside, and with it what was signed and what was given.
#[tokio::test]
async fn the_first_block_of_a_node_with_a_pruned_history_is_still_the_chain_s_first() {
    let test_chain = TestChain::new().await;
    test_chain.anvil.mine(5).await.unwrap();
    let proxy = Proxy::start(&test_chain.anvil.rpc());
    let chain = connect(&test_chain, &proxy.url, 1).await;
    let first = chain.genesis().await.unwrap();
    for pruned in [1, 4] {
        proxy.set(Trouble::Pruned(pruned));
        assert_eq!(chain.genesis().await.unwrap(), first, "all before block {pruned} is thrown away");
    }
}

/// Receipts may be late by more blocks than the ledger waits for, above all on chains of fast blocks. The game is there all the same.
#[tokio::test]
async fn create_given_again_after_late_receipts_pays_no_second_stake() {
    let test_chain = TestChain::new().await;
    let proxy = Proxy::start(&test_chain.anvil.rpc());
    let folder = tempfile::tempdir().unwrap();
    let wallet = Wallet::from_secret(&[1; 32]).unwrap();
    let mut config = config_of(&test_chain.anvil, &test_chain.deployment);
    config.rpc = proxy.url.clone();
    (config.timeout, config.transactions) = (Duration::from_millis(500), Some(folder.path().to_owned()));
    let chain = Chain::connect(config, Some(&wallet)).await.unwrap();
    let announce = ["/ip4/127.0.0.1/tcp/4040".parse().unwrap()];
    proxy.set(Trouble::NoReceipts);
    let first = lobby::create(&chain, &wallet, &terms(), None, &announce, false).await;
    assert!(first.is_err(), "nothing says that it is in a block: {first:?}");
    for _ in 0..BLOCKS {
        test_chain.anvil.mine(1).await.unwrap();
        chain.look_after().await.unwrap();
    }
    proxy.set(Trouble::None);
    let again = lobby::create(&chain, &wallet, &terms(), None, &announce, false).await;
    let games = chain.games_of(Some(wallet.address())).await.unwrap();
    assert_eq!(games.len(), 1, "one command, one stake: {again:?}");
}

/// The record has the receipt, and the machine that is asked for the game hasn't got so far.
#[tokio::test]
async fn nor_does_one_that_meets_a_machine_that_is_behind() {
    let test_chain = TestChain::new().await;
    let proxy = Proxy::start(&test_chain.anvil.rpc());
    let (chain, wallet) = (connect(&test_chain, &proxy.url, 1).await, Wallet::from_secret(&[1; 32]).unwrap());
    let announce = ["/ip4/127.0.0.1/tcp/4040".parse().unwrap()];
    // A process that was killed before it could say so.
    lobby::create(&chain, &wallet, &terms(), None, &announce, false).await.unwrap();
    proxy.set(Trouble::LateState(1));
    let again = lobby::create(&chain, &wallet, &terms(), None, &announce, false).await;
    assert!(again.is_err(), "a second game");
    proxy.set(Trouble::None);
    assert_eq!(chain.games_of(Some(wallet.address())).await.unwrap().len(), 1);
    let again = lobby::create(&chain, &wallet, &terms(), None, &announce, false).await;
    assert!(again.is_ok(), "the first one is found");
    assert_eq!(chain.games_of(Some(wallet.address())).await.unwrap().len(), 1);
}

/// The proof of a verified game's move comes from its transaction's calldata, of which the transaction's hash, in the log, is the measure. If
/// what a node has garbled is taken for it, a true move looks false "though the contract has verified it", and the game is given up as one
/// of a deployment that isn't to be trusted.
#[tokio::test]
async fn calldata_that_is_not_its_transaction_s_is_no_proof() {
    let test_chain = TestChain::new().await;
    let (game, white, _) = test_chain.playing().await;
    let proof = vec![0xab; PROOF_BYTES as usize];
    let fields = fields(0, None, false);
    let basis = basis_of(white, game, &fields).await;
    let made = Transaction::Move { fields, basis, proof: proof.clone() };
    let transaction = white.carry_out(game, &made).await.unwrap().transaction;
    let proxy = Proxy::start(&test_chain.anvil.rpc());
    let chain = connect(&test_chain, &proxy.url, 1).await;
    assert_eq!(chain.declared_in(transaction).await.unwrap().proof, proof);
    proxy.set(Trouble::Calldata);
    let declared = chain.declared_in(transaction).await;
    assert!(declared.is_err(), "another proof, under the same transaction's hash: {declared:?}");
}

/// Chains have types of their own, which no hash of this program's making names, and transactions that nobody signs: their events are read all the same.
#[tokio::test]
async fn of_a_transaction_that_only_its_chain_can_hold_to_its_hash_nobody_is_the_sender() {
    let test_chain = TestChain::new().await;
    let (game, white, _) = test_chain.playing().await;
    let fields = fields(0, None, false);
    let (basis, proof) = (basis_of(white, game, &fields).await, vec![0xab; PROOF_BYTES as usize]);
    let made = Transaction::Move { fields, basis, proof: proof.clone() };
    let transaction = white.carry_out(game, &made).await.unwrap().transaction;
    let proxy = Proxy::start(&test_chain.anvil.rpc());
    let chain = connect(&test_chain, &proxy.url, 1).await;
    let honest = chain.records(game).await.unwrap();
    assert!(honest.iter().all(|record| record.sender.is_some()));
    let cost = chain.cost(transaction).await.unwrap();
    for trouble in [Trouble::OwnKind, Trouble::Unsigned] {
        proxy.set(trouble);
        let read = chain.records(game).await.unwrap();
        assert!(read.iter().all(|record| record.sender.is_none()));
        let events = |records: &[game::audit::Record]| -> Vec<_> { records.iter().map(|r| r.event.clone()).collect() };
        assert_eq!(events(&read), events(&honest));
        assert_eq!(chain.cost(transaction).await.unwrap(), cost);
        // The seat takes no proof that the hash doesn't hold.
        assert!(chain.declared_in(transaction).await.is_err());
    }
}

/// A contract may have the same address on two chains, and what was sent to the other one says nothing about a game here.
#[tokio::test]
async fn a_transaction_of_another_chain_is_none() {
    let test_chain = TestChain::new().await;
    let (game, white, _) = test_chain.playing().await;
    let fields = fields(0, None, false);
    let basis = basis_of(white, game, &fields).await;
    let made = Transaction::Move { fields, basis, proof: vec![0xab; PROOF_BYTES as usize] };
    let transaction = white.carry_out(game, &made).await.unwrap().transaction;
    let proxy = Proxy::start(&test_chain.anvil.rpc());
    proxy.set(Trouble::NamesChain(1, u32::MAX));
    let config =
        ChainConfig { rpc: proxy.url.clone(), chain_id: 1, ..config_of(&test_chain.anvil, &test_chain.deployment) };
    let declared = Chain::connect(config, None).await.unwrap().declared_in(transaction).await;
    assert!(matches!(declared, Err(ChainError::OtherTransaction(hash)) if hash == transaction), "{declared:?}");
}

/// A node that gives more logs than it was asked for.
#[tokio::test]
async fn what_happens_in_another_game_is_no_news_of_this_one() {
    let test_chain = TestChain::new().await;
    let (game, ..) = test_chain.playing().await;
    let (other, white, _) = test_chain.playing().await;
    white.carry_out(other, &Transaction::Resign).await.unwrap();
    let proxy = Proxy::start(&test_chain.anvil.rpc());
    proxy.set(Trouble::NoTopics);
    let chain = connect(&test_chain, &proxy.url, 1).await;
    let told = poll(&mut Watcher::new(chain.clone(), game, 0, None)).await.unwrap();
    proxy.set(Trouble::None);
    assert_eq!(told, poll(&mut Watcher::new(chain, game, 0, None)).await.unwrap());
    let ends = |update: &LogUpdate<ChainEvent>| matches!(update, LogUpdate::Final(log) if matches!(log.event, ChainEvent::Ended { .. }));
    assert!(!told.is_empty() && !told.iter().any(ends), "{told:?}");
}

/// Logs of the latest block are no answer for another one, whatever is in them.
#[tokio::test]
async fn logs_of_another_block_are_no_answer() {
    let test_chain = TestChain::new().await;
    let proxy = Proxy::start(&test_chain.anvil.rpc());
    let game = create(&test_chain.creator, &opening(&test_chain.creator, 1, B256::repeat_byte(1))).await;
    create(&test_chain.creator, &opening(&test_chain.creator, 2, B256::repeat_byte(2))).await;
    let mut follower = Watcher::new(connect(&test_chain, &proxy.url, 1).await, game, 0, None);
    proxy.set(Trouble::LatestLogs);
    let looked = poll(&mut follower).await;
    assert!(matches!(looked, Err(ChainError::Nonsense(_))), "{looked:?}");
    proxy.set(Trouble::None);
    assert!(
        matches!(&poll(&mut follower).await.unwrap()[..], [LogUpdate::Final(logged)] if matches!(logged.event, ChainEvent::Created(_)))
    );
}

/// A node whose logs are behind its blocks: what the blocks' blooms promise is asked for once more before it counts as final, and blocks
/// whose blooms rule everything out aren't asked for.
#[tokio::test]
async fn what_a_bloom_promises_is_asked_for_again() {
    let test_chain = TestChain::new().await;
    let proxy = Proxy::start(&test_chain.anvil.rpc());
    let mut config = config_of(&test_chain.anvil, &test_chain.deployment);
    (config.rpc, config.finality) = (proxy.url.clone(), Finality::Confirmations(3));
    let game = create(&test_chain.creator, &opening(&test_chain.creator, 1, B256::repeat_byte(1))).await;
    let born = test_chain.creator.latest_block().await.unwrap();
    let mut follower = Watcher::new(Chain::connect(config, None).await.unwrap(), game, born, None);
    proxy.set(Trouble::EmptyLogs(1));
    assert_eq!(poll(&mut follower).await.unwrap(), [], "it says that there is nothing");
    for _ in 0..2 {
        test_chain.anvil.mine(1).await.unwrap();
        assert_eq!(poll(&mut follower).await.unwrap(), []);
    }
    test_chain.anvil.mine(1).await.unwrap();
    let news = poll(&mut follower).await.unwrap();
    assert!(matches!(&news[..], [LogUpdate::Final(logged)] if logged.block.number == born), "{news:?}");
    // The first one twice, and none of the three blocks without events.
    assert_eq!(proxy.logs_of_blocks(), 2);
}

/// "One that can't be asked holds nothing up": a node that takes a connection and never answers can't be asked.
#[tokio::test]
async fn a_node_to_compare_with_that_hangs_holds_nothing_up() {
    let test_chain = TestChain::new().await;
    let game = create(&test_chain.creator, &opening(&test_chain.creator, 1, B256::repeat_byte(1))).await;
    let hung = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let mut config = config_of(&test_chain.anvil, &test_chain.deployment);
    config.cross_checks = vec![format!("http://{}", hung.local_addr().unwrap())];
    let look = async {
        let chain = Chain::connect(config, None).await.unwrap();
        poll(&mut Watcher::new(chain, game, 0, None)).await.unwrap()
    };
    let looked = tokio::time::timeout(Duration::from_secs(15), look).await;
    assert!(looked.is_ok_and(|news| !news.is_empty()), "the first look waits for it");
}

/// Nothing that was signed before goes out while a block that was final is gone: not because something else is wished meanwhile, either.
#[tokio::test]
async fn a_wish_does_not_send_what_was_signed_for_a_chain_that_is_another() {
    let test_chain = TestChain::new().await;
    let proxy = Proxy::start(&test_chain.anvil.rpc());
    let mut config = config_of(&test_chain.anvil, &test_chain.deployment);
    (config.rpc, config.finality) = (proxy.url.clone(), Finality::Confirmations(2));
    config.timeout = Duration::from_secs(5);
    let chain = Chain::connect(config, Some(&Wallet::from_secret(&[1; 32]).unwrap())).await.unwrap();
    let watched = create(&chain, &opening(&chain, 1, B256::repeat_byte(1))).await;
    test_chain.anvil.mine(2).await.unwrap();
    // Signed and written, and taken by no node.
    proxy.set(Trouble::Busy("eth_sendRawTransaction", u32::MAX));
    let before = opening(&chain, 2, B256::repeat_byte(2));
    let signed = async {
        while chain.ledger().unwrap().entries().len() < 2 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::select! {
        created = chain.create(&before) => panic!("{created:?}"),
        () = signed => {}
    }
    proxy.set(Trouble::None);
    let latest = chain.latest_block().await.unwrap();
    let gone = BlockRef { number: latest - 1, hash: B256::repeat_byte(7) };
    let looked = Watcher::new(chain.clone(), watched, 0, Some(gone)).poll().await;
    assert!(matches!(looked, Err(ChainError::Reorganised(_))), "{looked:?}");
    let _ = tokio::time::timeout(Duration::from_secs(3), chain.create(&opening(&chain, 3, B256::repeat_byte(3)))).await;
    let game = before.game_id(chain.config().chain_id, chain.config().contract);
    let found = chain.game(game).await;
    assert!(matches!(found, Err(ChainError::NoGame(_))), "it went out: {found:?}");
}

/// The key that was paid for is in the URL's path: failures leave it out, and so must what is written into logs.
#[test]
fn a_node_s_key_is_in_no_debug_output() {
    let key = "0123456789abcdef-key";
    let mut config = ChainConfig::new(&format!("https://node.example/v2/{key}"), 1, Address::ZERO, 0);
    config.cross_checks = vec![format!("https://other.example/{key}")];
    assert!(!format!("{config:?}").contains(key), "{config:?}");
}

/// Who is told that the game isn't open any more doesn't know that it has joined it, and loses its stake by not
/// revealing the toss. The contract's state says who has joined.
#[tokio::test]
async fn join_given_again_after_late_receipts_has_joined() {
    let test_chain = TestChain::new().await;
    let [creator, joiner] = [1, 2].map(|seed| Wallet::from_secret(&[seed; 32]).unwrap());
    let announce = ["/ip4/127.0.0.1/tcp/4040".parse().unwrap()];
    let created = lobby::create(&test_chain.creator, &creator, &terms(), None, &announce, false).await.unwrap();
    let proxy = Proxy::start(&test_chain.anvil.rpc());
    let folder = tempfile::tempdir().unwrap();
    let mut config = config_of(&test_chain.anvil, &test_chain.deployment);
    config.rpc = proxy.url.clone();
    (config.timeout, config.transactions) = (Duration::from_millis(500), Some(folder.path().to_owned()));
    let chain = Chain::connect(config, Some(&joiner)).await.unwrap();
    proxy.set(Trouble::NoReceipts);
    let found = lobby::find(&chain, &created.invite).await.unwrap();
    let late = lobby::join(&chain, &joiner, &created.invite, None, &found, terms().stake).await;
    assert!(late.is_err(), "nothing says that it is in a block: {late:?}");
    for _ in 0..BLOCKS {
        test_chain.anvil.mine(1).await.unwrap();
        chain.look_after().await.unwrap();
    }
    proxy.set(Trouble::None);
    let state = test_chain.state(created.invite.game.game_id).await;
    assert_eq!(state.index_of(joiner.address()), Some(1), "it has joined");
    let found = lobby::find(&chain, &created.invite).await;
    assert!(found.is_ok(), "it is told: {found:?}");
}

/// A node that wants to be asked less often, once, as a process begins: `fogmate play` is started by a supervisor, or by nobody again.
#[tokio::test]
async fn a_node_that_is_busy_for_a_moment_is_connected_to() {
    let test_chain = TestChain::new().await;
    let proxy = Proxy::start(&test_chain.anvil.rpc());
    for busy in ["eth_chainId", "eth_getCode", "eth_getBlockByNumber"] {
        proxy.set(Trouble::Busy(busy, 1));
        let config = ChainConfig { rpc: proxy.url.clone(), ..config_of(&test_chain.anvil, &test_chain.deployment) };
        let connected = Chain::connect(config, Some(&Wallet::from_secret(&[1; 32]).unwrap())).await;
        assert!(connected.is_ok(), "one answer of {busy} with HTTP status 429 ends the process: {connected:?}");
    }
}

/// Who doesn't reveal in time loses: as a joiner its stake. "What has a deadline waits for nothing."
#[test]
fn a_reveal_does_not_wait_behind_what_is_slow() {
    let share = B256::repeat_byte(1);
    for reveal in [Transaction::RevealCreator { share, joiner: share }, Transaction::RevealJoiner { share }] {
        assert_eq!(priority(&reveal), Priority::Urgent, "{reveal}");
    }
}
