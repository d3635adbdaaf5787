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

use super::group::{Encoded, Group, POINT_BYTES};
use fog::engine::Word;
use sha2::{Digest, Sha512};
use sha3::{
    Shake256,
    digest::{ExtendableOutput, Update, XofReader},
};
use std::marker::PhantomData;

/// Bytes of a proof: challenge and response.
pub const PROOF_BYTES: usize = 64;
/// Bytes of a weight.
const WEIGHT_BYTES: usize = 16;

pub struct Statement<'a, G> {
    bound: Word,
    public: &'a Encoded,
    group: PhantomData<G>,
}

/// The proof is none of its statement.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the points were not all raised to the exponent announced")]
pub struct NotEqual;

impl<'a, G: Group> Statement<'a, G> {
    /// A statement about `public`, `A = a·G`. `bound` stands for all that was said, the raised points and the announced one included: whoever
    /// makes the word puts them in.
    pub fn new(bound: Word, public: &'a Encoded) -> Self {
        Self { bound, public, group: PhantomData }
    }

    /// The proof that each of `asked` was raised to `exponent`; `nonce` is a secret used for this statement alone.
    pub fn prove(&self, exponent: &G::Scalar, nonce: &G::Scalar, asked: &[G::Point]) -> [u8; PROOF_BYTES] {
        let sum = self.weighted(asked);
        let raised = G::times(exponent, &sum);
        let commitments = [G::times_generator(nonce), G::times(nonce, &sum)];
        let challenge = self.challenge([sum, raised], commitments);
        let response = *nonce - challenge * *exponent;
        let mut proof = [0; PROOF_BYTES];
        proof[..32].copy_from_slice(&G::scalar_bytes(&challenge));
        proof[32..].copy_from_slice(&G::scalar_bytes(&response));
        proof
    }

    /// Checks a proof that `public`'s exponent takes `asked` to `raised`, point by point.
    pub fn verify(
        &self,
        public: &G::Point,
        asked: &[G::Point],
        raised: &[G::Point],
        proof: &[u8],
    ) -> Result<(), NotEqual> {
        fog::ensure!(asked.len() == raised.len(), NotEqual);
        let [challenge, response] = read::<G>(proof).ok_or(NotEqual)?;
        let sums = [self.weighted(asked), self.weighted(raised)];
        let commitments = [[G::generator(), *public], sums].map(|points| G::sum(&[response, challenge], &points));
        (self.challenge(sums, commitments) == challenge).then_some(()).ok_or(NotEqual)
    }

    /// `Σ ρᵢ·Pᵢ`: the points are public, so the time that it takes may depend on them.
    fn weighted(&self, points: &[G::Point]) -> G::Point {
        G::sum(&self.weights(points.len()), points)
    }

    fn weights(&self, count: usize) -> Vec<G::Scalar> {
        let hash = Shake256::default().chain(b"fogmate/psi/weights/1").chain(self.bound).chain(self.public);
        let mut reader = hash.finalize_xof();
        let weight = |_| {
            let mut bytes = [0; WEIGHT_BYTES];
            reader.read(&mut bytes);
            G::small(u128::from_le_bytes(bytes))
        };
        (0..count).map(weight).collect()
    }

    fn challenge(&self, sums: [G::Point; 2], commitments: [G::Point; 2]) -> G::Scalar {
        let hash = Sha512::new().chain_update(b"fogmate/psi/challenge/1").chain_update(self.bound);
        let hash = hash.chain_update(self.public);
        let points = sums.into_iter().chain(commitments);
        let hash = points.fold(hash, |hash, point| hash.chain_update(G::encode(&point)));
        G::scalar(&hash.finalize().into())
    }
}

/// Challenge and response of a proof; none if it has another length or no scalars.
pub(super) fn read<G: Group>(proof: &[u8]) -> Option<[G::Scalar; 2]> {
    let proof: &[u8; PROOF_BYTES] = proof.try_into().ok()?;
    let half = |start: usize| G::read_scalar(proof[start..start + POINT_BYTES].try_into().ok()?);
    Some([half(0)?, half(32)?])
}
