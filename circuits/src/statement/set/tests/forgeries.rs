//! A forgery for every binding, which nothing else refuses. What a forgery declares in public is made to fit.

use std::collections::BTreeSet;

use fog::{
    psi::catalogue::{Catalogue, Extent, SetKind},
    statement::set::{SetPrivate, SetPublic, numbers},
    testing::{asked_sets, seed, shown_sets},
};
use halo2curves::bn256::Fr;
use rules::Square;

use super::super::{SmallAskedCircuit, SmallShownCircuit};
use crate::{
    gadget::{
        Label, Layout, Tamper,
        trace::{self, Lies, lay, refusals},
    },
    statement::vector::board::PENDINGS,
};

/// No double push and eight files.
const PUSHES: usize = 9;

/// What hangs on the draw.
pub struct Facts {
    /// A square without a piece of the player's, which isn't captured either.
    empty: usize,
    entries: usize,
    dummies: usize,
}

impl Facts {
    fn new(kind: SetKind, public: &SetPublic, private: &SetPrivate) -> Self {
        let is_empty = |square: &Square| private.side.piece(*square).is_none() && public.pending != Some(*square);
        let list = numbers(kind, public.extent, public.pending, public.phase, &private.side).expect("it fits");
        let first = Catalogue::get(kind, public.extent).first_dummy();
        Self {
            empty: Square::all().find(is_empty).expect("an empty square").index(),
            entries: list.len(),
            dummies: list.iter().filter(|number| **number >= first).count(),
        }
    }
}

/// What a forgery says, its lie, and the binding that alone refuses it.
type Forgery = (&'static str, fn(&mut Lies<'_>, &Facts), Label);

/// A push on the file of a jumps over a square that no element of a small set is about.
const SHOWN: [Forgery; 4] = [
    ("a double push of no file, or of two", |lies, _| lies.turn_flag("SH1.double_push", PUSHES, 1), "SH1.double_push"),
    ("nothing captured on two squares", |lies, of| lies.turn_flag("SH2.pending", PENDINGS, of.empty), "SH2.pending"),
    ("a list whose last entry is nobody's", |lies, of| dummy_less(lies, "SH4.entries", of), "SH4.entries"),
    ("a key of another exponent", |lies, _| lies.turn_last_bit("SH7.one_exponent"), "SH7.one_exponent"),
];

const ASKED: [Forgery; 3] = [
    ("a double push of no file, or of two", |lies, _| lies.turn_flag("AS1.double_push", PUSHES, 1), "AS1.double_push"),
    ("nothing captured on two squares", |lies, of| lies.turn_flag("AS2.pending", PENDINGS, of.empty), "AS2.pending"),
    ("a list whose last entry is nobody's", |lies, of| dummy_less(lies, "AS4.entries", of), "AS4.entries"),
];

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
    let draw = shown_sets(Extent::Small, seed(187)).next().expect("endless");
    let facts = Facts::new(SetKind::Shown, &draw.0.set, &draw.1.set);
    refuse("SH", SetKind::Shown, &draw, &facts, SmallShownCircuit::tampered);
    let draw = asked_sets(Extent::Small, seed(187)).next().expect("endless");
    let facts = Facts::new(SetKind::Asked, &draw.0.set, &draw.1.set);
    refuse("AS", SetKind::Asked, &draw, &facts, SmallAskedCircuit::tampered);
}
