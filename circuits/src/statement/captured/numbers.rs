//! What the prover assigns: the private polynomials, what the relations leave of them as integers, and the quotients by `Xᴺ + 1`.

use engines::bfv::{
    captured::{CAPTURED_COLUMNS, CapturedPrivate, ENCRYPTION_BITS, SMALL, moduli},
    parameters::{DEGREE, PLAINTEXT},
};
use ff::{Field, PrimeField};
use halo2curves::{bn256::Fr, fft::best_fft};
use num_bigint::{BigInt, Sign};

use super::row::{LIMB_BITS, LIMBS, NOISE_LIMBS, PLAIN_LIMBS, RELATIONS, Row, SEEN, SMALLS, Small, TIMES, element};

/// The columns of the first phase: a value for each coefficient, and for the row after them where a column has one.
#[derive(Clone)]
pub struct Numbers {
    pub small: [Vec<Fr>; SMALLS],
    pub limbs: [Vec<Fr>; LIMBS],
    pub quotients: [Vec<Fr>; RELATIONS],
    pub sum: Vec<Fr>,
}

fog::redacted!(Numbers);

/// The integer nearest to 0 that a field element stands for.
fn integer(element: &Fr) -> BigInt {
    let positive = |element: &Fr| BigInt::from_bytes_le(Sign::Plus, element.to_repr().as_ref());
    let (value, negative) = (positive(element), positive(&-element));
    if value <= negative { value } else { -negative }
}

fn signed(number: i64) -> Fr {
    let magnitude = Fr::from(number.unsigned_abs());
    if number < 0 { -magnitude } else { magnitude }
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

/// The product of two polynomials by their values: what is left of it modulo `Xᴺ + 1`, and the quotient.
fn product(left: &[Fr], right: &[Fr]) -> [Vec<Fr>; 2] {
    let mut values: Vec<Fr> = left.iter().zip(right).map(|(left, right)| left * right).collect();
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

/// The first `count` limbs of a number, and what is above them: too large a number has too large a top digit.
fn limbs(number: &BigInt, count: usize) -> (Vec<Fr>, Fr) {
    let base = BigInt::from(1 << LIMB_BITS);
    let mut rest = number.clone();
    let limbs = (0..count).map(|_| {
        let limb = ((&rest % &base) + &base) % &base;
        rest = (&rest - &limb) / &base;
        element(&limb)
    });
    (limbs.collect(), element(&rest))
}

impl Numbers {
    /// No numbers at all, for a layout without a witness.
    pub fn blank() -> Self {
        let zeros = || vec![Fr::ZERO; DEGREE];
        Self {
            small: [(); SMALLS].map(|()| zeros()),
            limbs: [(); LIMBS].map(|()| zeros()),
            quotients: [(); RELATIONS].map(|()| zeros()),
            sum: zeros(),
        }
    }

    /// The numbers of a statement. What isn't satisfied doesn't fit its limbs, which the gates then tell.
    pub fn new(public: &[Vec<Fr>; CAPTURED_COLUMNS], private: &CapturedPrivate) -> Self {
        let [a, b, joint, v0, v1, rest, c1, weights] = public;
        let [key, mask] = [&private.key, &private.mask].map(|vector| {
            let mut vector: Vec<Fr> = vector.iter().copied().map(signed).collect();
            vector.resize(DEGREE, Fr::ZERO);
            vector
        });
        let [q, q_switched] = moduli().map(BigInt::from);
        let t = Fr::from(PLAINTEXT);
        let [of_key, of_mask, of_common] = [&key, &mask, a].map(|poly| transformed(poly));
        let with_key = product(&of_common, &of_key);
        let with_mask = product(&of_common, &of_mask);
        let of_view = product(&transformed(joint), &of_mask);
        let of_product = product(&transformed(c1), &of_key);

        let mut made = Self::blank();
        made.small[Small::Key as usize] = key;
        made.small[Small::Mask as usize] = mask;
        let quotients = [(&with_key, Fr::ONE), (&with_mask, -Fr::ONE), (&of_view, -t), (&of_product, t)];
        made.quotients = quotients.map(|([_, high], factor)| high.iter().map(|value| value * factor).collect());

        let half_limb = BigInt::from(1 << (LIMB_BITS - 1));
        let half_error = BigInt::from(1 << ENCRYPTION_BITS);
        for row in 0..DEGREE {
            let of = |value: Fr, modulus: &BigInt| divided(&integer(&value), modulus);
            let [over_key, key_error] = of(b[row] + with_key[0][row], &q);
            let [over_view, view_error] = of(v1[row] - with_mask[0][row], &q);
            let [view, error] = of(t * (v0[row] - of_view[0][row]), &q);
            let [plain, noise] = of(t * (rest[row] + of_product[0][row]), &q_switched);
            let (view, view_top) = limbs(&view, PLAIN_LIMBS);
            let (plain, plain_top) = limbs(&plain, PLAIN_LIMBS);
            let (noise, noise_top) = limbs(&noise, NOISE_LIMBS);
            let overs = [over_key, over_view].map(|over| element(&(over + &half_limb)));
            let (mut error, above) = limbs(&(error + &half_error), PLAIN_LIMBS);
            // Too large an error is in the last limb, which is too large then.
            error[PLAIN_LIMBS - 1] += above * Fr::from(1 << LIMB_BITS);
            let all = overs.into_iter().chain(view).chain(error).chain(plain).chain(noise);
            made.limbs.iter_mut().zip(all).for_each(|(column, limb)| column[row] = limb);
            let tops = [
                (Small::KeyError, element(&key_error)),
                (Small::ViewError, element(&view_error)),
                (Small::ViewTop, view_top),
                (Small::PlainTop, plain_top),
                (Small::NoiseTop, noise_top),
            ];
            tops.into_iter().for_each(|(name, value)| made.small[name as usize][row] = value);
        }
        made.see(weights);
        made
    }

    fn row(&self, row: usize) -> Row<Fr> {
        let small = std::array::from_fn(|column| self.small[column][row]);
        let limbs = std::array::from_fn(|column| self.limbs[column][row]);
        Row::new(small, limbs, |value| value)
    }

    /// What the relations leave in each row without their products, for the challenges.
    pub fn relations(&self, public: &[Vec<Fr>; CAPTURED_COLUMNS], vanishing: Fr, mix: Fr) -> Vec<Fr> {
        let relations = (0..DEGREE).map(|row| {
            let public = std::array::from_fn(|column| public[column][row]);
            let quotients = std::array::from_fn(|column| self.quotients[column][row]);
            self.row(row).relations(public, quotients, vanishing, &mix)
        });
        relations.collect()
    }

    /// The weighted sum of the product's plaintext, and below it what it is modulo the plaintext modulus.
    pub(super) fn see(&mut self, weights: &[Fr]) {
        let products: Vec<Fr> = weights.iter().enumerate().map(|(row, weight)| self.row(row).plain * weight).collect();
        let total = integer(&products.iter().sum());
        let modulus = BigInt::from(PLAINTEXT);
        let seen = ((&total % &modulus) + &modulus) % &modulus;
        let (times, top) = limbs(&((&total - &seen) / modulus), NOISE_LIMBS);
        for (column, limb) in self.limbs[TIMES..].iter_mut().zip(times) {
            column.push(limb);
        }
        self.small[Small::NoiseTop as usize].push(top);
        self.limbs[SEEN].push(element(&(seen - 1)));
        // From the last row up, so that the first has none left.
        let mut sums = vec![-element(&total)];
        for product in products.iter().rev() {
            sums.push(sums[sums.len() - 1] + product);
        }
        sums.reverse();
        self.sum = sums;
    }
}
