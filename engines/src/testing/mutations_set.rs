//! Broken values of *shown* and *asked*: each public field, each private one, entries of the list under digest and sum, and
//! boards that no game has, of which all else is true.

use crate::{
    Unmet,
    psi::{
        catalogue::{Catalogue, SetKind},
        digest::{asked_digest, shown_digest},
        statement::{
            SetPrivate, SetPublic,
            asked::{self, AskedPrivate, AskedPublic},
            numbers,
            shown::{self, ShownPrivate, ShownPublic},
        },
        weight::{Weight, weighted_sum, weights},
    },
};
use ff::Field;
use fog::{
    F,
    commitment::commit,
    curve::{Point, Scalar},
    engine::Phase,
    exponent::{EXPONENT_BITS, Exponent},
};
use fog::{mutations, testing::Mutation};
use group::Curve;
use rules::{
    Color,
    PieceType::{self, Bishop, King, Knight, Pawn, Queen, Rook},
    Side, Square,
};

/// A broken value of *shown*.
pub type ShownMutation = Mutation<ShownPublic, ShownPrivate, Unmet>;
/// A broken value of *asked*.
pub type AskedMutation = Mutation<AskedPublic, AskedPrivate, Unmet>;

/// Broken values that both statements have.
macro_rules! of_both {
    ($mutation:ident, $check:path, $gather:path, $of_board:path) => {
        mutations! { $mutation, p, w:
            "public commitment": p.set.commitment += F::ONE => Unmet::Commitment,
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
            "public digest": p.set.digest += F::ONE => Unmet::Digest,
            "public sum": p.sum = (p.sum + Point::generator()).to_affine() => Unmet::Sum,
            "public sum: its negative": p.sum.y = -p.sum.y => Unmet::Sum,
            "public weights: the first": other_weight(&mut p.weights, 0) => Unmet::Sum,
            "public weights: the last" => |p, w| {
                let last = p.weights.len() - 1;
                other_weight(&mut p.weights, last);
                $check(p, w).err()
            },
            "public weights: two exchanged": p.weights.swap(0, 1) => Unmet::Sum,
            "digest salt": w.set.digest_salt += F::ONE => Unmet::Digest,
            "state: a piece": turn_piece(&mut w.set) => Unmet::Commitment,
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
                Some(Unmet::Sum)
            },
            "state: a right": w.set.side.rights.king_side = !w.set.side.rights.king_side => Unmet::Commitment,
            "state: double push": turn_push(&mut w.set) => Unmet::Commitment,
            "state: double push on a ninth file" => |p, w| {
                w.set.side.double_push = Some(8);
                p.set.commitment = commit(&w.set.side, w.set.salt);
                Some(Unmet::StateRange)
            },
            "state: counter": w.set.side.since_pawn ^= 1 => Unmet::Commitment,
            "salt": w.set.salt += F::ONE => Unmet::Commitment,
            "board: no king": $of_board(p, w, None, &[("e1", None)]) => Unmet::Kings,
            "board: a second king": $of_board(p, w, None, &[("h3", Some(King))]) => Unmet::Kings,
            "board: a pawn on the first rank": $of_board(p, w, None, &[("h1", Some(Pawn)), ("h2", None)]) => Unmet::PawnRank,
            "board: a pawn on the last rank": $of_board(p, w, None, &[("h8", Some(Pawn)), ("h2", None)]) => Unmet::PawnRank,
            "board: a ninth pawn": $of_board(p, w, None, &[("h3", Some(Pawn))]) => Unmet::Men,
            "board: a third knight": $of_board(p, w, None, &[("h3", Some(Knight))]) => Unmet::Men,
            "board: a second light bishop": $of_board(p, w, None, &[("h3", Some(Bishop))]) => Unmet::Men,
            "board: a second dark bishop": $of_board(p, w, None, &[("g3", Some(Bishop))]) => Unmet::Men,
            "board: two light bishops and no dark one":
                $of_board(p, w, None, &[("h3", Some(Bishop)), ("c1", None)]) => Unmet::Men,
            "board: a third rook": $of_board(p, w, None, &[("h3", Some(Rook))]) => Unmet::Men,
            "board: a second queen": $of_board(p, w, None, &[("h3", Some(Queen))]) => Unmet::Men,
            "board: two promotions of one pawn":
                $of_board(p, w, None, &[("h2", None), ("h3", Some(Knight)), ("g3", Some(Rook))]) => Unmet::Men,
            "board: a double push without its pawn": $of_board(p, w, Some(7), &[]) => Unmet::DoublePush,
            "board: a double push over a man":
                $of_board(p, w, Some(7), &[("h2", None), ("h4", Some(Pawn)), ("g1", None), ("h3", Some(Knight))]) => Unmet::DoublePush,
            "board: a double push from a man's square":
                $of_board(p, w, Some(7), &[("h2", Some(Rook)), ("h4", Some(Pawn)), ("h1", None)]) => Unmet::DoublePush,
            "board: a double push of another man than a pawn":
                $of_board(p, w, Some(7), &[("h2", None), ("h4", Some(Rook)), ("h1", None)]) => Unmet::DoublePush,
        }
    };
}

/// Broken values of *shown*.
pub fn mutations_shown() -> Vec<ShownMutation> {
    let mut all = of_both!(ShownMutation, shown::check, shown::gather, shown_of_board);
    all.extend(mutations! { ShownMutation, p, w:
        "public key": p.key = (p.key + Point::generator()).to_affine() => Unmet::Key,
        "public key: its negative": p.key.y = -p.key.y => Unmet::Key,
        "exponent": w.exponent = Exponent::new([7; EXPONENT_BITS / 8]) => Unmet::Key,
        "places: two exchanged" => |p, w| {
            w.places.swap(3, 4);
            shown::check(p, w).err()
        },
        "places: two exchanged, listed" => |p, w| {
            w.places.swap(3, 4);
            p.set.digest = shown_digest(&list(SetKind::Shown, &p.set, &w.set)?, &w.places, w.set.digest_salt);
            Some(Unmet::Sum)
        },
        "places: one twice, in digest and sum" => |p, w| {
            w.places[3] = w.places[4];
            retell_shown(p, w, &list(SetKind::Shown, &p.set, &w.set)?);
            Some(Unmet::Places)
        },
        "list: another element first, in digest and sum" => |p, w| {
            let mut list = list(SetKind::Shown, &p.set, &w.set)?;
            list[0] = (1..).find(|number| !list.contains(number))?;
            retell_shown(p, w, &list);
            Some(Unmet::Digest)
        },
        "list: an element less, in digest and sum" => |p, w| {
            let mut list = list(SetKind::Shown, &p.set, &w.set)?;
            let first = Catalogue::get(SetKind::Shown, p.set.extent).first_dummy();
            (list.remove(0) < first).then_some(())?;
            list.push(list.last()? + 1);
            retell_shown(p, w, &list);
            Some(Unmet::Digest)
        },
        "list: two entries exchanged, in digest and sum" => |p, w| {
            let mut list = list(SetKind::Shown, &p.set, &w.set)?;
            list.swap(0, 1);
            retell_shown(p, w, &list);
            Some(Unmet::Digest)
        },
        "state: double push, committed to" => |p, w| {
            telling(&mut w.set, p.set.color);
            (*p, _) = shown::gather(p.set.extent, None, Phase::Pre, p.weights.clone(), w.clone()).ok()?;
            // The pawn may have stood there before.
            w.set.side.double_push = None;
            p.set.commitment = commit(&w.set.side, w.set.salt);
            Some(Unmet::Digest)
        },
    });
    all
}

/// Broken values of *asked*, which doesn't depend on the double push.
pub fn mutations_asked() -> Vec<AskedMutation> {
    let mut all = of_both!(AskedMutation, asked::check, asked::gather, asked_of_board);
    all.extend(mutations! { AskedMutation, p, w:
        "blinding": w.blinding += Scalar::ONE => Unmet::Sum,
        "list: another element first, in digest and sum" => |p, w| {
            let mut list = list(SetKind::Asked, &p.set, &w.set)?;
            list[0] = (1..).find(|number| !list.contains(number))?;
            retell_asked(p, w, &list);
            Some(Unmet::Digest)
        },
        "list: an element less, in digest and sum" => |p, w| {
            let mut list = list(SetKind::Asked, &p.set, &w.set)?;
            let first = Catalogue::get(SetKind::Asked, p.set.extent).first_dummy();
            (list.remove(0) < first).then_some(())?;
            list.push(list.last()? + 1);
            retell_asked(p, w, &list);
            Some(Unmet::Digest)
        },
        "list: a dummy for an element, in digest and sum" => |p, w| {
            let first = Catalogue::get(SetKind::Asked, p.set.extent).first_dummy();
            let mut list = list(SetKind::Asked, &p.set, &w.set)?;
            let last = list.len() - 1;
            (list[0] < first).then(|| list[0] = list[last] + 1)?;
            retell_asked(p, w, &list);
            Some(Unmet::Digest)
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

/// The statement of the board that a game begins with, other men on some squares: all but the board is as it should be.
fn shown_of_board(p: &mut ShownPublic, w: &mut ShownPrivate, double_push: Option<u8>, men: &[Man]) {
    set_board(&mut p.set, &mut w.set, double_push, men);
    retell_shown(p, w, &list(SetKind::Shown, &p.set, &w.set).expect("it fits"));
}

fn asked_of_board(p: &mut AskedPublic, w: &mut AskedPrivate, double_push: Option<u8>, men: &[Man]) {
    set_board(&mut p.set, &mut w.set, double_push, men);
    retell_asked(p, w, &list(SetKind::Asked, &p.set, &w.set).expect("it fits"));
}

/// A square as White has it, which is mirrored for Black, and what stands there. Small sets have nothing of g3 and of the file of h but h1, h2 and h8.
type Man = (&'static str, Option<PieceType>);

fn set_board(p: &mut SetPublic, w: &mut SetPrivate, double_push: Option<u8>, men: &[Man]) {
    w.side = Side { double_push, ..Side::start(p.color) };
    for (name, piece) in men {
        let square = if p.color == Color::Black { square(name).mirrored() } else { square(name) };
        w.side.pieces[square.index()] = *piece;
    }
    p.commitment = commit(&w.side, w.salt);
}

fn other_weight(all: &mut [Weight], place: usize) {
    all[place] = weights(&[17; 32], 1)[0];
}

/// The king goes to a square of the middle, where it stands in the way of a double push as little as anywhere.
fn turn_piece(w: &mut SetPrivate) {
    let mut squares = ["d4", "d3", "c4", "c5", "f5"].map(square).into_iter();
    let side = &mut w.side;
    let free = squares.find(|square| side.piece(*square).is_none() && side.double_push != Some(square.file()));
    if let (Some(from), Some(to)) = (side.king(), free) {
        side.pieces.swap(from.index(), to.index());
    }
}

/// A square by its name.
fn square(name: &str) -> Square {
    name.parse().expect("a square")
}

/// A state in which phase and captured square tell: a pawn where small sets look from, which may capture *en passant*, and a last move that such a
/// pawn may capture. Gives the pawn's square.
fn telling(w: &mut SetPrivate, color: Color) -> Square {
    let [king, pawn, pushed] = match color {
        Color::White => ["h1", "d5", "e4"],
        Color::Black => ["h8", "d4", "e5"],
    }
    .map(square);
    w.side = Side { double_push: Some(pushed.file()), ..Side::empty(color) };
    w.side.pieces[king.index()] = Some(King);
    w.side.pieces[pawn.index()] = Some(Pawn);
    w.side.pieces[pushed.index()] = Some(Pawn);
    pawn
}

fn turn_push(w: &mut SetPrivate) {
    w.side.double_push = if w.side.double_push.is_some() { None } else { Some(7) };
}
