//! The keys of what players verify of one another, and no contract: *own step*, *key share* and *captured*, and for `dh-psi-proven` the statements of sets, *shown* and *asked*.

use crate::{KeyError, Keys, Progress, Srs};
use circuits::{AskedCircuit, CapturedCircuit, KeyShareCircuit, OwnStepCircuit, ShownCircuit, StatementCircuit};
use engines::bfv::{captured::CapturedStatement, shares::KeyShareStatement};
use engines::psi::statement::{asked::AskedStatement, shown::ShownStatement};
use fog::statement::own_step::OwnStepStatement;
use std::path::Path;

/// The keys of *own step*, and in `bfv-steps` those of *key share* and *captured*: for engines whose sets nothing proves.
#[derive(Debug)]
pub struct StepKeys {
    steps: Keys<OwnStepCircuit>,
    shares: Option<Keys<KeyShareCircuit>>,
    captured: Option<Keys<CapturedCircuit>>,
}

impl StepKeys {
    /// Base-two logarithm of the rows that the parameters of key shares and captures must be for.
    pub const RING_K: u32 = CapturedCircuit::K;

    /// Takes the keys from the folder `cache`, or makes them and puts them there. Parameters of steps, and of polynomials if something is proven of them.
    pub fn load_or_make(
        steps: &Srs,
        ring: Option<&Srs>,
        cache: &Path,
        progress: &dyn Progress,
    ) -> Result<Self, KeyError> {
        let shares = ring.map(|srs| Keys::load_or_make(srs, cache, progress)).transpose()?;
        let captured = ring.map(|srs| Keys::load_or_make(srs, cache, progress)).transpose()?;
        Ok(Self { steps: Keys::load_or_make(steps, cache, progress)?, shares, captured })
    }
}

fog::proves_by_fields! {
    StepKeys:
    OwnStepStatement: steps,
    KeyShareStatement: shares,
    CapturedStatement: captured,
}

/// Keys of all three statements of sets and steps. Made once in a process, and shared.
#[derive(Debug)]
pub struct SetKeys {
    pub shown: Keys<ShownCircuit<false>>,
    pub asked: Keys<AskedCircuit<false>>,
    pub steps: Keys<OwnStepCircuit>,
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
