//! Rigidity: no constraint of a statement is missing, and every one that is there is needed.
//!
//! At an honest witness all gates, copies and lookups are differentiated ([`system`]). What solves the equations is the *tangent space*
//! ([`tangent`]): each dimension of it is a way in which public inputs and cells could move without a constraint noticing, to first order.
//! A statement says which cells may be free, one by one and why; no others may, and none of its outputs while its inputs stand still. A copy, a gate
//! or a lookup that is missing shows as one more.
//!
//! **What it can't see**, because it looks in the immediate neighbourhood: alternatives that lie apart, such as the other value of a flag. A flag that must be
//! 0 or 1 doesn't move, whether or not something says which. So there is a second look, at the *loosened* space, without the constraints that say that cells have
//! one of a few values ([`System::ranges`]): there flags and digits move, and what binds them to each other counts. Its dimension is pinned for
//! each witness. What neither look can see, since it isn't about a missing constraint but about a wrong one (a flag with the wrong meaning, the weights of a sum, the
//! branch of a rule), is left to the forgeries beside each statement, the mutations, the illegal moves and the native twin.
//!
//! [`mutants`] turns this around: it leaves out every single constraint and sees who notices.
//!
//! **A new statement** implements [`Rigid`] beside its tests and gets a line in [`statements!`].

mod classes;
mod lines;
pub mod mutants;
mod propagation;
mod system;
mod tangent;

use std::collections::{BTreeMap, BTreeSet};

use halo2_proofs::plonk::Circuit;
use halo2curves::bn256::Fr;
use rand::{SeedableRng, rngs::StdRng};

use crate::{
    AnswerCircuit, TurnCircuit,
    gadget::{Label, Layout},
};
pub use lines::Lines;
use system::LeftOut;
pub use system::{CellId, System};
use tangent::Tangent;

/// The seed of the witnesses at which dimensions are pinned.
pub const SEED: u64 = 7;

/// An honest witness.
pub struct Honest<C> {
    /// What it is of.
    pub what: String,
    /// The circuit with it.
    pub circuit: C,
    /// The cells that are free there, each with the reason why.
    pub free: Box<State>,
}

/// Finds the cells that may be free among those that were laid.
pub type State = dyn Fn(&System, &mut Lines) -> Free;

/// Cells that may be free, and why.
pub type Free = BTreeMap<CellId, String>;

/// A statement that is held to be rigid.
pub trait Rigid: Layout + Circuit<Fr, Params = ()> {
    /// Public inputs, by row, that whoever verifies makes itself of a few values: they don't move.
    const GIVEN: &'static [usize];
    /// Public inputs that the statement determines, but for what [`Honest::free`] says.
    const OUTPUTS: &'static [usize];
    /// The dimension of the loosened space at each witness of [`SEED`], in their order; fewer than all: the second look is slow.
    const LOOSENED: &'static [usize];

    /// Honest witnesses of every kind.
    fn honest(seed: u64) -> Vec<Honest<Self>>;

    /// The labels that a forgery refuses for: see the statement's tests.
    fn forged() -> BTreeSet<Label>;
}

/// What each of the tests does for every statement.
macro_rules! statements {
    ($($name:ident: $circuit:ty,)*) => {
        $(mod $name {
            use super::*;

            #[test]
            fn is_rigid() {
                only_the_stated_cells_are_free::<$circuit>();
            }

            #[test]
            fn is_rigid_without_ranges() {
                the_loosened_space_is_the_stated_one::<$circuit>();
            }

            #[test]
            fn mutants_die() {
                mutants::run::<$circuit>();
            }
        })*
    };
}

statements! {
    turn: TurnCircuit,
    answer: AnswerCircuit,
}

/// The public inputs in the order in which they are asked whether they are free.
fn asked<C: Rigid>(system: &System) -> Vec<usize> {
    let inputs = (0..system.public).filter(|row| !C::OUTPUTS.contains(row));
    inputs.chain(C::OUTPUTS.iter().copied()).collect()
}

/// A witness's constraints, and the tangent space without some of them.
fn look<C: Rigid>(honest: &Honest<C>, left_out: impl Fn(&System) -> LeftOut) -> (System, Tangent) {
    let system = System::of(&honest.circuit, C::GIVEN);
    let tangent = Tangent::of(&system, &left_out(&system), &asked::<C>(&system), &mut StdRng::seed_from_u64(SEED));
    (system, tangent)
}

fn only_the_stated_cells_are_free<C: Rigid>() {
    let mut lines = Lines::default();
    for honest in C::honest(fog::testing::seed(SEED)) {
        let (system, tangent) = look(&honest, LeftOut::none);
        let stated = (honest.free)(&system, &mut lines);
        for cell in &tangent.free {
            let found = lines.describe(&system, *cell);
            assert!(stated.contains_key(cell), "{} {}: {found} can move", C::NAME, honest.what);
        }
        for (cell, why) in &stated {
            assert!(tangent.free.contains(cell), "{} {}: {why} can't move", C::NAME, honest.what);
        }
        println!("{} {}: {} dimensions, all stated", C::NAME, honest.what, stated.len());
    }
}

fn the_loosened_space_is_the_stated_one<C: Rigid>() {
    let found = C::honest(SEED).into_iter().take(C::LOOSENED.len()).map(|honest| {
        let (_, tangent) = look(&honest, System::ranges);
        println!("{} {}: {} dimensions without ranges", C::NAME, honest.what, tangent.free.len());
        tangent.free.len()
    });
    assert_eq!(found.collect::<Vec<_>>(), C::LOOSENED, "{}: a constraint is missing, or there is one more", C::NAME);
}
