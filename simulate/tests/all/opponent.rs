//! Games between the machines against an opponent that does anything: no promise breaks, and each defect of the honest machine is found.

use simulate::channel::opponent::{Defect, play, play_with};
use simulate::run::Counts;

#[test]
fn whatever_the_opponent_does_between_the_machines_no_promise_breaks() {
    let mut counts = Counts::default();
    for number in 0..400 {
        counts += play(29, number, false).unwrap_or_else(|failure| panic!("{failure}"));
    }
    println!("seed 29: {counts}");
    for deed in [
        "woke the game",
        "went back",
        "signed a result",
        "lied about its plies",
        "fell silent",
        "had a wake taken back",
    ] {
        assert!(counts.faults.of(deed) > 0, "nobody {deed}: {}", counts.faults);
    }
    for promise in ["one ply is signed", "one sight of a ply", "no move is undone", "gas", "money"] {
        assert!(counts.checks.of(promise) > 0, "{promise} was never looked at");
    }
}

#[test]
fn a_defect_of_the_honest_machine_is_found() {
    for (defect, found) in [
        (Defect::NeverContests, "the game comes to no end"),
        (Defect::GoesBack, "a second ply is signed"),
        (Defect::SpeaksFirst, "leaves before it is written"),
        (Defect::TalksOn, "after a wake"),
    ] {
        let mut failures = (0..400).filter_map(|number| play_with(31, number, Some(defect), false).err());
        let is_found = failures.any(|failure| failure.what.contains(found));
        assert!(is_found, "{defect:?} is not found in 400 games");
    }
}
