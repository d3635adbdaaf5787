//! Products of many points of Grumpkin with secret scalars: many points with one scalar, or one point with many.
//!
//! A scalar is written in 64 digits to the base 16 that are all odd, from −15 to 15. So every digit takes one sum, whatever it is, and a table
//! of 1, 3, … 15 times a point is enough. The table is read whole for each digit: neither branches nor addresses hang on a scalar.

use super::affine::{Space, add, double};
use fog::curve::{Point, Scalar};
use group::prime::PrimeCurveAffine;
use halo2curves::{ff::PrimeField, grumpkin::Fq as F};
use rayon::prelude::*;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroizing;

/// Digits of a scalar.
const DIGITS: usize = 64;
/// Bits of a digit.
const WIDTH: usize = 4;
/// Multiples in a table: 1, 3, … 15 times a point.
const ENTRIES: usize = 1 << (WIDTH - 1);
/// Points that share an inversion; enough for its cost to vanish, few enough for all threads to have some and for tables to stay close.
const BATCH: usize = 224;

/// A scalar's digits, the lowest first, each as a number `n` of four bits that stands for `2n − 15`; and whether they are those of the
/// negated scalar.
struct Digits {
    nibbles: Zeroizing<[u8; DIGITS]>,
    is_negated: Choice,
}

impl Digits {
    /// Of an odd `k` below 2²⁵⁶, `(k + 2²⁵⁶ − 1)/2` has the bits whose `2b − 1` are `k`'s signed ones. The order is odd, so of `k` and `−k`
    /// one is odd; of 0 it is the order itself.
    fn of(scalar: &Scalar) -> Self {
        let is_negated = !scalar.is_odd();
        let mut bytes = Zeroizing::new(scalar.to_repr());
        // order − k = (order − 1 − k) + 1, and order − 1 − k is −1 − k, whose last bit is 0 when k is even: no carry.
        let negated = Zeroizing::new((-Scalar::one() - scalar).to_repr());
        for (byte, negated) in bytes.iter_mut().zip(negated.iter()) {
            byte.conditional_assign(negated, is_negated);
        }
        bytes[0] |= 1;
        let mut nibbles = Zeroizing::new([0; DIGITS]);
        for (place, nibble) in nibbles.iter_mut().enumerate() {
            // The bits 4·place + 1 to 4·place + 4 of k: those of k/2 at 4·place. The highest one is set.
            let low = bytes[place / 2] >> (WIDTH * (place % 2));
            let next = match place % 2 {
                0 => bytes[place / 2] >> WIDTH,
                _ => bytes.get(place / 2 + 1).copied().unwrap_or(1),
            };
            *nibble = (low >> 1 & 7) | (next & 1) << 3;
        }
        Self { nibbles, is_negated }
    }
}

fn negate(point: &mut Point, is_negated: Choice) {
    point.y = F::conditional_select(&point.y, &-point.y, is_negated);
}

/// `2n − 15` times a point, of whose odd multiples `multiple` gives the first eight.
fn select<'a>(nibble: u8, multiple: impl Fn(usize) -> &'a Point) -> Point {
    // n = 8 … 15 are the multiples 0 … 7; n = 7 … 0 the same, negated.
    let is_negative = Choice::from(1 ^ (nibble >> 3 & 1));
    let place = u8::conditional_select(&(nibble & 7), &(7 ^ (nibble & 7)), is_negative);
    let mut chosen = *multiple(0);
    for entry in 1..ENTRIES {
        chosen.conditional_assign(multiple(entry), (entry as u8).ct_eq(&place));
    }
    negate(&mut chosen, is_negative);
    chosen
}

/// `k·P` of each point, for one secret `k`.
pub fn each_times(points: &[Point], scalar: &Scalar) -> Vec<Point> {
    let digits = Digits::of(scalar);
    points.par_chunks(BATCH).flat_map_iter(|points| batch_times(points, &digits)).collect()
}

fn batch_times(points: &[Point], digits: &Digits) -> Vec<Point> {
    let space = &mut Space::default();
    let mut twice = points.to_vec();
    double(&mut twice, space);
    let mut table = vec![points.to_vec()];
    for entry in 1..ENTRIES {
        let mut next = table[entry - 1].clone();
        add(&mut next, &twice, space);
        table.push(next);
    }
    let term = |nibble: u8| -> Vec<Point> {
        (0..points.len()).map(|place| select(nibble, |entry| &table[entry][place])).collect()
    };
    let mut places = digits.nibbles.iter().rev();
    let mut sums = term(places.next().copied().unwrap_or(0));
    for nibble in places {
        for _ in 0..WIDTH {
            double(&mut sums, space);
        }
        add(&mut sums, &term(*nibble), space);
    }
    sums.iter_mut().for_each(|sum| negate(sum, digits.is_negated));
    sums
}

/// For each digit the odd multiples of `16^place·P`: what makes products with one point cheap.
pub struct Multiples(Vec<[Point; ENTRIES]>);

impl Multiples {
    pub fn of(point: &Point) -> Self {
        let space = &mut Space::default();
        let mut powers = vec![*point];
        for place in 1..DIGITS {
            let mut power = [powers[place - 1]];
            for _ in 0..WIDTH {
                double(&mut power, space);
            }
            powers.push(power[0]);
        }
        let mut twice = powers.clone();
        double(&mut twice, space);
        let mut tables: Vec<[Point; ENTRIES]> = powers.iter().map(|power| [*power; ENTRIES]).collect();
        for entry in 1..ENTRIES {
            add(&mut powers, &twice, space);
            tables.iter_mut().zip(&powers).for_each(|(table, power)| table[entry] = *power);
        }
        Self(tables)
    }

    /// `k·P + Q` for each secret `k` and its `Q`, which may be the identity.
    pub fn times_each(&self, scalars: &[Scalar], added: &[Point]) -> Vec<Point> {
        let pairs = scalars.par_chunks(BATCH).zip(added.par_chunks(BATCH));
        pairs.flat_map_iter(|(scalars, added)| self.batch_times(scalars, added)).collect()
    }

    /// Multiplies the point `P` by `k`.
    pub fn times(&self, scalar: &Scalar) -> Point {
        self.batch_times(&[*scalar], &[Point::identity()]).first().copied().unwrap_or_default()
    }

    fn batch_times(&self, scalars: &[Scalar], added: &[Point]) -> Vec<Point> {
        let space = &mut Space::default();
        let digits: Vec<Digits> = scalars.iter().map(Digits::of).collect();
        let mut sums = vec![Point::identity(); scalars.len()];
        for (place, table) in self.0.iter().enumerate() {
            let terms: Vec<Point> =
                digits.iter().map(|digits| select(digits.nibbles[place], |entry| &table[entry])).collect();
            if place == 0 { sums = terms } else { add(&mut sums, &terms, space) }
        }
        sums.iter_mut().zip(&digits).for_each(|(sum, digits)| negate(sum, digits.is_negated));
        add(&mut sums, added, space);
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fog::testing::seed;
    use group::Curve;
    use halo2curves::{ff::Field, grumpkin::G1};
    use rand::{SeedableRng, rngs::StdRng};

    /// Random scalars, and those at the edges of their digits.
    fn scalars(rng: &mut StdRng) -> Vec<Scalar> {
        let edges = [0, 1, 2, 15, 16, 17, 31, 32].map(Scalar::from);
        let negated = edges.map(|edge| -edge);
        let powers = [64, 128, 252, 253].map(|power| Scalar::from(2).pow([power]));
        let random: Vec<Scalar> = (0..20).map(|_| Scalar::random(&mut *rng)).collect();
        [&edges[..], &negated, &powers, &random].concat()
    }

    #[test]
    fn products_are_the_library_s() {
        let mut rng = StdRng::seed_from_u64(seed(172));
        let mut points: Vec<Point> =
            (0..2 * BATCH + 3).map(|_| (G1::generator() * Scalar::random(&mut rng)).to_affine()).collect();
        points[5] = Point::identity();
        let some = &points[..8];
        let scalars = scalars(&mut rng);
        for scalar in &scalars {
            let right: Vec<Point> = some.iter().map(|point| (point * scalar).to_affine()).collect();
            assert_eq!(each_times(some, scalar), right, "{scalar:?}");
        }
        assert_eq!(
            each_times(&points, &scalars[23]).last(),
            Some(&(points[points.len() - 1] * scalars[23]).to_affine())
        );
        for point in [points[0], points[5]] {
            let added = &points[..scalars.len()];
            let right = scalars.iter().zip(added).map(|(scalar, added)| (point * scalar + added).to_affine());
            let multiples = Multiples::of(&point);
            assert_eq!(multiples.times_each(&scalars, added), right.collect::<Vec<_>>());
            assert_eq!(multiples.times(&scalars[9]), (point * scalars[9]).to_affine());
        }
    }
}
