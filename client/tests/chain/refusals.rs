//! What the contract or the node doesn't allow is refused in words, at once, and costs nothing.

use alloy::primitives::B256;
use client::chain::{Chain, ChainConfig, ChainError};
use game::{MoveFields, Transaction};
use halo2curves::bn256::Fr;
use rpc::NodeError;

use crate::test_chain::{STAKE, TestChain, config_of, fields, fog_key, make_move, terms, toss};

#[tokio::test]
async fn refusals_come_in_words_and_cost_nothing() {
    let test_chain = TestChain::new().await;
    let (creator, joiner) = (&test_chain.creator, &test_chain.joiner);
    let sentence =
        |result: Result<client::chain::Receipt, ChainError>| result.unwrap_err().to_string();
    let r1 = B256::repeat_byte(5);

    let unknown = B256::repeat_byte(0xee);
    assert!(matches!(creator.game(unknown).await, Err(ChainError::NoGame(id)) if id == unknown));
    assert_eq!(
        sentence(creator.cancel(unknown).await),
        "the contract refuses: the game is unknown to the contract"
    );
    assert_eq!(
        sentence(joiner.withdraw().await),
        "the contract refuses: there is nothing to withdraw"
    );

    let (game, _) = creator
        .create(&terms(), toss(creator, r1), &fog_key(1))
        .await
        .unwrap();
    let before = joiner.balance(joiner.account().unwrap()).await.unwrap();
    let r2 = B256::repeat_byte(6);
    assert_eq!(
        sentence(joiner.cancel(game).await),
        "the contract refuses: only the game's creator can do that"
    );
    let wrong_stake = format!("the contract refuses: the stake of this game is {STAKE} wei");
    assert_eq!(
        sentence(joiner.join(game, STAKE - 1, r2, &fog_key(2)).await),
        wrong_stake
    );
    let same_key = "the contract refuses: the fog key is the creator's own";
    assert_eq!(
        sentence(joiner.join(game, STAKE, r2, &fog_key(1)).await),
        same_key
    );
    assert_eq!(
        joiner.balance(joiner.account().unwrap()).await.unwrap(),
        before,
        "nothing was sent"
    );
    let poor = sentence(joiner.join(game, STAKE * 1_000, r2, &fog_key(2)).await);
    assert!(poor.contains("can't pay"), "{poor}");

    joiner.join(game, STAKE, r2, &fog_key(2)).await.unwrap();
    let wrong_reveal =
        "the contract refuses: the revealed share of the coin toss is not the one committed to";
    assert_eq!(
        sentence(
            creator
                .carry_out(game, &Transaction::Reveal { r1: r2 })
                .await
        ),
        wrong_reveal
    );
    assert_eq!(
        sentence(creator.carry_out(game, &Transaction::Resign).await),
        "the contract refuses: the game is waiting for the coin toss"
    );
    // After so many refusals the next action goes through: no nonce was lost.
    creator
        .carry_out(game, &Transaction::Reveal { r1: r1 })
        .await
        .unwrap();

    let read_only = Chain::read_only(config_of(&test_chain.anvil, &test_chain.deployment))
        .await
        .unwrap();
    assert!(matches!(
        read_only.carry_out(game, &Transaction::Resign).await,
        Err(ChainError::ReadOnly)
    ));
    assert_eq!(
        read_only.game(game).await.unwrap(),
        test_chain.state(game).await
    );
}

#[tokio::test]
async fn moves_that_do_not_fit_are_refused_by_name() {
    let test_chain = TestChain::new().await;
    let (game, white, black) = test_chain.playing().await;
    let zero = Fr::from(0);
    let name =
        |result: Result<usize, ChainError>| result.unwrap_err().contract_error().unwrap().name();
    assert_eq!(
        name(make_move(black, game, &fields(0, None, false), &zero).await),
        "NotYourTurn"
    );
    assert_eq!(
        name(make_move(white, game, &fields(4, None, false), &zero).await),
        "StalePly"
    );
    let too_short = Transaction::Move {
        fields: fields(0, None, false),
        ctx_next: zero,
        proof: vec![0; 95],
    };
    let short = white.carry_out(game, &too_short).await.unwrap_err();
    assert_eq!(
        short.to_string(),
        "the contract refuses: a turn proof has exactly 96 bytes"
    );
    let early = MoveFields {
        answer_root: Fr::from(1),
        ..fields(0, None, false)
    };
    assert_eq!(
        name(make_move(white, game, &early, &zero).await),
        "AnswerTooEarly"
    );
}

#[tokio::test]
async fn a_wrong_node_or_contract_is_found_out_at_once() {
    let test_chain = TestChain::new().await;
    let connect = async |change: &dyn Fn(&mut ChainConfig)| {
        let mut config = config_of(&test_chain.anvil, &test_chain.deployment);
        change(&mut config);
        Chain::read_only(config).await.map(|_| ()).unwrap_err()
    };
    let wrong_chain = connect(&|c| c.chain_id = 1).await;
    assert_eq!(
        wrong_chain.to_string(),
        "the node is on chain 31337, not on chain 1"
    );
    let verifier = test_chain.deployment.turn_verifier.address;
    assert!(matches!(
        connect(&|c| c.contract = verifier).await,
        ChainError::WrongCode { .. }
    ));
    let nobody = test_chain.creator.account().unwrap();
    assert!(matches!(
        connect(&|c| c.contract = nobody).await,
        ChainError::NoContract(_)
    ));
    assert!(matches!(
        connect(&|c| c.rpc = "http://127.0.0.1:1".into()).await,
        ChainError::Node(NodeError::Failed(_))
    ));
    assert!(matches!(
        connect(&|c| c.rpc = "ftp://127.0.0.1".into()).await,
        ChainError::Node(NodeError::Url(_))
    ));
}
