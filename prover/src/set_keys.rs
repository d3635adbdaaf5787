//! The keys of what players verify of one another, and no contract: *own step*, those of `bfv-steps` about polynomials, and for `dh-psi-proven` the statements of sets, *shown* and *asked*.

use crate::{KeyError, Keys, Progress, Srs};
use circuits::{
    AskedCircuit, CapturedCircuit, DecryptionCircuit, ItemCircuit, KeyShareCircuit, OwnStepCircuit, ShownCircuit,
    StatementCircuit, ViewCircuit,
};
use engines::bfv::{
    captured::CapturedStatement,
    decryption::DecryptionStatement,
    encrypted::{EncryptedPrivate, EncryptedPublic, EncryptedStatement},
    shares::KeyShareStatement,
    vector::Kind,
};
use engines::psi::statement::{asked::AskedStatement, shown::ShownStatement};
use fog::{
    engine::Cause,
    statement::{Proves, own_step::OwnStepStatement},
};
use std::path::Path;

/// The keys of *own step*, and in `bfv-steps` those of its polynomials: for engines whose sets nothing proves.
#[derive(Debug)]
pub struct StepKeys {
    steps: Keys<OwnStepCircuit>,
    ring: Option<RingKeys>,
}

impl StepKeys {
    /// Base-two logarithm of the rows that the parameters of polynomials must be for.
    pub const RING_K: u32 = CapturedCircuit::K;

    /// Takes the keys from the folder `cache`, or makes them and puts them there. Parameters of steps, and of polynomials if something is proven of them.
    pub fn load_or_make(
        steps: &Srs,
        ring: Option<&Srs>,
        cache: &Path,
        progress: &dyn Progress,
    ) -> Result<Self, KeyError> {
        let ring = ring.map(|srs| RingKeys::load_or_make(srs, cache, progress)).transpose()?;
        Ok(Self { steps: Keys::load_or_make(steps, cache, progress)?, ring })
    }
}

fog::proves_by_fields! {
    StepKeys:
    OwnStepStatement: steps,
    KeyShareStatement: ring,
    EncryptedStatement: ring,
    DecryptionStatement: ring,
    CapturedStatement: ring,
}

/// The keys of all statements about polynomials.
#[derive(Debug)]
struct RingKeys {
    shares: Keys<KeyShareCircuit>,
    items: Keys<ItemCircuit>,
    views: Keys<ViewCircuit>,
    decryptions: Keys<DecryptionCircuit>,
    captured: Keys<CapturedCircuit>,
}

impl RingKeys {
    fn load_or_make(srs: &Srs, cache: &Path, progress: &dyn Progress) -> Result<Self, KeyError> {
        Ok(Self {
            shares: Keys::load_or_make(srs, cache, progress)?,
            items: Keys::load_or_make(srs, cache, progress)?,
            views: Keys::load_or_make(srs, cache, progress)?,
            decryptions: Keys::load_or_make(srs, cache, progress)?,
            captured: Keys::load_or_make(srs, cache, progress)?,
        })
    }

    /// The keys of a vector's kind.
    fn of(&self, kind: Kind) -> &dyn Proves<EncryptedStatement> {
        match kind {
            Kind::Item => &self.items,
            Kind::View => &self.views,
        }
    }
}

fog::proves_by_fields! {
    RingKeys:
    KeyShareStatement: shares,
    DecryptionStatement: decryptions,
    CapturedStatement: captured,
}

impl Proves<EncryptedStatement> for RingKeys {
    fn prove(&self, public: &EncryptedPublic, private: &EncryptedPrivate) -> Result<Vec<u8>, Cause> {
        self.of(public.board.kind).prove(public, private)
    }

    fn verify(&self, public: &EncryptedPublic, proof: &[u8]) -> Result<(), Cause> {
        self.of(public.board.kind).verify(public, proof)
    }
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
