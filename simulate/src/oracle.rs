//! What stands for prover and verifier: a "proof" is a ticket for an instance. With sight-lines it is issued once the witness has passed
//! the statement's **native check**, with the open engine once the rules of the game have been looked at. No proof system is involved, and
//! none is claimed; unless the oracle is given one ([`Oracle::proving`]). Then proofs are its, and it verifies each wherever a proof is
//! verified, and the oracle only remembers what was proven before.

use alloy::primitives::Address;
use fog::engine::{Cause, Proofs};
use fog::statement::{Proves, answer, chain_answer, fifty, no_move, request_data, turn};
use fog::word::{keccak256, to_word};
use halo2curves::bn256::Fr;
use rules::Move;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard};

/// What every ticket begins with.
pub const TICKET_PREFIX: [u8; 27] = *b"native check, not a proof: ";
/// Bytes of every ticket.
pub const TICKET_BYTES: usize = TICKET_PREFIX.len() + 32;
/// Words that the verifier of the answer on chain takes, and that of all other statements.
const WIDE_INPUTS: usize = 12;
const NARROW_INPUTS: usize = 13;

/// Issues tickets and knows them again. Copies share their tickets, so that what one course of a game has checked isn't
/// checked again in the next.
#[derive(Clone, Debug, Default)]
pub struct Oracle(Arc<Mutex<Ledger>>, Option<System>);

/// A proof system: its provers, and its verifiers as the peer has them. The contract has those that are shipped.
pub trait ProofSystem: Proofs {
    /// Whether a proof of *turn* is right, by its public inputs.
    fn verify_turn(&self, inputs: &[Fr], proof: &[u8]) -> bool;
}

#[derive(Clone)]
struct System(Arc<dyn ProofSystem>);

fog::redacted!(System);

#[derive(Debug, Default)]
struct Ledger {
    /// The proof of each ticket that was issued: the ticket itself, where there is no proof system.
    issued: HashMap<Vec<u8>, Vec<u8>>,
    /// The move behind each commitment that was signed.
    moves: BTreeMap<[u8; 32], Move>,
    /// A broken verifier: it takes any proof of an answer that a peer sends.
    is_broken: bool,
    /// Every proof that is to be made fails on the prover's side.
    is_failing: bool,
}

/// The statements that there are tickets of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statement {
    Turn,
    Answer,
    ChainAnswer,
    RequestData,
    Fifty,
    NoMove,
}

impl Statement {
    /// The statements that the contract has a key of, in the order in which it takes them.
    pub const ON_CHAIN: [Self; 5] = [Self::Turn, Self::RequestData, Self::Fifty, Self::NoMove, Self::ChainAnswer];

    /// The address of its key, by which a verifier is told what is to be proven.
    pub fn key(self) -> Address {
        Address::repeat_byte(self as u8 + 1)
    }

    /// How many words of public inputs its verifier takes; zeros stand behind the statement's own.
    pub fn inputs(self) -> usize {
        if self == Self::ChainAnswer { WIDE_INPUTS } else { NARROW_INPUTS }
    }
}

impl Oracle {
    /// One that proves and verifies by a proof system. Of two proofs of a statement with the same public inputs the second is the first one,
    /// once its own witness has passed the statement's native check.
    pub fn proving(system: Arc<dyn ProofSystem>) -> Self {
        Self(Arc::default(), Some(System(system)))
    }

    /// Whether it proves and verifies by a proof system.
    pub fn has_proof_system(&self) -> bool {
        self.1.is_some()
    }

    /// How many proofs or tickets there are.
    pub fn issued(&self) -> usize {
        self.ledger().issued.len()
    }

    /// Whether a ticket is for this statement of this instance.
    pub fn verify(&self, statement: Statement, instance: &[Fr], ticket: &[u8]) -> bool {
        self::ticket(statement, instance) == ticket && self.ledger().issued.contains_key(ticket)
    }

    /// Whether a proof of *turn* is right, or its ticket for these public inputs.
    pub fn verify_turn(&self, inputs: &[Fr], proof: &[u8]) -> bool {
        match &self.1 {
            Some(System(system)) => system.verify_turn(inputs, proof),
            None => self.verify(Statement::Turn, inputs, proof),
        }
    }

    /// The move that led to a commitment.
    pub fn move_to(&self, commitment: &Fr) -> Move {
        self.ledger().moves[&to_word(commitment)]
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

    /// Takes note of the move that leads to a commitment, which no proof tells.
    pub fn record(&self, commitment: &Fr, mv: Move) {
        self.ledger().moves.insert(to_word(commitment), mv);
    }

    /// A ticket, once `check` has passed; with a proof system a proof, which `prove` makes if there is none.
    ///
    /// # Errors
    /// What `check` says, or a failure that was ordered.
    pub fn issue(
        &self,
        statement: Statement,
        instance: &[Fr],
        check: impl FnOnce() -> Result<(), Cause>,
    ) -> Result<Vec<u8>, Cause> {
        self.issue_or_prove(statement, instance, check, |_| Err("no proof system proves this".into()))
    }

    fn issue_or_prove(
        &self,
        statement: Statement,
        instance: &[Fr],
        check: impl FnOnce() -> Result<(), Cause>,
        prove: impl FnOnce(&(dyn ProofSystem + 'static)) -> Result<Vec<u8>, Cause>,
    ) -> Result<Vec<u8>, Cause> {
        if self.is_failing() {
            return Err("out of memory, as drawn".into());
        }
        let ticket = ticket(statement, instance);
        let known = self.ledger().issued.get(&ticket).cloned();
        match (known, &self.1) {
            (Some(known), None) => Ok(known),
            (Some(known), Some(_)) => {
                check()?;
                Ok(known)
            }
            (None, system) => {
                check()?;
                let proof = match system {
                    Some(System(system)) => prove(&**system)?,
                    None => ticket.clone(),
                };
                self.ledger().issued.insert(ticket, proof.clone());
                Ok(proof)
            }
        }
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.0.lock().expect("no test panics while it holds this")
    }
}

/// A statement that there are tickets of.
pub trait Ticketed: fog::statement::Statement {
    const STATEMENT: Statement;
}

impl Ticketed for turn::TurnStatement {
    const STATEMENT: Statement = Statement::Turn;
}

impl Ticketed for answer::AnswerStatement {
    const STATEMENT: Statement = Statement::Answer;
}

impl Ticketed for request_data::RequestDataStatement {
    const STATEMENT: Statement = Statement::RequestData;
}

impl Ticketed for chain_answer::ChainAnswerStatement {
    const STATEMENT: Statement = Statement::ChainAnswer;
}

impl Ticketed for fifty::FiftyStatement {
    const STATEMENT: Statement = Statement::Fifty;
}

impl Ticketed for no_move::NoMoveStatement {
    const STATEMENT: Statement = Statement::NoMove;
}

impl<S: Ticketed> Proves<S> for Oracle
where
    dyn ProofSystem: Proves<S>,
{
    fn prove(&self, public: &S::Public, private: &S::Private) -> Result<Vec<u8>, Cause> {
        let (instance, check) = (S::instance(public), || S::check(public, private));
        self.issue_or_prove(S::STATEMENT, &instance, check, |system| Proves::<S>::prove(system, public, private))
    }

    fn verify(&self, public: &S::Public, proof: &[u8]) -> Result<(), Cause> {
        if let Some(System(system)) = &self.1 {
            return Proves::<S>::verify(&**system, public, proof);
        }
        // Only peers verify answers, and a broken verifier is a peer's.
        let is_broken = S::STATEMENT == Statement::Answer && self.ledger().is_broken;
        let is_taken = Oracle::verify(self, S::STATEMENT, &S::instance(public), proof) || is_broken;
        is_taken.then_some(()).ok_or("not issued".into())
    }
}

impl Proofs for Oracle {
    fn answer_proof_bytes(&self) -> usize {
        self.1.as_ref().map_or(TICKET_BYTES, |System(system)| system.answer_proof_bytes())
    }
}

/// The ticket of an instance: of one length for all. Its hash is of the words that the contract gives a verifier.
fn ticket(statement: Statement, instance: &[Fr]) -> Vec<u8> {
    let mut words = statement.key().into_word().to_vec();
    words.extend(instance.iter().flat_map(to_word));
    words.resize(words.len().max(32 + 32 * statement.inputs()), 0);
    [&TICKET_PREFIX[..], &keccak256(&words)].concat()
}
