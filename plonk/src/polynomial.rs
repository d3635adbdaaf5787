//! Polynomials by their coefficients, the lowest first.

use halo2curves::bn256::Fr;
use halo2curves::ff::Field;
use rayon::prelude::*;

/// Coefficients that a thread takes at once.
const CHUNK: usize = 1 << 9;

/// 1, x, x², … as many as `count`.
pub(crate) fn powers(x: Fr, count: usize) -> Vec<Fr> {
    std::iter::successors(Some(Fr::ONE), |power| Some(x * power)).take(count).collect()
}

/// The inverse of an element that is known not to be zero.
///
/// # Panics
///
/// If it is zero.
pub(crate) fn invert(x: &Fr) -> Fr {
    x.invert().expect("an element that isn't zero")
}

/// Replaces p by p·(X − root); nothing by the zero polynomial.
pub(crate) fn multiply_by_root(polynomial: &mut Vec<Fr>, root: Fr) {
    polynomial.insert(0, Fr::ZERO);
    for i in 1..polynomial.len() {
        let next = polynomial[i];
        polynomial[i - 1] -= next * root;
    }
}

/// Σ wⱼ·Pⱼ.
pub(crate) fn combine(columns: &[&[Fr]], weights: &[Fr]) -> Vec<Fr> {
    let mut sum = vec![Fr::ZERO; columns[0].len()];
    sum.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, sum)| {
        for (column, weight) in columns.iter().zip(weights) {
            for (sum, value) in sum.iter_mut().zip(&column[chunk * CHUNK..]) {
                *sum += *value * weight;
            }
        }
    });
    sum
}

/// Replaces p by (p − p(a)) / (X − a). The last coefficient becomes zero.
pub(crate) fn divide(polynomial: &mut [Fr], a: Fr) {
    let mut carry = Fr::ZERO;
    for coefficient in polynomial.iter_mut().rev() {
        (*coefficient, carry) = (carry, *coefficient + carry * a);
    }
}

/// The polynomial with these values at these points, which are all different (Newton's divided differences).
pub(crate) fn interpolate(points: &[Fr], values: &[Fr]) -> Vec<Fr> {
    let mut differences = values.to_vec();
    for width in 1..points.len() {
        for i in (width..points.len()).rev() {
            let below = differences[i - 1];
            differences[i] = (differences[i] - below) * invert(&(points[i] - points[i - width]));
        }
    }
    let mut polynomial = Vec::new();
    for (point, difference) in points.iter().zip(&differences).rev() {
        multiply_by_root(&mut polynomial, *point);
        polynomial[0] += difference;
    }
    polynomial
}

/// A polynomial's value: Horner's rule in four chains beside each other.
pub(crate) fn evaluate(polynomial: &[Fr], x: Fr) -> Fr {
    const CHAINS: usize = 4;
    let powers = powers(x, CHAINS + 1);
    let mut chains = [Fr::ZERO; CHAINS];
    for group in polynomial.chunks(CHAINS).rev() {
        for (i, chain) in chains.iter_mut().enumerate() {
            *chain = *chain * powers[CHAINS] + group.get(i).copied().unwrap_or(Fr::ZERO);
        }
    }
    chains.iter().zip(&powers).map(|(chain, power)| *chain * power).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;

    #[test]
    fn values_quotients_and_interpolations_agree() {
        let mut rng = ChaCha20Rng::seed_from_u64(3);
        for length in 1..11 {
            let polynomial: Vec<Fr> = (0..length).map(|_| Fr::random(&mut rng)).collect();
            let points: Vec<Fr> = (0..length).map(|_| Fr::random(&mut rng)).collect();
            let values: Vec<Fr> = points.iter().map(|point| evaluate(&polynomial, *point)).collect();
            let horner = |x: Fr| polynomial.iter().rev().fold(Fr::ZERO, |sum, coefficient| sum * x + coefficient);
            assert_eq!(values, points.iter().copied().map(horner).collect::<Vec<_>>());
            assert_eq!(interpolate(&points, &values), polynomial);
            let mut quotient = polynomial.clone();
            divide(&mut quotient, points[0]);
            let x = Fr::random(&mut rng);
            assert_eq!(evaluate(&quotient, x) * (x - points[0]), horner(x) - values[0]);
            assert_eq!(quotient[length - 1], Fr::ZERO);
        }
    }
}
