//! The code that the audit page carries: what it runs to judge proofs, and what a contract's address follows from.

use alloy::primitives::hex::encode_prefixed;
use alloy::sol_types::SolCall as _;
use deploy::{Contracts, Game, PROXY, ceremony};
use events::IFogmate::pricesCall;
use fogmate_test::golden;
use serde_json::json;

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
        (ceremony(development), code.to_vec(), arguments.to_vec(), creation("key of turn"), creation("narrow verifier"))
    });
    assert_eq!((&sets[0].1, &sets[0].4), (&sets[1].1, &sets[1].4), "only keys differ");
    let keys = sets.each_ref().map(|(ceremony, _, arguments, key, _)| {
        json!({ "ceremony": ceremony, "arguments": encode_prefixed(arguments), "turn_key": encode_prefixed(key) })
    });
    let (_, game, _, _, narrow) = &sets[0];
    let code = json!({
        "proxy": encode_prefixed(PROXY), "prices_selector": encode_prefixed(pricesCall::SELECTOR),
        "narrow": encode_prefixed(narrow), "game": encode_prefixed(game), "sets": keys,
    });
    golden("page-code.json", &format!("{code}\n"));
}
