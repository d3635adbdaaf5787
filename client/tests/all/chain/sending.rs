//! The sender of a wallet's transactions on a chain with weather: fee spikes, no blocks, crashes, busy nodes, other processes.

use alloy::primitives::{B256, U256};
use alloy::providers::Provider as _;
use chain::SendError;
use chain::send::{Entry, Failure, Sending, Subject, TxStatus};
use client::chain::{Chain, ChainError, Status};
use client::lobby::{self, LobbyError};
use client::wallet::Wallet;
use deploy::anvil::Anvil;
use game::{Outcome, Terms, Transaction};
use halo2curves::bn256::Fr;
use std::path::Path;
use std::time::Duration;

use crate::chain::test_chain::{TestChain, config_of, fields, make_move, opening, terms};
use crate::proxy::{Proxy, Trouble};

/// How often a condition is looked at, and how often at most.
const LOOK: Duration = Duration::from_millis(50);
const LOOKS: usize = 600;

async fn ask<P: serde::Serialize + Clone + std::fmt::Debug + Send + Sync + Unpin>(
    anvil: &Anvil,
    method: &'static str,
    of: P,
) {
    let provider = anvil.provider().unwrap();
    provider.raw_request::<_, serde_json::Value>(method.into(), of).await.unwrap();
}

/// No block without being told.
async fn stop_mining(anvil: &Anvil) {
    ask(anvil, "evm_setAutomine", (false,)).await;
}

/// Waits until what is under way is as it should be.
async fn until(chain: &Chain, what: &str, is_so: impl Fn(&[Entry]) -> bool) {
    for _ in 0..LOOKS {
        if is_so(chain.ledger().unwrap().entries()) {
            return;
        }
        tokio::time::sleep(LOOK).await;
    }
    panic!("not {what}: {:?}", chain.ledger().unwrap().entries().iter().map(Entry::status).collect::<Vec<_>>());
}

/// Entries under way whose last attempt a node has.
fn taken(entries: &[Entry]) -> usize {
    let taken = |entry: &&Entry| {
        let last = entry.attempts.last();
        entry.status() == TxStatus::UnderWay && last.is_some_and(|attempt| attempt.sending == Some(Sending::Accepted))
    };
    entries.iter().filter(taken).count()
}

fn is_move(entry: &&Entry) -> bool {
    matches!(entry.request.subject, Subject::Exclusive(_))
}

/// Another connection of the first test wallet, with its record in a folder.
async fn connect(test_chain: &TestChain, rpc: &str, seed: u8, folder: Option<&Path>) -> Chain {
    let mut config = config_of(&test_chain.anvil, &test_chain.deployment);
    config.rpc = rpc.to_owned();
    config.transactions = folder.map(Path::to_owned);
    Chain::connect(config, Some(&Wallet::from_secret(&[seed; 32]).unwrap())).await.unwrap()
}

#[tokio::test]
async fn a_move_that_a_fee_spike_holds_up_is_raised_and_included() {
    let test_chain = TestChain::new().await;
    let (game, white, _) = test_chain.playing().await;
    stop_mining(&test_chain.anvil).await;
    let mut advice = white.advice().unwrap();
    let move_it = async { make_move(white, game, &fields(0, None, false)).await.unwrap() };
    let spike = async {
        until(white, "in the mempool", |entries| taken(entries) == 1).await;
        ask(&test_chain.anvil, "anvil_setNextBlockBaseFeePerGas", (U256::from(100_000_000_000_u64),)).await;
        test_chain.anvil.mine(1).await.unwrap();
        assert_eq!(test_chain.state(game).await.ply, 0, "the block has no room for it");
        let raised = |entries: &[Entry]| taken(entries) == 1 && entries.iter().any(|e| e.attempts.len() == 2);
        until(white, "raised", raised).await;
        test_chain.anvil.mine(1).await.unwrap();
    };
    tokio::join!(move_it, spike);
    assert_eq!(test_chain.state(game).await.ply, 1);
    let ledger = white.ledger().unwrap();
    let entry = ledger.entries().iter().find(is_move).unwrap();
    let [old, new] = &entry.attempts[..] else { panic!("{entry:?}") };
    assert!(new.fees.max >= 200_000_000_000 && new.fees.max * 8 >= old.fees.max * 9);
    let provider = test_chain.anvil.provider().unwrap();
    let made = provider.get_transaction_by_hash(new.hash).await.unwrap().expect("the raised one is in the block");
    use alloy::consensus::Transaction as _;
    assert_eq!((made.nonce(), made.input()), (entry.nonce, &entry.request.call.input), "the same move");
    assert!(provider.get_transaction_by_hash(old.hash).await.unwrap().is_none());
    assert!(advice.try_recv().unwrap().starts_with("the move of ply 0: not in a block yet, sent again for up to"));
}

#[tokio::test]
async fn a_resignation_does_not_wait_for_a_move_that_is_stuck() {
    let test_chain = TestChain::new().await;
    let (game, white, black) = test_chain.playing().await;
    stop_mining(&test_chain.anvil).await;
    let move_it = async { make_move(white, game, &fields(0, None, false)).await };
    let resign = async {
        until(white, "in the mempool", |entries| taken(entries) == 1).await;
        white.carry_out(game, &Transaction::Resign).await.unwrap()
    };
    let block = async {
        until(white, "both in the mempool", |entries| taken(entries) == 2).await;
        let ledger = white.ledger().unwrap();
        let under_way: Vec<_> = ledger.entries().iter().filter(|e| e.status() == TxStatus::UnderWay).collect();
        let [stuck, urgent] = under_way[..] else { panic!("{under_way:?}") };
        assert_eq!(stuck.nonce + 1, urgent.nonce);
        let last = |entry: &Entry| entry.attempts.last().unwrap().fees;
        assert!(last(stuck).reach(last(urgent)), "the move is taken along");
        assert_eq!(stuck.attempts.len(), 2);
        test_chain.anvil.mine(1).await.unwrap();
    };
    let (moved, resigned, ()) = tokio::join!(move_it, resign, block);
    moved.unwrap();
    let state = test_chain.state(game).await;
    assert_eq!((state.outcome, state.winner), (Some(Outcome::Resigned), black.account()));
    assert_eq!(resigned.block, test_chain.creator.latest_block().await.unwrap(), "both in one block");
}

#[tokio::test]
async fn what_was_recorded_before_a_crash_is_sent_by_the_next_process() {
    let test_chain = TestChain::new().await;
    let folder = tempfile::tempdir().unwrap();
    let proxy = Proxy::start(&test_chain.anvil.rpc());
    proxy.set(Trouble::Busy("eth_sendRawTransaction", u32::MAX));
    let first = connect(&test_chain, &proxy.url, 1, Some(folder.path())).await;
    let opening = opening(&first, 1, B256::repeat_byte(5));
    let game = opening.game_id(first.config().chain_id, first.config().contract);
    let recorded = async {
        until(&first, "recorded", |entries| entries.iter().any(|entry| !entry.attempts.is_empty())).await;
        first.ledger().unwrap().entries()[0].attempts[0].clone()
    };
    // The process ends before a node has taken it.
    let attempt = tokio::select! {
        created = first.create(&opening) => panic!("{created:?}"),
        attempt = recorded => attempt,
    };
    drop(first);
    let provider = test_chain.anvil.provider().unwrap();
    assert!(provider.get_transaction_by_hash(attempt.hash).await.unwrap().is_none());

    let second = connect(&test_chain, &test_chain.anvil.rpc(), 1, Some(folder.path())).await;
    second.look_after().await.unwrap();
    // The node takes it at once, and mines it a little later.
    for _ in 0..LOOKS {
        second.look_after().await.unwrap();
        if matches!(second.ledger().unwrap().entries()[0].status(), TxStatus::Mined(_)) {
            break;
        }
        tokio::time::sleep(LOOK).await;
    }
    let receipt = provider.get_transaction_receipt(attempt.hash).await.unwrap();
    assert!(receipt.expect("the same bytes").status());
    assert_eq!(test_chain.state(game).await.status, Status::Open);
    second.look_after().await.unwrap();
    let entries = second.ledger().unwrap().entries().to_vec();
    assert!(matches!(entries[0].status(), TxStatus::Mined(mined) if mined.transaction == attempt.hash));
    assert_eq!((entries.len(), entries[0].attempts.len()), (1, 1), "signed once");
}

#[tokio::test]
async fn a_busy_node_gets_the_same_bytes_until_it_takes_them() {
    let test_chain = TestChain::new().await;
    let proxy = Proxy::start(&test_chain.anvil.rpc());
    proxy.set(Trouble::Busy("eth_sendRawTransaction", 3));
    let chain = connect(&test_chain, &proxy.url, 1, None).await;
    let mut advice = chain.advice().unwrap();
    chain.create(&opening(&chain, 1, B256::repeat_byte(5))).await.unwrap();
    let sent = proxy.sent();
    assert_eq!(sent.len(), 4);
    assert!(sent.iter().all(|bytes| *bytes == sent[0]));
    assert!(advice.try_recv().unwrap().contains("429"));
}

#[tokio::test]
async fn two_processes_of_a_wallet_share_its_nonces() {
    const EACH: u8 = 5;
    let test_chain = TestChain::new().await;
    let folder = tempfile::tempdir().unwrap();
    let rpc = test_chain.anvil.rpc();
    let handles = [
        connect(&test_chain, &rpc, 1, Some(folder.path())).await,
        connect(&test_chain, &rpc, 1, Some(folder.path())).await,
    ];
    let account = handles[0].account().unwrap();
    let provider = test_chain.anvil.provider().unwrap();
    let before = provider.get_transaction_count(account).await.unwrap();
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..2 * EACH {
        let chain = handles[usize::from(number % 2)].clone();
        let opening = client_opening(&chain, number);
        tasks.spawn(async move { chain.create(&opening).await.unwrap().transaction });
    }
    let mut made = tasks.join_all().await;
    made.sort();
    made.dedup();
    assert_eq!(made.len(), usize::from(2 * EACH));
    let after = provider.get_transaction_count(account).await.unwrap();
    assert_eq!(after - before, u64::from(2 * EACH), "one transaction each, and no nonce twice");
    let entries = handles[0].ledger().unwrap().entries().to_vec();
    assert_eq!(entries, handles[1].ledger().unwrap().entries());
    let nonces: Vec<u64> = entries.iter().map(|entry| entry.nonce).collect();
    assert_eq!(nonces, (before..after).collect::<Vec<_>>());
    // Each was sent as signed first: nobody was in another's way.
    assert!(entries.iter().all(|entry| entry.attempts.len() == 1));
}

/// Small stakes: the wallet has ten of the usual ones.
fn client_opening(chain: &Chain, number: u8) -> game::Opening {
    let mut opening = opening(chain, number, B256::repeat_byte(5));
    opening.terms.stake = 1_000;
    opening
}

#[tokio::test]
async fn a_machine_without_its_record_finds_the_move_in_the_mempool() {
    let test_chain = TestChain::new().await;
    let (game, white, _) = test_chain.playing().await;
    stop_mining(&test_chain.anvil).await;
    let seed = if white.account() == test_chain.creator.account() { 1 } else { 2 };
    let made = fields(0, None, false);
    let mut other = made;
    other.next_commitment = Fr::from(77);
    let move_it = async { make_move(white, game, &made).await.unwrap() };
    let meanwhile = async {
        until(white, "in the mempool", |entries| taken(entries) == 1).await;
        let fresh = connect(&test_chain, &test_chain.anvil.rpc(), seed, None).await;
        assert!(fresh.move_may_be_under_way(game, 0).await.unwrap());
        assert!(!fresh.move_may_be_under_way(game, 2).await.unwrap(), "the node shows all that the wallet has sent");
        let competing = make_move(&fresh, game, &other).await;
        assert!(matches!(competing, Err(ChainError::Send(SendError::Contradicts))), "{competing:?}");
        let same = async { make_move(&fresh, game, &made).await.unwrap() };
        let block = async {
            tokio::time::sleep(LOOK).await;
            test_chain.anvil.mine(1).await.unwrap();
        };
        tokio::join!(same, block);
        let ledger = fresh.ledger().unwrap();
        assert_eq!(ledger.entries().len(), 1);
        assert_eq!(ledger.entries()[0].attempts.len(), 1, "nothing was signed here");
    };
    tokio::join!(move_it, meanwhile);
    assert_eq!(test_chain.state(game).await.ply, 1);
    let fresh = connect(&test_chain, &test_chain.anvil.rpc(), seed, None).await;
    assert!(!fresh.move_may_be_under_way(game, 0).await.unwrap(), "it is in a block");
    let games = fresh.games_of(fresh.account()).await.unwrap();
    assert!(matches!(games[..], [(found, block)] if found == game && block > 0), "{games:?}");
}

#[tokio::test]
async fn create_given_again_goes_on_with_the_game_on_its_way() {
    let test_chain = TestChain::new().await;
    let folder = tempfile::tempdir().unwrap();
    let wallet = Wallet::from_secret(&[1; 32]).unwrap();
    let mut config = config_of(&test_chain.anvil, &test_chain.deployment);
    (config.timeout, config.transactions) = (Duration::from_millis(500), Some(folder.path().to_owned()));
    let impatient = Chain::connect(config.clone(), Some(&wallet)).await.unwrap();
    stop_mining(&test_chain.anvil).await;
    let announce = ["/ip4/127.0.0.1/tcp/4040".parse().unwrap()];
    let first = lobby::create(&impatient, &wallet, &terms(), None, &announce, false).await;
    let timed_out = matches!(first, Err(LobbyError::Chain(ChainError::Send(SendError::NotConfirmed { .. }))));
    assert!(timed_out, "{first:?}");
    drop(impatient);

    // Another process, later: the game would expire later too.
    config.timeout = Duration::from_secs(30);
    let again = Chain::connect(config, Some(&wallet)).await.unwrap();
    let later = Terms { expiry: terms().expiry - 9, ..terms() };
    let block = async {
        tokio::time::sleep(LOOK * 4).await;
        test_chain.anvil.mine(1).await.unwrap();
    };
    let (created, ()) = tokio::join!(lobby::create(&again, &wallet, &later, None, &announce, false), block);
    let created = created.unwrap();
    assert!(created.earlier);
    assert_eq!(created.terms, terms());
    ask(&test_chain.anvil, "evm_setAutomine", (true,)).await;
    let game = created.invite.game.game_id;
    assert_eq!(test_chain.state(game).await.status, Status::Open);
    // Nobody was told so far, so it is found once more, without being on its way any more.
    let found = lobby::create(&again, &wallet, &later, None, &announce, false).await.unwrap();
    assert_eq!((found.earlier, found.invite.game.game_id, found.receipt), (true, game, created.receipt));
    let made = async || {
        let account = again.account().unwrap();
        test_chain.anvil.provider().unwrap().get_transaction_count(account).await.unwrap()
    };
    assert_eq!(made().await, 1, "one stake was paid");

    // Other terms, or another one on purpose, or the same once the user knows: another game.
    let other = Terms { base: 700, ..terms() };
    found.acknowledge(&again).await.unwrap();
    for (terms, another, number) in [(other, false, 2), (other, true, 3), (terms(), false, 4)] {
        let created = lobby::create(&again, &wallet, &terms, None, &announce, another).await.unwrap();
        assert!(!created.earlier && created.invite.game.game_id != game);
        assert_eq!(made().await, number);
    }
}

/// The same command in two processes at the same moment, as a double click gives it.
#[tokio::test]
async fn two_commands_at_once_open_one_game() {
    let test_chain = TestChain::new().await;
    let folder = tempfile::tempdir().unwrap();
    let wallet = Wallet::from_secret(&[1; 32]).unwrap();
    let mut config = config_of(&test_chain.anvil, &test_chain.deployment);
    config.transactions = Some(folder.path().to_owned());
    let announce = ["/ip4/127.0.0.1/tcp/4040".parse().unwrap()];
    let [one, two] = [
        Chain::connect(config.clone(), Some(&wallet)).await.unwrap(),
        Chain::connect(config, Some(&wallet)).await.unwrap(),
    ];
    let terms = terms();
    let create = |chain| lobby::create(chain, &wallet, &terms, None, &announce, false);
    let (first, second) = tokio::join!(create(&one), create(&two));
    let (first, second) = (first.unwrap(), second.unwrap());
    assert_eq!(first.invite.game, second.invite.game);
    assert_ne!(first.earlier, second.earlier, "one has opened it, the other goes on with it");
}

#[tokio::test]
async fn a_move_of_a_game_that_has_ended_is_given_up_and_its_nonce_used() {
    let test_chain = TestChain::new().await;
    let (game, white, black) = test_chain.playing().await;
    let seed = if white.account() == test_chain.creator.account() { 1 } else { 2 };
    let folder = tempfile::tempdir().unwrap();
    let anvil = &test_chain.anvil;
    let connect = async || connect(&test_chain, &anvil.rpc(), seed, Some(folder.path())).await;
    stop_mining(anvil).await;
    let first = connect().await;
    let move_it = async { make_move(&first, game, &fields(0, None, false)).await };
    tokio::select! {
        made = move_it => panic!("{made:?}"),
        () = until(&first, "in the mempool", |entries| taken(entries) == 1) => {}
    }
    drop(first);
    // The fee is too low by now, and the opponent resigns at a higher one.
    ask(anvil, "anvil_setNextBlockBaseFeePerGas", (U256::from(100_000_000_000_u64),)).await;
    anvil.mine(1).await.unwrap();
    let block = async {
        until(black, "in the mempool", |entries| taken(entries) == 1).await;
        anvil.mine(1).await.unwrap();
    };
    let (resigned, ()) = tokio::join!(black.carry_out(game, &Transaction::Resign), block);
    resigned.unwrap();
    let state = test_chain.state(game).await;
    assert_eq!((state.outcome, state.ply), (Some(Outcome::Resigned), 0));

    let second = connect().await;
    let status = || second.ledger().unwrap().entries()[0].status();
    let nonce = second.ledger().unwrap().entries()[0].nonce;
    second.look_after().await.unwrap();
    assert_eq!(status(), TxStatus::UnderWay, "one block is no proof");
    anvil.mine(1).await.unwrap();
    second.look_after().await.unwrap();
    assert!(matches!(status(), TxStatus::Failed(Failure::Refused(_))), "{:?}", status());
    anvil.mine(1).await.unwrap();
    ask(anvil, "evm_setAutomine", (true,)).await;
    // The nonce is used, and the next one is not held up.
    second.carry_out(game, &Transaction::PublishViewKey { key: [7; 32], transcript: Vec::new() }).await.unwrap();
    let entries = second.ledger().unwrap().entries().to_vec();
    assert_eq!(entries.iter().map(|entry| entry.nonce).collect::<Vec<_>>(), [nonce, nonce + 1]);
    assert!(
        entries[0].attempts[1].cancellation && matches!(entries[0].status(), TxStatus::Failed(Failure::Refused(_)))
    );
}

#[tokio::test]
async fn join_given_again_has_joined() {
    let test_chain = TestChain::new().await;
    let [creator, joiner] = [1, 2].map(|seed| Wallet::from_secret(&[seed; 32]).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let announce = ["/ip4/127.0.0.1/tcp/4040".parse().unwrap()];
    let created = lobby::create(&test_chain.creator, &creator, &terms(), None, &announce, false).await.unwrap();
    stop_mining(&test_chain.anvil).await;
    let mut config = config_of(&test_chain.anvil, &test_chain.deployment);
    (config.timeout, config.transactions) = (Duration::from_millis(500), Some(folder.path().to_owned()));
    let join = async || {
        let chain = Chain::connect(config.clone(), Some(&joiner)).await.unwrap();
        let found = lobby::find(&chain, &created.invite).await?;
        lobby::join(&chain, &joiner, &created.invite, None, &found, terms().stake).await
    };
    for _ in 0..2 {
        let late = join().await;
        assert!(matches!(late, Err(LobbyError::Chain(ChainError::Send(SendError::NotConfirmed { .. })))), "{late:?}");
    }
    test_chain.anvil.mine(1).await.unwrap();
    let receipt = join().await.unwrap();
    assert_eq!(receipt, join().await.unwrap());
    let state = test_chain.state(created.invite.game.game_id).await;
    assert_eq!(state.index_of(joiner.address()), Some(1));
}
