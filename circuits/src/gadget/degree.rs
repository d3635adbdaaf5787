//! The bound on the degree of gates, which the library doesn't keep.
//!
//! `ConstraintSystem::degree` is cut off at 5, or at what the environment variable `MAX_DEGREE` says: a gate above it gives a
//! quotient with missing pieces, and proofs that nobody accepts. So the gates are asked themselves.

use halo2_proofs::plonk::ConstraintSystem;
use halo2curves::bn256::Fr;

/// The highest degree of a gate: the quotient then fits four times the domain.
pub const MAX_DEGREE: usize = 5;

/// Panics if a gate has a higher degree than [`MAX_DEGREE`], or if the environment would make it another one. (A lookup's degree
/// is 2 and its two sides': `fixed_base` has 2 + 2 + 1.)
pub fn assert_degree(meta: &ConstraintSystem<Fr>) {
    assert_degree_is(meta, MAX_DEGREE);
}

/// Panics if a gate has a higher degree than `highest`, or if that isn't the one of the system.
pub fn assert_degree_is(meta: &ConstraintSystem<Fr>, highest: usize) {
    for gate in meta.gates() {
        let degree = gate.polynomials().iter().map(|p| p.degree()).max().unwrap_or(0);
        assert!(degree <= highest, "gate {} has degree {degree}", gate.name());
    }
    assert_eq!(meta.degree(), highest, "MAX_DEGREE is set in the environment");
}

#[cfg(test)]
mod tests {
    use super::*;
    use halo2_proofs::poly::Rotation;

    #[test]
    #[should_panic(expected = "gate too steep has degree 6")]
    fn a_gate_of_degree_six_is_noticed() {
        let mut meta = ConstraintSystem::default();
        let column = meta.advice_column();
        meta.create_gate("too steep", |meta| {
            let x = meta.query_advice(column, Rotation::cur());
            vec![x.clone() * x.clone() * x.clone() * x.clone() * x.clone() * x]
        });
        assert_degree(&meta);
    }
}
