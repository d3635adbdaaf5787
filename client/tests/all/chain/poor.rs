//! A player whose ether is in the game contract: of every bond most comes back there, and is fetched when it is needed. Else an
//! opponent could empty a wallet by a few demands, and win against who can't pay for the next.

use alloy::primitives::U256;
use alloy::providers::Provider as _;
use game::{ChainEvent, Phase, Transaction};

use crate::chain::test_chain::{PROOF_BYTES, TestChain, fields, make_move};

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
