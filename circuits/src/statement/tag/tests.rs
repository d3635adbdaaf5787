//! The statements of tag against their native twins, and a forgery for every binding.

mod forgeries;
mod rigidity;
mod values;

use std::{collections::BTreeSet, fmt::Debug};

use contest::tag::{
    statement::{capture, reply, step},
    testing::{captures, mutations_capture, mutations_reply, mutations_step, replies, steps},
};
use ff::Field;
use fog::testing::{Mutation, break_each, seed};
use halo2_proofs::dev::{FailureLocation, MockProver, VerifyFailure};
use halo2curves::bn256::Fr;

use super::{TagCaptureCircuit, TagReplyCircuit, TagStepCircuit};
use crate::{StatementCircuit, gadget::Layout, statement::turn::config::PUBLIC_INPUTS, values::Dry};

/// So many draws are broken in each way.
const NEAR_MISSES: usize = 30;

fn prover<C: StatementCircuit>(circuit: &C, instance: Vec<Fr>) -> MockProver<Fr> {
    MockProver::run(C::K, circuit, vec![instance]).expect("it fits its rows")
}

fn is_satisfied<C: StatementCircuit>(public: &C::Public, private: &C::Private) -> bool {
    let instance = C::instance(public).remove(0);
    prover(&C::new(public, private), instance).verify_par().is_ok()
}

/// The circuit accepts what the native check accepts, and refuses every broken value that it refuses: one draw of each with a prover, and many without.
fn agree<C: Layout, E: Debug + PartialEq>(
    draws: Vec<(C::Public, C::Private)>,
    more: impl Iterator<Item = (C::Public, C::Private)>,
    mutations: Vec<Mutation<C::Public, C::Private, E>>,
    check: impl Fn(&C::Public, &C::Private) -> Result<(), E>,
) where
    C::Public: Clone,
    C::Private: Clone,
{
    for (number, (public, private)) in draws.iter().enumerate() {
        assert_eq!(check(public, private), Ok(()));
        assert!(is_satisfied::<C>(public, private), "draw {number}");
    }
    let (dry, more): (_, Vec<_>) = (Dry::<C>::new(), more.take(200).collect());
    // Each once: on the first draw that it applies to.
    for mutation in mutations {
        let mut broken = 0;
        for (public, private) in &more {
            let (mut public, mut private) = (public.clone(), private.clone());
            if broken < NEAR_MISSES
                && let Some(expected) = (mutation.apply)(&mut public, &mut private)
            {
                assert_eq!(check(&public, &private), Err(expected), "{}", mutation.name);
                assert!(!dry.refusals(&public, &private).is_empty(), "{}: the circuit doesn't notice", mutation.name);
                broken += 1;
            }
        }
        assert_eq!(broken, NEAR_MISSES, "{}", mutation.name);
        let apply = |draw: &(C::Public, C::Private)| {
            let (mut public, mut private) = draw.clone();
            (mutation.apply)(&mut public, &mut private).is_some()
        };
        let draw = draws.iter().find(|draw| apply(draw)).expect(mutation.name).clone();
        break_each(&[mutation], [("", draw)], |name, public, private, expected| {
            assert_eq!(check(public, private), Err(expected), "{name}");
            assert!(!is_satisfied::<C>(public, private), "{name}: the circuit doesn't notice");
        });
    }
}

/// Those that the statement has, and the zeros that fill the shape: all are changed at once, and each row of a public input refuses its own.
fn every_public_input_is_bound<C: StatementCircuit>(public: &C::Public, private: &C::Private) {
    let circuit = C::new(public, private);
    let valid = C::instance(public).remove(0);
    let rows = || 0..PUBLIC_INPUTS;
    let changed = valid.iter().map(|value| *value + Fr::ONE).collect();
    let failures = prover(&circuit, changed).verify_at_rows(rows(), rows()).expect_err("all are changed");
    let refused: BTreeSet<usize> = failures.iter().map(row).collect();
    assert_eq!(refused, rows().collect(), "{failures:#?}");
}

/// The row of a constraint that isn't satisfied.
fn row(failure: &VerifyFailure) -> usize {
    match failure {
        VerifyFailure::ConstraintNotSatisfied { location: FailureLocation::InRegion { offset, .. }, .. } => *offset,
        other => panic!("not a constraint of the circuit's region: {other}"),
    }
}

#[test]
fn steps_agree() {
    let draws: Vec<_> = steps(seed(81)).take(4).collect();
    every_public_input_is_bound::<TagStepCircuit>(&draws[0].0, &draws[0].1);
    agree::<TagStepCircuit, _>(draws, steps(seed(91)), mutations_step(), step::check);
}

#[test]
fn replies_agree() {
    let draws: Vec<_> = replies(seed(82)).take(2).collect();
    every_public_input_is_bound::<TagReplyCircuit>(&draws[0].0, &draws[0].1);
    agree::<TagReplyCircuit, _>(draws, replies(seed(92)), mutations_reply(), reply::check);
}

#[test]
fn captures_agree() {
    let draws: Vec<_> = captures(seed(83)).take(2).collect();
    every_public_input_is_bound::<TagCaptureCircuit>(&draws[0].0, &draws[0].1);
    agree::<TagCaptureCircuit, _>(draws, captures(seed(93)), mutations_capture(), capture::check);
}
