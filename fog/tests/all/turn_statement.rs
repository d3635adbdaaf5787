//! The native check of *turn*: valid draws of every kind of move are accepted, each broken value and each illegal move is
//! refused by the relation that it breaks (protocol section 7).

use fog::{
    F,
    statement::turn::{TurnPublic, check},
    testing::{Illegal, TurnCase, break_each, illegal_turns, mutations_turn, seed, turns},
};

#[test]
fn valid_moves_of_every_kind_are_accepted() {
    let seed = seed(11);
    for case in TurnCase::ALL {
        for (public, private) in turns(seed, Some(case)).take(5) {
            let mv = private.mv;
            assert_eq!(check(&public, &private), Ok(()), "{case:?} {mv}");
            let instance = public.to_instance();
            assert_eq!(TurnPublic::from_instance(instance), Some(public));
            // No square, no color, and a point that isn't on the curve.
            for (place, value) in [(1, 65), (9, 2), (6, 1)] {
                let mut other = instance;
                other[place] = F::from(value);
                assert_eq!(TurnPublic::from_instance(other), None, "{place}");
            }
        }
    }
}

#[test]
fn moves_of_random_games_are_accepted() {
    let seed = seed(12);
    for (public, private) in turns(seed, None).take(120) {
        assert_eq!(check(&public, &private), Ok(()), "{:?}", private.mv);
    }
}

#[test]
fn every_broken_value_is_refused_by_its_relation() {
    let seed = seed(13);
    let draws = TurnCase::ALL.into_iter().flat_map(|case| {
        let draws = turns(seed, Some(case)).take(2);
        draws.map(move |draw| (case, draw))
    });
    let mutations = mutations_turn();
    break_each(&mutations, usize::MAX, draws, |name, public, private, expected| {
        assert_eq!(check(public, private), Err(expected), "{name}");
    });
}

/// A mutation that doesn't apply leaves a true statement, or says nothing about the draw at all.
#[test]
fn what_a_mutation_leaves_alone_is_still_true() {
    let seed = seed(14);
    for (public, private) in turns(seed, None).take(12) {
        for name in ["public ctx", "public color", "public request root", "public answer root"] {
            let mutation = mutations_turn().into_iter().find(|m| m.name == name);
            let mutation = mutation.expect("the list has this name");
            let (mut public, mut private) = (public.clone(), private.clone());
            if (mutation.apply)(&mut public, &mut private).is_none() {
                assert_eq!(check(&public, &private), Ok(()), "{name}");
            }
        }
    }
}

#[test]
fn illegal_moves_are_refused_for_their_reason() {
    let seed = seed(15);
    for case in Illegal::ALL {
        for (public, private, expected) in illegal_turns(seed, case).take(5) {
            let found = check(&public, &private);
            assert_eq!(found, Err(expected), "{case:?} {:?}", private.mv);
        }
    }
}

#[test]
fn numbers_that_do_not_fit_the_state_are_refused() {
    use fog::statement::Unmet::StateRange;
    let draw = turns(seed(16), None).next();
    let (public, private) = draw.expect("an endless row");
    let mut high = private.clone();
    high.side.since_pawn = 128;
    assert_eq!(check(&public, &high), Err(StateRange));
    let mut off = private.clone();
    off.side.double_push = Some(8);
    assert_eq!(check(&public, &off), Err(StateRange));
}

#[test]
fn secrets_are_not_shown() {
    let draw = turns(seed(17), Some(TurnCase::Knight)).next();
    let (_, private) = draw.expect("an endless row");
    assert_eq!(format!("{private:?}"), "TurnPrivate(…)");
    assert_eq!(format!("{:?}", private.opened[0]), "Opened(…)");
}
