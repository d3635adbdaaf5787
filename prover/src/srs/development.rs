//! Development parameters: powers of a τ that everybody knows. For local chains and tests only.

use crate::Sha256Hash;
use halo2_proofs::poly::kzg::commitment::ParamsKZG;
use halo2curves::bn256::{Bn256, Fr, G2Affine};
use halo2curves::ff::Field;
use halo2curves::group::Curve;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

/// The seed of the secret. It is public on purpose: nobody should mistake it for one.
const SEED: &[u8] = b"fogmate development parameters: everybody knows this secret";

/// The randomness that everybody knows, of which [`plonk::setup`] draws τ first.
fn rng() -> ChaCha20Rng {
    ChaCha20Rng::from_seed(Sha256Hash::of(SEED).0)
}

pub(super) fn tau_g2() -> G2Affine {
    (G2Affine::generator() * Fr::random(rng())).to_affine()
}

/// The parameters for 2^k rows.
pub(super) fn parameters(k: u32) -> ParamsKZG<Bn256> {
    plonk::setup(k, rng())
}
