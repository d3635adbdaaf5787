//! How long a statement's proofs are.

use crate::Transcript;
use fog::word::WORD;
use halo2_proofs::plonk::VerifyingKey;
use halo2curves::bn256::G1Affine;
use plonk::{chunks, written_values};

/// The length of every proof, from what the verifier reads.
pub(crate) fn length(vk: &VerifyingKey<G1Affine>, transcript: Transcript) -> usize {
    let cs = vk.cs();
    let quotients = vk.get_domain().get_quotient_poly_degree();
    // Each lookup commits to two permuted columns and a product; one point is the random polynomial, two are the opening.
    let points = cs.num_advice_columns() + 3 * cs.lookups().len() + chunks(cs) + 1 + quotients + 2;
    points * transcript.point_bytes() + written_values(cs).len() * WORD
}
