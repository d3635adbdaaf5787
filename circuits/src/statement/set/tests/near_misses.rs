//! Lists that are false on one line, many of each kind, without a prover: in each direction in which a piece looks, of either color.
//!
//! A false list is the true one with what another board, or another phase, has on a line: an element too many or too few, another type on its square, or the next
//! square with something. The set's owner lays it as its list, and digest and sum are declared as they fit. So all holds but that these elements are active.

use std::collections::BTreeMap;

use fog::{
    engine::Phase,
    psi::catalogue::{Catalogue, Extent, SetKind},
    statement::set::{SetError, SetPrivate, SetPublic, asked, numbers, shown},
    testing::{asked_sets, seed, shown_sets},
    vector::{Aim, Slot, slots},
};
use halo2curves::bn256::Fr;
use rand::{Rng, SeedableRng, rngs::StdRng, seq::SliceRandom};
use rules::{
    Color, PieceType, Side, Square,
    geometry::{DIRECTIONS, KNIGHT_STEPS, PAWN_SIDES},
};

use super::super::{SmallAskedCircuit, SmallShownCircuit};
use crate::{
    gadget::Layout,
    values::{Dry, Wanted},
};

/// At least so many of each kind.
const LEAST: usize = 30;
/// Of so many positions all kinds and directions must have been drawn.
const MOST: usize = 1000;
/// So many other men are told of each position.
const MEN: usize = 10;
/// Where the digest stands among the public inputs; the sum's coordinates are the last two.
const DIGEST: usize = 4;

/// Either statement.
trait Set: Layout {
    const KIND: SetKind;
    fn draws(seed: u64) -> impl Iterator<Item = (Self::Public, Self::Private)>;
    fn parts<'a>(public: &'a Self::Public, private: &'a Self::Private) -> (&'a SetPublic, &'a SetPrivate);
    /// The same of another board and captured square, if a game may have that.
    fn of_board(
        public: &Self::Public,
        private: &Self::Private,
        board: (Side, Option<Square>),
    ) -> Option<(Self::Public, Self::Private)>;
    fn declare(public: &Self::Public, digest: Fr, sum: [Fr; 2]) -> Self::Public;
    fn with_list(public: &Self::Public, private: &Self::Private, list: Vec<u64>) -> Self;
    fn check(public: &Self::Public, private: &Self::Private) -> Result<(), SetError>;
}

macro_rules! set {
    ($circuit:ty, $kind:expr, $statement:ident, $draws:ident) => {
        impl Set for $circuit {
            const KIND: SetKind = $kind;

            fn draws(seed: u64) -> impl Iterator<Item = (Self::Public, Self::Private)> {
                $draws(Extent::Small, seed)
            }

            fn parts<'a>(public: &'a Self::Public, private: &'a Self::Private) -> (&'a SetPublic, &'a SetPrivate) {
                (&public.set, &private.set)
            }

            fn of_board(
                public: &Self::Public,
                private: &Self::Private,
                (side, pending): (Side, Option<Square>),
            ) -> Option<(Self::Public, Self::Private)> {
                let SetPublic { extent, phase, .. } = public.set;
                let mut private = private.clone();
                private.set.side = side;
                $statement::gather(extent, pending, phase, public.weights.clone(), private).ok()
            }

            fn declare(public: &Self::Public, digest: Fr, [x, y]: [Fr; 2]) -> Self::Public {
                let mut public = public.clone();
                public.set.digest = digest;
                (public.sum.x, public.sum.y) = (x, y);
                public
            }

            fn with_list(public: &Self::Public, private: &Self::Private, list: Vec<u64>) -> Self {
                Self::of_list(public, private, list)
            }

            fn check(public: &Self::Public, private: &Self::Private) -> Result<(), SetError> {
                $statement::check(public, private)
            }
        }
    };
}

set!(SmallShownCircuit, SetKind::Shown, shown, shown_sets);
set!(SmallAskedCircuit, SetKind::Asked, asked, asked_sets);

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

/// A square as the owner of a set sees it from its receiver's side.
fn turned(kind: SetKind, owner: Color, square: Square) -> Square {
    if (owner == Color::White) == (kind == SetKind::Asked) { square } else { square.mirrored() }
}

/// The squares that a small set is about, as its owner has them.
fn told(kind: SetKind, owner: Color) -> Vec<Square> {
    let slots = Catalogue::get(kind, Extent::Small).groups.iter().map(|group| slots(Color::White)[group.slot]);
    slots.flat_map(|slot| [slot.square, slot.from]).map(|square| turned(kind, owner, square)).collect()
}

/// Squares that are seldom what they must be: where lines begin, or ahead of a pawn there.
fn seldom(kind: SetKind, owner: Color, rng: &mut StdRng) -> Square {
    let names = if kind == SetKind::Asked { ["b2", "d5"] } else { ["b3", "b4"] };
    turned(kind, owner, names.choose(rng).and_then(|name| name.parse().ok()).expect("a square"))
}

/// Another board that a game may have, of which more is in a small set: a man is exchanged with what stands on one of those squares, and for *shown* a pawn makes
/// a double push that d5 could capture, if it can. And a captured square of those that the set is about.
fn likely(kind: SetKind, side: &Side, phase: Phase, rng: &mut StdRng) -> Option<(Side, Option<Square>)> {
    let mut side = side.clone();
    let (man, _) = *side.men().collect::<Vec<_>>().choose(rng)?;
    side.pieces.swap(man.index(), seldom(kind, side.color, rng).index());
    if kind == SetKind::Shown && phase == Phase::Pre {
        let file = *[2, 4].choose(rng)?;
        let (first, last) = (side.color.pawn_rank(), side.color.double_push_rank());
        let [from, passed, to] =
            [first, first.midpoint(last), last].map(|rank| Square::at(file, rank).expect("a square"));
        if side.piece(from) == Some(PieceType::Pawn) && side.piece(passed).is_none() && side.piece(to).is_none() {
            side.pieces.swap(from.index(), to.index());
            side.double_push = Some(file);
            return Some((side, None));
        }
    }
    let may_fall = |square: &Square| side.piece(*square).is_some_and(|piece| piece != PieceType::King);
    let men: Vec<Square> = told(kind, side.color).into_iter().filter(may_fall).collect();
    let pending = men.choose(rng).copied();
    Some((side, pending))
}

/// Lists of other boards and of the other phase, each with what it is if not the set of another man.
fn others(kind: SetKind, public: &SetPublic, side: &Side, rng: &mut StdRng) -> Vec<(Option<Lie>, Vec<u64>)> {
    let of = |pending, phase, side: &Side| numbers(kind, Extent::Small, pending, phase, side).ok();
    let squares = told(kind, side.color);
    let men: Vec<Square> = squares.iter().copied().filter(|square| side.piece(*square).is_some()).collect();
    let mut others = Vec::new();
    for number in 0..MEN {
        let mut side = side.clone();
        let square = match number {
            0 => seldom(kind, side.color, rng),
            _ if number % 2 == 0 || men.is_empty() => *squares.choose(rng).expect("squares"),
            _ => *men.choose(rng).expect("men"),
        };
        side.pieces[square.index()] = PieceType::from_code(rng.gen_range(0..=6));
        others.push((None, of(public.pending, public.phase, &side)));
    }
    let mut pushed = side.clone();
    pushed.double_push = [None, Some(2), Some(4)][rng.gen_range(0..3)];
    others.push((None, of(public.pending, public.phase, &pushed)));
    others.push((Some(Lie::Fallen), of(None, public.phase, side)));
    let phase = if public.phase == Phase::Pre { Phase::Post } else { Phase::Pre };
    others.push((Some(Lie::OtherPhase), of(public.pending, phase, side)));
    others.into_iter().filter_map(|(lie, list)| Some((lie, list?))).collect()
}

fn every_false_list_is_refused<C: Set>(seed: u64) {
    let (rng, dry) = (&mut StdRng::seed_from_u64(seed), Dry::<C>::new());
    let catalogue = Catalogue::get(C::KIND, Extent::Small);
    let mut wanted = Wanted::new(LEAST, all(C::KIND));
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
                    if !wanted.take(&shown) {
                        continue;
                    }
                    if !is_accepted {
                        assert_eq!(C::check(&public, &private), Ok(()));
                        assert!(dry.refusals(&public, &private).is_empty(), "the true list is accepted");
                        is_accepted = true;
                    }
                    let circuit = C::with_list(&public, &private, list.clone());
                    let (computed, trace) = dry.lay(|config, cx| circuit.lay(config, cx));
                    let [.., x, y] = &computed[..] else { panic!("public inputs") };
                    let declared = C::declare(&public, computed[DIGEST].value, [x.value, y.value]);
                    assert_eq!(C::check(&declared, &private), Err(SetError::Digest), "{shown:?}");
                    let instance = C::instance(&declared).remove(0);
                    assert!(computed.iter().zip(&instance).all(|(cell, value)| cell.value == *value), "{shown:?}");
                    // What the listing has as active must be all that the list has.
                    let active = trace.listed.iter().filter(|(active, _)| *active == Fr::one());
                    let active: Vec<u64> = active.map(|(_, number)| *number).collect();
                    assert_ne!(active, list, "{shown:?}: the circuit doesn't notice");
                    let elements = |list: &[u64]| -> Vec<u64> {
                        list.iter().copied().filter(|number| *number < catalogue.first_dummy()).collect()
                    };
                    assert_eq!(elements(&active), elements(&right), "{shown:?}");
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
