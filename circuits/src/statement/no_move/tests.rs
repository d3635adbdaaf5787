//! *no move* against its native twin: whatever the twin accepts satisfies the circuit, whatever it refuses doesn't.

mod forgeries;
mod near_misses;
mod rigidity;
mod values;

use fog::{
    statement::no_move::check,
    testing::{NoMoveCase, OnlyMove, Walk, any_no_move, break_each, mutations_no_move, near_misses, no_moves, seed},
};
use rand::{SeedableRng, rngs::StdRng};

use super::NoMoveCircuit;
use crate::laid::{self, is_satisfied};

#[test]
fn positions_without_a_move_of_every_kind_satisfy_the_circuit() {
    let seed = seed(71);
    for case in NoMoveCase::ALL {
        let (public, private) = no_moves(seed, Some(case)).next().expect("an endless row");
        assert_eq!(check(&public, &private), Ok(()), "{case:?}");
        assert!(is_satisfied::<NoMoveCircuit>(&public, &private), "{case:?}");
    }
}

#[test]
fn a_single_move_of_any_kind_breaks_the_circuit() {
    let seed = seed(72);
    for kind in OnlyMove::ALL {
        let (public, private, expected) = near_misses(seed, kind).next().expect("an endless row");
        assert_eq!(check(&public, &private), Err(expected), "{kind:?}");
        assert!(!is_satisfied::<NoMoveCircuit>(&public, &private), "{kind:?}: the circuit doesn't notice");
    }
}

#[test]
fn positions_of_random_games_break_the_circuit() {
    let mut rng = StdRng::seed_from_u64(seed(73));
    let mut walk = Walk::start();
    for _ in 0..6 {
        for _ in 0..25 {
            walk.advance(&mut rng);
        }
        let (public, private) = any_no_move(&walk, &mut rng);
        assert_eq!(is_satisfied::<NoMoveCircuit>(&public, &private), check(&public, &private).is_ok());
    }
}

#[test]
fn a_broken_value_breaks_the_circuit() {
    let seed = seed(74);
    let draws = NoMoveCase::ALL.into_iter().rev();
    let draws = draws.map(|case| (case, no_moves(seed, Some(case)).next().expect("an endless row")));
    break_each(&mutations_no_move(), 1, draws, |name, public, private, expected| {
        assert_eq!(check(public, private), Err(expected), "{name}");
        assert!(!is_satisfied::<NoMoveCircuit>(public, private), "{name}: the circuit doesn't notice");
    });
}

/// The order of the opened squares is nobody's business.
#[test]
fn pawns_may_be_opened_in_any_order() {
    let (public, mut private) = no_moves(seed(75), Some(NoMoveCase::EightPawns)).next().expect("an endless row");
    private.opened.reverse();
    assert_eq!(check(&public, &private), Ok(()));
    assert!(is_satisfied::<NoMoveCircuit>(&public, &private));
}

/// The eight that the statement has, and the zeros that fill the shape.
#[test]
fn every_public_input_is_bound() {
    let (public, private) = no_moves(seed(76), Some(NoMoveCase::BehindOwn)).next().expect("an endless row");
    laid::every_public_input_is_bound::<NoMoveCircuit>(&public, &private);
}
