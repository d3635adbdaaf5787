//! A player whose ether is in the game contract: of every bond most comes back there, and is fetched when it is needed. Else an
//! opponent could empty a wallet by a few demands, and win against who can't pay for the next.

use alloy::primitives::{B256, U256};
use alloy::providers::Provider as _;
use chain::{ANSWER_SHARE_GAS, Prices};
use client::lobby::{self, Invite, LobbyError};
use client::wallet::Wallet;
use game::{ChainEvent, Opening, Phase, Terms, Transaction};

use crate::chain::test_chain::{PROOF_BYTES, TestChain, create, fields, make_move, opening, terms};

/// The base fee: so high that the tip doesn't matter.
const BASE_FEE: u64 = 100_000_000_000;

fn demand(phase: Phase, ply: u16) -> Transaction {
    Transaction::DemandSight { phase, ply, points: vec![0; 64 * 64], proof: vec![0xab; PROOF_BYTES as usize] }
}

#[tokio::test]
async fn who_can_not_pay_for_a_demand_fetches_the_bonds_that_came_back() {
    let test_chain = TestChain::new().await;
    let (game, white, black) = test_chain.playing().await;
    make_move(white, game, &fields(0, None, false)).await.unwrap();
    let made = fields(1, None, false);
    make_move(black, game, &made).await.unwrap();
    let provider = test_chain.anvil.provider().unwrap();
    let method = "anvil_setNextBlockBaseFeePerGas";
    let _: serde_json::Value = provider.raw_request(method.into(), [U256::from(BASE_FEE)]).await.unwrap();
    test_chain.anvil.mine(1).await.unwrap();

    white.carry_out(game, &demand(Phase::Pre, 2)).await.unwrap();
    let demanded = test_chain.events(game).await.into_iter().find_map(|logged| match logged.event {
        ChainEvent::SightDemanded { demanded, .. } => Some(demanded),
        _ => None,
    });
    let (elements, proof) = (vec![0; 733 * 32], vec![0xab; PROOF_BYTES as usize]);
    let answer_root = made.answer_root;
    let answer = Transaction::AnswerSight { demanded: demanded.unwrap(), answer_root, elements, proof };
    black.carry_out(game, &answer).await.unwrap();

    let account = white.account().unwrap();
    let owed = white.withdrawable(account).await.unwrap();
    assert!(!owed.is_zero(), "what came back");
    // Not even enough for a bond.
    test_chain.anvil.fund(account, owed / U256::from(4)).await.unwrap();
    white.carry_out(game, &demand(Phase::Post, 0)).await.unwrap();
    assert!(white.withdrawable(account).await.unwrap().is_zero());
}

/// Whoever deploys chooses the prices that bonds are reckoned by; and demands, which take a bond, are made without asking their player.
#[tokio::test]
async fn nobody_sits_down_where_a_bond_costs_much_more_than_an_answer() {
    let terms = Terms { stake: 0, ..terms() };
    for (data_price, is_dear) in [(0, false), (1_000_000_000_000, true)] {
        let prices = Prices { answer_share_gas: ANSWER_SHARE_GAS, least_price: 0, data_price };
        let test_chain = TestChain::with_prices(prices).await;
        let [creator, joiner] = [1, 2].map(|seed| Wallet::from_secret(&[seed; 32]).unwrap());
        let before = test_chain.creator.latest_block().await.unwrap();
        let created = lobby::create(&test_chain.creator, &creator, &terms, None, &[], false).await;
        assert_eq!(matches!(created, Err(LobbyError::DearBonds)), is_dear, "{created:?}");
        assert_eq!(created.is_ok(), !is_dear, "{created:?}");
        let blocks = u64::from(!is_dear);
        assert_eq!(test_chain.creator.latest_block().await.unwrap() - before, blocks, "nothing else was sent");

        let opening = Opening { terms, ..opening(&test_chain.creator, 9, B256::repeat_byte(9)) };
        let game = create(&test_chain.creator, &opening).await;
        let invite = Invite { game: test_chain.joiner.game_ref(game), addresses: Vec::new() };
        let found = lobby::find(&test_chain.joiner, &invite).await.unwrap();
        let joined = lobby::join(&test_chain.joiner, &joiner, &invite, None, &found, 0).await;
        assert_eq!(matches!(joined, Err(LobbyError::DearBonds)), is_dear, "{joined:?}");
        assert_eq!(joined.is_ok(), !is_dear, "{joined:?}");
    }
}
