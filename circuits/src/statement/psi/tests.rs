//! *shown* and *asked* of small sets against their native twins, and a forgery for every binding; full sets lay the same.

mod forgeries;
mod near_misses;
mod rigidity;
mod values;

use std::collections::BTreeSet;

use engines::{
    psi::{
        catalogue::Extent,
        statement::{SetPublic, asked, shown},
    },
    testing::{asked_sets, mutations_asked, mutations_shown, shown_sets},
};
use fog::{
    engine::Phase,
    testing::{Mutation, break_each, seed},
};
use halo2_proofs::plonk::ConstraintSystem;
use halo2curves::bn256::Fr;

use super::{AskedCircuit, ShownCircuit, SmallAskedCircuit, SmallShownCircuit, config::SetConfig};
use crate::{
    gadget::{Columns as _, Context, Layout, RegionCtx},
    laid::{every_public_input_is_bound, is_satisfied},
};

/// The circuit accepts draws of both colors and phases, and refuses every broken value that the native check refuses.
fn agree<C: Layout, E: PartialEq + std::fmt::Debug>(
    draws: impl Iterator<Item = (C::Public, C::Private)>,
    set: impl Fn(&C::Public) -> SetPublic,
    mutations: &[Mutation<C::Public, C::Private, E>],
    check: impl Fn(&C::Public, &C::Private) -> Result<(), E>,
) where
    C::Public: Clone,
    C::Private: Clone,
{
    let draws: Vec<_> = draws.take(60).collect();
    let mut accepted = BTreeSet::new();
    for draw in &draws {
        let SetPublic { color, phase, .. } = set(&draw.0);
        if accepted.insert((color.index(), phase == Phase::Pre)) {
            assert!(is_satisfied::<C>(&draw.0, &draw.1), "{} {color} {phase:?}", C::NAME);
        }
    }
    assert_eq!(accepted.len(), 4, "{accepted:?}");
    break_each(mutations, 1, draws.into_iter().enumerate(), |name, public, private, expected| {
        assert_eq!(check(public, private), Err(expected), "{name}");
        assert!(!is_satisfied::<C>(public, private), "{}, {name}: the circuit doesn't notice", C::NAME);
    });
}

#[test]
fn shown_sets_agree() {
    let draws = shown_sets(Extent::Small, seed(180));
    agree::<SmallShownCircuit, _>(draws, |public| public.set, &mutations_shown(), shown::check);
}

#[test]
fn asked_sets_agree() {
    let draws = asked_sets(Extent::Small, seed(181));
    agree::<SmallAskedCircuit, _>(draws, |public| public.set, &mutations_asked(), asked::check);
}

#[test]
fn every_public_input_and_every_weight_is_bound() {
    let (public, private) = shown_sets(Extent::Small, seed(182)).next().expect("endless");
    every_public_input_is_bound::<SmallShownCircuit>(&public, &private);
    let (public, private) = asked_sets(Extent::Small, seed(182)).next().expect("endless");
    every_public_input_is_bound::<SmallAskedCircuit>(&public, &private);
}

/// The public inputs that a circuit computes, without a region.
fn computed<C: Layout>((public, private): &(C::Public, C::Private)) -> Vec<Fr> {
    let config = C::configure(&mut ConstraintSystem::default());
    let mut cx = Context::new(RegionCtx::dry(), config.common(), C::Columns::first_rows(C::rows()));
    C::new(public, private).lay(&config, &mut cx).iter().map(|cell| cell.value).collect()
}

/// Of whole boards, too, the circuits compute the sums and digests of the native statements.
#[test]
fn circuits_compute_the_sets_of_whole_boards() {
    for draw in shown_sets(Extent::Full, seed(183)).take(3) {
        assert_eq!(computed::<ShownCircuit<false>>(&draw), draw.0.to_instance()[..SetConfig::<true, false>::INPUTS]);
    }
    for draw in asked_sets(Extent::Full, seed(184)).take(3) {
        assert_eq!(computed::<AskedCircuit<false>>(&draw), draw.0.to_instance()[..SetConfig::<false, false>::INPUTS]);
    }
}

/// Full sets satisfy every constraint, and a set with another weight doesn't.
#[test]
fn full_sets_are_accepted() {
    let (public, private) = shown_sets(Extent::Full, seed(185)).next().expect("endless");
    assert!(is_satisfied::<ShownCircuit<false>>(&public, &private));
    let (public, private) = asked_sets(Extent::Full, seed(186)).next().expect("endless");
    assert!(is_satisfied::<AskedCircuit<false>>(&public, &private));
}
