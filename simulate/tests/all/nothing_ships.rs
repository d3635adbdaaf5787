//! Neither the engine of the simulator nor sight-lines with its tickets can be held by the program's runtime. (That the program doesn't
//! even link them: `the_program_has_nothing_of_the_simulator` of the crate `test`.)

use client::runtime::{KeyProver, Shipped};
use fog::engine::{Engine, SightLines};
use simulate::model_chain::Oracle;
use simulate::open_engine::OpenEngine;
use std::marker::PhantomData;
use std::sync::Arc;

/// Answers at compile time whether a type is shipped: the constant of the type itself goes before that of the trait.
struct Is<T>(PhantomData<T>);
trait NotShipped {
    const SHIPPED: bool = false;
}
impl<T> NotShipped for Is<T> {}
impl<T: Shipped> Is<T> {
    const SHIPPED: bool = true;
}

#[test]
fn nothing_of_the_simulator_is_shipped() {
    const { assert!(Is::<SightLines<KeyProver>>::SHIPPED) };
    const { assert!(!Is::<OpenEngine>::SHIPPED) };
    const { assert!(!Is::<SightLines<Oracle>>::SHIPPED) };
    let engine: Arc<dyn Engine> = Arc::new(OpenEngine::new(Oracle::default()));
    assert_eq!(engine.about().name, "open");
}
