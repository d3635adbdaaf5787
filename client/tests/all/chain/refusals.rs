//! What the contract or the node doesn't allow is refused in words, at once, and costs nothing.

use alloy::primitives::{B256, U256};
use alloy::providers::Provider as _;
use chain::NodeError;
use client::chain::{Chain, ChainConfig, ChainError, Receipt};
use client::lobby::{self, Invite, LobbyError};
use client::wallet::Wallet;
use game::{MoveFields, Opening, Terms, Transaction};
use halo2curves::bn256::Fr;

use crate::chain::test_chain::{
    STAKE, TestChain, basis_of, config_of, create, fields, fog_key, make_move, opening, terms, toss,
};

/// The sentence of an action that was refused.
fn sentence(result: Result<Receipt, ChainError>) -> String {
    result.unwrap_err().to_string()
}

#[tokio::test]
async fn refusals_come_in_words_and_cost_nothing() {
    let test_chain = TestChain::new().await;
    let (creator, joiner) = (&test_chain.creator, &test_chain.joiner);
    let (first, second) = (B256::repeat_byte(5), B256::repeat_byte(6));
    let opening = opening(creator, 1, first);
    let game = create(creator, &opening).await;
    let committed = toss(joiner, second);
    let account = joiner.account().unwrap();
    let before = joiner.balance(account).await.unwrap();
    let unknown = B256::repeat_byte(0xee);
    assert!(matches!(creator.game(unknown).await, Err(ChainError::NoGame(id)) if id == unknown));
    let cases = [
        (creator.cancel(unknown).await, "the game is unknown to the contract"),
        (creator.create(&opening).await, "this very game exists already"),
        (joiner.withdraw().await, "there is nothing to withdraw"),
        (joiner.cancel(game).await, "only the game's creator can do that"),
        (
            joiner.join(game, STAKE - 1, committed, &fog_key(2)).await,
            "the stake of this game is 1000000000000000000 wei",
        ),
        (joiner.join(game, STAKE, committed, &fog_key(1)).await, "the fog key is the creator's own"),
    ];
    for (result, words) in cases {
        assert_eq!(sentence(result), format!("the contract refuses: {words}"));
    }
    let poor = sentence(joiner.join(game, STAKE * 1_000, committed, &fog_key(2)).await);
    assert!(poor.contains("can't pay"), "{poor}");
    let after = joiner.balance(account).await.unwrap();
    assert_eq!(after, before, "nothing was sent");

    joiner.join(game, STAKE, committed, &fog_key(2)).await.unwrap();
    let reveal = |share, joiner| Transaction::RevealCreator { share, joiner };
    let wrong = creator.carry_out(game, &reveal(second, committed)).await;
    assert!(sentence(wrong).ends_with("is not the one committed to"));
    let early = creator.carry_out(game, &Transaction::Resign).await;
    assert!(sentence(early).ends_with("the game is waiting for the coin toss"));
    // After so many refusals the next action goes through: no nonce was lost.
    let swapped = creator.carry_out(game, &reveal(first, B256::ZERO)).await;
    assert!(sentence(swapped).ends_with("another player has joined the game meanwhile"));
    creator.carry_out(game, &reveal(first, committed)).await.unwrap();
}

/// Whoever opens a game sets its times: a second to reveal, and the joiner's stake would be lost before its machine can act. The contract
/// takes no such terms for a stake, and the client wants more than it.
#[tokio::test]
async fn a_game_for_a_stake_that_leaves_no_time_is_not_joined() {
    let test_chain = TestChain::new().await;
    let (creator, joiner) = (&test_chain.creator, &test_chain.joiner);
    let wallet = Wallet::from_secret(&[2; 32]).unwrap();
    let address = "/ip4/127.0.0.1/tcp/4040/p2p/12D3KooWEyoppNCUx8Yx66oV9fJnriXwCcXwDDUA2kj6vnc6iDEp";
    let absurd =
        [Terms { reveal: 299, ..terms() }, Terms { window: 299, ..terms() }, Terms { delay: 0, base: 299, ..terms() }];
    for terms in absurd {
        let refused = creator.create(&Opening { terms, ..opening(creator, 9, B256::ZERO) }).await.unwrap_err();
        assert_eq!(refused.contract_error().unwrap().name(), "BadTimeControl");
    }
    let hasty = [Terms { window: 300, ..terms() }, Terms { delay: 0, ..terms() }, terms()];
    for (number, terms) in (1..).zip(hasty) {
        let opening = Opening { terms, ..opening(creator, number, B256::repeat_byte(number)) };
        let game = create(creator, &opening).await;
        let invite = Invite { game: creator.game_ref(game), addresses: vec![address.parse().unwrap()] };
        let found = lobby::find(joiner, &invite).await.unwrap();
        let joined = lobby::join(joiner, &wallet, &invite, None, &found, STAKE).await;
        match number {
            3 => assert!(joined.is_ok()),
            _ => assert!(matches!(joined, Err(LobbyError::TooShort { .. })), "{joined:?}"),
        }
    }
}

/// The deployment was made where there was a base fee. Without one its bonds are nothing: a demand costs its sender as much as ever, and an
/// answer earns nothing.
#[tokio::test]
async fn no_stake_is_taken_where_bonds_pay_for_nothing() {
    let test_chain = TestChain::new().await;
    let (creator, joiner) = (&test_chain.creator, &test_chain.joiner);
    let wallet = Wallet::from_secret(&[2; 32]).unwrap();
    let game = create(creator, &opening(creator, 1, B256::repeat_byte(1))).await;
    let address = "/ip4/127.0.0.1/tcp/4040/p2p/12D3KooWEyoppNCUx8Yx66oV9fJnriXwCcXwDDUA2kj6vnc6iDEp";
    let invite = Invite { game: creator.game_ref(game), addresses: vec![address.parse().unwrap()] };
    let found = lobby::find(joiner, &invite).await.unwrap();
    let method = "anvil_setNextBlockBaseFeePerGas";
    let provider = test_chain.anvil.provider().unwrap();
    let _: serde_json::Value = provider.raw_request(method.into(), [U256::ZERO]).await.unwrap();
    test_chain.anvil.mine(1).await.unwrap();
    let joined = lobby::join(joiner, &wallet, &invite, None, &found, STAKE).await;
    assert!(matches!(joined, Err(LobbyError::NoBonds)), "{joined:?}");
}

#[tokio::test]
async fn a_connection_without_a_wallet_only_reads() {
    let test_chain = TestChain::new().await;
    let (game, ..) = test_chain.playing().await;
    let config = config_of(&test_chain.anvil, &test_chain.deployment);
    let reader = Chain::connect(config, None).await.unwrap();
    let refused = reader.carry_out(game, &Transaction::Resign).await;
    assert!(matches!(refused, Err(ChainError::ReadOnly)));
    let read = reader.game(game).await.unwrap();
    assert_eq!(read, test_chain.state(game).await);
}

#[tokio::test]
async fn moves_that_do_not_fit_are_refused_by_name() {
    let test_chain = TestChain::new().await;
    let (game, white, black) = test_chain.playing().await;
    let name = |result: Result<usize, ChainError>| result.unwrap_err().contract_error().unwrap().name();
    assert_eq!(name(make_move(black, game, &fields(0, None, false)).await), "NotYourTurn");
    assert_eq!(name(make_move(white, game, &fields(4, None, false)).await), "StalePly");
    let fields = fields(0, None, false);
    let elsewhere = Transaction::Move { fields, basis: B256::ZERO, proof: vec![0; 96] };
    assert_eq!(white.carry_out(game, &elsewhere).await.unwrap_err().contract_error().unwrap().name(), "WrongBasis");
    let basis = basis_of(white, game, &fields).await;
    let too_short = Transaction::Move { fields, basis, proof: vec![0; 95] };
    let short = white.carry_out(game, &too_short).await.unwrap_err();
    assert_eq!(short.to_string(), "the contract refuses: a proof of this statement has exactly 96 bytes");
    let early = MoveFields { answer_root: Fr::from(1), ..fields };
    assert_eq!(name(make_move(white, game, &early).await), "AnswerTooEarly");
}

#[tokio::test]
async fn a_wrong_node_or_contract_is_found_out_at_once() {
    let test_chain = TestChain::new().await;
    let connect = async |change: &dyn Fn(&mut ChainConfig)| {
        let mut config = config_of(&test_chain.anvil, &test_chain.deployment);
        change(&mut config);
        Chain::connect(config, None).await.map(|_| ()).unwrap_err()
    };
    let wrong_chain = connect(&|c| c.chain_id = 1).await;
    assert_eq!(wrong_chain.to_string(), "the node is on chain 31337, not on chain 1");
    let nobody = test_chain.creator.account().unwrap();
    assert!(matches!(connect(&|c| c.contract = nobody).await, ChainError::NoContract(_)));
    assert!(matches!(connect(&|c| c.rpc = "http://127.0.0.1:1".into()).await, ChainError::Node(NodeError::Failed(_))));
    assert!(matches!(connect(&|c| c.rpc = "ftp://127.0.0.1".into()).await, ChainError::Node(NodeError::Url(_))));
}
