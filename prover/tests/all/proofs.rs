//! Proofs: what is true is accepted, everything else refused by name and without a panic.

use crate::common::{Small, TABLE};
use prover::{Backend, Keys, NoProgress, ProofError, Srs, Statement, Watch};
use rand::{Rng, RngCore};

fn keys<C: Statement>() -> Keys<C> {
    let cache = tempfile::tempdir().unwrap();
    let srs = Srs::development(8, cache.path(), &NoProgress);
    Keys::load_or_make(&srs, cache.path(), &NoProgress).unwrap()
}

type Evm = Small<8, true>;
type Peer = Small<8, false>;

/// Runs a check for both transcripts.
macro_rules! for_both {
    ($check:ident) => {
        $check::<Evm>(keys());
        $check::<Peer>(keys());
    };
}

#[test]
fn true_statements_are_proved() {
    fn check<C: Statement<Public = (u64, u64), Private = u64>>(keys: Keys<C>) {
        let mut rng = crate::common::rng();
        for x in [0, 1, TABLE - 1] {
            let public = (x.pow(4), rng.r#gen());
            let proof = keys.prove(&public, &x, &mut rng).unwrap();
            assert_eq!(proof.len(), keys.verifier().proof_bytes());
            keys.verify(&public, &proof).unwrap();
        }
    }
    for_both!(check);
}

#[test]
fn false_statements_are_not() {
    fn check<C: Statement<Public = (u64, u64), Private = u64>>(keys: Keys<C>) {
        for (power, x) in [(80, 3), (TABLE.pow(4), TABLE)] {
            let result = keys.prove(&(power, 0), &x, crate::common::rng());
            assert!(matches!(result, Err(ProofError::Unsatisfied("small"))), "{result:?}");
        }
    }
    for_both!(check);
}

/// The library's prover and the fast one serve the same keys, and their proofs are accepted and refused alike.
#[test]
fn both_provers_are_the_same_to_a_verifier() {
    fn check<C: Statement<Public = (u64, u64), Private = u64>>() {
        let cache = tempfile::tempdir().unwrap();
        let srs = Srs::development(8, cache.path(), &NoProgress);
        let made = [Backend::Fast, Backend::Library];
        let keys = made.map(|backend| Keys::<C>::load_or_make_for(backend, &srs, cache.path(), &NoProgress).unwrap());
        let [fast, library] = keys.each_ref().map(Keys::verifier);
        assert_eq!(fast.key_hash(), library.key_hash());
        for (prover, other) in [(0, 1), (1, 0)] {
            let proof = keys[prover].prove(&(81, 5), &3, crate::common::rng()).unwrap();
            keys[other].verify(&(81, 5), &proof).unwrap();
            assert!(matches!(keys[other].verify(&(81, 6), &proof), Err(ProofError::Rejected)));
            let wrong = keys[prover].prove(&(80, 0), &3, crate::common::rng());
            assert!(matches!(wrong, Err(ProofError::Unsatisfied("small"))), "{wrong:?}");
        }
    }
    check::<Evm>();
    check::<Peer>();
}

#[test]
fn a_proof_that_nobody_wants_is_cancelled() {
    struct Unwanted;
    impl Watch for Unwanted {
        fn is_cancelled(&self) -> bool {
            true
        }
    }
    let proof = keys::<Peer>().prove_watched(&(81, 5), &3, crate::common::rng(), &Unwanted);
    assert!(matches!(proof, Err(ProofError::Cancelled)), "{proof:?}");
}

#[test]
fn other_public_inputs_are_rejected() {
    fn check<C: Statement<Public = (u64, u64), Private = u64>>(keys: Keys<C>) {
        let proof = keys.prove(&(81, 5), &3, crate::common::rng()).unwrap();
        for public in [(81, 6), (82, 5), (5, 81), (0, 0)] {
            assert!(matches!(keys.verify(&public, &proof), Err(ProofError::Rejected)));
        }
    }
    for_both!(check);
}

#[test]
fn other_lengths_are_refused_before_anything_else() {
    fn check<C: Statement<Public = (u64, u64), Private = u64>>(keys: Keys<C>) {
        let proof = keys.prove(&(81, 5), &3, crate::common::rng()).unwrap();
        let long = [&proof[..], &[0]].concat();
        let double = [&proof[..], &proof].concat();
        let cut = |length: usize| proof[..length].to_vec();
        for wrong in [long, double, cut(proof.len() - 1), cut(proof.len() - 32), cut(1), cut(0)] {
            let refused = keys.verify(&(81, 5), &wrong);
            let lengths = (proof.len(), wrong.len());
            assert!(matches!(refused, Err(ProofError::WrongLength { expected, got }) if (expected, got) == lengths));
        }
    }
    for_both!(check);
}

#[test]
fn a_proof_mangled_in_any_word_is_refused() {
    fn check<C: Statement<Public = (u64, u64), Private = u64>>(keys: Keys<C>) {
        let mut rng = crate::common::rng();
        let proof = keys.prove(&(81, 5), &3, &mut rng).unwrap();
        let refuse = |mangled: &[u8], what: &str| {
            let refused = keys.verify(&(81, 5), mangled);
            let expected = matches!(refused, Err(ProofError::Malformed(_) | ProofError::Rejected));
            assert!(expected, "{what}: {refused:?}");
        };
        let mut random = [0; 32];
        rng.fill_bytes(&mut random);
        for word in (0..proof.len()).step_by(32) {
            for (what, value) in [("zeros", [0; 32]), ("ones", [0xff; 32]), ("random", random)] {
                let mut mangled = proof.clone();
                mangled[word..word + 32].copy_from_slice(&value);
                refuse(&mangled, &format!("{what} at {word}"));
            }
            for bit in [0, 7, 100, 248, 254, 255] {
                let mut mangled = proof.clone();
                mangled[word + bit / 8] ^= 1 << (bit % 8);
                refuse(&mangled, &format!("bit {bit} at {word}"));
            }
        }
        for _ in 0..50 {
            let mut garbage = vec![0; proof.len()];
            rng.fill_bytes(&mut garbage);
            refuse(&garbage, "garbage");
        }
    }
    for_both!(check);
}

#[test]
fn a_proof_of_one_key_is_none_of_another() {
    let (evm, other) = (keys::<Evm>(), {
        let cache = tempfile::tempdir().unwrap();
        let srs = Srs::shipped(8, cache.path(), &NoProgress).unwrap();
        Keys::<Evm>::load_or_make(&srs, cache.path(), &NoProgress).unwrap()
    });
    let proof = evm.prove(&(81, 5), &3, crate::common::rng()).unwrap();
    assert!(matches!(other.verify(&(81, 5), &proof), Err(ProofError::Rejected)));
}
