//! A proof of *turn* with its public inputs, as the contract is given them: the one of the contracts'
//! tests holds, and nothing that is made of it.
#![no_main]

use alloy_primitives::hex;
use circuits::{StatementCircuit as _, TurnCircuit};
use prover::{NoProgress, Srs, Verifier};
use serde_json::Value;
use std::sync::OnceLock;

/// Inputs and proof of a move that is in the contracts' tests.
fn genuine() -> &'static [u8] {
    static GENUINE: OnceLock<Vec<u8>> = OnceLock::new();
    GENUINE.get_or_init(|| {
        let fixture: Value =
            serde_json::from_str(include_str!("../../../contracts/test/fixtures/turns.json")).expect("JSON");
        let turn = &fixture["turns"][0];
        let inputs = turn["instance"].as_array().expect("inputs").iter();
        let parts = inputs.chain([&turn["proof"]]).map(|part| part.as_str().expect("a text"));
        parts.flat_map(|part| hex::decode(part).expect("bytes")).collect()
    })
}

fn verifier() -> &'static Verifier<TurnCircuit> {
    static VERIFIER: OnceLock<Verifier<TurnCircuit>> = OnceLock::new();
    VERIFIER.get_or_init(|| {
        let cache = fogmate_test::cache();
        let srs = Srs::development(TurnCircuit::K, &cache, &NoProgress);
        Verifier::load_or_make(&srs, &cache, &NoProgress).expect("a key")
    })
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let holds = verifier().verify_words(data).is_ok();
    assert_eq!(holds, data == genuine());
});
