//! Rigidity: no constraint of a statement is missing, and every one that is there is needed.
//!
//! At an honest witness all gates, copies and lookups are differentiated ([`system`]). What solves the equations is the *tangent space*
//! ([`tangent`]): each dimension of it is a way in which public inputs and cells could move without a constraint noticing, to first order.
//! A statement says which cells may be free, one by one and why; no others may, and none of its outputs while its inputs stand still. A copy, a gate
//! or a lookup that is missing shows as one more.
//!
//! **What it can't see**, because it looks in the immediate neighbourhood: alternatives that lie apart, such as the other value of a flag. A flag that must be
//! 0 or 1 doesn't move, whether or not something says which, or even that it is one of the two, if others are bound to it. So there are two more looks, whose dimensions are pinned for each witness:
//!
//! * at the *loosened* space, without the constraints that say that cells have one of a few values ([`System::ranges`]): there flags and digits move, and what binds them
//!   to each other counts;
//! * at the *unbound* space, without the bindings that have a label of the statement's own ([`System::bindings`]), each of which has a forgery that refuses for it: there nothing holds a flag or a
//!   digit but what says that it is one, which counts.
//!
//! What no look can see, since it isn't about a missing constraint but about a wrong one (a flag with the wrong meaning, the weights of a sum, the
//! branch of a rule), is left to the forgeries beside each statement, the mutations, the illegal moves and the native twin.
//!
//! [`mutants`] turns this around: it leaves out every single constraint and sees who notices.
//!
//! **A new statement** implements [`Rigid`] beside its tests and gets a line in [`statements!`].

mod classes;
mod lines;
pub mod mutants;
pub mod opened;
mod propagation;
mod report;
mod system;
mod tangent;

use std::collections::{BTreeMap, BTreeSet};

pub use crate::laid::CellId;
use crate::{
    AnswerCircuit, ChainAnswerCircuit, FiftyCircuit, NoMoveCircuit, OwnStepCircuit, RequestDataCircuit,
    SmallAskedCircuit, SmallShownCircuit, TagCaptureCircuit, TagReplyCircuit, TagStepCircuit, TurnCircuit,
    gadget::{Label, Layout},
    laid,
    statement::bfv::tests::named::{NamedItem, NamedView},
};
pub use lines::Lines;
use system::LeftOut;
pub use system::System;
use tangent::Tangent;

/// The seed of the witnesses at which dimensions are pinned.
pub const SEED: u64 = 7;

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

/// The cells of the public inputs with these names, each with what it is free through.
pub fn named(system: &System, names: &[&str], free: &[(&str, &str)]) -> Free {
    let row = |name: &str| names.iter().position(|other| *other == name).expect("a public input's name");
    free.iter().map(|(name, why)| (system.instance(row(name)), format!("{name}, through {why}"))).collect()
}

/// The cells of a request's points, x and y by square, where they are hashed to leaves of its tree.
pub fn request_points(system: &System, lines: &mut Lines) -> Vec<[CellId; 2]> {
    let cells = lines.laid(system, "gadget/merkle.rs", "cx.hash(Tag::Leaf, point.x, point.y)").concat();
    assert_eq!(cells.len(), 3 * 64, "a tag and a point for each square");
    cells.chunks_exact(3).map(|leaf| [leaf[1], leaf[2]]).collect()
}

/// A statement that is held to be rigid.
pub trait Rigid: Layout {
    /// Whether the public input of a row is one that whoever verifies makes itself, of a few values: it doesn't move. By default none is.
    fn is_given(_row: usize) -> bool {
        false
    }

    /// Whether the public input of a row is one that the inputs determine, but for what [`Honest::free`] says: the zeros that fill a shape, too.
    fn is_output(row: usize) -> bool;

    /// Private cells that are inputs as public ones are: all that a root is of, where the root is an output. To first order the hash of many
    /// cells leaves all but one of them free, so without them nothing could be said of a second output. By default none.
    fn private_inputs(_: &System, _: &mut Lines) -> Vec<CellId> {
        Vec::new()
    }

    /// The dimension of the loosened space at each witness of [`SEED`], in their order.
    const LOOSENED: &'static [usize];
    /// The dimension of the unbound space at the first witnesses of [`SEED`], in their order.
    const UNBOUND: &'static [usize];

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
                each_look_finds_what_is_stated::<$circuit>(&Look::ALL);
            }

            #[test]
            fn the_mock_prover_finds_the_same() {
                laid::tests::agree(<$circuit>::tampered);
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
    chain_answer: ChainAnswerCircuit,
    request_data: RequestDataCircuit,
    fifty: FiftyCircuit,
    no_move: NoMoveCircuit,
    own_step: OwnStepCircuit,
    tag_step: TagStepCircuit,
    tag_reply: TagReplyCircuit,
    tag_capture: TagCaptureCircuit,
    item: NamedItem,
    view: NamedView,
    shown: SmallShownCircuit,
    asked: SmallAskedCircuit,
}

/// Full sets in the tangent space alone: each takes a quarter of a minute.
mod full_sets {
    use super::*;
    use crate::{AskedCircuit, ShownCircuit};

    #[test]
    fn shown_is_rigid() {
        each_look_finds_what_is_stated::<ShownCircuit<false>>(&[Look::Whole]);
    }

    #[test]
    fn asked_is_rigid() {
        each_look_finds_what_is_stated::<AskedCircuit<false>>(&[Look::Whole]);
    }
}

/// Inputs, then outputs: the order in which they are asked whether they are free.
fn asked<C: Rigid>(system: &System, lines: &mut Lines) -> Vec<CellId> {
    let (outputs, inputs): (Vec<_>, Vec<_>) = (0..system.public).partition(|&row| C::is_output(row));
    let [inputs, outputs] = [inputs, outputs].map(|rows| rows.into_iter().map(|row| system.instance(row)));
    inputs.chain(C::private_inputs(system, lines)).chain(outputs).collect()
}

/// Which constraints a space is without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    /// None: the tangent space itself.
    Whole,
    /// Those that say that a cell has one of a few values.
    Loosened,
    /// The bindings with labels of the statement's own.
    Unbound,
}

impl Look {
    const ALL: [Self; 3] = [Self::Whole, Self::Loosened, Self::Unbound];

    fn left_out(self, system: &System) -> LeftOut {
        match self {
            Self::Whole => LeftOut::none(system),
            Self::Loosened => system.ranges(),
            Self::Unbound => system.bindings(),
        }
    }

    /// The dimensions that are stated, in the order of the witnesses of [`SEED`]; none of the tangent space itself, whose free cells are stated one by one.
    fn stated<C: Rigid>(self) -> Option<&'static [usize]> {
        match self {
            Self::Whole => None,
            Self::Loosened => Some(C::LOOSENED),
            Self::Unbound => Some(C::UNBOUND),
        }
    }

    /// Whether a test looks so at the witness of this number.
    fn is_at<C: Rigid>(self, witness: usize) -> bool {
        self.stated::<C>().is_none_or(|stated| witness < stated.len())
    }

    /// The space at a witness.
    fn tangent<C: Rigid>(self, system: &System) -> Tangent<'_> {
        Tangent::of(system, self.left_out(system), &asked::<C>(system, &mut Lines::default()))
    }
}

/// The free cells are the stated ones. Without ranges, and without bindings, the dimensions are the stated ones, at the witnesses of [`SEED`]: those of another
/// seed have others.
fn each_look_finds_what_is_stated<C: Rigid>(looks: &[Look]) {
    let mut lines = Lines::default();
    for seed in BTreeSet::from([SEED, fog::testing::seed(SEED)]) {
        let witnesses = C::honest(seed);
        for look in looks {
            assert!(look.stated::<C>().is_none_or(|stated| stated.len() <= witnesses.len()), "{} {look:?}", C::NAME);
        }
        for (number, honest) in witnesses.iter().enumerate() {
            let system = System::of(&honest.circuit, C::is_given);
            let is_stated = |look: &&Look| look.is_at::<C>(number) && (seed == SEED || **look == Look::Whole);
            for look in looks.iter().filter(is_stated) {
                let (tangent, what) = (look.tangent::<C>(&system), format!("{} {} {look:?}", C::NAME, honest.what));
                match look.stated::<C>() {
                    None => are_stated(&system, &tangent, &(honest.free)(&system, &mut lines), &what),
                    Some(stated) => {
                        assert_eq!(tangent.free.len(), stated[number], "{what}: one constraint less, or more")
                    }
                }
            }
        }
    }
}

/// The cells that are free are those that are stated.
fn are_stated(system: &System, tangent: &Tangent, stated: &Free, what: &str) {
    for cell in &tangent.free {
        assert!(stated.contains_key(cell), "{what}: {} can move", Lines::default().describe(system, *cell));
    }
    for (cell, why) in stated {
        assert!(tangent.free.contains(cell), "{what}: {why} can't move");
    }
}
