//! Ceremony files as the two formats write them, from a τ of our own, to be damaged one place at a time.

use halo2curves::bn256::{Fq, Fq2, Fr, G1Affine, G2Affine};
use halo2curves::ff::{Field, PrimeField};
use halo2curves::group::Curve;
use halo2curves::serde::SerdeObject;

/// The contents of a ceremony's file.
#[derive(Clone)]
pub struct Contents {
    pub power: u32,
    pub g1: Vec<[Fq; 2]>,
    pub g2: [Fq2; 2],
    pub tau_g2: [Fq2; 2],
}

impl Contents {
    /// The powers of `tau` that a `.ptau` file of size 2^power holds.
    pub fn new(power: u32, tau: Fr) -> Self {
        let powers = std::iter::successors(Some(Fr::ONE), |last| Some(last * tau));
        let g1 = powers
            .take((2 << power) - 1)
            .map(|power| (G1Affine::generator() * power).to_affine())
            .map(|point| [point.x, point.y])
            .collect();
        let coordinates = |point: G2Affine| [point.x, point.y];
        Self {
            power,
            g1,
            g2: coordinates(G2Affine::generator()),
            tau_g2: coordinates((G2Affine::generator() * tau).to_affine()),
        }
    }

    /// A `.ptau` file with one section more, which readers must skip.
    pub fn ptau(&self) -> Vec<u8> {
        let modulus: Vec<u8> = modulus().to_vec();
        let power = self.power.to_le_bytes();
        let header = [&32u32.to_le_bytes()[..], &modulus, &power, &power].concat();
        let g1 = self.g1.iter().flatten().flat_map(Fq::to_raw_bytes).collect();
        let mut g2: Vec<u8> = [self.g2, self.tau_g2].iter().flatten().flat_map(raw2).collect();
        // The higher powers in G2 are not used; any bytes do.
        g2.resize(128 << self.power, 0xee);
        ptau_file(&[(1, header), (7, vec![7; 5]), (2, g1), (3, g2)])
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

/// A `.ptau` file of some sections.
pub fn ptau_file(sections: &[(u32, Vec<u8>)]) -> Vec<u8> {
    let count = (sections.len() as u32).to_le_bytes();
    let mut bytes = [&b"ptau"[..], &1u32.to_le_bytes(), &count].concat();
    for (id, contents) in sections {
        bytes.extend(id.to_le_bytes());
        bytes.extend((contents.len() as u64).to_le_bytes());
        bytes.extend(contents);
    }
    bytes
}

/// The order of bn254's base field, little-endian.
pub fn modulus() -> [u8; 32] {
    let mut bytes = (-Fq::ONE).to_repr();
    bytes[0] += 1;
    bytes
}

fn raw2(value: &Fq2) -> Vec<u8> {
    [value.c0.to_raw_bytes(), value.c1.to_raw_bytes()].concat()
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
