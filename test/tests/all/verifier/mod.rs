//! The generated verifier on a real EVM against the native one and against the library's own: they agree on every byte string.
//!
//! What a false move costs its maker hangs on it (a verdict "false" loses the game), so both directions count: what is natively valid
//! is true on chain, and what isn't is *explicitly* false there, whatever the bytes.

mod evm;
mod lanes;
mod mutations;

use alloy::primitives::hex;
use circuits::TurnCircuit;
use evm::{Evm, Outcome};
use fogmate_test::{alone, cache, seed};
use lanes::Lanes;
use mutations::{Layout, Mutations};
use prover::{Keys, NoProgress, SolidityVerifier, Srs, Statement, Verifier};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng as _;
use serde_json::Value;

/// Byte strings made at random, beside the systematic ones.
const RANDOM: usize = 2_000;

/// Real *turn* proofs for the development key, inputs first.
fn turns() -> Vec<Vec<u8>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../contracts/test/fixtures/turns.json");
    let fixture: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let bytes = |value: &Value| hex::decode(value.as_str().unwrap()).unwrap();
    let turns = fixture["turns"].as_array().unwrap().iter();
    turns
        .map(|turn| {
            let inputs = turn["instance"].as_array().unwrap().iter().flat_map(bytes);
            inputs.chain(bytes(&turn["proof"])).collect()
        })
        .collect()
}

/// Where inputs, points and scalars stand in what a statement's verifier is handed.
fn layout<C: Statement>(verifier: &Verifier<C>) -> Layout {
    let shape = verifier.shape().unwrap();
    let inputs = C::INSTANCES.iter().sum();
    Layout { inputs, points: shape.points(), scalars: shape.scalars(), words: inputs + verifier.proof_bytes() / 32 }
}

/// Asks natively and on the EVM; fails unless both say the same, which is returned.
async fn agreed<C: Statement>(evm: &Evm, native: &Verifier<C>, key: u8, words: &[u8], what: &str) -> bool {
    let valid = native.verify_words(words).is_ok();
    let outcome = evm.ask(key, words).await;
    let expected = if valid { Outcome::True } else { Outcome::False };
    assert_eq!(outcome, expected, "{what}: natively {valid}, {}", hex::encode(words));
    valid
}

#[tokio::test(flavor = "multi_thread")]
async fn native_evm_and_library_agree_on_turn_whatever_the_bytes() {
    let _alone = alone().await;
    let seed = seed(0x5eed);
    let srs = Srs::development(14, &cache(), &NoProgress);
    let native = Verifier::<TurnCircuit>::load_or_make(&srs, &cache(), &NoProgress).unwrap();
    let verifier = SolidityVerifier::new(native.shape().unwrap(), "NarrowVerifier").unwrap();
    let mut evm = Evm::start(&verifier).await;
    evm.key(1, &native.solidity_key(&verifier).unwrap()).await;
    evm.library(&native.library_verifier("LibraryVerifier").unwrap()).await;

    let layout = layout(&native);
    let turns = turns();
    let mutations = Mutations::new(seed, layout, &turns);
    let (mut asked, mut valid) = (0, 0);
    for (what, words) in mutations.systematic().into_iter().chain(mutations.random(RANDOM)) {
        let accepted = agreed(&evm, &native, 1, &words, &what).await;
        // By design the library takes scalars modulo r, missing bytes for zeros, and nothing of what follows the proof.
        let reduced = layout.as_the_library_reads(&words);
        let as_reduced = if reduced == words { accepted } else { native.verify_words(&reduced).is_ok() };
        assert_eq!(evm.ask_library(&words).await, as_reduced, "the library: {what}: {}", hex::encode(&words));
        assert!(!accepted || reduced == words, "only what is canonical is accepted: {what}");
        asked += 1;
        valid += usize::from(accepted);
    }
    println!("{asked} byte strings, {valid} of them valid");
    assert!(asked > 3_000 && valid >= turns.len());
}

/// Compares the verifiers of circuits that differ from *turn* in all that a generator could get wrong: lookups, chunks of the permutation,
/// rotations, a fixed column of zeros, whose commitment is infinity.
async fn shape_agrees<const LANES: usize, const LOOKUPS: usize>(seed: u64) {
    let folder = tempfile::tempdir().unwrap();
    let srs = Srs::development(lanes::K, folder.path(), &NoProgress);
    let keys = Keys::<Lanes<LANES, LOOKUPS>>::load_or_make(&srs, folder.path(), &NoProgress).unwrap();
    let native = keys.verifier();
    let verifier = SolidityVerifier::new(native.shape().unwrap(), "LanesVerifier").unwrap();
    let mut evm = Evm::start(&verifier).await;
    evm.key(1, &native.solidity_key(&verifier).unwrap()).await;

    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let proofs: Vec<Vec<u8>> = [1, 2]
        .map(|start| {
            let public = lanes::public::<LANES>(start);
            let proof = keys.prove(&public, &start, &mut rng).unwrap();
            public.iter().flat_map(lanes::word).chain(proof).collect()
        })
        .into();
    let mutations = Mutations::new(seed, layout(native), &proofs);
    let mut valid = 0;
    for (what, words) in mutations.systematic().into_iter().chain(mutations.random(100)) {
        valid += usize::from(agreed(&evm, native, 1, &words, &what).await);
    }
    println!("{LANES} lanes, {LOOKUPS} lookups: code {:?} bytes, {valid} valid", evm.code_bytes);
    assert!(valid >= proofs.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn other_shapes_agree_too() {
    let _alone = alone().await;
    let seed = seed(0x1a9e5);
    shape_agrees::<1, 0>(seed).await;
    shape_agrees::<2, 1>(seed).await;
    shape_agrees::<9, 5>(seed).await;
}

/// One verifier, several keys: a proof is of its own key only.
#[tokio::test(flavor = "multi_thread")]
async fn a_verifier_serves_every_key_of_its_shape_and_each_proof_has_one_key() {
    let _alone = alone().await;
    let folder = tempfile::tempdir().unwrap();
    let srs = Srs::development(lanes::K, folder.path(), &NoProgress);
    let one = Keys::<Lanes<2, 1>>::load_or_make(&srs, folder.path(), &NoProgress).unwrap();
    let other = Keys::<lanes::Sibling>::load_or_make(&srs, folder.path(), &NoProgress).unwrap();
    let verifier = SolidityVerifier::new(one.verifier().shape().unwrap(), "LanesVerifier").unwrap();
    let mut evm = Evm::start(&verifier).await;
    evm.key(1, &one.verifier().solidity_key(&verifier).unwrap()).await;
    evm.key(2, &other.verifier().solidity_key(&verifier).unwrap()).await;
    let mut rng = ChaCha20Rng::seed_from_u64(seed(0x2e75));
    let words = |public: &[halo2curves::bn256::Fr], proof: Vec<u8>| -> Vec<u8> {
        public.iter().flat_map(lanes::word).chain(proof).collect()
    };
    let public = lanes::public::<2>(3);
    let first = words(&public, one.prove(&public, &3, &mut rng).unwrap());
    let second = words(&public, other.prove(&public, &3, &mut rng).unwrap());
    assert_eq!([evm.ask(1, &first).await, evm.ask(2, &first).await], [Outcome::True, Outcome::False]);
    assert_eq!([evm.ask(1, &second).await, evm.ask(2, &second).await], [Outcome::False, Outcome::True]);
    assert_eq!(evm.ask(3, &first).await, Outcome::None, "there is no third key");

    let narrower = Keys::<Lanes<1, 0>>::load_or_make(&srs, folder.path(), &NoProgress).unwrap();
    let refused = narrower.verifier().solidity_key(&verifier).unwrap_err().to_string();
    assert!(refused.starts_with("LanesVerifier can't verify lanes, whose circuit has another"), "{refused}");
}
