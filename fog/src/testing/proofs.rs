//! Statements checked natively in place of proofs, for tests of the engine that don't need halo2.

use super::written::{SIDE_BYTES, read_side, write_side};
use crate::{
    F,
    curve::FogSecret,
    engine::{Cause, Proofs},
    statement::{
        answer::{AnswerPrivate, AnswerPublic, check as check_answer},
        chain_answer::{self, ChainAnswerPrivate, ChainAnswerPublic},
        fifty::{self, FiftyPrivate, FiftyPublic},
        no_move::{self, NoMovePrivate, NoMovePublic},
        request_data::{self, RequestDataPrivate, RequestDataPublic},
        turn::{TURN_INPUTS, TurnPrivate, TurnPublic, check as check_turn},
    },
    word::{WORD, from_word, to_word},
};

/// Proofs that are the witness itself, or the public inputs: they hide nothing and convince only who checks them natively, but
/// a wrong one is refused for the same reason as the circuit's.
#[derive(Clone, Copy, Debug, Default)]
pub struct NativeProofs;

impl Proofs for NativeProofs {
    fn answer_proof_bytes(&self) -> usize {
        SIDE_BYTES + 2 * WORD
    }

    /// The 13 public inputs as words, if the statement holds.
    fn prove_turn(&self, public: &TurnPublic, private: &TurnPrivate) -> Result<Vec<u8>, Cause> {
        check_turn(public, private)?;
        Ok(public.to_instance().iter().flat_map(to_word).collect())
    }

    /// Side, salt and fog secret, if the statement holds.
    fn prove_answer(&self, public: &AnswerPublic, private: &AnswerPrivate) -> Result<Vec<u8>, Cause> {
        check_answer(public, private)?;
        let mut proof = write_side(&private.side);
        proof.extend(to_word(&private.salt));
        proof.extend(to_word(&private.secret.field()));
        Ok(proof)
    }

    fn verify_answer(&self, public: &AnswerPublic, proof: &[u8]) -> Result<(), Cause> {
        let (side, words) = proof.split_at_checked(SIDE_BYTES).ok_or("the proof is too short")?;
        let [salt, secret] = *words.as_chunks::<WORD>().0 else {
            return Err("the proof has another length".into());
        };
        let private = AnswerPrivate {
            side: read_side(side, !public.header.receiver),
            salt: from_word(&salt).ok_or("the salt is no field element")?,
            secret: FogSecret::from_word(&secret)?,
        };
        Ok(check_answer(public, &private)?)
    }

    fn verify_turn(&self, inputs: &[F; TURN_INPUTS], proof: &[u8]) -> Result<(), Cause> {
        let words: Vec<u8> = inputs.iter().flat_map(to_word).collect();
        (words == proof).then_some(()).ok_or("the proof is of other public inputs".into())
    }

    /// The public inputs as words, if the statement holds.
    fn prove_request_data(&self, public: &RequestDataPublic, private: &RequestDataPrivate) -> Result<Vec<u8>, Cause> {
        request_data::check(public, private)?;
        Ok(public.to_instance().iter().flat_map(to_word).collect())
    }

    /// The public inputs as words, if the statement holds.
    fn prove_fifty(&self, public: &FiftyPublic, private: &FiftyPrivate) -> Result<Vec<u8>, Cause> {
        fifty::check(public, private)?;
        Ok(public.to_instance().iter().flat_map(to_word).collect())
    }

    /// The public inputs as words, if the statement holds.
    fn prove_no_move(&self, public: &NoMovePublic, private: &NoMovePrivate) -> Result<Vec<u8>, Cause> {
        no_move::check(public, private)?;
        Ok(public.to_instance().iter().flat_map(to_word).collect())
    }

    /// The public inputs as words, if the statement holds.
    fn prove_chain_answer(&self, public: &ChainAnswerPublic, private: &ChainAnswerPrivate) -> Result<Vec<u8>, Cause> {
        chain_answer::check(public, private)?;
        Ok(public.to_instance().iter().flat_map(to_word).collect())
    }
}
