//! How long a statement's proofs are.

use crate::Transcript;
use fog::word::WORD;
use halo2_proofs::plonk::VerifyingKey;
use halo2curves::bn256::G1Affine;

/// The length of every proof, from what the verifier reads.
pub(crate) fn length(vk: &VerifyingKey<G1Affine>, transcript: Transcript) -> usize {
    let cs = vk.cs();
    let lookups = cs.lookups().len();
    let equalities = cs.permutation().get_columns().len();
    let chunks = equalities.div_ceil(cs.degree() - 2);
    let quotients = vk.get_domain().get_quotient_poly_degree();
    // Each lookup commits to two permuted columns and a product; one point is the random polynomial, two are the opening.
    let points = cs.num_advice_columns() + 3 * lookups + chunks + 1 + quotients + 2;
    // Each chunk's product is opened at three points, the last one's at two; each lookup has five openings.
    let products = (3 * chunks).saturating_sub(1);
    let scalars = cs.advice_queries().len() + cs.fixed_queries().len() + 1 + equalities + products + 5 * lookups;
    points * transcript.point_bytes() + scalars * WORD
}
