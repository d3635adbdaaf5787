//! The client's sender before a simulated node, from a fresh seed.

use simulate::run::watched;
use simulate::sender::{Defect, send};
use simulate::world::Tally;
use std::time::{SystemTime, UNIX_EPOCH};

#[test]
fn what_is_wished_gets_into_a_block_once() {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_nanos() as u64;
    let given = std::env::var("FOGMATE_SEED").ok().and_then(|text| text.parse().ok());
    let seed: u64 = given.unwrap_or(now);
    let (mut faults, mut checks, mut transactions) = (Tally::default(), Tally::default(), 0);
    for number in 0..1_000 {
        let seed = seed.wrapping_add(number);
        println!("seed {seed} (FOGMATE_SEED repeats it)");
        let sent = send(seed, Defect::None);
        faults += &sent.faults;
        checks += &sent.checks;
        transactions += sent.transactions;
    }
    println!("{transactions} transactions; faults: {faults}; checks: {checks}");
    for kind in ["forks", "killed before sending", "killed after sending", "answers of a machine that is behind"] {
        assert!(faults.of(kind) > 0, "no {kind}");
    }
}

/// The owner isn't blind: some game of a broken owner breaks a promise.
#[test]
fn a_broken_owner_is_found() {
    for (defect, wanted) in [
        (Defect::WritesLast, "carried out twice"),
        (Defect::Forgets, "carried out twice"),
        (Defect::Neglects, "under way for ever"),
    ] {
        let said = (0..400).filter_map(|seed| watched(|| drop(send(seed, defect))).err());
        let said: Vec<String> = said.collect();
        assert!(said.iter().any(|what| what.contains(wanted)), "{defect:?}: {said:?}");
    }
}
