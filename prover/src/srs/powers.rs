//! Powers of τ as they come out of a ceremony's file, and the checks they must pass before anything is built on them.

use super::{Point, SrsError};
use fog::ensure;
use halo2_proofs::arithmetic::best_multiexp;
use halo2curves::bn256::{Bn256, Fr, G1Affine, G2, G2Affine};
use halo2curves::group::Curve;
use halo2curves::group::cofactor::CofactorGroup;
use halo2curves::pairing::Engine;
use rand::RngCore;

/// The first 2^k powers of τ in G1, and the first two in G2. Every point is on its curve and not at infinity.
#[derive(Clone, Debug)]
pub struct Powers {
    /// τⁱ times the generator of G1.
    pub g1: Vec<G1Affine>,
    /// The generator of G2.
    pub g2: G2Affine,
    /// τ times the generator of G2.
    pub tau_g2: G2Affine,
}

impl Powers {
    /// Whether these are consecutive powers of one τ, with the usual generators: after this, only τ itself is a matter of
    /// trust. `rng` must not be foreseeable by whoever made the file.
    pub fn check(&self, mut rng: impl RngCore) -> Result<(), SrsError> {
        ensure!(self.g1.first() == Some(&G1Affine::generator()), SrsError::WrongGenerator(Point::Power(0)));
        ensure!(self.g2 == G2Affine::generator(), SrsError::WrongGenerator(Point::G2));
        // G1 has no cofactor; G2 has.
        ensure!(bool::from(G2::from(self.tau_g2).is_torsion_free()), SrsError::NotInSubgroup(Point::TauG2));
        self.check_ratio(&mut rng)
    }

    /// e(Σ rᵢ·gᵢ₊₁, G2) = e(Σ rᵢ·gᵢ, τ·G2): a single wrong power slips through with probability 2⁻¹²⁸.
    fn check_ratio(&self, rng: &mut impl RngCore) -> Result<(), SrsError> {
        let steps = self.g1.len() - 1;
        let weights: Vec<Fr> = (0..steps).map(|_| weight(rng)).collect();
        let above = best_multiexp(&weights, &self.g1[1..]).to_affine();
        let below = best_multiexp(&weights, &self.g1[..steps]).to_affine();
        ensure!(Bn256::pairing(&above, &self.g2) == Bn256::pairing(&below, &self.tau_g2), SrsError::NotPowersOfTau);
        Ok(())
    }
}

/// 128 random bits: enough for the check, and half the work of full scalars.
fn weight(rng: &mut impl RngCore) -> Fr {
    Fr::from_raw([rng.next_u64(), rng.next_u64(), 0, 0])
}
