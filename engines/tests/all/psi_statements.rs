//! The native checks of *shown* and *asked*: what is true is accepted, each broken value is refused by the relation that it breaks; and the
//! sets are those that the engines without proofs compare.

use engines::{
    Unmet,
    psi::{
        catalogue::{Catalogue, Extent, SetKind},
        element::Element,
        lines,
        statement::{
            SetPublic,
            asked::{self, ASKED_INPUTS},
            men, numbers,
            shown::{self, SHOWN_INPUTS},
        },
    },
    testing::{asked_sets, mutations_asked, mutations_shown, shown_sets},
};
use fog::{
    engine::Phase,
    testing::{Walk, break_each, seed},
};
use rand::{Rng, SeedableRng, rngs::StdRng, seq::SliceRandom};
use rules::{Color, Move, PieceType, Seen, Side, Square};
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
    break_each(&mutations_shown(), usize::MAX, draws, |name, public, private, expected| {
        assert_eq!(shown::check(public, private), Err(expected), "shown, {name}");
    });
    let draws = asked_sets(Extent::Small, seed(173)).take(60).enumerate();
    break_each(&mutations_asked(), usize::MAX, draws, |name, public, private, expected| {
        assert_eq!(asked::check(public, private), Err(expected), "asked, {name}");
    });
    let (mut public, private) = shown_sets(Extent::Small, seed(174)).next().expect("an endless row");
    public.weights.pop();
    assert_eq!(shown::check(&public, &private), Err(Unmet::Weights));
    let (mut public, private) = asked_sets(Extent::Small, seed(174)).next().expect("an endless row");
    public.weights.pop();
    assert_eq!(asked::check(&public, &private), Err(Unmet::Weights));
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
        assert!(catalogue.last() < 1 << engines::psi::catalogue::NUMBER_BITS);
        assert_eq!(catalogue.element(0, Color::White), None);
        assert_eq!(catalogue.element(catalogue.last() + 1, Color::White), None);
    }
    let [shown, asked] = SetKind::ALL.map(|kind| Catalogue::get(kind, Extent::Full));
    let first = shown.first_dummy();
    assert_eq!(first, asked.first_dummy());
    assert_eq!(shown.points()[..first as usize - 1], asked.points()[..first as usize - 1]);
    assert!(!shown.points()[first as usize - 1..].contains(&asked.points()[first as usize - 1]));
}

/// How many men of each kind a side may have besides its king: pawns, knights, light and dark bishops, rooks, queens. All that falls and promotions
/// leave of those that a game begins with, found by making them.
fn reachable() -> HashSet<[u8; 6]> {
    let start = [8, 2, 1, 1, 2, 1];
    let (mut found, mut next) = (HashSet::from([start]), vec![start]);
    while let Some(men) = next.pop() {
        for fallen in (0..6).filter(|kind| men[*kind] > 0) {
            let mut fewer = men;
            fewer[fallen] -= 1;
            let promotions = (1..6).filter(|_| fallen == 0).map(|kind| {
                let mut promoted = fewer;
                promoted[kind] += 1;
                promoted
            });
            next.extend(promotions.chain([fewer]).filter(|men| found.insert(*men)));
        }
    }
    found
}

/// A side with so many men, and a king.
fn side_of(color: Color, men: [u8; 6], rng: &mut StdRng) -> Side {
    use PieceType::{Bishop, King, Knight, Pawn, Queen, Rook};
    let mut side = Side::empty(color);
    let kinds = [(Pawn, None), (Knight, None), (Bishop, Some(1)), (Bishop, Some(0)), (Rook, None), (Queen, None)];
    let counted = kinds.into_iter().zip(men).flat_map(|(kind, count)| (0..count).map(move |_| kind));
    for (piece, shade) in [(King, None)].into_iter().chain(counted) {
        let is_right = |square: &Square| {
            let may_stand = piece != Pawn || (1..7).contains(&square.rank());
            may_stand && shade.is_none_or(|shade| (square.file() + square.rank()) % 2 == shade)
        };
        let free: Vec<Square> = Square::all().filter(|square| side.piece(*square).is_none()).filter(is_right).collect();
        side.pieces[free.choose(rng).expect("a free square").index()] = Some(piece);
    }
    side
}

/// Of boards whose men are close to what a side may have, just those are accepted whose men falls and promotions leave.
#[test]
fn men_are_those_that_falls_and_promotions_leave() {
    let rng = &mut StdRng::seed_from_u64(seed(176));
    let reachable = reachable();
    let mut all: Vec<_> = reachable.iter().copied().collect();
    all.sort_unstable();
    let mut refused = 0;
    for number in 0..4000 {
        let mut men = *all.choose(rng).expect("many");
        for _ in 0..rng.gen_range(0..4) {
            men[rng.gen_range(0..6)] += 1;
        }
        let color = Color::ALL[number % 2];
        let found = men::check(&side_of(color, men, rng));
        let expected = if reachable.contains(&men) { Ok(()) } else { Err(Unmet::Men) };
        assert_eq!(found, expected, "{men:?}");
        refused += usize::from(found.is_err());
    }
    println!("{} counts of men may be; {refused} of 4000 boards are refused", reachable.len());
    assert!((500..3500).contains(&refused), "{refused}");
}

/// Every side of random games is one that a game may have; also where a king was just captured, which its owner's commitment still holds.
#[test]
fn boards_of_games_are_accepted() {
    let rng = &mut StdRng::seed_from_u64(seed(177));
    let (mut walk, mut ends, mut pushes) = (Walk::start(), 0, 0);
    for _ in 0..3000 {
        walk.advance(rng);
        // Walks spare kings, so the moves that take one are made beside them.
        let sight = walk.sight();
        let takes_king = |mv: &Move| sight.at(mv.to) == Seen::Piece(PieceType::King);
        let mut ended = walk.clone();
        if let Some(mv) = walk.legal_moves().iter().find(|mv| takes_king(mv)) {
            ended.play(mv);
            assert!(ended.over, "{mv}");
            ends += 1;
        }
        for side in walk.sides.iter().chain(&ended.sides) {
            assert_eq!(men::check(side), Ok(()), "{side:?}");
            pushes += usize::from(side.double_push.is_some());
        }
    }
    assert!(ends > 20 && pushes > 100, "{ends} kings fell, {pushes} double pushes");
}

/// Who commits to a board that no game has makes no statement of it.
#[test]
fn no_statement_is_made_of_a_board_that_no_game_has() {
    let (public, mut private) = shown_sets(Extent::Small, seed(178)).next().expect("an endless row");
    private.set.side = Side::empty(Color::White);
    let SetPublic { extent, phase, .. } = public.set;
    let refused = shown::gather(extent, None, phase, public.weights, private).err();
    assert_eq!(refused, Some(Unmet::Kings));
    let (public, mut private) = asked_sets(Extent::Small, seed(178)).next().expect("an endless row");
    private.set.side = Side::empty(Color::White);
    let refused = asked::gather(extent, None, phase, public.weights, private).err();
    assert_eq!(refused, Some(Unmet::Kings));
}

/// A queen in the middle asks for more than a small set holds. (No board is known whose full set is outgrown.)
#[test]
fn a_set_that_outgrows_its_entries_is_refused() {
    let mut side = Side::empty(Color::White);
    let square: Square = "d5".parse().expect("a square");
    side.pieces[square.index()] = Some(PieceType::Queen);
    for phase in [Phase::Pre, Phase::Post] {
        assert_eq!(numbers(SetKind::Asked, Extent::Small, None, phase, &side), Err(Unmet::Outgrown));
        assert!(numbers(SetKind::Asked, Extent::Full, None, phase, &side).is_ok());
    }
}
