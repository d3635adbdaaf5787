//! The interfaces of the contracts, as solc understands them: selectors, events and errors that programs rely on.

use fogmate_test::golden;
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Files of interfaces, and those of them that a contract of ours has.
const INTERFACES: [(&str, &str); 3] = [("IFogmate", "IFogmate"), ("Contests", "IDiceGame"), ("Contests", "ITagGame")];

/// What `contracts/solc.js` gives for standard JSON.
fn solc(input: &Value) -> Value {
    let solc = Path::new(env!("CARGO_MANIFEST_DIR")).join("../contracts/solc.js");
    let mut process = Command::new("node")
        .args([solc.as_os_str(), "--standard-json".as_ref()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Node runs");
    process.stdin.take().expect("a pipe").write_all(input.to_string().as_bytes()).expect("it reads");
    serde_json::from_slice(&process.wait_with_output().expect("it ends").stdout).expect("JSON")
}

/// Without the names that Solidity has for types, which are in no byte of a call.
fn without_names_of_types(item: &mut Value) {
    match item {
        Value::Object(fields) => {
            fields.retain(|name, _| name != "internalType");
            fields.values_mut().for_each(without_names_of_types);
        }
        Value::Array(items) => items.iter_mut().for_each(without_names_of_types),
        _ => {}
    }
}

#[test]
fn interfaces_are_golden() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../contracts/src/interfaces");
    let source = |file: &str| std::fs::read_to_string(folder.join(format!("{file}.sol"))).expect("an interface");
    let sources: serde_json::Map<_, _> =
        INTERFACES.iter().map(|(file, _)| ((*file).to_owned(), json!({ "content": source(file) }))).collect();
    let output = solc(&json!({
        "language": "Solidity",
        "sources": sources,
        "settings": { "outputSelection": { "*": { "*": ["abi"] } } },
    }));
    for (file, name) in INTERFACES {
        let mut items = output["contracts"][file][name]["abi"].as_array().cloned().unwrap_or_default();
        assert!(items.len() > 20, "{name}: {:?}", output["errors"]);
        items.iter_mut().for_each(without_names_of_types);
        let mut lines: Vec<String> = items.iter().map(|item| format!("{item}\n")).collect();
        lines.sort_unstable();
        golden(&format!("{name}.jsonl"), &lines.concat());
    }
}
