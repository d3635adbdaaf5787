//! A forgery for every binding, which nothing else refuses. What a forgery declares in public is made to fit.

use std::collections::{BTreeSet, HashSet};

use engines::{
    bfv::vector::slots,
    psi::{
        catalogue::{Catalogue, Extent, Group, SetKind},
        statement::{
            SetPrivate, SetPublic,
            men::{Officers, is_outer},
            numbers,
        },
        weight::{DIGITS, DOUBLINGS, Weight},
    },
    testing::{asked_sets, shown_sets},
};
use ff::Field;
use fog::{commitment::TYPE_BITS, testing::seed};
use halo2_proofs::plonk::ConstraintSystem;
use halo2curves::bn256::Fr;
use rules::{Color, PieceType, Square};

use super::super::{SmallAskedCircuit, SmallShownCircuit, asked::AskedWitness, config::SetConfig};
use crate::{
    StatementCircuit,
    gadget::{
        Columns as _, Label, Layout, Tamper,
        trace::{self, Lies, lay, refusals},
    },
    statement::bfv::board::PENDINGS,
};

/// No double push and eight files.
const PUSHES: usize = 9;
/// The booleans of a board before those of a double push, and these.
const BOARD: usize = 64 * TYPE_BITS + PUSHES;
/// The booleans of how many pawns have fallen.
const FALLEN: usize = 4;

/// What hangs on the draw.
pub struct Facts {
    /// Which binding the board's booleans stand before.
    board: Label,
    /// Which one those of the fallen pawns stand before.
    pawns: Label,
    /// A square without a piece of the player's, which isn't captured either, nor on a small set's lines or an outer rank.
    empty: usize,
    /// Such a square on an outer rank.
    outer: usize,
    entries: usize,
    dummies: usize,
}

impl Facts {
    /// Of a draw with an odd number of fallen pawns, none promoted, no double push and a man where the pawn of a began, with such squares, and with elements and dummies.
    fn new(kind: SetKind, public: &SetPublic, private: &SetPrivate) -> Option<Self> {
        let SetPrivate { side, .. } = private;
        let about = about(kind);
        let mut empty = Square::all().filter(|square| {
            side.piece(*square).is_none() && public.pending != Some(*square) && !about.contains(square)
        });
        let outer = empty.clone().find(|square| is_outer(*square))?;
        let empty = empty.find(|square| !is_outer(*square))?;
        let pawns = side.men().filter(|(_, piece)| *piece == PieceType::Pawn).count();
        let is_simple =
            pawns % 2 == 1 && side.double_push.is_none() && Officers::ALL.iter().all(|of| of.promoted(side) == 0);
        // So no double push was made on the file of a.
        let unmoved = Square::at(0, side.color.pawn_rank()).and_then(|square| side.piece(square));
        let is_simple = is_simple && unmoved.is_some();
        let list = list_of(kind, public, private);
        let first = Catalogue::get(kind, public.extent).first_dummy();
        let dummies = list.iter().filter(|number| **number >= first).count();
        let [board, pawns] = match kind {
            SetKind::Shown => ["SH1.double_push", "SH10.pawns"],
            SetKind::Asked => ["AS1.double_push", "AS9.pawns"],
        };
        let (empty, outer, entries) = (empty.index(), outer.index(), list.len());
        (is_simple && (1..entries).contains(&dummies)).then_some(Self { board, pawns, empty, outer, entries, dummies })
    }

    /// Puts a piece of a type, or the type that none has, on an empty square.
    fn put(&self, lies: &mut Lies<'_>, square: usize, code: u8) {
        for bit in (0..TYPE_BITS).filter(|bit| code >> bit & 1 == 1) {
            lies.turn_flag(self.board, BOARD, TYPE_BITS * square + bit);
        }
    }
}

fn list_of(kind: SetKind, public: &SetPublic, private: &SetPrivate) -> Vec<u64> {
    numbers(kind, public.extent, public.pending, public.phase, &private.side).expect("it fits")
}

/// The squares that a small set is about, for either color.
fn about(kind: SetKind) -> HashSet<Square> {
    let slots = slots(Color::White);
    let of_slot = |group: &Group| [slots[group.slot].square, slots[group.slot].from];
    let of_white = Catalogue::get(kind, Extent::Small).groups.iter().flat_map(of_slot);
    of_white.flat_map(|square| [square, square.mirrored()]).collect()
}

/// What a forgery says, its lie, and the binding that alone refuses it.
type Forgery = (&'static str, fn(&mut Lies<'_>, &Facts), Label);

const SHOWN: [Forgery; 10] = [
    ("neither a double push nor none", |lies, _| lies.turn_flag("SH1.double_push", PUSHES, 0), "SH1.double_push"),
    ("nothing captured on two squares", |lies, of| lies.turn_flag("SH2.pending", PENDINGS, of.empty), "SH2.pending"),
    ("a list whose last entry is nobody's", |lies, of| dummy_less(lies, "SH4.entries", of), "SH4.entries"),
    ("a key of another exponent", |lies, _| lies.turn_last_bit("SH7.one_exponent"), "SH7.one_exponent"),
    ("a man of no type", |lies, of| of.put(lies, of.empty, 7), "SH8.types"),
    ("a pawn on an outer rank", outer_pawn, "SH8.pawn_ranks"),
    ("a second king", |lies, of| of.put(lies, of.empty, PieceType::King.code()), "SH9.one_king"),
    ("a queen from nowhere", |lies, of| of.put(lies, of.empty, PieceType::Queen.code()), "SH10.officers"),
    ("a pawn from nowhere", |lies, of| of.put(lies, of.empty, PieceType::Pawn.code()), "SH10.pawns"),
    ("a double push without a pawn", |lies, _| push(lies, "SH1.double_push"), "SH11.double_push"),
];

const ASKED: [Forgery; 9] = [
    ("neither a double push nor none", |lies, _| lies.turn_flag("AS1.double_push", PUSHES, 0), "AS1.double_push"),
    ("nothing captured on two squares", |lies, of| lies.turn_flag("AS2.pending", PENDINGS, of.empty), "AS2.pending"),
    ("a list whose last entry is nobody's", |lies, of| dummy_less(lies, "AS4.entries", of), "AS4.entries"),
    ("a man of no type", |lies, of| of.put(lies, of.empty, 7), "AS7.types"),
    ("a pawn on an outer rank", outer_pawn, "AS7.pawn_ranks"),
    ("a second king", |lies, of| of.put(lies, of.empty, PieceType::King.code()), "AS8.one_king"),
    ("a queen from nowhere", |lies, of| of.put(lies, of.empty, PieceType::Queen.code()), "AS9.officers"),
    ("a pawn from nowhere", |lies, of| of.put(lies, of.empty, PieceType::Pawn.code()), "AS9.pawns"),
    ("a double push without a pawn", |lies, _| push(lies, "AS1.double_push"), "AS10.double_push"),
];

/// A fallen pawn stands again where no pawn does. Of an odd number of fallen ones one less is the lowest bit.
fn outer_pawn(lies: &mut Lies<'_>, of: &Facts) {
    of.put(lies, of.outer, PieceType::Pawn.code());
    lies.turn_flag(of.pawns, FALLEN, 0);
}

/// A double push on the file of a, where no small set has a jump, in place of none.
fn push(lies: &mut Lies<'_>, label: Label) {
    lies.turn_flag(label, PUSHES, 0);
    lies.turn_flag(label, PUSHES, 1);
}

/// One dummy less is active; the list has it still.
fn dummy_less(lies: &mut Lies<'_>, label: Label, of: &Facts) {
    lies.turn_flag(label, of.entries, of.dummies);
    lies.turn_flag(label, of.entries, of.dummies - 1);
}

/// The reasons of a kind's forgeries.
pub fn reasons(kind: SetKind) -> BTreeSet<Label> {
    forgeries(kind).iter().map(|(_, _, reason)| *reason).collect()
}

fn forgeries(kind: SetKind) -> &'static [Forgery] {
    match kind {
        SetKind::Shown => &SHOWN,
        SetKind::Asked => &ASKED,
    }
}

/// The first draw of which the forgeries can be made.
fn find<P, W>(
    kind: SetKind,
    mut draws: impl Iterator<Item = (P, W)>,
    set: impl Fn(&P, &W) -> (SetPublic, SetPrivate),
) -> ((P, W), Facts) {
    let found = draws.find_map(|(public, private)| {
        let (of_public, of_private) = set(&public, &private);
        let facts = Facts::new(kind, &of_public, &of_private)?;
        Some(((public, private), facts))
    });
    found.expect("endless")
}

fn refuse<C: Layout>(
    letters: &str,
    kind: SetKind,
    (public, private): &(C::Public, C::Private),
    facts: &Facts,
    tampered: impl Fn(&C, Vec<Tamper>) -> C,
) {
    let (honest, instance) = (C::new(public, private), C::instance(public).remove(0));
    let (_, honest_trace) = lay(&honest, &instance);
    for (what, lie, reason) in forgeries(kind) {
        let mut lies = Lies::new(&honest_trace);
        lie(&mut lies, facts);
        let circuit = tampered(&honest, lies.tampers);
        let trace = lay(&circuit, &instance).1;
        let fitting = trace.public.iter().map(|cell| cell.value).chain(trace.given.iter().copied());
        let fitting: Vec<Fr> = fitting.collect();
        assert_eq!(refusals(&circuit, &fitting, what), BTreeSet::from([*reason]), "{what}");
    }
    trace::assert_labels(letters, &honest_trace.labels(), &reasons(kind));
}

#[test]
fn every_binding_refuses_a_forgery_that_nothing_else_refuses() {
    let draws = shown_sets(Extent::Small, seed(187));
    let (draw, facts) = find(SetKind::Shown, draws, |public, private| (public.set, private.set.clone()));
    refuse("SH", SetKind::Shown, &draw, &facts, SmallShownCircuit::tampered);
    let draws = asked_sets(Extent::Small, seed(187));
    let (draw, facts) = find(SetKind::Asked, draws, |public, private| (public.set, private.set.clone()));
    refuse("AS", SetKind::Asked, &draw, &facts, SmallAskedCircuit::tampered);
}

/// What refuses a circuit of which these cells are broken.
fn reasons_of<C: Layout>(circuit: &C, instance: Vec<Fr>) -> BTreeSet<String> {
    lay(circuit, &instance).0.refusals().into_iter().map(|refusal| refusal.what).collect()
}

/// Digits of weights whose bits aren't bits, and two entries of the list exchanged. Neither place nor number of an entry alone tells that they are: the list
/// has both numbers, and both places are taken.
fn broken<C: Layout, const SHOWN: bool>(public: &C::Public, list: &[u64], tampered: impl Fn(Vec<Tamper>) -> C) {
    let instance = || C::instance(public).remove(0);
    let sum = SetConfig::<SHOWN, true>::configure(&mut ConstraintSystem::default()).sum;
    let first = SetConfig::<SHOWN, true>::INPUTS;
    for (bit, column) in sum.bits.iter().enumerate() {
        let two = Tamper { column: column.index(), row: first, delta: Fr::from(2) };
        let (reasons, name) = (reasons_of(&tampered(vec![two]), instance()), format!("bit {bit} is boolean"));
        assert!(reasons.iter().any(|reason| reason.contains(&name)), "{name} was never the reason, only {reasons:#?}");
    }
    let column = sum.number.index();
    let difference = Fr::from(list[1]) - Fr::from(list[0]);
    let exchanged = [(first, difference), (first + 1, -difference)];
    let reasons =
        reasons_of(&tampered(exchanged.map(|(row, delta)| Tamper { column, row, delta }).to_vec()), instance());
    let is_named = reasons.iter().any(|reason| reason.contains("place in the list"));
    assert!(is_named, "never the reason, only {reasons:#?}");
}

#[test]
fn digits_and_lists_are_refused_by_name() {
    let (public, private) = shown_sets(Extent::Small, seed(188)).next().expect("endless");
    let honest = SmallShownCircuit::new(&public, &private);
    let list = list_of(SetKind::Shown, &public.set, &private.set);
    broken::<_, true>(&public, &list, |tampers| honest.tampered(tampers));
    let (public, private) = asked_sets(Extent::Small, seed(188)).next().expect("endless");
    let honest = SmallAskedCircuit::new(&public, &private);
    let list = list_of(SetKind::Asked, &public.set, &private.set);
    broken::<_, false>(&public, &list, |tampers| honest.tampered(tampers));
}

/// A list in which one element is the row of zeros, (0, 0), which would leave it out of the sum: with a weight of which no digit is doubled the table has it, and
/// digest and sum are declared as they fit. The sum refuses it, whose point isn't on the curve, and so does the listing.
#[test]
fn the_row_of_zeros_is_no_entry() {
    let (mut public, private) = asked_sets(Extent::Small, seed(193)).next().expect("endless");
    let mut list = list_of(SetKind::Asked, &public.set, &private.set);
    list[0] = 0;
    public.weights[0] = Weight::new([4; DIGITS]).expect("digits");
    let circuit = SmallAskedCircuit::assigning(AskedWitness::of_list(&public, &private, list));
    let trace = lay(&circuit, &SmallAskedCircuit::instance(&public).remove(0)).1;
    let fitting: Vec<Fr> = trace.public.iter().map(|cell| cell.value).chain(trace.given).collect();
    let reasons = reasons_of(&circuit, fitting);
    let is_named = |name: &str| reasons.iter().any(|reason| reason.contains(name));
    assert!(reasons.len() == 2 && is_named("place in the list") && is_named("ty² = tx³ − 17"), "{reasons:#?}");
}

/// An element whose doubled point is added under the weight of the single one, by the number k + 1/2: table, digits and digest agree with it, and only the
/// listing refuses it.
#[test]
fn a_half_number_is_no_entry() {
    let (mut public, private) = asked_sets(Extent::Small, seed(194)).next().expect("endless");
    let [single, doubled] = [4, 5].map(|digit| Weight::new([digit; DIGITS]).expect("digits"));
    public.weights[0] = doubled;
    let pitch = list_of(SetKind::Asked, &public.set, &private.set).len() + DOUBLINGS;
    let sum = SetConfig::<false, true>::configure(&mut ConstraintSystem::default()).sum;
    let half = Fr::from(2).invert().expect("an odd order");
    let mut less = Fr::ZERO;
    let tampers = (0..DIGITS).rev().flat_map(|digit| {
        less = less * Fr::from(16) + Fr::ONE;
        let row = SetConfig::<false, true>::INPUTS + digit * pitch;
        [(sum.number, half), (sum.bits[0], -Fr::ONE), (sum.code, -less)].map(|(column, delta)| Tamper {
            column: column.index(),
            row,
            delta,
        })
    });
    let circuit = SmallAskedCircuit::new(&public, &private).tampered(tampers.collect());
    let trace = lay(&circuit, &SmallAskedCircuit::instance(&public).remove(0)).1;
    let mut given = trace.given.clone();
    assert_eq!(std::mem::replace(&mut given[0], single.code()), public.weights[0].code());
    let fitting: Vec<Fr> = trace.public.iter().map(|cell| cell.value).chain(given).collect();
    let reasons = reasons_of(&circuit, fitting);
    assert!(reasons.len() == 1 && reasons.iter().all(|name| name.contains("place in the list")), "{reasons:#?}");
}
