//! *answer* against its native twin: whatever the twin accepts satisfies the circuit, whatever it refuses doesn't. And every cell is
//! bound: see also [`cells`].

mod cells;
pub(in crate::statement) mod forgeries;
mod near_misses;
pub(in crate::statement) mod rigidity;
pub(in crate::statement) mod values;

use std::collections::BTreeSet;

use ff::Field;
use fog::{
    statement::answer::{ANSWER_INPUTS, AnswerPrivate, AnswerPublic, AnswerStatementError, check, gather},
    testing::{AnswerCase, answers, mutations_answer, seed},
};
use halo2_proofs::{
    dev::{FailureLocation, MockProver, VerifyFailure},
    plonk::Any,
};
use halo2curves::bn256::Fr;
use rand::{Rng, SeedableRng, rngs::StdRng};

use super::AnswerCircuit;
use crate::{StatementCircuit, gadget::Layout};

/// A valid draw of a case.
fn draw(seed: u64, case: AnswerCase) -> (AnswerPublic, AnswerPrivate) {
    answers(seed, Some(case)).next().expect("an endless row")
}

fn laid(circuit: &AnswerCircuit, instance: Vec<Vec<Fr>>) -> MockProver<Fr> {
    MockProver::run(AnswerCircuit::K, circuit, instance).expect("an answer fits its rows")
}

/// Copies that don't hold; gates are looked at only if all do, since that takes the longest.
fn failures(public: &AnswerPublic, private: &AnswerPrivate) -> Vec<VerifyFailure> {
    let circuit = AnswerCircuit::new(public, private);
    let prover = laid(&circuit, AnswerCircuit::instance(public));
    let copies = prover.verify_at_rows(0..0, 0..0);
    copies.and_then(|()| prover.verify_par()).err().unwrap_or_default()
}

#[test]
fn answers_of_every_kind_satisfy_the_circuit() {
    let seed = seed(31);
    for case in AnswerCase::ALL {
        let (public, private) = draw(seed, case);
        let found = failures(&public, &private);
        assert!(found.is_empty(), "{case:?}: {:#?}", &found[..found.len().min(3)]);
    }
}

#[test]
fn answers_of_random_games_satisfy_the_circuit() {
    for (public, private) in answers(seed(32), None).take(8) {
        let found = failures(&public, &private);
        assert!(found.is_empty(), "{:#?}", &found[..found.len().min(3)]);
    }
}

#[test]
fn a_broken_value_breaks_the_circuit() {
    let seed = seed(33);
    for mutation in mutations_answer() {
        let broken = AnswerCase::ALL.into_iter().rev().find_map(|case| {
            let (mut public, mut private) = draw(seed, case);
            let expected = (mutation.apply)(&mut public, &mut private)?;
            Some((public, private, expected))
        });
        let (public, private, expected) = broken.expect("a mutation applies to some case");
        match (check(&public, &private), expected) {
            (Err(AnswerStatementError::Element(_)), AnswerStatementError::Element(_)) => (),
            (found, expected) => assert_eq!(found, Err(expected), "{}", mutation.name),
        }
        let found = failures(&public, &private);
        assert!(!found.is_empty(), "{}: the circuit doesn't notice", mutation.name);
    }
}

/// With all of them wrong at once, the copy of each must be among the failures.
#[test]
fn every_public_input_is_bound() {
    let seed = seed(34);
    let (public, private) = draw(seed, AnswerCase::PrePending(rules::PieceType::Queen));
    let circuit = AnswerCircuit::new(&public, &private);
    let valid = AnswerCircuit::instance(&public);
    let mut rng = StdRng::seed_from_u64(seed);
    let others = valid[0].iter().map(|value| value + Fr::random(&mut rng));
    let prover = laid(&circuit, vec![others.collect()]);
    let found = prover.verify_at_rows(0..0, 0..0).expect_err("all are wrong");
    let rows: BTreeSet<usize> = found.into_iter().filter_map(instance_row).collect();
    assert_eq!(rows, (0..ANSWER_INPUTS).collect());

    for _ in 0..8 {
        let (i, delta) = (rng.gen_range(0..ANSWER_INPUTS), Fr::random(&mut rng));
        let mut other = valid.clone();
        other[0][i] += delta;
        let found = laid(&circuit, other).verify_at_rows(0..0, 0..0);
        assert!(found.is_err(), "public input {i}");
    }
}

/// The row of an instance cell that isn't what it is bound to.
fn instance_row(failure: VerifyFailure) -> Option<usize> {
    match failure {
        VerifyFailure::Permutation { column, location } if column.column_type() == Any::Instance => {
            Some(match location {
                FailureLocation::InRegion { offset, .. } => offset,
                FailureLocation::OutsideRegion { row } => row,
            })
        }
        _ => None,
    }
}

/// A point `±j·A` is refused where a key for `j` is made, for the reason that no such sum exists; and only there, as by the twin.
#[test]
fn keys_of_multiples_of_the_fog_key_are_refused() {
    let (public, private) = draw(seed(40), AnswerCase::Pre);
    for multiple in [2, -2] {
        let mut public = public.clone();
        let twice = public.fog_key.0 + public.fog_key.0;
        public.request.points[9] = if multiple > 0 { twice } else { -twice }.into();
        let circuit = AnswerCircuit::new(&public, &private);
        let prover = laid(&circuit, AnswerCircuit::instance(&public));
        let found = prover.verify_at_rows(cells::LADDER_ROWS..AnswerCircuit::rows().points, 0..0);
        let found = cells::reasons(found.expect_err("no sum of these"));
        let reason = "(px − x)·inverse = 1";
        assert!(found.iter().any(|name| name.contains(reason)), "{found:#?}");
    }
    let mut exchange = public.clone();
    exchange.request.points[0] = public.fog_key.0;
    let (side, salt, secret) = (private.side.clone(), private.salt, private.secret.clone());
    let made = gather(side, salt, secret, &exchange.header, exchange.request);
    let (public, private) = made.expect("no pawn stands on a1, so j = 1 isn't asked there");
    assert!(failures(&public, &private).is_empty());
}

#[test]
fn another_number_of_elements_has_no_instance() {
    let (mut public, _) = draw(seed(35), AnswerCase::Post);
    assert_eq!(AnswerCircuit::instance(&public)[0].len(), ANSWER_INPUTS);
    let last = public.elements.pop();
    assert_eq!(AnswerCircuit::instance(&public).len(), 0);
    public.elements.extend(last.into_iter().chain([Fr::ZERO]));
    assert_eq!(AnswerCircuit::instance(&public).len(), 0);
}
