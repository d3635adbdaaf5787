//! Statements checked natively in place of proofs, for tests of the engine that don't need halo2.

use crate::{
    F,
    commitment::type_number,
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
use rules::{CastlingRights, PieceType, Side, Square};

/// Bytes of a written side: 64 piece codes, two castling rights, the double push's file or 255, the counter.
const SIDE_BYTES: usize = 68;

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
        let side = &private.side;
        let mut proof: Vec<u8> = Square::all().map(|square| type_number(side, square)).collect();
        proof.extend([
            side.rights.king_side.into(),
            side.rights.queen_side.into(),
            side.double_push.unwrap_or(u8::MAX),
            side.since_pawn,
        ]);
        proof.extend(to_word(&private.salt));
        proof.extend(to_word(&private.secret.field()));
        Ok(proof)
    }

    fn verify_answer(&self, public: &AnswerPublic, proof: &[u8]) -> Result<(), Cause> {
        let (side, words) = proof.split_at_checked(SIDE_BYTES).ok_or("the proof is too short")?;
        let [salt, secret] = *words.as_chunks::<WORD>().0 else {
            return Err("the proof has another length".into());
        };
        let mut read = Side::empty(!public.header.receiver);
        for (piece, code) in read.pieces.iter_mut().zip(side) {
            *piece = PieceType::from_code(*code);
        }
        read.rights = CastlingRights { king_side: side[64] == 1, queen_side: side[65] == 1 };
        read.double_push = (side[66] != u8::MAX).then_some(side[66]);
        read.since_pawn = side[67];
        let private = AnswerPrivate {
            side: read,
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
