//! *turn* against its native twin: whatever the twin accepts satisfies the circuit, whatever it refuses doesn't.

mod edges;
pub(in crate::statement) mod forgeries;
mod near_misses;
pub(in crate::statement) mod rigidity;
mod values;

use fog::{
    statement::turn::check,
    testing::{Illegal, TurnCase, break_each, illegal_turns, mutations_turn, seed, turns},
};
use halo2curves::bn256::Fr;

use super::{TurnCircuit, config::PUBLIC_INPUTS};
use crate::{
    gadget::fixed_base,
    laid::{self, LaidCircuit, is_satisfied},
};

#[test]
fn legal_moves_of_every_kind_satisfy_the_circuit() {
    let seed = seed(21);
    for case in TurnCase::ALL {
        for (public, private) in turns(seed, Some(case)).take(2) {
            let found = LaidCircuit::statement::<TurnCircuit>(&public, &private).refusals();
            assert_eq!(found, [], "{case:?} {}", private.mv);
        }
    }
}

#[test]
fn moves_of_random_games_satisfy_the_circuit() {
    let seed = seed(22);
    for (public, private) in turns(seed, None).take(24) {
        assert!(is_satisfied::<TurnCircuit>(&public, &private), "{}", private.mv);
    }
}

#[test]
fn a_broken_value_breaks_the_circuit() {
    let seed = seed(23);
    // The last cases first: those of rare moves, whose mutations apply to nothing else.
    let draws = TurnCase::ALL.into_iter().rev();
    let draws = draws.map(|case| (case, turns(seed, Some(case)).next().expect("an endless row")));
    break_each(&mutations_turn(), 1, draws, |name, public, private, expected| {
        assert_eq!(check(public, private), Err(expected), "{name}");
        assert!(!is_satisfied::<TurnCircuit>(public, private), "{name}: the circuit doesn't notice");
    });
}

#[test]
fn an_illegal_move_breaks_the_circuit() {
    let seed = seed(24);
    for case in Illegal::ALL {
        for (public, private, expected) in illegal_turns(seed, case).take(2) {
            assert_eq!(check(&public, &private), Err(expected), "{case:?}");
            assert!(
                !is_satisfied::<TurnCircuit>(&public, &private),
                "{case:?} {}: the circuit doesn't notice",
                private.mv
            );
        }
    }
}

#[test]
fn every_public_input_is_bound() {
    let (public, private) = turns(seed(25), Some(TurnCase::PawnCapture)).next().expect("an endless row");
    laid::every_public_input_is_bound::<TurnCircuit>(&public, &private);
}

/// The fixed columns of the window table hold coefficients and round constants below it and nothing above it: none of them may pass for a window's mark.
#[test]
fn no_row_beside_the_table_passes_for_an_entry() {
    let (public, private) = turns(seed(26), Some(TurnCase::PawnPush)).next().expect("an endless row");
    let laid = LaidCircuit::statement::<TurnCircuit>(&public, &private);
    let marks: Vec<_> = (1..=fixed_base::WINDOWS).map(fixed_base::mark).collect();
    let is_mark = |value: &Fr| marks.contains(value);
    let (above, table) = laid.fixed[0].split_at(PUBLIC_INPUTS);
    let (table, below) = table.split_at(fixed_base::TABLE_ROWS);
    assert!(table.iter().all(is_mark));
    assert!(!above.iter().chain(below).any(is_mark));
}
