//! A key read back from the code of its contract: all that verifying takes, without parameters, without a cache and without making keys.

use super::SolidityError;
use super::key::{STOP, WORD};
use crate::{Ceremony, Statement, Transcript, Verifier};
use circuits::AnyCircuit;
use halo2_proofs::SerdeFormat;
use halo2_proofs::plonk::{Circuit, ConstraintSystem, VerifyingKey};
use halo2curves::CurveAffine;
use halo2curves::bn256::{Fq, Fq2, Fr, G1Affine, G2Affine};
use halo2curves::ff::PrimeField;
use halo2curves::serde::SerdeObject;

/// The version of the library's verifying keys in bytes.
const VERSION: u8 = 2;

impl<C: Statement> Verifier<C> {
    /// The verifier of a key as it stands in a contract, which must be the key of this very circuit: its last word is the hash of all else that the
    /// library's own key has, gates included. The ceremony is told by its τ.
    pub fn of_code(code: &[u8]) -> Result<Self, SolidityError> {
        fog::ensure!(C::TRANSCRIPT == Transcript::Keccak, SolidityError::WrongTranscript(C::NAME));
        let foreign = || SolidityError::ForeignKey(C::NAME);
        let mut constraints = ConstraintSystem::<Fr>::default();
        C::configure(&mut constraints);
        let fixed = constraints.num_fixed_columns();
        let points = fixed + constraints.permutation().get_columns().len();
        // After the constants: commitments, 1 and −τ in G2, the hash.
        let tail = [2 * points, 4, 4, 1].map(|words| words * WORD);
        let start = code.len().checked_sub(tail.iter().sum()).filter(|start| start % WORD == 1).ok_or_else(foreign)?;
        let (head, rest) = code.split_at(start);
        let (commitments, rest) = rest.split_at(tail[0]);
        let (one, rest) = rest.split_at(tail[1]);
        let (minus_tau, hash) = rest.split_at(tail[2]);
        let tau_g2 = -g2(minus_tau).ok_or_else(foreign)?;
        let vk = verifying_key::<C>(fixed, commitments).ok_or_else(foreign)?;
        let ceremony = Ceremony::of(&tau_g2).ok_or_else(foreign)?;
        let verifier = Self::new(tau_g2, ceremony, vk);
        let is_it = head[0] == STOP && g2(one) == Some(G2Affine::generator()) && verifier.key_hash() == hash;
        is_it.then_some(verifier).ok_or_else(foreign)
    }
}

/// The library's key with these commitments, the fixed columns' first. No statement has selectors of the library's, which would follow them.
fn verifying_key<C: Statement>(fixed: usize, commitments: &[u8]) -> Option<VerifyingKey<G1Affine>> {
    let is_compressed = 1;
    let mut bytes = vec![VERSION];
    bytes.extend(C::K.to_le_bytes());
    bytes.push(is_compressed);
    bytes.extend(u32::try_from(fixed).ok()?.to_le_bytes());
    for word in commitments.chunks_exact(WORD) {
        bytes.extend(coordinate(word)?.to_raw_bytes());
    }
    VerifyingKey::from_bytes::<AnyCircuit>(&bytes, SerdeFormat::RawBytes, AnyCircuit::of(C::blank()).params()).ok()
}

/// A field element of a word, which is big-endian.
fn coordinate(word: &[u8]) -> Option<Fq> {
    let mut bytes: [u8; WORD] = word.try_into().ok()?;
    bytes.reverse();
    Fq::from_repr(bytes).into_option()
}

/// A point of G2, with the imaginary part of each coordinate first.
fn g2(words: &[u8]) -> Option<G2Affine> {
    let mut parts = words.chunks_exact(WORD).map(coordinate);
    let mut next = || {
        let imaginary = parts.next()??;
        Some(Fq2::new(parts.next()??, imaginary))
    };
    G2Affine::from_xy(next()?, next()?).into_option()
}
