//! *own step* against its native twin: whatever the twin accepts satisfies the circuit, whatever it refuses doesn't.

mod forgeries;
mod rigidity;
mod values;

use std::collections::BTreeSet;

use fog::{
    statement::own_step::{OwnStepPublic, check},
    testing::{Illegal, TurnCase, break_each, illegal_turns, mutations_own_step, own_step_of, own_steps, seed},
};

use super::OwnStepCircuit;
use crate::{
    StatementCircuit,
    gadget::{Layout, Rows},
    laid::{self, LaidCircuit, is_satisfied},
};

#[test]
fn steps_of_every_kind_satisfy_the_circuit() {
    let seed = seed(221);
    let mut colors = BTreeSet::new();
    for case in TurnCase::ALL {
        for (public, private) in own_steps(seed, Some(case)).take(3) {
            let found = LaidCircuit::statement::<OwnStepCircuit>(&public, &private).refusals();
            assert_eq!(found, [], "{case:?} {}", private.mv);
            colors.insert(public.color.index());
        }
    }
    assert_eq!(colors.len(), 2);
}

#[test]
fn a_broken_value_breaks_the_circuit() {
    let seed = seed(222);
    // The last cases first: those of rare moves, whose mutations apply to nothing else.
    let draws = TurnCase::ALL.into_iter().rev();
    let draws = draws.flat_map(|case| own_steps(seed, Some(case)).take(2).map(move |draw| (case, draw)));
    break_each(&mutations_own_step(), 3, draws, |name, public, private, expected| {
        assert_eq!(check(public, private), Err(expected), "{name}");
        assert!(!is_satisfied::<OwnStepCircuit>(public, private), "{name}: the circuit doesn't notice");
    });
}

#[test]
fn circuit_and_twin_agree_on_illegal_moves() {
    let seed = seed(223);
    for case in Illegal::ALL {
        for (public, private, _) in illegal_turns(seed, case).take(4) {
            let (public, private) = own_step_of(&public, &private);
            for capture in [public.capture, None, Some(private.mv.to)] {
                let public = OwnStepPublic { capture, ..public };
                let (native, what) = (check(&public, &private), format!("{case:?} {} {capture:?}", private.mv));
                assert_eq!(is_satisfied::<OwnStepCircuit>(&public, &private), native.is_ok(), "{what}: {native:?}");
            }
        }
    }
}

/// Half of its rows wouldn't hold it.
#[test]
fn it_has_the_fewest_rows_that_hold_it() {
    let Rows { hashes, arithmetic, .. } = OwnStepCircuit::rows();
    assert!(hashes + arithmetic > 1 << (OwnStepCircuit::K - 1));
}

#[test]
fn every_public_input_is_bound() {
    let (public, private) = own_steps(seed(224), Some(TurnCase::PawnCapture)).next().expect("an endless row");
    laid::every_public_input_is_bound::<OwnStepCircuit>(&public, &private);
}
