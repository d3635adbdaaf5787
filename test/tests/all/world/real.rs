//! The proof system that is shipped, as the seats of the simulated world use it; it counts. The contract verifies by its own, shipped verifiers.

use client::runtime::KeyProver;
use fog::engine::{Cause, Proofs};
use fog::statement::Proves;
use fogmate_test::prover;
use halo2curves::bn256::Fr;
use simulate::oracle::ProofSystem;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The provers with their keys, and how often they were used.
pub struct Real {
    keys: Arc<KeyProver>,
    proven: AtomicU64,
    verified: AtomicU64,
}

impl Real {
    /// Takes the keys from their cache, or makes them.
    pub fn load() -> Self {
        Self { keys: prover(), proven: AtomicU64::new(0), verified: AtomicU64::new(0) }
    }

    pub fn proven(&self) -> u64 {
        self.proven.load(Ordering::Relaxed)
    }

    /// Proofs that seats have verified, again and again.
    pub fn verified(&self) -> u64 {
        self.verified.load(Ordering::Relaxed)
    }

    fn made(&self, proof: Result<Vec<u8>, Cause>) -> Result<Vec<u8>, Cause> {
        self.proven.fetch_add(1, Ordering::Relaxed);
        proof
    }

    fn seen<T>(&self, verdict: T) -> T {
        self.verified.fetch_add(1, Ordering::Relaxed);
        verdict
    }
}

impl ProofSystem for Real {
    fn verify_turn(&self, inputs: &[Fr], proof: &[u8]) -> bool {
        self.seen(self.keys.turn().expect("keys").verifier().verify_instance(&[inputs.to_vec()], proof).is_ok())
    }
}

impl<S: fog::statement::Statement> Proves<S> for Real
where
    KeyProver: Proves<S>,
{
    fn prove(&self, public: &S::Public, private: &S::Private) -> Result<Vec<u8>, Cause> {
        self.made(Proves::<S>::prove(&*self.keys, public, private))
    }

    fn verify(&self, public: &S::Public, proof: &[u8]) -> Result<(), Cause> {
        self.seen(Proves::<S>::verify(&*self.keys, public, proof))
    }
}

impl Proofs for Real {
    fn answer_proof_bytes(&self) -> usize {
        self.keys.answer_proof_bytes()
    }
}
