//! The domain of a circuit's rows, and the cosets of it on which the quotient is computed.

use crate::fft::Fft;
use crate::polynomial::{inverse, linear_combination, powers};
use halo2_proofs::arithmetic::lagrange_interpolate;
use halo2_proofs::poly::EvaluationDomain;
use halo2curves::bn256::Fr;
use halo2curves::ff::Field;
use lanes::Lanes;
use rayon::prelude::*;

/// The n = 2^k powers of ω, one for each row; and as many cosets c·⟨ω⟩ as the quotient needs to be known on.
pub(crate) struct Domain {
    pub fft: Fft,
    omega: Fr,
    omega_inv: Fr,
    cosets: Vec<Coset>,
    /// Pieces of n coefficients that the quotient has.
    pub pieces: usize,
    /// For piece and coset: what the coset's values contribute to the piece's coefficients, division by n and by Xⁿ − 1 included.
    weights: Vec<Vec<Fr>>,
}

/// The powers of ω times c.
struct Coset {
    shift: Fr,
    /// cⁱ for i < n.
    powers: Vec<Fr>,
}

impl Domain {
    pub fn new(domain: &EvaluationDomain<Fr>) -> Self {
        let fft = Fft::new(domain.k, domain.omega);
        let count = 1usize << (domain.extended_k - domain.k);
        let shifts: Vec<Fr> =
            powers(domain.extended_omega, count).into_iter().map(|power| power * domain.g_coset).collect();
        let cosets = shifts.par_iter().map(|shift| Coset { shift: *shift, powers: powers(*shift, fft.len()) });
        let weights = weights(&shifts, fft.len());
        let pieces = domain.quotient_poly_degree as usize;
        Self { cosets: cosets.collect(), omega: domain.omega, omega_inv: domain.omega_inv, fft, pieces, weights }
    }

    pub fn rows(&self) -> usize {
        self.fft.len()
    }

    pub fn cosets(&self) -> usize {
        self.cosets.len()
    }

    pub fn rotate(&self, x: Fr, rotation: i32) -> Fr {
        let root = if rotation < 0 { self.omega_inv } else { self.omega };
        x * root.pow_vartime([rotation.unsigned_abs().into()])
    }

    /// The powers of ω.
    pub fn roots(&self) -> Vec<Fr> {
        powers(self.omega, self.rows())
    }

    /// The values of a polynomial on a coset, with the last `margin` rows before and the first `margin` rows after them.
    pub fn evaluate_on_coset(
        &self,
        lanes: Option<Lanes>,
        coset: usize,
        coefficients: &[Fr],
        margin: usize,
        values: &mut [Fr],
    ) {
        let rows = &mut values[margin..margin + self.rows()];
        self.fft.evaluate_on_coset(lanes, coefficients, &self.cosets[coset].powers, rows);
        wrap(values, margin);
    }

    /// The coset itself: the values of X on it.
    pub fn coset(&self, coset: usize, margin: usize, values: &mut [Fr]) {
        let mut power = self.cosets[coset].shift;
        for value in &mut values[margin..margin + self.rows()] {
            *value = power;
            power *= self.omega;
        }
        wrap(values, margin);
    }

    /// The pieces of the polynomial whose product with Xⁿ − 1 has these values on the cosets.
    pub fn quotient(&self, lanes: Option<Lanes>, values: &[Vec<Fr>]) -> Vec<Vec<Fr>> {
        // The polynomial of degree below n with the values on the coset of c has the i-th coefficient (cⁿ − 1)·cⁱ·Σ_m h_{m,i}·c^{nm}, and
        // n times that before it is scaled. The weights divide by n and by cⁿ − 1, and solve for h.
        let folded: Vec<Vec<Fr>> = values
            .par_iter()
            .zip(&self.cosets)
            .map(|(values, coset)| {
                let mut folded = self.fft.interpolate_unscaled(lanes, values);
                let powers = powers(inverse(&coset.shift), folded.len());
                folded.iter_mut().zip(powers).for_each(|(coefficient, power)| *coefficient *= power);
                folded
            })
            .collect();
        let folded: Vec<&[Fr]> = folded.iter().map(Vec::as_slice).collect();
        self.weights[..self.pieces].par_iter().map(|weights| linear_combination(lanes, &folded, weights)).collect()
    }
}

/// Fills the margins, which are no wider than the rows between them, with the rows of the other end.
pub(crate) fn wrap(values: &mut [Fr], margin: usize) {
    let rows = values.len() - 2 * margin;
    values.copy_within(rows..rows + margin, 0);
    values.copy_within(margin..2 * margin, margin + rows);
}

/// The inverse of the matrix of c_j^(nm), by row m and column j; each column divided by n·(c_jⁿ − 1).
fn weights(shifts: &[Fr], rows: usize) -> Vec<Vec<Fr>> {
    let points: Vec<Fr> = shifts.iter().map(|shift| shift.pow_vartime([rows as u64])).collect();
    // A column is the polynomial that is zero at all points but its own.
    let column = |(j, point): (usize, &Fr)| {
        let mut values = vec![Fr::ZERO; points.len()];
        values[j] = inverse(&(Fr::from(rows as u64) * (point - Fr::ONE)));
        lagrange_interpolate(&points, &values)
    };
    let columns: Vec<Vec<Fr>> = points.iter().enumerate().map(column).collect();
    (0..points.len()).map(|m| columns.iter().map(|column| column[m]).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;

    #[test]
    fn a_quotient_is_what_was_multiplied() {
        let mut rng = ChaCha20Rng::seed_from_u64(2);
        for (k, degree) in [(1, 3), (4, 3), (5, 4), (6, 5)] {
            let domain = Domain::new(&EvaluationDomain::new(degree, k));
            let rows = domain.rows();
            let pieces: Vec<Vec<Fr>> =
                (0..domain.pieces).map(|_| (0..rows).map(|_| Fr::random(&mut rng)).collect()).collect();
            let values: Vec<Vec<Fr>> = (0..domain.cosets())
                .map(|coset| {
                    let mut points = vec![Fr::ZERO; rows];
                    domain.coset(coset, 0, &mut points);
                    let value = |x: &Fr| {
                        let power = x.pow_vartime([rows as u64]);
                        let quotient =
                            pieces.iter().flatten().rev().fold(Fr::ZERO, |sum, coefficient| sum * x + coefficient);
                        quotient * (power - Fr::ONE)
                    };
                    points.iter().map(value).collect()
                })
                .collect();
            for lanes in crate::tests::paths() {
                assert_eq!(domain.quotient(lanes, &values), pieces, "degree {degree}, {lanes:?}");
            }
        }
    }
}
