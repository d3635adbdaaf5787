//! The real statements, proved and verified at their real size with development parameters.

mod common;

use circuits::{StatementCircuit, TurnCircuit};
use fog::testing::{TurnCase, turns};
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
        let proof = keys.prove(&public, &private, common::rng()).unwrap();
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
