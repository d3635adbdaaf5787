//! Either statement, and what false lists of it are made of.

use engines::{
    Unmet,
    bfv::vector::slots,
    psi::{
        catalogue::{Catalogue, Extent, SetKind},
        statement::{SetPrivate, SetPublic, asked, numbers, shown},
    },
    testing::{asked_sets, shown_sets},
};
use fog::engine::Phase;
use halo2curves::bn256::Fr;
use rand::{Rng, rngs::StdRng, seq::SliceRandom};
use rules::{Color, PieceType, Side, Square};

use super::super::super::{SmallAskedCircuit, SmallShownCircuit, asked::AskedWitness, shown::ShownWitness};
use super::Lie;
use crate::gadget::Layout;

/// So many other men are told of each position.
const MEN: usize = 10;

pub trait Set: Layout {
    const KIND: SetKind;
    fn draws(seed: u64) -> impl Iterator<Item = (Self::Public, Self::Private)>;
    fn parts<'a>(public: &'a Self::Public, private: &'a Self::Private) -> (&'a SetPublic, &'a SetPrivate);
    /// The statement of another board and captured square, if a game may have these.
    fn of_board(
        public: &Self::Public,
        private: &Self::Private,
        board: (Side, Option<Square>),
    ) -> Option<(Self::Public, Self::Private)>;
    fn declare(public: &Self::Public, digest: Fr, sum: [Fr; 2]) -> Self::Public;
    fn with_list(public: &Self::Public, private: &Self::Private, list: Vec<u64>) -> Self;
    fn check(public: &Self::Public, private: &Self::Private) -> Result<(), Unmet>;
}

macro_rules! set {
    ($circuit:ty, $witness:ident, $kind:expr, $statement:ident, $draws:ident) => {
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
                Self::assigning($witness::of_list(public, private, list))
            }

            fn check(public: &Self::Public, private: &Self::Private) -> Result<(), Unmet> {
                $statement::check(public, private)
            }
        }
    };
}

set!(SmallShownCircuit, ShownWitness, SetKind::Shown, shown, shown_sets);
set!(SmallAskedCircuit, AskedWitness, SetKind::Asked, asked, asked_sets);

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
pub fn likely(kind: SetKind, side: &Side, phase: Phase, rng: &mut StdRng) -> Option<(Side, Option<Square>)> {
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
pub fn others(kind: SetKind, public: &SetPublic, side: &Side, rng: &mut StdRng) -> Vec<(Option<Lie>, Vec<u64>)> {
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
