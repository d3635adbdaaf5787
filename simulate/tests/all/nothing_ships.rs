//! Neither the engine of the simulator nor sight-lines with its tickets can be held by the program's runtime. (That the program doesn't
//! even link them: `the_program_has_nothing_of_the_simulator` of the crate `test`.)

use client::runtime::{EngineKind, KeyProver, Parts, PlayedEngine};
use fog::engine::Engine;
use simulate::open_engine::OpenEngine;
use simulate::oracle::Oracle;
use std::any::TypeId;
use std::sync::Arc;

/// A runtime takes a closed enum, whose one variant that proves moves holds the program's prover.
#[test]
fn nothing_of_the_simulator_is_shipped() {
    let _: fn(Parts) -> PlayedEngine = |parts| parts.engine;
    let _: fn(Arc<KeyProver>) -> PlayedEngine = EngineKind::SightLines;
    let played = TypeId::of::<PlayedEngine>();
    assert_eq!(TypeId::of::<EngineKind<Arc<KeyProver>, prover::SetKeys, prover::StepKeys>>(), played);
    assert_ne!(TypeId::of::<EngineKind<Arc<Oracle>, prover::SetKeys, prover::StepKeys>>(), played);
    let engine: Arc<dyn Engine> = Arc::new(OpenEngine::new(Oracle::default()));
    assert_eq!(engine.about().name, "open");
    assert_eq!(EngineKind::named("open"), None);
}
