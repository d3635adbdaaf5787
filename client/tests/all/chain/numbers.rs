//! A node that tells the highest number there is, wherever it tells one: whatever is asked of it fails in words, and nothing panics.

use crate::chain::test_chain::{TestChain, config_of, fields, opening};
use crate::proxy::{Proxy, Trouble};
use alloy::primitives::B256;
use client::chain::{Chain, ChainError, Watcher};
use client::wallet::Wallet;
use game::Transaction;
use std::time::Duration;

/// What following a game and sending something ask of a node, with the bytes of the numbers that it tells.
const METHODS: [(&str, usize); 10] = [
    ("eth_getBlockByNumber", 8),
    ("eth_getBlockByHash", 8),
    ("eth_getLogs", 8),
    ("eth_getTransactionCount", 8),
    ("eth_getTransactionReceipt", 8),
    ("eth_maxPriorityFeePerGas", 16),
    ("eth_gasPrice", 16),
    ("eth_estimateGas", 8),
    ("eth_getBalance", 32),
    ("eth_getTransactionByHash", 8),
];

/// Longer than any of these questions takes.
const PATIENCE: Duration = Duration::from_secs(60);

#[tokio::test]
async fn no_number_of_a_node_makes_anything_panic() {
    let test_chain = TestChain::new().await;
    let (game, ..) = test_chain.playing().await;
    // A player, and somebody who can pay for nothing.
    for (method, bytes, wallet) in
        METHODS.iter().flat_map(|(method, bytes)| [1, 3].map(|wallet| (*method, *bytes, wallet)))
    {
        let proxy = Proxy::start(&test_chain.anvil.rpc());
        let mut config = config_of(&test_chain.anvil, &test_chain.deployment);
        (config.rpc, config.timeout) = (proxy.url.clone(), Duration::from_millis(200));
        let chain = Chain::connect(config, Some(&Wallet::from_secret(&[wallet; 32]).unwrap())).await.unwrap();
        proxy.set(Trouble::Highest(method, bytes));
        let told = tokio::time::timeout(PATIENCE, tokio::spawn(use_all(chain, game))).await.expect("an end");
        let told = told.unwrap_or_else(|panic| panic!("{method} {wallet}: {panic}"));
        let panicked =
            told.iter().filter(|told| told.as_ref().is_err_and(|error| error.to_string().contains("panicked")));
        assert_eq!(panicked.count(), 0, "{method} {wallet}: {told:?}");
    }
}

/// Follows a game and sends something, and looks after that.
async fn use_all(chain: Chain, game: B256) -> Vec<Result<(), ChainError>> {
    let mut watcher = Watcher::new(chain.clone(), game, 0, None);
    let looks = [watcher.poll().await.map(|_| ()), watcher.poll().await.map(|_| ())];
    let transaction = Transaction::Move { fields: fields(0, None, false), basis: B256::ZERO, proof: vec![1] };
    let sent = [
        chain.create(&opening(&chain, 7, B256::ZERO)).await.map(|_| ()),
        chain.carry_out(game, &transaction).await.map(|_| ()),
        chain.look_after().await,
        chain.finality_time().await.map(|_| ()),
    ];
    looks.into_iter().chain(sent).collect()
}
