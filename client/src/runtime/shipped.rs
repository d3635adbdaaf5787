//! Which engines the program plays with: this list, and no other.
//!
//! A trait can't be sealed for another crate's type where it is declared, so [`Shipped`] is declared here, where the prover is known,
//! and not beside [`Engine`]: the private trait below can be implemented in this file alone. An engine of a simulator or a test, and
//! sight-lines with anything but [`KeyProver`], is an [`Engine`] and never [`Shipped`].

use super::KeyProver;
use engines::{
    andos::Andos,
    bfv::Bfv,
    dh_psi::{self, DhPsi, DhPsiPlain, DhPsiProven},
    emanant::Emanant,
    replay::Accountable,
};
use fog::engine::{About, Engine, SightLines};
use prover::SetKeys;
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

/// One of them that proves no moves, and whose players can be called to account after a game.
pub trait SemiHonest: Shipped + Accountable {}

impl<T: Shipped + Accountable> SemiHonest for T {}

impl sealed::Sealed for SightLines<KeyProver> {}
impl sealed::Sealed for DhPsiProven<SetKeys> {}
impl sealed::Sealed for DhPsi {}
impl sealed::Sealed for DhPsiPlain {}
impl sealed::Sealed for Emanant {}
impl sealed::Sealed for Andos {}
impl sealed::Sealed for Bfv {}

/// The flagship engine, sight-lines, as it is shipped.
pub fn sight_lines(prover: Arc<KeyProver>) -> Arc<dyn Shipped> {
    Arc::new(SightLines::new(prover))
}

/// What the engine `dh-psi-proven` says of itself, for whom its keys are too large to be made only to ask.
pub const DH_PSI_PROVEN: &About = DhPsiProven::<SetKeys>::ABOUT;

/// The engine `dh-psi-proven`, as it is shipped. It proves what both players ask and show, but no moves: its games have mode `unproven`, too.
pub fn dh_psi_proven(keys: SetKeys) -> Arc<dyn Shipped> {
    Arc::new(dh_psi::proven(keys))
}

/// The engines that are shipped besides: they prove no moves, so that their games have mode `unproven` and no stakes. Each says in
/// its caveat what it doesn't protect.
pub fn semi_honest() -> [Arc<dyn SemiHonest>; 5] {
    [
        Arc::new(DhPsi::default()),
        Arc::new(DhPsiPlain::default()),
        Arc::new(Emanant::default()),
        Arc::new(Andos::improved()),
        Arc::new(Bfv),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use fog::engine::{Cause, Proofs, Trust};
    use fog::psi::proofs::SetProofs;
    use fog::statement::{
        answer::{AnswerPrivate, AnswerPublic},
        chain_answer::{ChainAnswerPrivate, ChainAnswerPublic},
        fifty::{FiftyPrivate, FiftyPublic},
        no_move::{NoMovePrivate, NoMovePublic},
        request_data::{RequestDataPrivate, RequestDataPublic},
        set::{
            asked::{AskedPrivate, AskedPublic},
            shown::{ShownPrivate, ShownPublic},
        },
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

    impl SetProofs for Credulous {
        const SHOWN_BYTES: usize = 0;
        const ASKED_BYTES: usize = 0;

        fn prove_shown(&self, _: &ShownPublic, _: &ShownPrivate) -> Result<Vec<u8>, Cause> {
            Ok(Vec::new())
        }

        fn verify_shown(&self, _: &ShownPublic, _: &[u8]) -> Result<(), Cause> {
            Ok(())
        }

        fn prove_asked(&self, _: &AskedPublic, _: &AskedPrivate) -> Result<Vec<u8>, Cause> {
            Ok(Vec::new())
        }

        fn verify_asked(&self, _: &AskedPublic, _: &[u8]) -> Result<(), Cause> {
            Ok(())
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
        const { assert!(Is::<DhPsiProven<SetKeys>>::SHIPPED) };
        const { assert!(!Is::<DhPsiProven<Credulous>>::SHIPPED) };
        // It is an engine all the same, for tests and simulators.
        let engine: Arc<dyn Engine> = Arc::new(SightLines::new(Arc::new(Credulous)));
        assert_eq!(engine.about().name, "sight-lines");
    }

    #[test]
    fn the_others_say_what_they_do_not_protect() {
        let names: Vec<_> = semi_honest().iter().map(|engine| engine.about().name).collect();
        assert_eq!(names, ["dh-psi", "dh-psi-plain", "emanant", "andos", "bfv"]);
        let others = semi_honest();
        for about in others.iter().map(|engine| engine.about()).chain([DH_PSI_PROVEN]) {
            assert_eq!(about.trust, Trust::SemiHonest, "{}", about.name);
            assert!(!about.caveat.is_empty() && !about.caveat.contains('\n'), "{}", about.name);
        }
    }

    #[test]
    fn a_shipped_engine_is_handed_on_as_an_engine() {
        let hand_on = |engine: Arc<dyn Shipped>| -> Arc<dyn Engine> { engine };
        let _: fn(Arc<dyn Shipped>) -> Arc<dyn Engine> = hand_on;
    }
}
