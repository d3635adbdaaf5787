//! What the prover assigns in the first phase: the private polynomials, and what the relations leave of them as integers, and the quotients by `Xᴺ + 1`.

use engines::bfv::{
    encrypted::{LANE_BITS, LANES},
    integers::SMALL,
    parameters::{DEGREE, PLAINTEXT},
};
use ff::{Field, PrimeField};
use halo2curves::{bn256::Fr, fft::best_fft};
use num_bigint::{BigInt, Sign};

use super::{
    super::power,
    relation::{Digits, LIMB_BITS, MULTIPLE_BITS, MULTIPLES, Place, Relations, Seen},
    row::{Row, element, mixed},
};

/// A value for each coefficient, and for the row after them where a column has one.
#[derive(Clone)]
pub struct Numbers {
    pub small: Vec<Vec<Fr>>,
    pub limbs: Vec<Vec<Fr>>,
    /// The sums of weighted coefficients from a row on.
    pub sums: Vec<Vec<Fr>>,
    /// The quotient of each relation.
    pub quotients: Vec<Vec<Fr>>,
    /// The slots of the plaintext, if it is of some.
    pub slots: Vec<Fr>,
}

fog::redacted!(Numbers);

impl Drop for Numbers {
    /// Wipes secrets and slots. Best effort: the prover's polynomials hold them too, while they live.
    fn drop(&mut self) {
        let all = self.small.iter_mut().chain(&mut self.limbs).chain(&mut self.quotients);
        all.chain(&mut self.sums).chain([&mut self.slots]).for_each(|column| column.fill(Fr::ZERO));
        std::hint::black_box(self);
    }
}

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

/// What the numbers below a sum are worth in it: multiples of the plaintext modulus, two in each lane.
pub fn multiples() -> impl Iterator<Item = Fr> {
    let lanes = (0..LANES).map(move |lane| Fr::from(PLAINTEXT) * power(2, LANE_BITS * lane));
    lanes.flat_map(move |worth| [worth, worth * power(2, MULTIPLE_BITS as usize)])
}

/// The numbers below a sum that is a multiple of the plaintext modulus in each lane.
fn lanes(total: &BigInt) -> Vec<BigInt> {
    let mut rest = total.clone();
    let mut digits = Vec::new();
    for _ in 0..LANES {
        let [above, lane] = divided(&rest, &(BigInt::from(1) << LANE_BITS));
        rest = above;
        let [high, low] = divided(&(lane / PLAINTEXT), &(BigInt::from(1) << MULTIPLE_BITS));
        digits.extend([low, high]);
    }
    digits
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
            sums: vec![
                vec![Fr::ZERO; DEGREE + 1 + relations.below()];
                relations.seen.iter().len() + relations.sums.len()
            ],
            quotients: zeros(relations.relations.len()),
            slots: Vec::new(),
        }
    }

    /// The numbers of a statement. What isn't satisfied doesn't fit its digits, which the gates then tell.
    pub fn new(relations: &Relations, public: &[Vec<Fr>], secrets: &[&[i64]], slots: Vec<Fr>) -> Self {
        let mut made = Self::blank(relations);
        made.slots = slots;
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
        made.sum(relations, public);
        made
    }

    /// Sums of coefficients, and in the rows after the last one what they are.
    pub fn sum(&mut self, relations: &Relations, public: &[Vec<Fr>]) {
        let rows = DEGREE + relations.below();
        self.small.iter_mut().chain(&mut self.limbs).for_each(|column| column.resize(rows, Fr::ZERO));
        relations.seen.iter().for_each(|seen| self.see(relations, seen, public));
        for (number, sum) in relations.sums.iter().enumerate() {
            let of_slot = |row: usize| self.slots.get(row).map_or(Fr::ZERO, |slot| public[sum.slots][row] * slot);
            let product =
                |row: usize| self.row(relations, row).parts[sum.relation][0] * public[sum.weights][row] - of_slot(row);
            let products: Vec<Fr> = (0..DEGREE).map(product).collect();
            let mut all = vec![Fr::ZERO; MULTIPLES * number];
            let [place, _] = relations.places()[sum.relation];
            for (below, (digit, worth)) in
                lanes(&integer(&products.iter().sum())).into_iter().zip(multiples()).enumerate()
            {
                self.write(DEGREE + MULTIPLES * number + below, place, &digit);
                all.push(-element(&digit) * worth);
            }
            all.resize(relations.below(), Fr::ZERO);
            // From the last row up, so that the first has none left.
            let mut sums = vec![Fr::ZERO];
            for product in products.iter().chain(&all).rev() {
                sums.push(sums[sums.len() - 1] + product);
            }
            sums.reverse();
            self.sums[number] = sums;
        }
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
    fn see(&mut self, relations: &Relations, seen: &Seen, public: &[Vec<Fr>]) {
        let weights = public[seen.weights].iter().enumerate();
        let products: Vec<Fr> =
            weights.map(|(row, weight)| self.row(relations, row).parts[seen.relation][0] * weight).collect();
        let total = integer(&products.iter().sum());
        let modulus = BigInt::from(seen.modulus);
        let rest = ((&total % &modulus) + &modulus) % &modulus;
        let [over, times] = relations.places()[seen.relation];
        self.limbs[over.limb][DEGREE] = element(&(&rest - 1));
        self.write(DEGREE, times, &((total.clone() - rest) / modulus));
        // From the last row up, so that the first has none left.
        let mut sums = vec![-element(&total)];
        for product in products.iter().rev() {
            sums.push(sums[sums.len() - 1] + product);
        }
        sums.reverse();
        self.sums = vec![sums];
    }
}
