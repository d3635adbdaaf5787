//! The statements' native checks: true draws pass, each broken value is refused for its reason.

use std::collections::BTreeSet;

use contest::tag::{
    Size, Square,
    statement::{capture, reply, step},
    testing::{captures, mutations_capture, mutations_reply, mutations_step, replies, steps},
};
use fog::{
    testing::{break_each, seed},
    word::to_word,
};

#[test]
fn steps_are_what_they_say() {
    let draws = steps(seed(61)).take(18).inspect(|(public, private)| assert_eq!(step::check(public, private), Ok(())));
    break_each(&mutations_step(), usize::MAX, draws.enumerate(), |name, public, private, expected| {
        assert_eq!(step::check(public, private), Err(expected), "{name}");
    });
}

/// Grid and start are one public input, which tells them apart from any other.
#[test]
fn no_two_grids_or_starts_have_one_place() {
    let (public, _) = steps(seed(64)).next().expect("an endless row");
    let mut places = BTreeSet::new();
    for size in Size::ALL {
        for start in Square::all().map(Some).chain([None]) {
            let place = step::StepPublic { size, start, ..public }.inputs().place;
            assert!(places.insert(to_word(&place)), "{size:?}, {start:?}");
        }
    }
    assert_eq!(places.len(), 4 * 65);
}

#[test]
fn replies_are_what_they_say() {
    let draws =
        replies(seed(62)).take(4).inspect(|(public, private)| assert_eq!(reply::check(public, private), Ok(())));
    break_each(&mutations_reply(), usize::MAX, draws.enumerate(), |name, public, private, expected| {
        assert_eq!(reply::check(public, private), Err(expected), "{name}");
    });
}

#[test]
fn captures_are_what_they_say() {
    let draws =
        captures(seed(63)).take(4).inspect(|(public, private)| assert_eq!(capture::check(public, private), Ok(())));
    break_each(&mutations_capture(), usize::MAX, draws.enumerate(), |name, public, private, expected| {
        assert_eq!(capture::check(public, private), Err(expected), "{name}");
    });
}
