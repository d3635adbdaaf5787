//! What stands for prover and verifier: a "proof" is a ticket for an instance. With sight-lines it is issued once the witness has passed
//! the statement's **native check**, with the open engine once the rules of the game have been looked at. No proof system is involved, and
//! none is claimed.

use fog::engine::{Cause, Proofs};
use fog::statement::turn::TURN_INPUTS;
use fog::statement::{answer, chain_answer, fifty, no_move, request_data, turn};
use fog::word::{keccak256, to_word};
use halo2curves::bn256::Fr;
use rules::Move;
use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard};

/// Issues tickets and knows them again. Copies share their tickets, so that what one course of a game has checked isn't
/// checked again in the next.
#[derive(Clone, Debug, Default)]
pub struct Oracle(Arc<Mutex<Ledger>>);

#[derive(Debug, Default)]
struct Ledger {
    issued: HashSet<Vec<u8>>,
    /// The move behind each commitment that was proven.
    moves: BTreeMap<[u8; 32], Move>,
    /// A broken verifier: it takes any proof of an answer that a peer sends.
    is_broken: bool,
    /// Every proof that is to be made fails on the prover's side.
    is_failing: bool,
}

/// The statements that there are tickets of.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the names of the statements")]
pub enum Statement {
    Turn,
    Answer,
    ChainAnswer,
    RequestData,
    Fifty,
    NoMove,
}

impl Statement {
    /// Bytes of all its tickets: those that one verifier serves have the same length.
    pub fn proof_bytes(self) -> usize {
        ticket(self, &[]).len()
    }
}

impl Oracle {
    /// Whether the ticket is for this statement of this instance.
    pub fn verify(&self, statement: Statement, instance: &[Fr], proof: &[u8]) -> bool {
        ticket(statement, instance) == proof && self.ledger().issued.contains(proof)
    }

    /// The move that led to a commitment.
    pub fn move_to(&self, commitment: &Fr) -> Move {
        self.ledger().moves[&to_word(commitment)]
    }

    /// Takes note of the move that leads to a commitment, where no proof tells it.
    pub fn note_move(&self, commitment: [u8; 32], mv: Move) {
        self.ledger().moves.insert(commitment, mv);
    }

    /// Breaks the verifier of answers, or mends it.
    pub fn set_broken(&self, is_broken: bool) {
        self.ledger().is_broken = is_broken;
    }

    /// Makes every proof fail on the prover's side, or no more.
    pub fn set_failing(&self, is_failing: bool) {
        self.ledger().is_failing = is_failing;
    }

    /// Whether every proof fails.
    pub fn is_failing(&self) -> bool {
        self.ledger().is_failing
    }

    /// Notes the move that leads to a commitment.
    pub fn record(&self, commitment: &Fr, mv: Move) {
        self.ledger().moves.insert(to_word(commitment), mv);
    }

    /// A ticket, once `check` has passed.
    ///
    /// # Errors
    /// What `check` says, or a failure that was ordered.
    pub fn issue(
        &self,
        statement: Statement,
        instance: &[Fr],
        check: impl FnOnce() -> Result<(), Cause>,
    ) -> Result<Vec<u8>, Cause> {
        if self.is_failing() {
            return Err("out of memory, as drawn".into());
        }
        let ticket = ticket(statement, instance);
        if !self.ledger().issued.contains(&ticket) {
            check()?;
            self.ledger().issued.insert(ticket.clone());
        }
        Ok(ticket)
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.0.lock().expect("no test panics while it holds this")
    }
}

impl Proofs for Oracle {
    fn answer_proof_bytes(&self) -> usize {
        Statement::Answer.proof_bytes()
    }

    fn prove_turn(&self, public: &turn::TurnPublic, private: &turn::TurnPrivate) -> Result<Vec<u8>, Cause> {
        self.record(&public.next_commitment, private.mv);
        self.issue(Statement::Turn, &public.to_instance(), || Ok(turn::check(public, private).map(|_| ())?))
    }

    fn prove_answer(&self, public: &answer::AnswerPublic, private: &answer::AnswerPrivate) -> Result<Vec<u8>, Cause> {
        self.issue(Statement::Answer, &public.to_instance(), || Ok(answer::check(public, private)?))
    }

    fn verify_answer(&self, public: &answer::AnswerPublic, proof: &[u8]) -> Result<(), Cause> {
        let is_taken = self.verify(Statement::Answer, &public.to_instance(), proof) || self.ledger().is_broken;
        is_taken.then_some(()).ok_or("not issued".into())
    }

    fn verify_turn(&self, inputs: &[Fr; TURN_INPUTS], proof: &[u8]) -> Result<(), Cause> {
        self.verify(Statement::Turn, inputs, proof).then_some(()).ok_or("not issued".into())
    }

    fn prove_request_data(
        &self,
        public: &request_data::RequestDataPublic,
        private: &request_data::RequestDataPrivate,
    ) -> Result<Vec<u8>, Cause> {
        self.issue(Statement::RequestData, &public.to_instance(), || Ok(request_data::check(public, private)?))
    }

    fn prove_chain_answer(
        &self,
        public: &chain_answer::ChainAnswerPublic,
        private: &chain_answer::ChainAnswerPrivate,
    ) -> Result<Vec<u8>, Cause> {
        self.issue(Statement::ChainAnswer, &public.to_instance(), || Ok(chain_answer::check(public, private)?))
    }

    fn prove_fifty(&self, public: &fifty::FiftyPublic, private: &fifty::FiftyPrivate) -> Result<Vec<u8>, Cause> {
        self.issue(Statement::Fifty, &public.to_instance(), || Ok(fifty::check(public, private)?))
    }

    fn prove_no_move(
        &self,
        public: &no_move::NoMovePublic,
        private: &no_move::NoMovePrivate,
    ) -> Result<Vec<u8>, Cause> {
        self.issue(Statement::NoMove, &public.to_instance(), || Ok(no_move::check(public, private)?))
    }
}

/// The ticket of an instance: of one length for all.
fn ticket(statement: Statement, instance: &[Fr]) -> Vec<u8> {
    let words: Vec<u8> = instance.iter().flat_map(to_word).collect();
    let bytes = [&[statement as u8][..], &words].concat();
    [&b"native check, not a proof: "[..], &keccak256(&bytes)].concat()
}
