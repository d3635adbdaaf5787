//! The code that the audit page carries: what it runs to judge proofs, and what a contract's address follows from.

use alloy::primitives::hex::encode_prefixed;
use alloy::sol_types::SolCall as _;
use deploy::{Contracts, Game, PROXY, Statement, ceremony};
use events::IFogmate::pricesCall;
use fogmate_test::golden;
use serde_json::json;
use std::collections::BTreeMap;

/// The words before the prices that the game's constructor takes: seven addresses and two lengths.
const ARGUMENTS: usize = 9 * 32;

#[test]
fn the_page_carries_the_code_of_this_version() {
    let sets = [false, true].map(|development| {
        let contracts = Contracts::shipped(Game::Chess, development).with_prices(None);
        let creation = |name: &str| {
            let found = contracts.iter().find(|contract| contract.name == name);
            found.unwrap_or_else(|| panic!("there is no {name}")).creation.clone()
        };
        let game = creation(Game::Chess.contract());
        let (code, arguments) = game.split_at(game.len() - ARGUMENTS);
        let keys: BTreeMap<_, _> = Statement::CHESS
            .map(|statement| (statement.name(), encode_prefixed(creation(&format!("key of {}", statement.name())))))
            .into();
        let verifiers = ["narrow verifier", "wide verifier"].map(creation);
        (
            json!({ "ceremony": ceremony(development), "arguments": encode_prefixed(arguments), "keys": keys }),
            code.to_vec(),
            verifiers,
        )
    });
    assert_eq!((&sets[0].1, &sets[0].2), (&sets[1].1, &sets[1].2), "only keys differ");
    let keys = sets.each_ref().map(|(set, ..)| set);
    let (_, game, [narrow, wide]) = &sets[0];
    let code = json!({
        "proxy": encode_prefixed(PROXY), "prices_selector": encode_prefixed(pricesCall::SELECTOR),
        "narrow": encode_prefixed(narrow), "wide": encode_prefixed(wide), "game": encode_prefixed(game), "sets": keys,
    });
    golden("page-code.json", &format!("{code}\n"));
}
