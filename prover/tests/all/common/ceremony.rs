//! Ceremony files in Ignition's format, from a τ of our own, to be damaged one place at a time.

use halo2curves::bn256::{Fq, Fq2, Fr, G1Affine, G2Affine};
use halo2curves::ff::{Field, PrimeField};
use halo2curves::group::Curve;

/// The contents of a ceremony's file.
#[derive(Clone)]
pub struct Contents {
    pub g1: Vec<[Fq; 2]>,
    pub g2: [Fq2; 2],
    pub tau_g2: [Fq2; 2],
}

impl Contents {
    /// The first 2^(power + 1) − 1 powers of `tau`: more than 2^power, and too few for the next size.
    pub fn new(power: u32, tau: Fr) -> Self {
        let powers = std::iter::successors(Some(Fr::ONE), |last| Some(last * tau));
        let g1 = powers
            .take((2 << power) - 1)
            .map(|power| (G1Affine::generator() * power).to_affine())
            .map(|point| [point.x, point.y])
            .collect();
        let coordinates = |point: G2Affine| [point.x, point.y];
        Self {
            g1,
            g2: coordinates(G2Affine::generator()),
            tau_g2: coordinates((G2Affine::generator() * tau).to_affine()),
        }
    }

    pub fn ignition(&self) -> Vec<u8> {
        let mut bytes = (self.g1.len() as u64).to_le_bytes().to_vec();
        for [x, y] in &self.g1 {
            bytes.extend(x.to_repr());
            let mut last = y.to_repr();
            last[31] |= if *y > -y { 0x80 } else { 0 };
            bytes.extend(last);
        }
        bytes.extend([0; 8]);
        for [x, y] in [self.g2, self.tau_g2] {
            bytes.extend([x.c0, x.c1, y.c0].iter().flat_map(Fq::to_repr));
            let mut last = y.c1.to_repr();
            last[31] |= 0x80;
            bytes.extend(last);
        }
        bytes.extend([0; 8]);
        bytes
    }
}

/// The order of bn254's base field, little-endian.
pub fn modulus() -> [u8; 32] {
    let mut bytes = (-Fq::ONE).to_repr();
    bytes[0] += 1;
    bytes
}

/// A point on the curve of G2 that isn't in the subgroup: a random one almost never is.
pub fn outside_subgroup() -> [Fq2; 2] {
    let g2 = G2Affine::generator();
    let b = g2.y.square() - g2.x.square() * g2.x;
    (1..)
        .map(|x| Fq2::new(Fq::from(x), Fq::ONE))
        .find_map(|x| Some([x, (x.square() * x + b).sqrt().into_option()?]))
        .expect("every second x has a y")
}
