//! A statement's key for the verifier of its shape: a contract whose code is data.

use super::metadata::SolidityKey;
use super::{SolidityError, SolidityVerifier};
use crate::{Sha256Hash, Statement, Transcript, Verifier};
use halo2curves::CurveAffine;
use halo2curves::bn256::{Fq, Fr, G1Affine, G2Affine};
use halo2curves::ff::PrimeField;

use super::shape::Shape;

/// The instruction with which a key's code begins, so that a call of it does nothing.
pub(super) const STOP: u8 = 0x00;
/// Bytes of each of the words that follow it.
pub(super) const WORD: usize = 32;

impl<C: Statement> Verifier<C> {
    /// The circuit's shape, from which a verifier is made.
    pub fn shape(&self) -> Result<Shape, SolidityError> {
        fog::ensure!(C::TRANSCRIPT == Transcript::Keccak, SolidityError::WrongTranscript(C::NAME));
        Shape::of(self.verifying_key(), C::INSTANCES.iter().sum())
    }

    /// The key for a verifier, which must be of this circuit's shape. The same keys always give the same bytes.
    pub fn solidity_key(&self, verifier: &SolidityVerifier) -> Result<SolidityKey, SolidityError> {
        let shape = self.shape()?;
        if let Some(what) = shape.difference(&verifier.shape) {
            return Err(SolidityError::WrongShape { statement: C::NAME, contract: verifier.contract.clone(), what });
        }
        Ok(SolidityKey {
            statement: C::NAME.to_owned(),
            verifier: verifier.contract.clone(),
            verifier_sha256: Sha256Hash::of(verifier.source.as_bytes()).to_string(),
            k: C::K,
            public_inputs: C::INSTANCES.iter().sum(),
            proof_bytes: self.proof_bytes(),
            verifying_key: format!("0x{}", hex::encode(self.key_hash())),
            ceremony: self.ceremony().to_string(),
            tau: self.tau_hash().to_string(),
            development_only: self.ceremony().is_development(),
            code: format!("0x{}", hex::encode(self.key_code(&verifier.constants))),
        })
    }

    /// STOP, then words: constants, commitments, 1 and −τ in G2, the hash with which every transcript starts.
    fn key_code(&self, constants: &[Fr]) -> Vec<u8> {
        let vk = self.verifying_key();
        let commitments = vk.fixed_commitments().iter().chain(vk.permutation().commitments());
        let mut code = vec![STOP];
        constants.iter().for_each(|constant| push(&mut code, &constant.to_repr()));
        commitments.for_each(|commitment| push_g1(&mut code, commitment));
        push_g2(&mut code, &self.params.g2());
        push_g2(&mut code, &-self.params.s_g2());
        code.extend(self.key_hash());
        code
    }
}

/// Appends a word; field elements are little-endian here and big-endian there.
fn push(code: &mut Vec<u8>, little_endian: &[u8]) {
    code.extend(little_endian.iter().rev());
}

/// Appends a point; the one at infinity, to which a column of zeros commits, is (0, 0) to the EVM.
fn push_g1(code: &mut Vec<u8>, point: &G1Affine) {
    let coordinates = Option::<halo2curves::Coordinates<G1Affine>>::from(point.coordinates());
    let (x, y) = coordinates.map_or((Fq::zero(), Fq::zero()), |point| (*point.x(), *point.y()));
    push(code, &x.to_repr());
    push(code, &y.to_repr());
}

/// Appends a point of G2; the EVM wants the imaginary part of a coordinate first (EIP-197).
fn push_g2(code: &mut Vec<u8>, point: &G2Affine) {
    for coordinate in [point.x, point.y] {
        push(code, &coordinate.c1.to_repr());
        push(code, &coordinate.c0.to_repr());
    }
}
