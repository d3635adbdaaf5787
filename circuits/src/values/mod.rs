//! Values: a sum or a choice over squares, kinds and directions says what it must of every one of them.
//!
//! A constraint that stands and says less, such as a sum without its last term, is seen by no look at what is missing ([`crate::rigidity`]), and by a draw only if
//! it happens to need that term. So parts of statements are laid without a region and without a prover ([`Dry`]), which takes microseconds, for *every* square, kind and
//! direction, and what they compute is compared with the native twin or with the rules. [`compare`] does that for a part's cases.
//!
//! Whether the cases are all there is to ask can be looked at: `circuits/mutants.py` changes each number of the sources, and prints which change no test notices.

mod wanted;

use std::collections::BTreeSet;

use halo2_proofs::plonk::ConstraintSystem;
use halo2curves::bn256::Fr;

use crate::gadget::{
    Columns as _, Context, Label, Layout,
    trace::{self, Trace},
};
pub use wanted::Wanted;

/// The columns of a statement, to lay parts on without a region.
pub struct Dry<C: Layout>(C::Columns);

impl<C: Layout> Dry<C> {
    pub fn new() -> Self {
        Self(C::configure(&mut ConstraintSystem::default()))
    }

    pub fn lay<T>(&self, lay: impl FnOnce(&C::Columns, &mut Context<'_>) -> T) -> (T, Trace) {
        let mut result = None;
        let trace = trace::of(|| {
            let mut cx = Context::dry(self.0.common());
            result = Some(lay(&self.0, &mut cx));
        });
        (result.expect("it was laid"), trace)
    }

    /// Lays a whole statement: what refuses it is the labels of bindings that don't hold, and public inputs that it computes otherwise.
    pub fn refusals(&self, public: &C::Public, private: &C::Private) -> BTreeSet<String> {
        let (computed, trace) = self.lay(|config, cx| C::new(public, private).lay(config, cx));
        let instance = C::instance(public).remove(0);
        let others = computed.iter().zip(&instance).enumerate().filter(|(_, (cell, value))| cell.value != **value);
        let others = others.map(|(number, _)| format!("public input {number}"));
        trace.refused().into_iter().map(str::to_owned).chain(others).collect()
    }
}

/// Lays each of a part's cases. `differs` says what is other than it must be, and nothing may be.
pub fn compare<T>(part: &str, cases: &[T], differs: impl Fn(&T) -> Option<String>) {
    for (number, case) in cases.iter().enumerate() {
        assert_eq!(differs(case), None, "{part}, case {number}");
    }
    println!("{part}: {} cases", cases.len());
}

/// Says that two values differ, if they do.
pub fn differ<T: PartialEq + std::fmt::Debug>(what: impl std::fmt::Debug, found: T, expected: T) -> Option<String> {
    (found != expected).then(|| format!("{what:?}: {found:?}, not {expected:?}"))
}

/// Says what refuses a part, if it isn't just what must.
pub fn differ_in(what: impl std::fmt::Debug, trace: &Trace, expected: &[Label]) -> Option<String> {
    differ(what, trace.refused(), expected.iter().copied().collect())
}

/// A flag as a field element.
pub fn flag(is: bool) -> Fr {
    Fr::from(u64::from(is))
}
