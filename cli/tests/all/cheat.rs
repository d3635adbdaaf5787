//! The demo in which Bob cheats, scene by scene: what the chain has refused and by which name, who has won, and what it has cost each. The demo itself
//! fails where the chain takes what it must refuse, or refuses what it must take.

#![cfg(target_os = "linux")]

use serde_json::Value;
use std::process::Command;

const ETHER: i128 = 1_000_000_000_000_000_000;
/// What fees come to in a scene at most: a twentieth of the stake.
const FEES: i128 = ETHER / 20;

/// A scene's name, the refusals of the contract in order, the sentence of the fault that Alice's machine names if it does, and the ending.
type Scene = (&'static str, &'static [&'static str], Option<&'static str>, Option<&'static str>);

const SCENES: [Scene; 7] = [
    ("illegal", &["InvalidProof"], None, None),
    ("lie", &["InvalidProof"], Some("is not the one it committed to on chain"), None),
    ("withheld", &["InvalidProof", "WrongRoot"], Some("has a wrong proof"), Some("demanded sight not given")),
    ("silence", &[], None, Some("time forfeit")),
    ("fifty", &["TooEarly", "TooEarly"], None, None),
    ("replay", &["WrongBasis"], None, None),
    ("wake", &["NotLater", "OnHold"], None, None),
];

#[test]
fn bob_wins_nothing_by_cheating() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("report.json");
    let mut command = Command::new(env!("CARGO_BIN_EXE_fogmate"));
    command.args(["demo", "--cheat", "--json"]).arg(&out).env("TMPDIR", folder.path());
    let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("the demo runs");
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stderr));
    let report = std::fs::read_to_string(&out).expect("a report");
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let scenes = report["scenes"].as_array().expect("scenes");
    assert_eq!(scenes.len(), SCENES.len());
    for (scene, (name, refusals, fault, ending)) in scenes.iter().zip(SCENES) {
        assert_eq!(scene["scene"], name);
        let steps = scene["steps"].as_array().expect("steps");
        let refused: Vec<&Value> = steps.iter().filter(|step| !step["refusal"].is_null()).collect();
        assert_eq!(refused.iter().map(|step| &step["refusal"]).collect::<Vec<_>>(), refusals, "{name}");
        // What is sent again in `replay` is Alice's, and so is its cost.
        let payer = if name == "replay" { "alice" } else { "bob" };
        assert!(refused.iter().all(|step| step["by"] == payer && step["gas"].as_u64() > Some(21_000)), "{name}");
        let faults = scene["faults"].as_array().expect("faults");
        assert_eq!(faults.len(), usize::from(fault.is_some()), "{name}: {faults:?}");
        assert!(faults.iter().zip(fault).all(|(told, fault)| told.as_str().is_some_and(|told| told.contains(fault))));
        assert_eq!(scene["ending"].as_str(), ending, "{name}");
        assert_eq!(scene["winner"].as_str(), ending.map(|_| "alice"), "{name}");

        let [alice, bob] = ["alice_wei", "bob_wei"].map(|name| {
            let wei = scene[name].as_str().and_then(|wei| wei.parse::<i128>().ok());
            wei.expect("an amount")
        });
        let stake = if ending.is_some() { ETHER } else { 0 };
        let is_near = |wei: i128, stake: i128| (stake - FEES..stake + FEES).contains(&wei);
        assert!(is_near(alice, stake) && is_near(bob, -stake) && bob <= -stake, "{name}: {alice}, {bob}");
        // The bond of the claim has paid for its answer.
        let paid = scene["bond_wei"].as_str().and_then(|wei| wei.parse::<i128>().ok()).expect("an amount");
        assert_eq!(paid > 0, name == "fifty", "{name}: {paid}");
    }
    let left = std::fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(left, 1, "only the report is left");
}
