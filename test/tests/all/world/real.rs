//! The proof system that is shipped, as the simulated world's contract and seats use it; it counts.

use circuits::{ChainAnswerCircuit, FiftyCircuit, NoMoveCircuit, RequestDataCircuit, StatementCircuit as _};
use client::runtime::{KeyProver, Parameters};
use fog::engine::{Cause, Proofs};
use fog::statement::turn::{TURN_INPUTS, TurnPrivate, TurnPublic};
use fog::statement::{answer, chain_answer, fifty, no_move, request_data};
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

impl Proofs for Real {
    fn answer_proof_bytes(&self) -> usize {
        self.keys.answer_proof_bytes()
    }

    fn prove_turn(&self, public: &TurnPublic, private: &TurnPrivate) -> Result<Vec<u8>, Cause> {
        self.made(self.keys.prove_turn(public, private))
    }

    fn prove_answer(&self, public: &answer::AnswerPublic, private: &answer::AnswerPrivate) -> Result<Vec<u8>, Cause> {
        self.made(self.keys.prove_answer(public, private))
    }

    fn verify_answer(&self, public: &answer::AnswerPublic, proof: &[u8]) -> Result<(), Cause> {
        self.seen(self.keys.verify_answer(public, proof))
    }

    fn verify_turn(&self, inputs: &[Fr; TURN_INPUTS], proof: &[u8]) -> Result<(), Cause> {
        self.seen(self.keys.verify_turn(inputs, proof))
    }

    fn prove_request_data(
        &self,
        public: &request_data::RequestDataPublic,
        private: &request_data::RequestDataPrivate,
    ) -> Result<Vec<u8>, Cause> {
        self.made(self.keys.prove_request_data(public, private))
    }

    fn prove_fifty(&self, public: &fifty::FiftyPublic, private: &fifty::FiftyPrivate) -> Result<Vec<u8>, Cause> {
        self.made(self.keys.prove_fifty(public, private))
    }

    fn prove_no_move(
        &self,
        public: &no_move::NoMovePublic,
        private: &no_move::NoMovePrivate,
    ) -> Result<Vec<u8>, Cause> {
        self.made(self.keys.prove_no_move(public, private))
    }

    fn prove_chain_answer(
        &self,
        public: &chain_answer::ChainAnswerPublic,
        private: &chain_answer::ChainAnswerPrivate,
    ) -> Result<Vec<u8>, Cause> {
        self.made(self.keys.prove_chain_answer(public, private))
    }
}
