//! The keys of the statements of sets, *shown* and *asked*.

use crate::{KeyError, Keys, Progress, Srs};
use circuits::{AskedCircuit, ShownCircuit, StatementCircuit};
use engines::psi::statement::{asked::AskedStatement, shown::ShownStatement};
use std::path::Path;

/// Keys of both statements. Made once in a process, and shared.
#[derive(Debug)]
pub struct SetKeys {
    pub shown: Keys<ShownCircuit<false>>,
    pub asked: Keys<AskedCircuit<false>>,
}

impl SetKeys {
    /// Base-two logarithm of the rows that parameters must be for.
    pub const K: u32 = <ShownCircuit<false> as StatementCircuit>::K;

    /// Takes the keys from the folder `cache`, or makes them (some ten seconds each) and puts them there.
    pub fn load_or_make(srs: &Srs, cache: &Path, progress: &dyn Progress) -> Result<Self, KeyError> {
        let shown = Keys::load_or_make(srs, cache, progress)?;
        Ok(Self { shown, asked: Keys::load_or_make(srs, cache, progress)? })
    }
}

fog::proves_by_fields! {
    SetKeys:
    ShownStatement: shown,
    AskedStatement: asked,
}
