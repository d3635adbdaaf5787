//! *chain answer*'s records, roots and polynomial, over every kind of elements.

use fog::{
    statement::chain_answer::{ChainAnswerPublic, gather},
    testing::seed,
};
use rand::{SeedableRng, rngs::StdRng};

use super::super::{ChainAnswerCircuit, wire::Wire};
use crate::{
    StatementCircuit,
    gadget::{
        merkle::{answer_root, request_root},
        polynomial::evaluate_terms,
    },
    statement::answer::tests::values::draws,
    values::{Dry, compare, differ, differ_in},
};

#[test]
fn records_and_wire_are_those_of_every_element() {
    let dry = Dry::<ChainAnswerCircuit>::new();
    compare("chain answer: wire", &draws(3, &mut StdRng::seed_from_u64(seed(79))), |drawn| {
        let (public, _): (ChainAnswerPublic, _) = gather(&drawn.public, drawn.private.clone()).expect("it has a root");
        let (found, trace) = dry.lay(|_, cx| {
            let relation = drawn.lay(cx);
            let z = cx.witness(public.binding.z);
            let wire = Wire::new(cx, &relation);
            let records = wire.records(cx);
            let answer_root = answer_root(cx, &records);
            let request_root = request_root(cx, relation.request.iter().copied());
            let terms = wire.terms(cx, z);
            let y = evaluate_terms(cx, &terms);
            [request_root, answer_root, z, y].map(|cell| cell.value)
        });
        let expected = &ChainAnswerCircuit::instance(&public)[0];
        let what = format!("{:?}", drawn.public.header);
        differ(&what, &found[..], &expected[expected.len() - 4..]).or(differ_in(&what, &trace, &[]))
    });
}
