//! Statements checked natively in place of proofs, for tests of the engine that don't need halo2.

use super::written::{SIDE_BYTES, read_side, write_side};
use crate::{
    curve::FogSecret,
    engine::{Cause, Proofs},
    statement::{
        Proves, Statement,
        answer::{AnswerPrivate, AnswerPublic, AnswerStatement},
        chain_answer::ChainAnswerStatement,
        fifty::FiftyStatement,
        no_move::NoMoveStatement,
        request_data::RequestDataStatement,
        turn::TurnStatement,
    },
    word::{WORD, from_word, to_word},
};

/// Proofs that are the witness itself, or the public inputs: they hide nothing and convince only who checks them natively, but
/// a wrong one is refused for the same reason as the circuit's.
#[derive(Clone, Copy, Debug, Default)]
pub struct NativeProofs;

/// A statement that the contract verifies: a proof is its public inputs as words, if the statement holds.
trait OnChain: Statement {}

impl OnChain for TurnStatement {}
impl OnChain for RequestDataStatement {}
impl OnChain for FiftyStatement {}
impl OnChain for NoMoveStatement {}
impl OnChain for ChainAnswerStatement {}

fn words<S: Statement>(public: &S::Public) -> Vec<u8> {
    S::instance(public).iter().flat_map(to_word).collect()
}

impl<S: OnChain> Proves<S> for NativeProofs {
    fn prove(&self, public: &S::Public, private: &S::Private) -> Result<Vec<u8>, Cause> {
        S::check(public, private)?;
        Ok(words::<S>(public))
    }

    fn verify(&self, public: &S::Public, proof: &[u8]) -> Result<(), Cause> {
        (words::<S>(public) == proof).then_some(()).ok_or("the proof is of other public inputs".into())
    }
}

impl Proves<AnswerStatement> for NativeProofs {
    /// Side, salt and fog secret, if the statement holds.
    fn prove(&self, public: &AnswerPublic, private: &AnswerPrivate) -> Result<Vec<u8>, Cause> {
        AnswerStatement::check(public, private)?;
        let mut proof = write_side(&private.side);
        proof.extend(to_word(&private.salt));
        proof.extend(to_word(&private.secret.field()));
        Ok(proof)
    }

    fn verify(&self, public: &AnswerPublic, proof: &[u8]) -> Result<(), Cause> {
        let (side, words) = proof.split_at_checked(SIDE_BYTES).ok_or("the proof is too short")?;
        let [salt, secret] = *words.as_chunks::<WORD>().0 else {
            return Err("the proof has another length".into());
        };
        let private = AnswerPrivate {
            side: read_side(side, !public.header.receiver),
            salt: from_word(&salt).ok_or("the salt is no field element")?,
            secret: FogSecret::from_word(&secret)?,
        };
        AnswerStatement::check(public, &private)
    }
}

impl Proofs for NativeProofs {
    fn answer_proof_bytes(&self) -> usize {
        SIDE_BYTES + 2 * WORD
    }
}
