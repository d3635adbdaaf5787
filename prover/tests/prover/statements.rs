//! The real statements, proved and verified at their real size with development parameters.

use circuits::{AnswerCircuit, StatementCircuit, TurnCircuit};
use fog::testing::{AnswerCase, TurnCase, answers, turns};
use halo2curves::bn256::Fr;
use prover::{Keys, NoProgress, ProofError, Srs, Statement};

/// The circuits' fingerprints, and the hashes of their verifying keys with development parameters. Deployed verifiers and
/// cached keys depend on them: whoever changes a circuit on purpose changes them here and in the changelog, and runs `make verifiers`.
const TURN: [&str; 2] = [
    "b4af08c54055acdbfe4bfbd77bda32b009c6b32cb8ce3ddbd15298ca31150baf",
    "29c069e0c14450d87804b9e43dd00b4973b2f0ccf4529e2aca7c83e0f19b777d",
];
const ANSWER: [&str; 2] = [
    "54dacbba9d2c54e99706deaae78926b254136d228c00cb9ef90775a742dc5675",
    "012d671caefc38c39dd2b93eabf243d741031558f769feadac86a3200f9171bf",
];

/// Makes the keys, which must be the pinned ones.
fn keys<C: Statement>(pinned: [&str; 2]) -> Keys<C> {
    let cache = tempfile::tempdir().unwrap();
    let srs = Srs::development(C::K, cache.path(), &NoProgress);
    let keys = Keys::<C>::load_or_make(&srs, cache.path(), &NoProgress).unwrap();
    let verifier = keys.verifier();
    let found = [verifier.fingerprint().to_string(), hex::encode(verifier.key_hash())];
    assert_eq!(found, pinned, "the circuit of {} is another one", C::NAME);
    let changelog = concat!(env!("CARGO_MANIFEST_DIR"), "/../CHANGELOG.md");
    let named = format!("*{}* `{}`", C::NAME, &pinned[0][..16]);
    let changelog = std::fs::read_to_string(changelog).expect("the changelog");
    assert!(changelog.contains(&named), "no line of the changelog says that the circuit is now {named}");
    keys
}

#[test]
fn turns_are_proved_and_other_turns_rejected() {
    let keys = keys::<TurnCircuit>(TURN);
    let seed = fog::testing::seed(20);
    for case in [TurnCase::Opening, TurnCase::KingFalls, TurnCase::CastleKingSide] {
        let (mut public, private) = turns(seed, Some(case)).next().unwrap();
        let proof = keys.prove(&public, &private, crate::common::rng()).unwrap();
        assert_eq!(proof.len(), keys.verifier().proof_bytes());
        keys.verify(&public, &proof).unwrap();
        public.ctx += Fr::one();
        assert!(matches!(keys.verify(&public, &proof), Err(ProofError::Rejected)));
        assert_eq!(TurnCircuit::instance(&public)[0].len(), TurnCircuit::INSTANCES[0]);
    }
}

#[test]
fn answers_are_proved_and_other_answers_rejected() {
    let keys = keys::<AnswerCircuit>(ANSWER);
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
