//! Which ceremony KZG parameters come from: what tells parameters that may hold money from those that may not.
//!
//! A ceremony is known by its τ in G2, which is the same in every file cut from it, and which is all of it that reaches a
//! verifier besides the verifying key.

use super::development;
use crate::Sha256Hash;
use halo2_proofs::{SerdeCurveAffine, SerdeFormat};
use halo2curves::bn256::G2Affine;

/// Where the secret of KZG parameters came from. The program has keys of no others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, derive_more::Display)]
pub enum Ceremony {
    /// Aztec's Ignition ceremony: 176 participants, 2019 to 2020.
    #[display("ignition")]
    Ignition,
    /// **No ceremony: everybody knows the secret and can forge every proof.** For local chains and tests only.
    #[display("development")]
    Development,
}

/// The [`tau_hash`] of Aztec's Ignition ceremony.
const IGNITION_TAU: &str = "a4fb8bfc5f9cbcc4fce2c597487c0ae5bb56e13ff8278e73e5240eafccd0fba8";

impl Ceremony {
    /// The ceremony of a τ in G2, if the program has keys of it.
    pub(crate) fn of(tau_g2: &G2Affine) -> Option<Self> {
        match tau_hash(tau_g2).to_string() == IGNITION_TAU {
            true => Some(Self::Ignition),
            false => (*tau_g2 == development::tau_g2()).then_some(Self::Development),
        }
    }

    /// Whether everybody knows the secret, so that proofs made with these parameters prove nothing.
    pub fn is_development(&self) -> bool {
        matches!(self, Self::Development)
    }
}

/// SHA-256 of a τ in G2, compressed.
pub(crate) fn tau_hash(tau_g2: &G2Affine) -> Sha256Hash {
    let mut bytes = Vec::new();
    tau_g2.write(&mut bytes, SerdeFormat::Processed).expect("a vector takes all that is written");
    Sha256Hash::of(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use halo2curves::CurveAffine;
    use halo2curves::bn256::{Fq, Fq2};
    use halo2curves::ff::PrimeField;

    /// τ in G2 as it stands in Aztec's own Solidity verifiers: x.c1, x.c0, y.c1, y.c0.
    const AZTEC_TAU_G2: [&str; 4] = [
        "260e01b251f6f1c7e7ff4e580791dee8ea51d87a358e038b4efe30fac09383c1",
        "0118c4d5b837bcc2bc89b5b398b5974e9f5944073b32078b7e231fec938883b0",
        "04fc6369f7110fe3d25156c1bb9a72859cf2a04641f99ba4ee413c80da6a5fe4",
        "22febda3c0c0632a56475b4214e5615e11e6dd3f96e6cea2854a87d4dacc5e55",
    ];

    #[test]
    fn ignition_is_the_ceremony_that_aztec_uses() {
        let [x1, x0, y1, y0] = AZTEC_TAU_G2.map(|digits| {
            let mut bytes = [0; 32];
            hex::decode_to_slice(digits, &mut bytes).unwrap();
            bytes.reverse();
            Fq::from_repr(bytes).unwrap()
        });
        let tau_g2 = G2Affine::from_xy(Fq2::new(x0, x1), Fq2::new(y0, y1)).unwrap();
        assert_eq!(Ceremony::of(&tau_g2), Some(Ceremony::Ignition));
    }
}
