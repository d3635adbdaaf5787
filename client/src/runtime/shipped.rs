//! Which engines the program plays with: this list, and no other.
//!
//! A trait can't be sealed for another crate's type where it is declared, so [`Shipped`] is declared here, where the prover is known,
//! and not beside [`Engine`]: the private trait below can be implemented in this file alone. An engine of a simulator or a test, and
//! sight-lines with anything but [`KeyProver`], is an [`Engine`] and never [`Shipped`].

use super::KeyProver;
use fog::engine::{Engine, SightLines};
use std::sync::Arc;

mod sealed {
    pub trait Sealed {}
}

/// An engine that the program ships. The runtime takes `Arc<dyn Shipped>`; the seat takes the `Arc<dyn Engine>` that it becomes.
///
/// ```compile_fail
/// fn ships(engine: impl fog::engine::Engine + 'static) -> Box<dyn client::runtime::Shipped> {
///     Box::new(engine)
/// }
/// ```
pub trait Shipped: Engine + sealed::Sealed {}

impl<T: Engine + sealed::Sealed> Shipped for T {}

impl sealed::Sealed for SightLines<KeyProver> {}

/// The flagship engine, sight-lines, as it is shipped.
pub fn sight_lines(prover: Arc<KeyProver>) -> Arc<dyn Shipped> {
    Arc::new(SightLines::new(prover))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fog::engine::{Cause, Proofs};
    use fog::statement::{
        answer::{AnswerPrivate, AnswerPublic},
        chain_answer::{ChainAnswerPrivate, ChainAnswerPublic},
        fifty::{FiftyPrivate, FiftyPublic},
        no_move::{NoMovePrivate, NoMovePublic},
        request_data::{RequestDataPrivate, RequestDataPublic},
        turn::{TURN_INPUTS, TurnPrivate, TurnPublic},
    };
    use halo2curves::bn256::Fr;
    use std::marker::PhantomData;

    /// Another proof system, which believes everything.
    struct Credulous;

    impl Proofs for Credulous {
        fn answer_proof_bytes(&self) -> usize {
            0
        }

        fn prove_turn(&self, _: &TurnPublic, _: &TurnPrivate) -> Result<Vec<u8>, Cause> {
            Ok(Vec::new())
        }

        fn prove_answer(&self, _: &AnswerPublic, _: &AnswerPrivate) -> Result<Vec<u8>, Cause> {
            Ok(Vec::new())
        }

        fn verify_answer(&self, _: &AnswerPublic, _: &[u8]) -> Result<(), Cause> {
            Ok(())
        }

        fn verify_turn(&self, _: &[Fr; TURN_INPUTS], _: &[u8]) -> Result<(), Cause> {
            Ok(())
        }

        fn prove_request_data(&self, _: &RequestDataPublic, _: &RequestDataPrivate) -> Result<Vec<u8>, Cause> {
            Ok(Vec::new())
        }

        fn prove_fifty(&self, _: &FiftyPublic, _: &FiftyPrivate) -> Result<Vec<u8>, Cause> {
            Ok(Vec::new())
        }

        fn prove_no_move(&self, _: &NoMovePublic, _: &NoMovePrivate) -> Result<Vec<u8>, Cause> {
            Ok(Vec::new())
        }

        fn prove_chain_answer(&self, _: &ChainAnswerPublic, _: &ChainAnswerPrivate) -> Result<Vec<u8>, Cause> {
            Ok(Vec::new())
        }
    }

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
    fn sight_lines_is_shipped_with_the_halo2_prover_only() {
        const { assert!(Is::<SightLines<KeyProver>>::SHIPPED) };
        const { assert!(!Is::<SightLines<Credulous>>::SHIPPED) };
        // It is an engine all the same, for tests and simulators.
        let engine: Arc<dyn Engine> = Arc::new(SightLines::new(Arc::new(Credulous)));
        assert_eq!(engine.about().name, "sight-lines");
    }

    #[test]
    fn a_shipped_engine_is_handed_on_as_an_engine() {
        let hand_on = |engine: Arc<dyn Shipped>| -> Arc<dyn Engine> { engine };
        let _: fn(Arc<dyn Shipped>) -> Arc<dyn Engine> = hand_on;
    }
}
