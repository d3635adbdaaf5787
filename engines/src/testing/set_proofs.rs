//! *shown*, *asked*, *own step* and *captured* checked natively in place of proofs, for tests of the engine that don't need halo2.

use crate::bfv::{
    captured::{self, CAPTURED_BYTES, CapturedPublic, CapturedStatement},
    decryption::{self, DECRYPTION_BYTES, DecryptionPrivate, DecryptionPublic, DecryptionStatement},
    encrypted::{self, ENCRYPTED_BYTES, EncryptedPrivate, EncryptedPublic, EncryptedStatement},
    integers::KeyAndMask,
    shares::{self, KEY_SHARE_BYTES, KeySharePublic, KeyShareStatement},
};
use crate::own_step::OWN_STEP_BYTES;
use crate::psi::statement::{
    ASKED_BYTES, SHOWN_BYTES, SetPrivate, SetPublic,
    asked::{self, AskedPrivate, AskedPublic, AskedStatement},
    shown::{self, ShownPrivate, ShownPublic, ShownStatement},
};
use fog::testing::written::{SIDE_BYTES, read_side, write_side};
use fog::{
    engine::{Cause, digest},
    exponent::{EXPONENT_BITS, Exponent},
    statement::{
        Proves,
        own_step::{self, OwnStepPrivate, OwnStepPublic, OwnStepStatement},
    },
    word::{WORD, from_word, to_word},
};
use rules::{Move, PieceType, Square};
use std::{any::Any, sync::Mutex};

/// Bytes of a place.
const PLACE: usize = 2;

/// Bytes of a move.
const MOVE: usize = 3;

/// Bytes of what is known of a player and its set.
const SET: usize = SIDE_BYTES + 2 * WORD;

/// Proofs that are the witness itself, then zeros up to the length of halo2's: they hide nothing, but a wrong one is refused for the same
/// reason as the circuit's.
#[derive(Clone, Copy, Debug, Default)]
pub struct NativeSetProofs;

fn write(private: &SetPrivate) -> Vec<u8> {
    let words = [to_word(&private.salt), to_word(&private.digest_salt)];
    [write_side(&private.side), words.concat()].concat()
}

/// A proof of `LENGTH` bytes that says `parts`.
fn padded<const LENGTH: usize>(parts: &[&[u8]]) -> Vec<u8> {
    let mut proof = parts.concat();
    proof.resize(LENGTH, 0);
    proof
}

/// The common part of a proof, and the `rest` bytes after it.
fn read<'a>(public: &SetPublic, proof: &'a [u8], length: usize, rest: usize) -> Result<(SetPrivate, &'a [u8]), Cause> {
    fog::ensure!(proof.len() == length, "the proof has another length".into());
    let (proof, zeros) = proof.split_at(SET + rest);
    fog::ensure!(zeros.iter().all(|byte| *byte == 0), "there is something after the proof's end".into());
    let (side, rest) = proof.split_at(SIDE_BYTES);
    let (words, rest) = rest.split_at(2 * WORD);
    let element = |place: usize| {
        let word = words.as_chunks::<WORD>().0[place];
        from_word(&word).ok_or("a salt is no field element")
    };
    let side = read_side(side, public.color);
    fog::ensure!(proof.starts_with(&write_side(&side)), "the side is written in another way than the right one".into());
    Ok((SetPrivate { side, salt: element(0)?, digest_salt: element(1)? }, rest))
}

impl Proves<ShownStatement> for NativeSetProofs {
    /// The state and the salts, the exponent's digits, and the places.
    fn prove(&self, public: &ShownPublic, private: &ShownPrivate) -> Result<Vec<u8>, Cause> {
        shown::check(public, private)?;
        let places = private.places.iter().flat_map(|place| (*place as u16).to_be_bytes());
        let (exponent, places) = (to_word(&private.exponent.digits()), places.collect::<Vec<u8>>());
        Ok(padded::<SHOWN_BYTES>(&[&write(&private.set), &exponent, &places]))
    }

    fn verify(&self, public: &ShownPublic, proof: &[u8]) -> Result<(), Cause> {
        let (set, rest) = read(&public.set, proof, SHOWN_BYTES, WORD + PLACE * public.weights.len())?;
        let (exponent, places) = rest.split_at(WORD);
        let (zeros, digits) = exponent.split_at(WORD - EXPONENT_BITS / 8);
        fog::ensure!(zeros.iter().all(|byte| *byte == 0), "the exponent is too large".into());
        let mut digits: [u8; EXPONENT_BITS / 8] = digits.try_into()?;
        digits.reverse();
        let places = places.as_chunks::<PLACE>().0.iter().map(|place| u16::from_be_bytes(*place).into()).collect();
        Ok(shown::check(public, &ShownPrivate { set, exponent: Exponent::new(digits), places })?)
    }
}

impl Proves<AskedStatement> for NativeSetProofs {
    /// The state and the salts, and the blinding.
    fn prove(&self, public: &AskedPublic, private: &AskedPrivate) -> Result<Vec<u8>, Cause> {
        asked::check(public, private)?;
        Ok(padded::<ASKED_BYTES>(&[&write(&private.set), &to_word(&private.blinding)]))
    }

    fn verify(&self, public: &AskedPublic, proof: &[u8]) -> Result<(), Cause> {
        let (set, blinding) = read(&public.set, proof, ASKED_BYTES, WORD)?;
        let blinding = from_word(blinding.try_into()?).ok_or("the blinding is no scalar")?;
        Ok(asked::check(public, &AskedPrivate { set, blinding })?)
    }
}

impl Proves<OwnStepStatement> for NativeSetProofs {
    /// The side before the move, both salts, and the move.
    fn prove(&self, public: &OwnStepPublic, private: &OwnStepPrivate) -> Result<Vec<u8>, Cause> {
        own_step::check(public, private)?;
        let OwnStepPrivate { side, salt, mv, next_salt } = private;
        let mv = [mv.from.index() as u8, mv.to.index() as u8, mv.promotion.map_or(0, PieceType::code)];
        Ok(padded::<OWN_STEP_BYTES>(&[&write_side(side), &to_word(salt), &to_word(next_salt), &mv]))
    }

    fn verify(&self, public: &OwnStepPublic, proof: &[u8]) -> Result<(), Cause> {
        fog::ensure!(proof.len() == OWN_STEP_BYTES, "the proof has another length".into());
        let (proof, zeros) = proof.split_at(SIDE_BYTES + 2 * WORD + MOVE);
        fog::ensure!(zeros.iter().all(|byte| *byte == 0), "there is something after the proof's end".into());
        let (side, rest) = proof.split_at(SIDE_BYTES);
        let (words, mv) = rest.split_at(2 * WORD);
        let element = |place: usize| from_word(&words.as_chunks::<WORD>().0[place]).ok_or("a salt is no field element");
        let square = |place: usize| Square::new(mv[place]).ok_or("the move has no such square");
        let promotion = PieceType::from_code(mv[2]);
        fog::ensure!(promotion.map_or(0, PieceType::code) == mv[2], "the move promotes to nothing".into());
        let mv = Move { from: square(0)?, to: square(1)?, promotion };
        let written = side;
        let side = read_side(side, public.color);
        fog::ensure!(write_side(&side) == written, "the side is written in another way than the right one".into());
        Ok(own_step::check(public, &OwnStepPrivate { side, salt: element(0)?, mv, next_salt: element(1)? })?)
    }
}

/// What was proven of polynomials: a witness is longer than its proof, which is a number, so witnesses are kept in the process.
static WITNESSES: Mutex<Vec<Box<dyn Any + Send>>> = Mutex::new(Vec::new());

/// Keeps a witness; the proof is its number.
fn keep<W: Any + Send>(witness: W, bytes: usize) -> Result<Vec<u8>, Cause> {
    let mut kept = WITNESSES.lock().map_err(|_| "a test has failed")?;
    kept.push(Box::new(witness));
    let number = digest([&(kept.len() as u64).to_be_bytes()[..]]);
    Ok([&number[..], &(kept.len() as u64).to_be_bytes(), &vec![0; bytes - WORD - 8]].concat())
}

/// The witness of a proof.
fn kept<W: Any + Clone>(proof: &[u8]) -> Result<W, Cause> {
    let (number, place) = proof.split_at(WORD);
    let (place, zeros) = place.split_at(8);
    fog::ensure!(zeros.iter().all(|byte| *byte == 0) && digest([place])[..] == *number, "a changed proof".into());
    let place = u64::from_be_bytes(place.try_into()?) as usize - 1;
    let kept = WITNESSES.lock().map_err(|_| "a test has failed")?;
    let witness = kept.get(place).and_then(|witness| witness.downcast_ref::<W>());
    Ok(witness.ok_or("it is of another statement")?.clone())
}

/// Proves a statement by keeping its witness.
macro_rules! kept {
    ($($statement:ty, $public:ty, $private:ty, $check:path, $bytes:expr;)*) => {
        $(impl Proves<$statement> for NativeSetProofs {
            fn prove(&self, public: &$public, private: &$private) -> Result<Vec<u8>, Cause> {
                $check(public, private)?;
                keep(private.clone(), $bytes)
            }

            fn verify(&self, public: &$public, proof: &[u8]) -> Result<(), Cause> {
                Ok($check(public, &kept::<$private>(proof)?)?)
            }
        })*
    };
}

kept! {
    KeyShareStatement, KeySharePublic, KeyAndMask, shares::check, KEY_SHARE_BYTES;
    EncryptedStatement, EncryptedPublic, EncryptedPrivate, encrypted::check, ENCRYPTED_BYTES;
    DecryptionStatement, DecryptionPublic, DecryptionPrivate, decryption::check, DECRYPTION_BYTES;
    CapturedStatement, CapturedPublic, KeyAndMask, captured::check, CAPTURED_BYTES;
}
