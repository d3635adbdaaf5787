//! A node as most are: it runs a call that names no gas price with a base fee of 0, because such a call pays none. What depends on
//! the base fee, as the least bond of a demand does, can't be read from such a call; and a demand with too small a bond fails,
//! so that its player waits for its sight until its time is up.

use alloy::primitives::U256;
use client::chain::{Chain, IFogmate};
use client::wallet::Wallet;
use game::{ChainEvent, Phase, Transaction};

use crate::chain::test_chain::{PROOF_BYTES, TestChain, config_of, fields, make_move};
use crate::proxy::{Proxy, Trouble};

#[tokio::test]
async fn a_demand_has_its_bond_though_calls_are_free() {
    let test_chain = TestChain::new().await;
    let (game, white, black) = test_chain.playing().await;
    make_move(white, game, &fields(0, None, false)).await.unwrap();
    let made = fields(1, None, false);
    make_move(black, game, &made).await.unwrap();

    let mut config = config_of(&test_chain.anvil, &test_chain.deployment);
    let proxy = Proxy::start(&test_chain.anvil.rpc());
    proxy.set(Trouble::FreeCalls);
    config.rpc = proxy.url.clone();
    let wallet = [1, 2].map(|seed| Wallet::from_secret(&[seed; 32]).unwrap());
    let wallet = wallet.into_iter().find(|wallet| Some(wallet.address()) == white.account()).unwrap();
    let white = Chain::connect(config.clone(), Some(&wallet)).await.unwrap();
    let reader = chain::connect(&config.rpc, None).unwrap();
    let free = IFogmate::new(config.contract, reader).leastBond(false).call().await.unwrap();
    assert_eq!(free, U256::ZERO, "this node is one of those");

    let (points, proof) = (vec![0; 64 * 64], vec![0xab; PROOF_BYTES as usize]);
    let demand = Transaction::DemandSight { phase: Phase::Pre, ply: 2, points, proof };
    white.carry_out(game, &demand).await.unwrap();
    let events = test_chain.events(game).await;
    let is_demand = |event: &ChainEvent| matches!(event, ChainEvent::SightDemanded { .. });
    assert!(events.iter().any(|logged| is_demand(&logged.event)));
}
