//! What the chain must say of a game that is over (protocol, section 9: anyone audits a game).

use crate::{TestChain, prover};
use alloy::primitives::Address;
use client::chain::Chain;
use game::Outcome;
use game::audit::audit;

/// The game `game` ended after `plies` with the opponent's king captured by `winner`, and an audit finds nothing wrong.
pub async fn assert_audited(test_chain: &TestChain, game: &str, winner: Address, plies: usize) {
    let chain = Chain::connect(test_chain.config(&test_chain.deployment), None).await;
    let chain = chain.expect("a connection");
    let id = game.parse().expect("a game's id");
    let state = chain.game(id).await.expect("a game");
    assert_eq!((state.outcome, state.winner), (Some(Outcome::KingCaptured), Some(winner)));
    let records = chain.records(id).await.expect("the game's records");
    let audit = audit(test_chain.game_ref(id), &records, |statement, proof| statement.verify(&*prover(), proof));
    assert!(audit.ok, "{:?}", audit.findings);
    assert_eq!(usize::from(audit.plies), plies);
}
