//! What the prover assigns in the first phase: the private polynomials, and what the relations leave of them as integers, and the quotients by `Xᴺ + 1`.

use engines::bfv::{integers::SMALL, parameters::DEGREE};
use ff::{Field, PrimeField};
use halo2curves::{bn256::Fr, fft::best_fft};
use num_bigint::{BigInt, Sign};

use super::{
    relation::{Digits, LIMB_BITS, Place, Relations},
    row::{Row, element, mixed},
};

/// A value for each coefficient, and for the row after them where a column has one.
#[derive(Clone)]
pub struct Numbers {
    pub small: Vec<Vec<Fr>>,
    pub limbs: Vec<Vec<Fr>>,
    /// The sum of weighted coefficients of what is seen from a row on; empty if nothing is.
    pub sum: Vec<Fr>,
    /// The quotient of each relation.
    pub quotients: Vec<Vec<Fr>>,
}

fog::redacted!(Numbers);

/// The integer nearest to 0 that a field element stands for.
fn integer(element: &Fr) -> BigInt {
    let positive = |element: &Fr| BigInt::from_bytes_le(Sign::Plus, element.to_repr().as_ref());
    let (value, negative) = (positive(element), positive(&-element));
    if value <= negative { value } else { -negative }
}

fn signed(number: i64) -> Fr {
    element(&number.into())
}

/// All pairs of small digits, (0, 0) first, which stands in the rows after them too.
pub fn pairs() -> impl Iterator<Item = [Fr; 2]> {
    let digits = || (0..SMALL).chain(-SMALL..0).map(signed);
    digits().flat_map(move |x| digits().map(move |y| [x, y]))
}

/// The values of a polynomial at all roots of unity of twice its length.
fn transformed(coefficients: &[Fr]) -> Vec<Fr> {
    let mut values = coefficients.to_vec();
    values.resize(2 * DEGREE, Fr::ZERO);
    best_fft(&mut values, root(), LOG);
    values
}

const LOG: u32 = (2 * DEGREE).ilog2();

fn root() -> Fr {
    Fr::ROOT_OF_UNITY.pow([1 << (Fr::S - LOG)])
}

/// A polynomial by its values: what is left of it modulo `Xᴺ + 1`, and the quotient.
fn divided_by_vanishing(mut values: Vec<Fr>) -> [Vec<Fr>; 2] {
    best_fft(&mut values, root().invert().unwrap_or(Fr::ZERO), LOG);
    let scale = Fr::from(2 * DEGREE as u64).invert().unwrap_or(Fr::ZERO);
    values.iter_mut().for_each(|value| *value *= scale);
    let (low, high) = values.split_at(DEGREE);
    [low.iter().zip(high).map(|(low, high)| low - high).collect(), high.to_vec()]
}

/// The multiple of a modulus that is nearest to a number, and what is left.
fn divided(number: &BigInt, modulus: &BigInt) -> [BigInt; 2] {
    let half: BigInt = modulus >> 1;
    let shifted = number + &half;
    let rest = ((&shifted % modulus) + modulus) % modulus;
    [(&shifted - &rest) / modulus, rest - half]
}

/// The limbs of a number, and what is above them.
fn cut(number: &BigInt, limbs: usize) -> (Vec<Fr>, Fr) {
    let base = BigInt::from(1 << LIMB_BITS);
    let mut rest = number.clone();
    let limbs = (0..limbs).map(|_| {
        let limb = ((&rest % &base) + &base) % &base;
        rest = (&rest - &limb) / &base;
        element(&limb)
    });
    (limbs.collect(), element(&rest))
}

impl Numbers {
    /// No numbers at all, for a layout without a witness.
    pub fn blank(relations: &Relations) -> Self {
        let zeros = |count: usize| vec![vec![Fr::ZERO; DEGREE]; count];
        Self {
            small: zeros(relations.smalls()),
            limbs: zeros(relations.limbs()),
            sum: vec![Fr::ZERO; if relations.seen.is_some() { DEGREE + 1 } else { 0 }],
            quotients: zeros(relations.relations.len()),
        }
    }

    /// The numbers of a statement. What isn't satisfied doesn't fit its digits, which the gates then tell.
    pub fn new(relations: &Relations, public: &[Vec<Fr>], secrets: &[&[i64]]) -> Self {
        let mut made = Self::blank(relations);
        for (column, secret) in made.small.iter_mut().zip(secrets) {
            column.iter_mut().zip(*secret).for_each(|(value, number)| *value = signed(*number));
        }
        let of_secrets: Vec<Vec<Fr>> = made.small[..secrets.len()].iter().map(|column| transformed(column)).collect();
        let multiplied = relations.multiplied();
        let of_public: Vec<Vec<Fr>> = multiplied.iter().map(|column| transformed(&public[*column])).collect();
        let places = relations.places();
        for (number, relation) in relations.relations.iter().enumerate() {
            let mut values = vec![Fr::ZERO; 2 * DEGREE];
            for (factor, column, secret) in &relation.products {
                let place = multiplied.iter().position(|known| known == column).unwrap_or_default();
                for (sum, (left, right)) in values.iter_mut().zip(of_public[place].iter().zip(&of_secrets[*secret])) {
                    *sum += left * right * factor;
                }
            }
            let [products, quotient] = divided_by_vanishing(values);
            made.quotients[number] = quotient.into_iter().map(|value| value * relation.factor).collect();
            let modulus = BigInt::from(relation.modulus.clone());
            for (row, product) in products.into_iter().enumerate() {
                let multiples: Fr =
                    relation.multiples.iter().map(|(factor, secret)| made.small[*secret][row] * factor).sum();
                let total = (public[relation.public][row] + product + multiples) * relation.factor;
                for (place, part) in places[number].into_iter().zip(divided(&integer(&total), &modulus)) {
                    made.write(row, place, &part);
                }
            }
        }
        made.see(relations, public);
        made
    }

    /// Writes a number's digits into a row: too large a number has too large a highest digit.
    fn write(&mut self, row: usize, Place { digits, limb, small }: Place, number: &BigInt) {
        let Digits { limbs: count, has_top } = digits;
        let (mut limbs, top) = cut(&(number + digits.half()), count);
        if has_top {
            self.small[small][row] = top;
        } else if let Some(highest) = limbs.last_mut() {
            *highest += top * Fr::from(1 << LIMB_BITS);
        }
        self.limbs[limb..].iter_mut().zip(limbs).for_each(|(column, value)| column[row] = value);
    }

    pub fn row(&self, relations: &Relations, row: usize) -> Row<Fr> {
        let of = |columns: &[Vec<Fr>]| columns.iter().map(|column| column[row]).collect::<Vec<Fr>>();
        Row::new(relations, &of(&self.small), &of(&self.limbs))
    }

    /// The quotients of all relations in a row, mixed.
    pub fn quotient(&self, row: usize, mix: Fr) -> Fr {
        mixed(self.quotients.iter().map(|column| column[row]).collect(), &mix)
    }

    /// What is seen: the weighted sum, and in the row after the last coefficient what it is modulo its number.
    pub fn see(&mut self, relations: &Relations, public: &[Vec<Fr>]) {
        let Some(seen) = relations.seen else { return };
        let weights = public[seen.weights].iter().enumerate();
        let products: Vec<Fr> =
            weights.map(|(row, weight)| self.row(relations, row).parts[seen.relation][0] * weight).collect();
        let total = integer(&products.iter().sum());
        let modulus = BigInt::from(seen.modulus);
        let rest = ((&total % &modulus) + &modulus) % &modulus;
        self.small.iter_mut().chain(&mut self.limbs).for_each(|column| column.resize(DEGREE + 1, Fr::ZERO));
        let [over, times] = relations.places()[seen.relation];
        self.limbs[over.limb][DEGREE] = element(&(&rest - 1));
        self.write(DEGREE, times, &((total.clone() - rest) / modulus));
        // From the last row up, so that the first has none left.
        let mut sums = vec![-element(&total)];
        for product in products.iter().rev() {
            sums.push(sums[sums.len() - 1] + product);
        }
        sums.reverse();
        self.sum = sums;
    }
}
