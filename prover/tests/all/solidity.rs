//! Generated Solidity: the same bytes every time, named and marked, one verifier for a shape and only for it, and something that solc
//! takes. Whether the EVM agrees with the native verifier is tested where there is an EVM.

use crate::common::Small;
use fog::statement::turn::TurnInputs;
use prover::{Ceremony, Keys, NoProgress, SolidityError, SolidityKey, SolidityVerifier, Srs, Statement, Verifier};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

fn keys<C: Statement>(srs: &Srs) -> Keys<C> {
    let cache = tempfile::tempdir().unwrap();
    Keys::load_or_make(srs, cache.path(), &NoProgress).unwrap()
}

fn development(k: u32) -> Srs {
    Srs::development(k, tempfile::tempdir().unwrap().path(), &NoProgress)
}

fn generate(srs: &Srs) -> (SolidityVerifier, SolidityKey) {
    let keys = keys::<Small<8, true>>(srs);
    let verifier = SolidityVerifier::new(keys.verifier().shape().unwrap(), "Small").unwrap();
    let key = keys.verifier().solidity_key(&verifier).unwrap();
    (verifier, key)
}

#[test]
fn it_is_deterministic_and_named() {
    let ((one, key), (two, same)) = (generate(&development(8)), generate(&development(8)));
    assert_eq!(one.source, two.source);
    assert_eq!(key, same);
    assert!(one.source.starts_with("// SPDX-License-Identifier: MIT OR Apache-2.0\npragma solidity ^0.8.24;\n"));
    assert!(one.source.contains("\ncontract Small {\n"));
    for line in one.source.lines() {
        assert_eq!(line, line.trim_end());
    }
}

/// A key is STOP and whole words, and ends with the hash that starts the transcript.
#[test]
fn a_key_is_data_and_marked_if_it_is_for_development() {
    let (_, key) = generate(&development(8));
    let code = hex::decode(key.code.trim_start_matches("0x")).unwrap();
    assert_eq!((code[0], code.len() % 32), (0, 1));
    assert!(key.code.ends_with(key.verifying_key.trim_start_matches("0x")));
    assert!(key.development_only);
    assert_eq!(key.ceremony, "development");
}

/// τ stands in the key, so one verifier serves development parameters and a real ceremony alike.
#[test]
fn a_ceremonys_key_is_for_the_same_verifier_and_not_marked() {
    let srs = Srs::shipped(8, tempfile::tempdir().unwrap().path(), &NoProgress).unwrap();
    let ((verifier, key), (same, development)) = (generate(&srs), generate(&development(8)));
    assert_eq!(verifier.source, same.source);
    assert!(!key.development_only);
    assert_eq!(key.ceremony, "ignition");
    assert_ne!(key.tau, development.tau);
    assert_ne!(key.code, development.code);
}

/// Who has a key's code, which is public, verifies by it without parameters.
#[test]
fn a_verifier_is_read_back_from_a_key_s_code() {
    let keys = keys::<Small<8, true>>(&development(8));
    let shape = keys.verifier().shape().unwrap();
    let key = keys.verifier().solidity_key(&SolidityVerifier::new(shape, "Small").unwrap()).unwrap();
    let code = hex::decode(key.code.trim_start_matches("0x")).unwrap();
    let verifier = Verifier::<Small<8, true>>::of_code(&code).unwrap();
    assert_eq!(verifier.key_hash(), keys.verifier().key_hash());
    assert_eq!(verifier.ceremony(), Ceremony::Development);
    let proof = keys.prove(&(81, 5), &3, crate::common::rng()).unwrap();
    verifier.verify(&(81, 5), &proof).unwrap();
    assert!(verifier.verify(&(81, 6), &proof).is_err());

    let foreign = |code: &[u8]| {
        let read = Verifier::<Small<8, true>>::of_code(code);
        assert!(matches!(read, Err(SolidityError::ForeignKey("small"))), "{read:?}");
    };
    // Of another circuit: its constraints are the same, and only the hash can tell.
    assert!(matches!(Verifier::<Small<9, true>>::of_code(&code), Err(SolidityError::ForeignKey("small"))));
    for length in [0, 1, code.len() - 1, code.len() - 32] {
        foreign(&code[..length]);
    }
    foreign(&[&code[..], &[0]].concat());
    // STOP, the first coordinate of a commitment, τ, the hash; what stands before the commitments is of the gates, and the verifier's own.
    let vk = keys.verifier().verifying_key();
    let points = vk.fixed_commitments().len() + vk.permutation().commitments().len();
    let commitments = code.len() - 32 * (9 + 2 * points);
    for byte in [0, commitments, commitments + 32, code.len() - 33, code.len() - 1] {
        let mut changed = code.clone();
        changed[byte] ^= 1;
        foreign(&changed);
    }
    // A τ of no ceremony, which is on the curve: 1 stands before it.
    let mut changed = code.clone();
    changed.copy_within(code.len() - 9 * 32..code.len() - 5 * 32, code.len() - 5 * 32);
    foreign(&changed);
}

#[test]
fn a_circuit_of_another_shape_has_no_key_for_a_verifier() {
    let (verifier, _) = generate(&development(8));
    let larger = keys::<Small<9, true>>(&development(9));
    let refused = larger.verifier().solidity_key(&verifier).unwrap_err();
    assert_eq!(refused.to_string(), "Small can't verify small, whose circuit has another number of rows");
}

#[test]
fn what_is_written_survives_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let (verifier, key) = generate(&development(8));
    verifier.write(folder.path()).unwrap();
    key.write(folder.path(), "SmallKey").unwrap();
    let source = std::fs::read_to_string(folder.path().join("Small.sol")).unwrap();
    let json = std::fs::read_to_string(folder.path().join("SmallKey.json")).unwrap();
    assert_eq!(source, verifier.source);
    let metadata: SolidityKey = serde_json::from_str(&json).unwrap();
    assert_eq!(metadata, key);
    assert_eq!((metadata.k, metadata.public_inputs), (8, 2));
}

#[test]
fn names_that_are_none_and_proofs_for_peers_are_refused() {
    let keys = self::keys::<Small<8, true>>(&development(8));
    for name in ["", "1Verifier", "Two Words", "a;b", "Größe"] {
        let made = SolidityVerifier::new(keys.verifier().shape().unwrap(), name);
        assert!(matches!(made, Err(SolidityError::BadName(_))), "{name}");
        let made = keys.verifier().library_verifier(name);
        assert!(matches!(made, Err(SolidityError::BadName(_))), "{name}");
    }
    let peers = self::keys::<Small<8, false>>(&development(8));
    assert!(matches!(peers.verifier().shape(), Err(SolidityError::WrongTranscript("small"))));
    assert!(matches!(peers.verifier().library_verifier("Small"), Err(SolidityError::WrongTranscript("small"))));
}

/// The contract's names of *turn*'s public inputs are this side's, in the same order.
#[test]
fn the_contract_names_the_public_inputs_of_turn_alike() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../contracts/src/types/PublicInputs.sol");
    let source = std::fs::read_to_string(path).expect("the contract's public inputs");
    let (_, fields) = source.split_once("struct TurnInputs {").unwrap();
    let (fields, _) = fields.split_once('}').unwrap();
    let fields = fields.lines().map(str::trim);
    let fields = fields.filter_map(|line| line.strip_prefix("uint256 ")?.split(';').next());
    let snake = |name: &str| -> String {
        let words = name.chars().flat_map(|c| {
            let start = c.is_ascii_uppercase().then_some('_');
            start.into_iter().chain([c.to_ascii_lowercase()])
        });
        words.collect()
    };
    let names: Vec<String> = fields.map(snake).collect();
    assert_eq!(names, TurnInputs::NAMES);
}

#[test]
fn solc_compiles_it() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    if !root.join("node_modules/solc").exists() {
        println!("not run: npm's solc is not installed");
        return;
    }
    let (verifier, _) = generate(&development(8));
    let script = "
        const solc = require('solc');
        const content = require('fs').readFileSync(0, 'utf8');
        const optimizer = { enabled: true, runs: 200, details: { yul: false } };
        const outputSelection = { '*': { '*': ['evm.deployedBytecode.object'] } };
        const input = { language: 'Solidity', sources: { 'Small.sol': { content } }, settings: { optimizer, outputSelection } };
        const output = JSON.parse(solc.compile(JSON.stringify(input)));
        const errors = (output.errors || []).filter(error => error.severity === 'error');
        if (errors.length) { console.error(errors[0].formattedMessage); process.exit(1); }
        console.log(output.contracts['Small.sol'].Small.evm.deployedBytecode.object.length / 2);";
    let mut solc = Command::new("node")
        .args(["-e", script])
        .current_dir(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    solc.stdin.take().unwrap().write_all(verifier.source.as_bytes()).unwrap();
    let output = solc.wait_with_output().unwrap();
    assert!(output.status.success());
    let size: usize = String::from_utf8(output.stdout).unwrap().trim().parse().unwrap();
    println!("runtime code: {size} bytes");
    assert!((2_000..24_576).contains(&size));
}
