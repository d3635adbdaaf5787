//! A forgery for every binding, which nothing else refuses. What a forgery declares in public is made to fit.

use std::collections::BTreeSet;

use engines::{
    bfv::vector::Kind,
    testing::{
        named::{VectorPrivate, VectorPublic},
        vectors,
    },
};
use fog::testing::seed;
use halo2curves::bn256::Fr;

use super::named::{NamedItem, NamedView};
use crate::{
    gadget::{
        Label, Layout, Tamper,
        trace::{self, Lies, lay, refusals},
    },
    statement::bfv::board::PENDINGS,
};

/// No double push and eight files.
const PUSHES: usize = 9;

/// What a forgery says, its lie, and the binding that alone refuses it.
type Forgery = (&'static str, fn(&mut Lies<'_>), Label);

const ITEM: [Forgery; 2] = [
    ("a double push of no file, or of two", |lies| lies.turn_flag("I1.double_push", PUSHES, 3), "I1.double_push"),
    ("pieces captured on two squares", |lies| lies.turn_flag("I2.pending", PENDINGS, 12), "I2.pending"),
];

const VIEW: [Forgery; 2] = [
    ("a double push of no file, or of two", |lies| lies.turn_flag("V1.double_push", PUSHES, 3), "V1.double_push"),
    ("pieces captured on two squares", |lies| lies.turn_flag("V2.pending", PENDINGS, 12), "V2.pending"),
];

/// The reasons of a kind's forgeries.
pub fn reasons(kind: Kind) -> BTreeSet<Label> {
    forgeries(kind).iter().map(|(_, _, reason)| *reason).collect()
}

fn forgeries(kind: Kind) -> &'static [Forgery] {
    match kind {
        Kind::Item => &ITEM,
        Kind::View => &VIEW,
    }
}

fn refuse<C: Layout<Public = VectorPublic, Private = VectorPrivate>>(
    letter: &str,
    kind: Kind,
    tampered: impl Fn(&C, Vec<Tamper>) -> C,
) {
    let (public, private) = vectors(kind, seed(93)).next().expect("an endless row");
    let (honest, instance) = (C::new(&public, &private), C::instance(&public).remove(0));
    let (_, honest_trace) = lay(&honest, &instance);
    for (what, lie, reason) in forgeries(kind) {
        let mut lies = Lies::new(&honest_trace);
        lie(&mut lies);
        let circuit = tampered(&honest, lies.tampers);
        let trace = lay(&circuit, &instance).1;
        let fitting: Vec<Fr> = trace.public.iter().map(|cell| cell.value).collect();
        assert_eq!(refusals(&circuit, &fitting, what), BTreeSet::from([*reason]), "{what}");
    }
    trace::assert_labels(letter, &honest_trace.labels(), &reasons(kind));
}

#[test]
fn every_binding_refuses_a_forgery_that_nothing_else_refuses() {
    refuse("I", Kind::Item, NamedItem::tampered);
    refuse("V", Kind::View, NamedView::tampered);
}
