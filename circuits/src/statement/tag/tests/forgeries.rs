//! A forgery for every binding, which nothing else refuses. What a forgery declares in public is made to fit.

use std::collections::BTreeSet;

use contest::tag::{
    Size,
    statement::step::StepPublic,
    testing::{captures, replies, steps},
};
use fog::testing::seed;
use halo2curves::bn256::Fr;

use super::super::{TagCaptureCircuit, TagReplyCircuit, TagStepCircuit};
use crate::{
    StatementCircuit,
    gadget::{
        Label, Layout, Tamper,
        trace::{self, Lies, lay, refusals},
    },
};

/// What a forgery says, its lie, and the binding that alone refuses it.
type Forgery = (&'static str, fn(&mut Lies<'_>), Label);

const STEP: [Forgery; 5] = [
    ("a king on two squares", |lies| lies.turn_flag("TS1.one_square", 64, 0), "TS1.one_square"),
    ("a king on the far squares of a smaller grid", |lies| lies.turn_flag("TS1.on_grid", 4, 1), "TS1.on_grid"),
    ("a grid that has more room than it has", |lies| lies.turn_flag("TS1.on_grid", 4, 3), "TS1.on_grid"),
    ("two steps at once, or none", |lies| lies.turn_flag("TS2.one_step", 8, 0), "TS2.one_step"),
    ("an element raised by another exponent", |lies| lies.turn_last_bit("TS4.one_exponent"), "TS4.one_exponent"),
];

const REPLY: [Forgery; 3] = [
    ("a point of another curve", |lies| lies.add_to_operand("TR1.on_curve", 0), "TR1.on_curve"),
    ("a king on two squares", |lies| lies.turn_flag("TR3.one_square", 64, 0), "TR3.one_square"),
    ("an element raised by another exponent", |lies| lies.turn_last_bit("TR4.one_exponent"), "TR4.one_exponent"),
];

const CAPTURE: [Forgery; 1] =
    [("a point of another curve", |lies| lies.add_to_operand("TC1.on_curve", 0), "TC1.on_curve")];

/// The reasons of a table.
fn reasons(forgeries: &[Forgery]) -> BTreeSet<Label> {
    forgeries.iter().map(|(_, _, reason)| *reason).collect()
}

pub fn step_reasons() -> BTreeSet<Label> {
    reasons(&STEP)
}

pub fn reply_reasons() -> BTreeSet<Label> {
    reasons(&REPLY)
}

pub fn capture_reasons() -> BTreeSet<Label> {
    reasons(&CAPTURE)
}

/// A king's step on the largest grid, to where smaller ones don't reach.
fn far_step(seed: u64) -> (StepPublic, TagStepCircuit) {
    let is_far = |public: &StepPublic, square| public.size == Size::Eight && !Size::Six.contains(square);
    let (public, private) = steps(seed)
        .find(|(public, private)| private.before.is_some() && is_far(public, private.position.square))
        .expect("an endless row");
    let circuit = TagStepCircuit::new(&public, &private);
    (public, circuit)
}

fn refuse<C: Layout>(
    letters: &str,
    forgeries: &[Forgery],
    honest: &C,
    public: &C::Public,
    tampered: impl Fn(Vec<Tamper>) -> C,
) {
    let instance = C::instance(public).remove(0);
    let (_, honest_trace) = lay(honest, &instance);
    for (what, lie, reason) in forgeries {
        let mut lies = Lies::new(&honest_trace);
        lie(&mut lies);
        let circuit = tampered(lies.tampers);
        let trace = lay(&circuit, &instance).1;
        let fitting: Vec<Fr> = trace.public.iter().map(|cell| cell.value).collect();
        assert_eq!(refusals(&circuit, &fitting, what), BTreeSet::from([*reason]), "{what}");
    }
    trace::assert_labels(letters, &honest_trace.labels(), &reasons(forgeries));
}

#[test]
fn every_binding_refuses_a_forgery_that_nothing_else_refuses() {
    // A king that may be said to stand outside of a smaller grid, and on no flagged square that is turned.
    let (public, honest) = far_step(seed(84));
    refuse("TS", &STEP, &honest, &public, |tampers| honest.tampered(tampers));

    let (public, private) = replies(seed(85)).next().expect("an endless row");
    let honest = TagReplyCircuit::new(&public, &private);
    refuse("TR", &REPLY, &honest, &public, |tampers| honest.tampered(tampers));

    let (public, private) = captures(seed(86)).next().expect("an endless row");
    let honest = TagCaptureCircuit::new(&public, &private);
    refuse("TC", &CAPTURE, &honest, &public, |tampers| honest.tampered(tampers));
}

/// Whatever else fits it, what alone refuses a grid of another side is that bits of the side, or of the room, would be none.
#[test]
fn grids_of_other_sides_have_no_proof() {
    let (public, honest) = far_step(seed(89));
    let instance = TagStepCircuit::instance(&public).remove(0);
    let (_, honest_trace) = lay(&honest, &instance);
    let beyond = Fr::from(u64::from(honest.witness.position.square.beyond()));
    for side in [0, 4, 9, 16, 21, 255] {
        let mut lies = Lies::new(&honest_trace);
        let larger = Fr::from(side) - Fr::from(5);
        for (bit, value) in [larger, Fr::zero(), larger - beyond, Fr::zero()].into_iter().enumerate() {
            lies.set_flag("TS1.on_grid", 4, bit, value);
        }
        let forged = honest.tampered(lies.tampers);
        let trace = lay(&forged, &instance).1;
        let fitting: Vec<Fr> = trace.public.iter().map(|cell| cell.value).collect();
        assert_eq!(fitting[2], Fr::from(side), "what the proof would be of");
        assert_eq!(refusals(&forged, &fitting, "another side"), BTreeSet::from(["boolean.product"]), "{side}");
    }
}
