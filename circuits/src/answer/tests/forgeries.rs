//! For every statement of *answer* that binds two cells, a forgery that would pass without it: see *turn*'s.
//!
//! A sender may publish what it likes, so all public inputs are made to fit; that they are the exchange's is for the receiver to see.

use std::{collections::BTreeSet, sync::Arc};

use ff::{Field, WithSmallOrderMulGroup};
use fog::testing::{AnswerCase, seed};
use halo2curves::{CurveAffine, bn256::Fr, grumpkin::G1Affine};

use super::draw;
use crate::{
    StatementCircuit,
    answer::{AnswerCircuit, witness::Witness},
    gadget::trace::{self, Lies, lay, refusals, statement},
};

/// The columns of arithmetic's factors.
const FACTORS: [usize; 2] = [16, 17];

/// A witness that only one statement refuses.
struct Forgery {
    what: &'static str,
    lie: fn(&mut Witness, &mut Lies<'_>),
    reason: &'static str,
}

const ALL: [Forgery; 7] = [
    Forgery {
        what: "a double push of no file, or of two",
        lie: |_, lies| lies.turn_boolean("let push = desk.one_hot", 0),
        reason: "let push = desk.one_hot",
    },
    Forgery {
        what: "two pieces of the sender are removed",
        lie: |_, lies| lies.turn_boolean("let pending = desk.one_hot", 5),
        reason: "let pending = desk.one_hot",
    },
    Forgery {
        what: "two pieces of the receiver see nothing",
        lie: |_, lies| lies.turn_boolean("let receiver = desk.one_hot", 5),
        reason: "let receiver = desk.one_hot",
    },
    Forgery {
        what: "the fog key is not a·g: another x",
        lie: |w, _| w.fog_key[0] *= Fr::ZETA,
        reason: "desk.sheet.equal(products[0].x, fog_key.x)",
    },
    Forgery {
        what: "the fog key is not a·g: another y",
        lie: |w, _| w.fog_key[1] = -w.fog_key[1],
        reason: "desk.sheet.equal(products[0].y, fog_key.y)",
    },
    Forgery {
        what: "the fog key is a times another point than the generator",
        lie: |w, _| {
            w.generator = double(w.generator);
            w.fog_key = double(w.fog_key);
        },
        reason: "desk.sheet.equal(cell, constant)",
    },
    Forgery {
        what: "the multiples of a·A are taken along another line",
        lie: |_, lies| lies.add("let slope = arith.witness", FACTORS[0], 0, Fr::ONE),
        reason: "sheet.equal(product, rise)",
    },
];

fn double([x, y]: [Fr; 2]) -> [Fr; 2] {
    let point: G1Affine = G1Affine::from_xy(x, y).expect("a point");
    let twice: G1Affine = (point + point).into();
    [twice.x, twice.y]
}

#[test]
fn every_statement_refuses_a_forgery_that_nothing_else_refuses() {
    let (public, private) = draw(seed(41), AnswerCase::Pre);
    let honest = AnswerCircuit::new(&public, &private);
    let instance = AnswerCircuit::instance(&public).remove(0);
    let (_, honest_trace) = lay(&honest, &instance);
    let lines = honest_trace.bound.iter().map(|bound| bound.line);
    let ours = lines.filter(|line| line.0.contains("src/answer/"));
    let lines: BTreeSet<_> = ours.collect();
    let mut reasons = BTreeSet::new();
    for forgery in ALL {
        let mut witness = (*honest.witness).clone();
        let mut lies = Lies::new(&honest_trace, FACTORS);
        (forgery.lie)(&mut witness, &mut lies);
        let circuit = AnswerCircuit {
            witness: Arc::new(witness),
            tampers: lies.tampers,
        };
        let trace = lay(&circuit, &instance).1;
        let fitting: Vec<Fr> = trace.public.iter().map(|cell| cell.value).collect();
        let reason = trace::find(lines.iter().copied(), forgery.reason);
        let found = refusals(&circuit, &fitting, forgery.what);
        assert_eq!(found, BTreeSet::from([reason]), "{}", forgery.what);
        reasons.insert(reason);
    }
    let silent: Vec<_> = lines.difference(&reasons).copied().map(statement).collect();
    assert!(
        silent.is_empty(),
        "nothing shows what these refuse: {silent:#?}"
    );
}
