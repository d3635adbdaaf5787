//! The proof system that is shipped, as the simulated world's contract and seats use it; it counts.

use circuits::{ChainAnswerCircuit, FiftyCircuit, NoMoveCircuit, RequestDataCircuit, StatementCircuit as _};
use client::runtime::{KeyProver, Parameters};
use fog::engine::{Cause, Proofs};
use fog::statement::Proves;
use fogmate_test::{cache, prover};
use halo2curves::bn256::Fr;
use prover::{NoProgress, Verifier};
use simulate::model_chain::{ProofSystem, Statement};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// All keys, and how often they were used.
pub struct Real {
    keys: Arc<KeyProver>,
    request_data: Verifier<RequestDataCircuit>,
    fifty: Verifier<FiftyCircuit>,
    no_move: Verifier<NoMoveCircuit>,
    chain_answer: Verifier<ChainAnswerCircuit>,
    proven: AtomicU64,
    verified: AtomicU64,
}

impl Real {
    /// Takes the keys from their cache, or makes them.
    pub fn load() -> Self {
        let keys = prover();
        let parameters = |k| Parameters::Development.load(k, &cache(), &NoProgress).expect("development parameters");
        let (narrow, wide) = (parameters(RequestDataCircuit::K), parameters(ChainAnswerCircuit::K));
        Self {
            keys,
            request_data: Verifier::load_or_make(&narrow, &cache(), &NoProgress).expect("a key"),
            fifty: Verifier::load_or_make(&narrow, &cache(), &NoProgress).expect("a key"),
            no_move: Verifier::load_or_make(&narrow, &cache(), &NoProgress).expect("a key"),
            chain_answer: Verifier::load_or_make(&wide, &cache(), &NoProgress).expect("a key"),
            proven: AtomicU64::new(0),
            verified: AtomicU64::new(0),
        }
    }

    pub fn proven(&self) -> u64 {
        self.proven.load(Ordering::Relaxed)
    }

    /// Proofs verified, again and again.
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
    fn proof_bytes(&self, statement: Statement) -> usize {
        match statement {
            Statement::Turn => self.keys.turn().verifier().proof_bytes(),
            Statement::Answer => self.keys.answer_proof_bytes(),
            Statement::RequestData => self.request_data.proof_bytes(),
            Statement::Fifty => self.fifty.proof_bytes(),
            Statement::NoMove => self.no_move.proof_bytes(),
            Statement::ChainAnswer => self.chain_answer.proof_bytes(),
        }
    }

    fn verify(&self, statement: Statement, instance: &[Fr], proof: &[u8]) -> bool {
        let instance = [instance.to_vec()];
        self.seen(match statement {
            Statement::Turn => self.keys.turn().verifier().verify_instance(&instance, proof).is_ok(),
            Statement::Answer => self.keys.answer().verifier().verify_instance(&instance, proof).is_ok(),
            Statement::RequestData => self.request_data.verify_instance(&instance, proof).is_ok(),
            Statement::Fifty => self.fifty.verify_instance(&instance, proof).is_ok(),
            Statement::NoMove => self.no_move.verify_instance(&instance, proof).is_ok(),
            Statement::ChainAnswer => self.chain_answer.verify_instance(&instance, proof).is_ok(),
        })
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
