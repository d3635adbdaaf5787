//! The real statements, proved and verified at their real size with development parameters.

use circuits::{AnswerCircuit, StatementCircuit, TurnCircuit};
use fog::testing::{AnswerCase, TurnCase, answers, turns};
use halo2curves::bn256::Fr;
use prover::{Keys, NoProgress, ProofError, Srs, Statement};

fn keys<C: Statement>() -> Keys<C> {
    let cache = tempfile::tempdir().unwrap();
    let srs = Srs::development(C::K, cache.path(), &NoProgress);
    Keys::load_or_make(&srs, cache.path(), &NoProgress).unwrap()
}

#[test]
fn turns_are_proved_and_other_turns_rejected() {
    let keys = keys::<TurnCircuit>();
    let seed = fog::testing::seed(20);
    for case in [
        TurnCase::Opening,
        TurnCase::KingFalls,
        TurnCase::CastleKingSide,
    ] {
        let (mut public, private) = turns(seed, Some(case)).next().unwrap();
        let proof = keys.prove(&public, &private, crate::common::rng()).unwrap();
        assert_eq!(proof.len(), keys.verifier().proof_bytes());
        keys.verify(&public, &proof).unwrap();
        public.ctx += Fr::one();
        assert!(matches!(
            keys.verify(&public, &proof),
            Err(ProofError::Rejected)
        ));
        assert_eq!(
            TurnCircuit::instance(&public)[0].len(),
            TurnCircuit::INSTANCES[0]
        );
    }
}

#[test]
fn answers_are_proved_and_other_answers_rejected() {
    let keys = keys::<AnswerCircuit>();
    let seed = fog::testing::seed(21);
    for case in [AnswerCase::PreDoublePush, AnswerCase::PostPending] {
        let (mut public, private) = answers(seed, Some(case)).next().unwrap();
        let proof = keys.prove(&public, &private, crate::common::rng()).unwrap();
        assert_eq!(proof.len(), keys.verifier().proof_bytes());
        keys.verify(&public, &proof).unwrap();
        public.elements[400] += Fr::one();
        let refused = keys.verify(&public, &proof);
        assert!(matches!(refused, Err(ProofError::Rejected)));
        public.elements.pop();
        let refused = keys.verify(&public, &proof);
        assert!(matches!(refused, Err(ProofError::WrongInstances { .. })));
    }
}
