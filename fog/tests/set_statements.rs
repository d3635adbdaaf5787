//! The native checks of *shown* and *asked*: what is true is accepted, each broken value is refused by the relation that it breaks; and the
//! sets are those that the engines without proofs compare.

use fog::{
    engine::Phase,
    psi::{
        catalogue::{Catalogue, Extent, SetKind},
        element::Element,
        lines,
    },
    statement::set::{
        SetError,
        asked::{self, ASKED_INPUTS},
        numbers,
        shown::{self, SHOWN_INPUTS},
    },
    testing::{Walk, asked_sets, break_each, mutations_asked, mutations_shown, seed, shown_sets},
};
use rand::{SeedableRng, rngs::StdRng};
use rules::{Color, PieceType, Side, Square};
use std::collections::{BTreeSet, HashSet};

#[test]
fn sets_of_both_colors_and_phases_are_accepted() {
    for extent in Extent::ALL {
        let mut draws = HashSet::new();
        for (public, private) in shown_sets(extent, seed(170)).take(12) {
            assert_eq!(shown::check(&public, &private), Ok(()));
            assert_eq!(public.to_instance().len(), SHOWN_INPUTS + extent.entries(SetKind::Shown));
            draws.insert((public.set.color, public.set.phase == Phase::Pre));
        }
        assert_eq!(draws.len(), 4, "{draws:?}");
        let mut draws = HashSet::new();
        for (public, private) in asked_sets(extent, seed(171)).take(12) {
            assert_eq!(asked::check(&public, &private), Ok(()));
            assert_eq!(public.to_instance().len(), ASKED_INPUTS + extent.entries(SetKind::Asked));
            draws.insert((public.set.color, public.set.phase == Phase::Pre));
        }
        assert_eq!(draws.len(), 4, "{draws:?}");
    }
}

#[test]
fn every_broken_value_is_refused_by_its_relation() {
    let draws = shown_sets(Extent::Small, seed(172)).take(60).enumerate();
    break_each(&mutations_shown(), draws, |name, public, private, expected| {
        assert_eq!(shown::check(public, private), Err(expected), "shown, {name}");
    });
    let draws = asked_sets(Extent::Small, seed(173)).take(60).enumerate();
    break_each(&mutations_asked(), draws, |name, public, private, expected| {
        assert_eq!(asked::check(public, private), Err(expected), "asked, {name}");
    });
    let (mut public, private) = shown_sets(Extent::Small, seed(174)).next().expect("an endless row");
    public.weights.pop();
    assert_eq!(shown::check(&public, &private), Err(SetError::Weights));
    let (mut public, private) = asked_sets(Extent::Small, seed(174)).next().expect("an endless row");
    public.weights.pop();
    assert_eq!(asked::check(&public, &private), Err(SetError::Weights));
}

/// The catalogue's sets are [`lines::shown`] and [`lines::asked`], and their numbers ascend; only dummies follow.
#[test]
fn sets_are_those_that_are_compared_without_proofs() {
    let mut rng = StdRng::seed_from_u64(seed(175));
    let mut walk = Walk::start();
    for _ in 0..300 {
        walk.advance(&mut rng);
        for (kind, side) in SetKind::ALL.into_iter().flat_map(|kind| [(kind, &walk.sides[0]), (kind, &walk.sides[1])]) {
            for phase in [Phase::Pre, Phase::Post] {
                let (right, receiver) = match kind {
                    SetKind::Shown => (lines::shown(side, phase), !side.color),
                    SetKind::Asked => (lines::asked(side, phase), side.color),
                };
                let catalogue = Catalogue::get(kind, Extent::Full);
                let found = numbers(kind, Extent::Full, None, phase, side).expect("it isn't outgrown");
                assert!(found.is_sorted_by(|a, b| a < b) && found.len() == catalogue.entries);
                let elements = found.iter().map(|number| catalogue.element(*number, receiver).expect("a number"));
                let (dummies, found): (Vec<Element>, BTreeSet<Element>) = {
                    let (dummies, others): (Vec<_>, Vec<_>) = elements.partition(|element| element.is_dummy());
                    (dummies, others.into_iter().collect())
                };
                assert_eq!(found, right.into_iter().collect());
                assert_eq!(dummies.len() + found.len(), catalogue.entries);
            }
        }
    }
}

#[test]
fn numbers_and_points_name_one_element_each() {
    for kind in SetKind::ALL {
        let catalogue = Catalogue::get(kind, Extent::Full);
        println!("{kind:?}: {} elements, {} of them dummies", catalogue.last(), catalogue.entries);
        for color in Color::ALL {
            let all = (1..=catalogue.last()).map(|number| catalogue.element(number, color).expect("a number"));
            assert_eq!(all.collect::<HashSet<_>>().len() as u64, catalogue.last());
        }
        let distinct: HashSet<_> = catalogue.points().iter().map(|point| point.x.to_bytes()).collect();
        assert_eq!(distinct.len() as u64, catalogue.last(), "no two are equal or opposite");
        assert!(catalogue.last() < 1 << fog::psi::catalogue::NUMBER_BITS);
        assert_eq!(catalogue.element(0, Color::White), None);
        assert_eq!(catalogue.element(catalogue.last() + 1, Color::White), None);
    }
    let [shown, asked] = SetKind::ALL.map(|kind| Catalogue::get(kind, Extent::Full));
    let first = shown.first_dummy();
    assert_eq!(first, asked.first_dummy());
    assert_eq!(shown.points()[..first as usize - 1], asked.points()[..first as usize - 1]);
    assert!(!shown.points()[first as usize - 1..].contains(&asked.points()[first as usize - 1]));
}

/// A queen in the middle asks for more than a small set holds. (No board is known whose full set is outgrown.)
#[test]
fn a_set_that_outgrows_its_entries_is_refused() {
    let mut side = Side::empty(Color::White);
    let square: Square = "d5".parse().expect("a square");
    side.pieces[square.index()] = Some(PieceType::Queen);
    for phase in [Phase::Pre, Phase::Post] {
        assert_eq!(numbers(SetKind::Asked, Extent::Small, None, phase, &side), Err(SetError::Outgrown));
        assert!(numbers(SetKind::Asked, Extent::Full, None, phase, &side).is_ok());
    }
}
