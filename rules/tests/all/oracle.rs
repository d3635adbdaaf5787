//! `rules` against the independent oracle of the design: stored positions, and fresh ones where the oracle can run.

use std::{path::Path, process::Command};

use crate::common::{self, data, records, root, seed};

/// How many fresh positions a run asks for.
const FRESH: usize = 100;

#[test]
fn stored_positions_agree() {
    let records = records(&data("positions.jsonl"));
    assert_eq!(records.len(), 600);
    records.iter().for_each(common::Record::check);
}

#[test]
fn fresh_positions_agree() {
    let oracle = root().join("test/oracle/fog_oracle.py");
    let venv = root().join(".venv/bin/python3");
    let python = if venv.is_file() { venv.as_path() } else { Path::new("python3") };
    if !has_libraries(python) {
        println!("NOT RUN: {} has no pyffish and chess", python.display());
        return;
    }
    let seed = seed();
    let output = Command::new(python)
        .args([oracle.as_os_str(), seed.to_string().as_ref(), FRESH.to_string().as_ref()])
        .output()
        .expect("the oracle starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let records = records(&String::from_utf8(output.stdout).expect("the oracle writes UTF-8"));
    assert_eq!(records.len(), FRESH);
    records.iter().for_each(common::Record::check);
    println!("{FRESH} fresh positions of seed {seed} agree");
}

fn has_libraries(python: &Path) -> bool {
    let import = Command::new(python).args(["-c", "import pyffish, chess"]).output();
    import.is_ok_and(|output| output.status.success())
}
