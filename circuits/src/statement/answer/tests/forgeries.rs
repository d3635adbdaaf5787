//! For every binding of *answer*, a forgery that would pass without it: see *turn*'s. Both forms are held to them.
//!
//! A sender may publish what it likes, so all public inputs are made to fit; that they are the exchange's is for the receiver to see.

use std::{collections::BTreeSet, sync::Arc};

use ff::WithSmallOrderMulGroup;
use fog::testing::{AnswerCase, seed};
use halo2curves::bn256::Fr;

use super::super::{AnswerCircuit, board::PENDINGS, witness::Witness};
use super::draw;
use crate::{
    StatementCircuit,
    gadget::{
        Label, Layout, Tamper,
        trace::{self, Lies, lay, refusals},
    },
};

/// A witness that only one binding refuses.
struct Forgery {
    what: &'static str,
    lie: fn(&mut Witness, &mut Lies<'_>),
    reason: Label,
}

const ALL: [Forgery; 8] = [
    Forgery {
        what: "a double push of no file, or of two",
        lie: |_, lies| lies.turn_flag("A1.double_push", 9, 0),
        reason: "A1.double_push",
    },
    Forgery {
        what: "two pieces of the sender are removed",
        lie: |_, lies| lies.turn_flag("A2.pending", PENDINGS, 5),
        reason: "A2.pending",
    },
    Forgery {
        what: "two pieces of the receiver see nothing",
        lie: |_, lies| lies.turn_flag("A8.pending", PENDINGS, 5),
        reason: "A8.pending",
    },
    Forgery {
        what: "the fog key is not a·g: another x", lie: |w, _| w.fog_key[0] *= Fr::ZETA, reason: "A3.fog_key_x"
    },
    Forgery {
        what: "the fog key is not a·g: another y",
        lie: |w, _| w.fog_key[1] = -w.fog_key[1],
        reason: "A3.fog_key_y",
    },
    Forgery {
        what: "the fog key is a times another point than the generator: another x",
        lie: |w, _| {
            w.generator[0] *= Fr::ZETA;
            w.fog_key[0] *= Fr::ZETA;
        },
        reason: "A3.generator_x",
    },
    Forgery {
        what: "the fog key is a times another point than the generator: another y",
        lie: |w, _| {
            w.generator[1] = -w.generator[1];
            w.fog_key[1] = -w.fog_key[1];
        },
        reason: "A3.generator_y",
    },
    Forgery {
        what: "the multiples of a·A are taken along another line",
        lie: |_, lies| lies.add_to_operand("A6.slope", 0),
        reason: "A6.slope",
    },
];

/// The labels that a forgery is refused for.
pub fn reasons() -> BTreeSet<Label> {
    ALL.iter().map(|forgery| forgery.reason).collect()
}

/// Each forgery of the relation is refused by its binding alone: the labels of these, and of all that are laid.
pub fn refused<C: Layout>(
    honest: &Witness,
    instance: &[Fr],
    make: impl Fn(Witness, Vec<Tamper>) -> C,
) -> [BTreeSet<Label>; 2] {
    let (_, honest_trace) = lay(&make(honest.clone(), Vec::new()), instance);
    let mut forged = BTreeSet::new();
    for forgery in ALL {
        let mut witness = honest.clone();
        let mut lies = Lies::new(&honest_trace);
        (forgery.lie)(&mut witness, &mut lies);
        let circuit = make(witness, lies.tampers);
        let trace = lay(&circuit, instance).1;
        let fitting: Vec<Fr> = trace.public.iter().map(|cell| cell.value).collect();
        let found = refusals(&circuit, &fitting, forgery.what);
        assert_eq!(found, BTreeSet::from([forgery.reason]), "{}", forgery.what);
        forged.insert(forgery.reason);
    }
    [honest_trace.labels(), forged]
}

#[test]
fn every_binding_refuses_a_forgery_that_nothing_else_refuses() {
    let (public, private) = draw(seed(41), AnswerCase::Pre);
    let honest = AnswerCircuit::new(&public, &private);
    let instance = AnswerCircuit::instance(&public).remove(0);
    let make = |witness, tampers| AnswerCircuit { witness: Arc::new(witness), tampers };
    let [laid, forged] = refused(&honest.witness, &instance, make);
    trace::assert_labels("A", &laid, &forged);
}
