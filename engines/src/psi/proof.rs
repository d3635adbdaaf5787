//! The proof that goes with all that a sender raises: one exponent was used for all points, the one that it announced, and the sender
//! knows it. Without pairs it is Schnorr's proof of knowledge.
//!
//! The equality of discrete logarithms of Chaum and Pedersen (CRYPTO '92, section 3.2), non-interactive, and batched by random weights
//! of 128 bits. All pairs and the announced point are in the hash that gives weights and challenge, so a point that was raised
//! to something else goes unnoticed with a probability of 2⁻¹²⁸ a trial.
//!
//! ```text
//! M = Σ ρᵢ·Yᵢ, N = Σ ρᵢ·Zᵢ;  K = k·G, L = k·M;  c = hash(bound, A, M, N, K, L);  s = k − c·a
//! proof = c ‖ s, little-endian;  K = s·G + c·A, L = s·M + c·N
//! ```

use super::points::{Encoded, scalar};
use curve25519_dalek::{
    ristretto::RistrettoPoint,
    scalar::Scalar,
    traits::{Identity, VartimeMultiscalarMul},
};
use fog::engine::Word;
use rayon::prelude::*;
use sha2::{Digest, Sha512};
use sha3::{
    Shake256,
    digest::{ExtendableOutput, Update, XofReader},
};

/// Bytes of a proof: challenge and response.
pub const PROOF_BYTES: usize = 64;
/// Bytes of a weight.
const WEIGHT_BYTES: usize = 16;

/// What is proven.
pub struct Statement<'a> {
    /// All that was said, the raised points and the announced one included: whoever makes the word puts them in.
    pub bound: Word,
    /// `A = a·G`.
    pub public: &'a Encoded,
}

/// The proof is none of its statement.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the points were not all raised to the exponent announced")]
pub struct NotEqual;

impl Statement<'_> {
    /// The proof that each of `asked` was raised to `exponent`; `nonce` is a secret used for this statement alone.
    pub fn prove(&self, exponent: &Scalar, nonce: &Scalar, asked: &[RistrettoPoint]) -> [u8; PROOF_BYTES] {
        let sum = self.weighted(asked);
        let raised = exponent * sum;
        let commitments = [RistrettoPoint::mul_base(nonce), nonce * sum];
        let challenge = self.challenge([sum, raised], commitments);
        let response = nonce - challenge * exponent;
        let mut proof = [0; PROOF_BYTES];
        proof[..32].copy_from_slice(challenge.as_bytes());
        proof[32..].copy_from_slice(response.as_bytes());
        proof
    }

    /// Checks a proof that `public`'s exponent takes `asked` to `raised`, point by point.
    pub fn verify(
        &self,
        public: &RistrettoPoint,
        asked: &[RistrettoPoint],
        raised: &[RistrettoPoint],
        proof: &[u8],
    ) -> Result<(), NotEqual> {
        fog::ensure!(asked.len() == raised.len(), NotEqual);
        let [challenge, response] = read(proof).ok_or(NotEqual)?;
        let (sum, raised) = rayon::join(|| self.weighted(asked), || self.weighted(raised));
        let commitments = [
            RistrettoPoint::vartime_double_scalar_mul_basepoint(&challenge, public, &response),
            RistrettoPoint::vartime_multiscalar_mul([response, challenge], [sum, raised]),
        ];
        (self.challenge([sum, raised], commitments) == challenge).then_some(()).ok_or(NotEqual)
    }

    /// `Σ ρᵢ·Pᵢ`: the points are public, so the time that it takes may depend on them.
    fn weighted(&self, points: &[RistrettoPoint]) -> RistrettoPoint {
        let weights = self.weights(points.len());
        let half = points.len().div_ceil(2).max(1);
        let halves = weights.par_chunks(half).zip(points.par_chunks(half));
        let sums = halves.map(|(weights, points)| RistrettoPoint::vartime_multiscalar_mul(weights, points));
        sums.reduce(RistrettoPoint::identity, |a, b| a + b)
    }

    fn weights(&self, count: usize) -> Vec<Scalar> {
        let mut hash = Shake256::default();
        for part in [&b"fogmate/psi/weights/1"[..], &self.bound, self.public] {
            hash.update(part);
        }
        let mut reader = hash.finalize_xof();
        let weight = |_| {
            let mut bytes = [0; WEIGHT_BYTES];
            reader.read(&mut bytes);
            Scalar::from(u128::from_le_bytes(bytes))
        };
        (0..count).map(weight).collect()
    }

    fn challenge(&self, sums: [RistrettoPoint; 2], commitments: [RistrettoPoint; 2]) -> Scalar {
        let hash = Sha512::new().chain_update(b"fogmate/psi/challenge/1").chain_update(self.bound);
        let hash = hash.chain_update(self.public);
        let points = sums.into_iter().chain(commitments);
        let hash = points.fold(hash, |hash, point| hash.chain_update(point.compress().as_bytes()));
        scalar(&hash.finalize().into())
    }
}

fn read(proof: &[u8]) -> Option<[Scalar; 2]> {
    let proof: &[u8; PROOF_BYTES] = proof.try_into().ok()?;
    let half = |start: usize| {
        let bytes = proof[start..start + 32].try_into().ok()?;
        Option::from(Scalar::from_canonical_bytes(bytes))
    };
    Some([half(0)?, half(32)?])
}
