//! Lists that are false on one line, many of each kind, without a prover: in each direction in which a piece looks, of either color.
//!
//! A false list is the true one with what another board, or another phase, has on a line: an element too many or too few, another type on its square, or the next
//! square with something. The set's owner lays it as its list, and digest and sum are declared as they fit. So all holds but that these elements are active.

mod drawn;

use std::collections::BTreeMap;

use engines::{
    Unmet,
    bfv::vector::{Aim, Slot, slots},
    psi::{
        catalogue::{Catalogue, Extent, SetKind},
        statement::numbers,
    },
};
use fog::testing::{cases, seed};
use halo2curves::bn256::Fr;
use rand::{SeedableRng, rngs::StdRng, seq::SliceRandom};
use rules::{
    Color, PieceType, Square,
    geometry::{DIRECTIONS, KNIGHT_STEPS, PAWN_SIDES},
};

use super::super::{SmallAskedCircuit, SmallShownCircuit};
use crate::values::{Dry, Wanted};
use drawn::{Set, likely, others};

/// At least so many of each kind.
const LEAST: usize = 30;
/// Of so many positions all kinds and directions must have been drawn.
const MOST: usize = 1000;
/// Where the digest stands among the public inputs; the sum's coordinates are the last two.
const DIGEST: usize = 4;

/// How a piece looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Look {
    Ray,
    Knight,
    King,
    Capture,
    Ahead,
    Jump,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Lie {
    /// An element that isn't in the set.
    TooMany,
    /// One that is in the set is missing.
    TooFew,
    /// Another type on a square.
    OtherType,
    /// What is nearer or farther on a line.
    OtherSquare,
    /// The captured piece still stands.
    Fallen,
    /// It is the set of the other phase.
    OtherPhase,
}

/// The owner of the set, and the direction or the knight's step.
type Way = (usize, (i8, i8));
type Shown = ((Look, Lie), Way);

fn all(kind: SetKind) -> Vec<Shown> {
    let sides = PAWN_SIDES.map(|side| (side, 1));
    let looks: [(Look, &[(i8, i8)]); 6] = [
        (Look::Ray, &DIRECTIONS),
        (Look::Knight, &KNIGHT_STEPS),
        (Look::King, &DIRECTIONS),
        (Look::Capture, &sides),
        (Look::Ahead, &[(0, 1)]),
        (Look::Jump, &sides),
    ];
    let mut all = Vec::new();
    for (look, directions) in looks {
        let mut lies = vec![Lie::TooMany, Lie::TooFew];
        if kind == SetKind::Shown {
            lies.extend((!matches!(look, Look::Ahead | Look::Jump)).then_some(Lie::OtherType));
            lies.extend(matches!(look, Look::Ray | Look::Ahead).then_some(Lie::OtherSquare));
        }
        lies.extend((look == Look::Ray).then_some(Lie::Fallen));
        lies.extend((look == Look::Jump).then_some(Lie::OtherPhase));
        for (lie, direction) in lies.iter().flat_map(|lie| directions.iter().map(move |step| (*lie, *step))) {
            all.extend(Color::ALL.map(|owner| ((look, lie), (owner.index(), direction))));
        }
    }
    all
}

/// The slot of an element, for a White receiver.
fn slot(catalogue: &Catalogue, number: u64) -> Slot {
    let group = catalogue.groups.iter().rev().find(|group| group.first <= number).expect("the number of an element");
    slots(Color::White)[group.slot]
}

fn look(slot: &Slot) -> (Look, (i8, i8)) {
    let of = |square: Square| (square.file() as i8, square.rank() as i8);
    let (from, to) = (of(slot.from), of(slot.square));
    let (files, ranks) = (to.0 - from.0, to.1 - from.1);
    let look = match (slot.aim, slot.piece) {
        (Aim::Jump, _) => Look::Jump,
        (Aim::Way, _) => Look::Ahead,
        (_, PieceType::Pawn) => Look::Capture,
        (_, PieceType::Knight) => return (Look::Knight, (files, ranks)),
        (_, PieceType::King) => Look::King,
        _ => Look::Ray,
    };
    (look, (files.signum(), ranks.signum()))
}

/// What another set has and the true one hasn't, and the other way round, by lines.
type Differences = BTreeMap<(u8, Square, Look, (i8, i8)), [Vec<u64>; 2]>;

fn differences(catalogue: &Catalogue, right: &[u64], other: &[u64]) -> Differences {
    let mut by_line = Differences::new();
    for (which, [of, than]) in [[right, other], [other, right]].into_iter().enumerate() {
        for number in of.iter().filter(|number| **number < catalogue.first_dummy() && !than.contains(number)) {
            let slot = slot(catalogue, *number);
            let (look, direction) = look(&slot);
            by_line.entry((slot.piece.code(), slot.from, look, direction)).or_default()[which].push(*number);
        }
    }
    by_line
}

/// The true list with one element, or what stands in its place, as on the other board; none if that is more than a list may have.
fn false_list(
    catalogue: &Catalogue,
    kind: SetKind,
    right: &[u64],
    [gone, come]: [&[u64]; 2],
    rng: &mut StdRng,
) -> Option<(Lie, Vec<u64>)> {
    let any = |of: &[u64], rng: &mut StdRng| of.choose(rng).copied();
    let (gone, come) = (any(gone, rng), any(come, rng));
    let lie = match (gone, come) {
        (Some(gone), Some(come)) if slot(catalogue, gone) == slot(catalogue, come) => Lie::OtherType,
        (Some(_), Some(_)) => Lie::OtherSquare,
        (Some(_), None) => Lie::TooFew,
        _ => Lie::TooMany,
    };
    let first = catalogue.first_dummy();
    let elements = right.iter().copied().filter(|number| *number < first && Some(*number) != gone);
    let mut list: Vec<u64> = elements.chain(come).collect();
    list.sort_unstable();
    list.extend((first..).take(Extent::Small.entries(kind).checked_sub(list.len())?));
    Some((lie, list))
}

/// The public inputs that a circuit of a list computes, and what its listing has as active, if no binding refuses it but that of their number.
fn laid<C: Set>(dry: &Dry<C>, circuit: &C) -> (Vec<Fr>, Vec<u64>) {
    let (computed, trace) = dry.lay(|config, cx| circuit.lay(config, cx));
    let others: Vec<_> = trace.refused().into_iter().filter(|label| !label.ends_with(".entries")).collect();
    assert!(others.is_empty(), "{others:?}");
    let active = trace.listed.iter().filter(|(active, _)| *active == Fr::one());
    (computed.iter().map(|cell| cell.value).collect(), active.map(|(_, number)| *number).collect())
}

fn accept<C: Set>(dry: &Dry<C>, public: &C::Public, private: &C::Private, right: &[u64]) {
    assert_eq!(C::check(public, private), Ok(()));
    assert_eq!(dry.refusals(public, private), Default::default(), "the true list is accepted");
    assert_eq!(laid(dry, &C::new(public, private)).1, right);
}

/// All public inputs fit, but what the listing has as active isn't what the list has: its elements are those of the true list.
fn refuse<C: Set>(dry: &Dry<C>, (public, private): (&C::Public, &C::Private), right: &[u64], list: &[u64], what: &str) {
    let (computed, active) = laid(dry, &C::with_list(public, private, list.to_vec()));
    let [.., x, y] = computed[..] else { panic!("public inputs") };
    let declared = C::declare(public, computed[DIGEST], [x, y]);
    assert_eq!(C::check(&declared, private), Err(Unmet::Digest), "{what}");
    assert_eq!(computed, C::instance(&declared).remove(0)[..computed.len()], "{what}");
    assert_ne!(active, list, "{what}: the circuit doesn't notice");
    let first = Catalogue::get(C::KIND, Extent::Small).first_dummy();
    let elements = |list: &[u64]| -> Vec<u64> { list.iter().copied().filter(|number| *number < first).collect() };
    assert_eq!(elements(&active), elements(right), "{what}");
}

fn every_false_list_is_refused<C: Set>(seed: u64) {
    let (rng, dry) = (&mut StdRng::seed_from_u64(seed), Dry::<C>::new());
    let catalogue = Catalogue::get(C::KIND, Extent::Small);
    let mut wanted = Wanted::new(cases(LEAST), all(C::KIND).into_iter().map(|(kind, _)| kind), all(C::KIND));
    let (mut refused, mut positions) = (0, 0);
    for (public, private) in C::draws(seed).take(MOST) {
        if wanted.is_over() {
            break;
        }
        positions += 1;
        let mut statements = vec![(public, private)];
        let (public, private) = &statements[0];
        let (set, of) = C::parts(public, private);
        let other = likely(C::KIND, &of.side, set.phase, rng);
        statements.extend(other.and_then(|board| C::of_board(public, private, board)));
        for (public, private) in statements {
            let (set, of) = C::parts(&public, &private);
            let right = numbers(C::KIND, Extent::Small, set.pending, set.phase, &of.side).expect("a set that fits");
            let mut is_accepted = false;
            for (why, other) in others(C::KIND, set, &of.side, rng) {
                for ((_, _, look, direction), [gone, come]) in differences(catalogue, &right, &other) {
                    let Some((lie, list)) = false_list(catalogue, C::KIND, &right, [&gone, &come], rng) else {
                        continue;
                    };
                    let way = (of.side.color.index(), direction);
                    let mut shown = vec![((look, lie), way)];
                    shown.extend(why.map(|why| ((look, why), way)));
                    if !wanted.take(shown.iter().map(|(kind, _)| *kind), shown.iter().copied()) {
                        continue;
                    }
                    if !is_accepted {
                        accept(&dry, &public, &private, &right);
                        is_accepted = true;
                    }
                    refuse(&dry, (&public, &private), &right, &list, &format!("{shown:?}"));
                    refused += 1;
                }
            }
        }
    }
    wanted.assert_all_drawn();
    println!("{}: {refused} near misses of {positions} positions", C::NAME);
}

#[test]
fn every_false_shown_list_is_refused() {
    every_false_list_is_refused::<SmallShownCircuit>(seed(194));
}

#[test]
fn every_false_asked_list_is_refused() {
    every_false_list_is_refused::<SmallAskedCircuit>(seed(195));
}
