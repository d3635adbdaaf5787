//! The statements of tag against their native twins, and a forgery for every binding.

mod forgeries;
mod rigidity;
mod values;

use std::fmt::Debug;

use contest::tag::{
    statement::{capture, reply, step},
    testing::{captures, mutations_capture, mutations_reply, mutations_step, replies, steps},
};
use fog::testing::{Mutation, break_each, seed};

use super::{TagCaptureCircuit, TagReplyCircuit, TagStepCircuit};
use crate::{
    gadget::Layout,
    laid::{every_public_input_is_bound, is_satisfied},
    values::Dry,
};

/// So many draws are broken in each way.
const NEAR_MISSES: usize = 30;

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
    for mutation in &mutations {
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
    }
    break_each(&mutations, 1, draws.into_iter().enumerate(), |name, public, private, expected| {
        assert_eq!(check(public, private), Err(expected), "{name}");
        assert!(!is_satisfied::<C>(public, private), "{name}: the circuit doesn't notice");
    });
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
