//! The keys of what players verify of one another, and no contract: *own step*, and for `dh-psi-proven` the statements of sets, *shown* and *asked*.

use crate::{KeyError, Keys, Progress, Srs};
use circuits::{AskedCircuit, OwnStepCircuit, ShownCircuit, StatementCircuit};
use engines::psi::statement::{asked::AskedStatement, shown::ShownStatement};
use fog::statement::own_step::OwnStepStatement;
use std::path::Path;

/// The keys of *own step* alone, for engines whose sets nothing proves.
pub type StepKeys = Keys<OwnStepCircuit>;

/// Keys of all three statements. Made once in a process, and shared.
#[derive(Debug)]
pub struct SetKeys {
    pub shown: Keys<ShownCircuit<false>>,
    pub asked: Keys<AskedCircuit<false>>,
    pub steps: StepKeys,
}

impl SetKeys {
    /// Base-two logarithm of the rows that the parameters of sets must be for.
    pub const K: u32 = <ShownCircuit<false> as StatementCircuit>::K;
    /// Base-two logarithm of the rows that the parameters of steps must be for.
    pub const STEP_K: u32 = OwnStepCircuit::K;

    /// Takes the keys from the folder `cache`, or makes them (some ten seconds for each of sets) and puts them there. Parameters of sets, then of steps.
    pub fn load_or_make([sets, steps]: [&Srs; 2], cache: &Path, progress: &dyn Progress) -> Result<Self, KeyError> {
        let shown = Keys::load_or_make(sets, cache, progress)?;
        let asked = Keys::load_or_make(sets, cache, progress)?;
        Ok(Self { shown, asked, steps: Keys::load_or_make(steps, cache, progress)? })
    }
}

fog::proves_by_fields! {
    SetKeys:
    ShownStatement: shown,
    AskedStatement: asked,
    OwnStepStatement: steps,
}
