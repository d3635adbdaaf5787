//! Statements checked natively in place of proofs. Such a proof is the witness itself: it hides nothing, and a wrong one is refused for the same
//! reason as the circuit's.

use fog::{
    F,
    engine::Cause,
    statement::Proves,
    word::{WORD, from_word, to_word},
};

use crate::tag::{
    EXPONENT_BITS, Exponent, NEIGHBOURHOOD, Position, Set, Square, lift,
    statement::{
        capture::{self, CapturePrivate, CapturePublic, CaptureStatement},
        reply::{self, ReplyPrivate, ReplyPublic, ReplyStatement},
        step::{self, Before, StepPrivate, StepPublic, StepStatement},
    },
};

const EXPONENT: usize = EXPONENT_BITS / 8;
const POSITION: usize = 1 + 2 * EXPONENT;

/// A square's index, 64 for none; the exponents; then what a statement has besides, padded with zeros.
#[derive(Clone, Copy, Debug, Default)]
pub struct NativeProofs;

impl NativeProofs {
    /// Bytes of every proof.
    pub const BYTES: usize = POSITION + NEIGHBOURHOOD * WORD;
}

fn write(position: &Position) -> Vec<u8> {
    let mut bytes = vec![position.square.index() as u8];
    for exponent in [&position.look, &position.answer] {
        let word = to_word(&exponent.digits());
        bytes.extend(word[WORD - EXPONENT..].iter().rev());
    }
    bytes
}

fn padded(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.resize(NativeProofs::BYTES, 0);
    bytes
}

fn square(index: u8) -> Option<Square> {
    Square::new(index % 8, index / 8)
}

/// The position, and what follows it.
fn read(proof: &[u8]) -> Result<(Position, &[u8]), Cause> {
    if proof.len() != NativeProofs::BYTES {
        return Err("the proof has another length".into());
    }
    let (position, rest) = proof.split_at(POSITION);
    let exponent =
        |from: usize| -> Result<Exponent, Cause> { Ok(Exponent::new(position[from..from + EXPONENT].try_into()?)) };
    let square = square(position[0]).ok_or("no square")?;
    Ok((Position { square, look: exponent(1)?, answer: exponent(1 + EXPONENT)? }, rest))
}

fn word(bytes: &[u8]) -> Result<F, Cause> {
    let word: [u8; WORD] = bytes[..WORD].try_into()?;
    Ok(from_word(&word).ok_or("no field element")?)
}

impl Proves<StepStatement> for NativeProofs {
    fn prove(&self, public: &StepPublic, private: &StepPrivate) -> Result<Vec<u8>, Cause> {
        step::check(public, private)?;
        let mut proof = write(&private.position);
        proof.push(private.before.as_ref().map_or(64, |before| before.square.index() as u8));
        proof.extend(private.before.iter().flat_map(|before| to_word(&before.salt)));
        Ok(padded(proof))
    }

    fn verify(&self, public: &StepPublic, proof: &[u8]) -> Result<(), Cause> {
        let (position, rest) = read(proof)?;
        let salt = word(&rest[1..])?;
        let before = square(rest[0]).map(|square| Before { square, salt });
        Ok(step::check(public, &StepPrivate { before, position })?)
    }
}

impl Proves<ReplyStatement> for NativeProofs {
    fn prove(&self, public: &ReplyPublic, private: &ReplyPrivate) -> Result<Vec<u8>, Cause> {
        reply::check(public, private)?;
        let mut proof = write(&private.position);
        proof.extend(private.points.iter().flat_map(|point| to_word(&point.x)));
        Ok(padded(proof))
    }

    fn verify(&self, public: &ReplyPublic, proof: &[u8]) -> Result<(), Cause> {
        let (position, rest) = read(proof)?;
        let mut set = Set([F::zero(); NEIGHBOURHOOD]);
        for (x, bytes) in set.0.iter_mut().zip(rest.chunks_exact(WORD)) {
            *x = word(bytes)?;
        }
        let points = set.points().ok_or("no points")?;
        Ok(reply::check(public, &ReplyPrivate { position, points })?)
    }
}

impl Proves<CaptureStatement> for NativeProofs {
    fn prove(&self, public: &CapturePublic, private: &CapturePrivate) -> Result<Vec<u8>, Cause> {
        capture::check(public, private)?;
        Ok(padded(write(&private.position)))
    }

    fn verify(&self, public: &CapturePublic, proof: &[u8]) -> Result<(), Cause> {
        let (position, _) = read(proof)?;
        let own = lift(public.own).ok_or("no point")?;
        Ok(capture::check(public, &CapturePrivate { position, own })?)
    }
}
