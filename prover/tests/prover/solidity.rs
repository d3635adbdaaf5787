//! Generated Solidity: the same bytes every time, named and marked, and something that solc takes. Whether the EVM agrees with
//! the native verifier is tested where there is an EVM.

use crate::common::Small;
use fog::statement::turn::TurnInputs;
use prover::{Keys, Metadata, NoProgress, SolidityError, SolidityVerifier, Srs, Statement};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

fn keys<C: Statement>(srs: &Srs) -> Keys<C> {
    let cache = tempfile::tempdir().unwrap();
    Keys::load_or_make(srs, cache.path(), &NoProgress).unwrap()
}

fn development() -> Srs {
    Srs::development(8, tempfile::tempdir().unwrap().path(), &NoProgress)
}

fn generate(srs: &Srs, name: &str) -> SolidityVerifier {
    keys::<Small<8, true>>(srs).solidity_verifier(name).unwrap()
}

#[test]
fn it_is_deterministic_named_and_marked() {
    let (one, two) = (generate(&development(), "SmallDev"), generate(&development(), "SmallDev"));
    assert_eq!(one.source, two.source);
    assert_eq!(one.metadata, two.metadata);
    assert!(one.source.starts_with("// SPDX-License-Identifier: MIT OR Apache-2.0\npragma solidity ^0.8.19;\n"));
    assert!(one.source.contains("\ncontract SmallDev {\n"));
    assert!(one.source.contains("DEVELOPMENT ONLY"));
    assert!(one.source.contains(one.metadata.verifying_key.trim_start_matches("0x")));
    assert!(one.metadata.development_only);
    assert_eq!(one.metadata.ceremony().unwrap().to_string(), "development");
    for line in one.source.lines() {
        assert_eq!(line, line.trim_end());
    }
}

#[test]
fn a_ceremonys_verifier_is_not_marked_as_one_for_development() {
    let tau = halo2curves::ff::Field::random(crate::common::rng());
    let file = crate::common::ceremony::Contents::new(8, tau).ptau();
    let srs = Srs::from_bytes(&file, 8).unwrap();
    let verifier = generate(&srs, "Small");
    assert!(!verifier.source.contains("DEVELOPMENT"));
    assert!(!verifier.metadata.development_only);
    assert_eq!(verifier.metadata.ceremony(), Ok(srs.ceremony()));
    assert_ne!(verifier.metadata.tau, generate(&development(), "Small").metadata.tau);
}

#[test]
fn metadata_survives_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let verifier = generate(&development(), "Small");
    verifier.write(folder.path()).unwrap();
    let source = std::fs::read_to_string(folder.path().join("Small.sol")).unwrap();
    let json = std::fs::read_to_string(folder.path().join("Small.json")).unwrap();
    assert_eq!(source, verifier.source);
    let metadata: Metadata = serde_json::from_str(&json).unwrap();
    assert_eq!(metadata, verifier.metadata);
    assert_eq!((metadata.k, metadata.public_inputs), (8, 2));
}

#[test]
fn names_that_are_none_and_proofs_for_peers_are_refused() {
    let keys = self::keys::<Small<8, true>>(&development());
    for name in ["", "1Verifier", "Two Words", "a;b", "Größe"] {
        assert!(matches!(keys.solidity_verifier(name), Err(SolidityError::BadName(_))), "{name}");
    }
    let peers = self::keys::<Small<8, false>>(&development());
    assert!(matches!(peers.solidity_verifier("Small"), Err(SolidityError::WrongTranscript("small"))));
}

/// The contract's names of *turn*'s public inputs are this side's, in the same order.
#[test]
fn the_contract_names_the_public_inputs_of_turn_alike() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../contracts/src/types/TurnInputs.sol");
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
    let verifier = generate(&development(), "Small");
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
