//! Broken values of *shown* and *asked*: each public field, each private one, and entries of the list under digest and sum.

use super::{Mutation, mutations};
use crate::{
    F,
    commitment::commit,
    curve::{Point, Scalar},
    engine::Phase,
    exponent::{EXPONENT_BITS, Exponent},
    psi::{
        catalogue::{Catalogue, SetKind},
        digest::{asked_digest, shown_digest},
        weight::{Weight, weighted_sum, weights},
    },
    statement::set::{
        SetError, SetPrivate, SetPublic,
        asked::{self, AskedPrivate, AskedPublic},
        numbers,
        shown::{self, ShownPrivate, ShownPublic},
    },
};
use ff::Field;
use group::Curve;
use rules::{Color, PieceType, Square};

/// A broken value of *shown*.
pub type ShownMutation = Mutation<ShownPublic, ShownPrivate, SetError>;
/// A broken value of *asked*.
pub type AskedMutation = Mutation<AskedPublic, AskedPrivate, SetError>;

/// Broken values that both statements have.
macro_rules! of_both {
    ($mutation:ident, $check:path, $gather:path) => {
        mutations! { $mutation, p, w:
            "public commitment": p.set.commitment += F::ONE => SetError::Commitment,
            "public pending: another square" => |p, w| {
                let before = $check(p, w);
                p.set.pending = w.set.side.men().map(|(square, _)| Some(square)).find(|square| {
                    let mut other = p.clone();
                    other.set.pending = *square;
                    $check(&other, w) != before
                })?;
                $check(p, w).err()
            },
            "public pending: nowhere" => |p, w| {
                let square = telling(&mut w.set, p.set.color);
                let SetPublic { extent, phase, .. } = p.set;
                (*p, _) = $gather(extent, Some(square), phase, p.weights.clone(), w.clone()).ok()?;
                p.set.pending = None;
                $check(p, w).err()
            },
            "public color" => |p, w| {
                p.set.color = !p.set.color;
                $check(p, w).err()
            },
            "public phase" => |p, w| {
                telling(&mut w.set, p.set.color);
                (*p, _) = $gather(p.set.extent, None, Phase::Pre, p.weights.clone(), w.clone()).ok()?;
                p.set.phase = Phase::Post;
                $check(p, w).err()
            },
            "public digest": p.set.digest += F::ONE => SetError::Digest,
            "public sum": p.sum = (p.sum + Point::generator()).to_affine() => SetError::Sum,
            "public sum: its negative": p.sum.y = -p.sum.y => SetError::Sum,
            "public weights: the first": other_weight(&mut p.weights, 0) => SetError::Sum,
            "public weights: the last" => |p, w| {
                let last = p.weights.len() - 1;
                other_weight(&mut p.weights, last);
                $check(p, w).err()
            },
            "public weights: two exchanged": p.weights.swap(0, 1) => SetError::Sum,
            "digest salt": w.set.digest_salt += F::ONE => SetError::Digest,
            "state: a piece": turn_piece(&mut w.set) => SetError::Commitment,
            "state: a piece, committed to" => |p, w| {
                turn_piece(&mut w.set);
                p.set.commitment = commit(&w.set.side, w.set.salt);
                $check(p, w).err()
            },
            "state: a piece, committed to and listed" => |p, w| {
                // All fits but the sum of points, which were sent before.
                turn_piece(&mut w.set);
                let SetPublic { extent, pending, phase, .. } = p.set;
                let (other, _) = $gather(extent, pending, phase, p.weights.clone(), w.clone()).ok()?;
                (other.sum != p.sum).then(|| p.set = other.set)?;
                Some(SetError::Sum)
            },
            "state: a right": w.set.side.rights.king_side = !w.set.side.rights.king_side => SetError::Commitment,
            "state: double push": turn_push(&mut w.set) => SetError::Commitment,
            "state: double push on a ninth file" => |p, w| {
                w.set.side.double_push = Some(8);
                p.set.commitment = commit(&w.set.side, w.set.salt);
                Some(SetError::StateRange)
            },
            "state: counter": w.set.side.since_pawn ^= 1 => SetError::Commitment,
            "salt": w.set.salt += F::ONE => SetError::Commitment,
        }
    };
}

/// Broken values of *shown*.
pub fn mutations_shown() -> Vec<ShownMutation> {
    let mut all = of_both!(ShownMutation, shown::check, shown::gather);
    all.extend(mutations! { ShownMutation, p, w:
        "public key": p.key = (p.key + Point::generator()).to_affine() => SetError::Key,
        "public key: its negative": p.key.y = -p.key.y => SetError::Key,
        "exponent": w.exponent = Exponent::new([7; EXPONENT_BITS / 8]) => SetError::Key,
        "places: two exchanged" => |p, w| {
            w.places.swap(3, 4);
            shown::check(p, w).err()
        },
        "places: two exchanged, listed" => |p, w| {
            w.places.swap(3, 4);
            p.set.digest = shown_digest(&list(SetKind::Shown, &p.set, &w.set)?, &w.places, w.set.digest_salt);
            Some(SetError::Sum)
        },
        "places: one twice, in digest and sum" => |p, w| {
            w.places[3] = w.places[4];
            retell_shown(p, w, &list(SetKind::Shown, &p.set, &w.set)?);
            Some(SetError::Places)
        },
        "list: another element first, in digest and sum" => |p, w| {
            let mut list = list(SetKind::Shown, &p.set, &w.set)?;
            list[0] = (1..).find(|number| !list.contains(number))?;
            retell_shown(p, w, &list);
            Some(SetError::Digest)
        },
        "list: an element less, in digest and sum" => |p, w| {
            let mut list = list(SetKind::Shown, &p.set, &w.set)?;
            let first = Catalogue::get(SetKind::Shown, p.set.extent).first_dummy();
            (list.remove(0) < first).then_some(())?;
            list.push(list.last()? + 1);
            retell_shown(p, w, &list);
            Some(SetError::Digest)
        },
        "list: two entries exchanged, in digest and sum" => |p, w| {
            let mut list = list(SetKind::Shown, &p.set, &w.set)?;
            list.swap(0, 1);
            retell_shown(p, w, &list);
            Some(SetError::Digest)
        },
        "state: double push, committed to" => |p, w| {
            telling(&mut w.set, p.set.color);
            (*p, _) = shown::gather(p.set.extent, None, Phase::Pre, p.weights.clone(), w.clone()).ok()?;
            w.set.side.double_push = None;
            p.set.commitment = commit(&w.set.side, w.set.salt);
            Some(SetError::Digest)
        },
    });
    all
}

/// Broken values of *asked*, which doesn't depend on the double push.
pub fn mutations_asked() -> Vec<AskedMutation> {
    let mut all = of_both!(AskedMutation, asked::check, asked::gather);
    all.extend(mutations! { AskedMutation, p, w:
        "blinding": w.blinding += Scalar::ONE => SetError::Sum,
        "list: another element first, in digest and sum" => |p, w| {
            let mut list = list(SetKind::Asked, &p.set, &w.set)?;
            list[0] = (1..).find(|number| !list.contains(number))?;
            retell_asked(p, w, &list);
            Some(SetError::Digest)
        },
        "list: an element less, in digest and sum" => |p, w| {
            let mut list = list(SetKind::Asked, &p.set, &w.set)?;
            let first = Catalogue::get(SetKind::Asked, p.set.extent).first_dummy();
            (list.remove(0) < first).then_some(())?;
            list.push(list.last()? + 1);
            retell_asked(p, w, &list);
            Some(SetError::Digest)
        },
        "list: a dummy for an element, in digest and sum" => |p, w| {
            let first = Catalogue::get(SetKind::Asked, p.set.extent).first_dummy();
            let mut list = list(SetKind::Asked, &p.set, &w.set)?;
            let last = list.len() - 1;
            (list[0] < first).then(|| list[0] = list[last] + 1)?;
            retell_asked(p, w, &list);
            Some(SetError::Digest)
        },
    });
    all
}

/// The list of the board.
fn list(kind: SetKind, public: &SetPublic, private: &SetPrivate) -> Option<Vec<u64>> {
    numbers(kind, public.extent, public.pending, public.phase, &private.side).ok()
}

/// Digest and sum of another list.
fn retell_shown(p: &mut ShownPublic, w: &ShownPrivate, list: &[u64]) {
    let weights: Vec<Weight> = w.places.iter().map(|place| p.weights[*place]).collect();
    let points = Catalogue::get(SetKind::Shown, p.set.extent).points_of(list);
    p.set.digest = shown_digest(list, &w.places, w.set.digest_salt);
    p.sum = w.exponent.raise(&weighted_sum(&points, &weights));
}

fn retell_asked(p: &mut AskedPublic, w: &AskedPrivate, list: &[u64]) {
    let points = Catalogue::get(SetKind::Asked, p.set.extent).points_of(list);
    p.set.digest = asked_digest(list, w.set.digest_salt);
    p.sum = (weighted_sum(&points, &p.weights) + Point::generator() * w.blinding).to_affine();
}

fn other_weight(all: &mut [Weight], place: usize) {
    all[place] = weights(&[17; 32], 1)[0];
}

/// A queen on a square of the middle, or none.
fn turn_piece(w: &mut SetPrivate) {
    let piece = &mut w.side.pieces[27];
    *piece = if piece.is_some() { None } else { Some(PieceType::Queen) };
}

/// A state in which phase and captured square tell: a pawn where small sets look from, which may capture *en passant*, and a last move that such a
/// pawn may capture. Gives the pawn's square.
fn telling(w: &mut SetPrivate, color: Color) -> Square {
    let square = if color == Color::White { "d5" } else { "d4" };
    let square: Square = square.parse().expect("a square");
    w.side.color = color;
    w.side.pieces[square.index()] = Some(PieceType::Pawn);
    w.side.double_push = Some(4);
    square
}

fn turn_push(w: &mut SetPrivate) {
    w.side.double_push = if w.side.double_push.is_some() { None } else { Some(7) };
}
