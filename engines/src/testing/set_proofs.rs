//! *shown* and *asked* checked natively in place of proofs, for tests of the engine that don't need halo2.

use crate::psi::statement::{
    ASKED_BYTES, SHOWN_BYTES, SetPrivate, SetPublic,
    asked::{self, AskedPrivate, AskedPublic, AskedStatement},
    shown::{self, ShownPrivate, ShownPublic, ShownStatement},
};
use fog::testing::written::{SIDE_BYTES, read_side, write_side};
use fog::{
    engine::Cause,
    exponent::{EXPONENT_BITS, Exponent},
    statement::Proves,
    word::{WORD, from_word, to_word},
};

/// Bytes of a place.
const PLACE: usize = 2;

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
