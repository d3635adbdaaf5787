//! Multiplication of points by secret scalars, in windows of four bits, without branches or table indices that depend on
//! the scalar: every entry of a window's table is looked at (protocol section 10, "Costs").
//!
//! Additions are the curve library's complete ones, so no scalar and no point is exceptional.

use crate::{
    point::{Point, Scalar, normalize},
    secret::{wipe, wipe_all},
};
use ff::PrimeField;
use group::Group;
use halo2curves::grumpkin::G1;
use std::sync::LazyLock;
use subtle::{ConditionallySelectable, ConstantTimeEq};

/// Bits of a window.
const WINDOW: usize = 4;
/// Windows of a scalar.
const WINDOWS: usize = 256 / WINDOW;
/// Multiples in a window's table, 0 included.
const ENTRIES: usize = 1 << WINDOW;

/// The windows of a scalar, the lowest first.
fn digits(scalar: &Scalar) -> [u8; WINDOWS] {
    let mut repr = scalar.to_repr();
    let digits = std::array::from_fn(|index| repr[index / 2] >> (WINDOW * (index % 2)) & 0x0f);
    wipe(&mut repr);
    digits
}

/// `table[digit]`, reading all of the table.
fn select<T: ConditionallySelectable>(table: &[T; ENTRIES], digit: u8) -> T {
    let mut chosen = table[0];
    for (index, entry) in (0u8..).zip(table) {
        chosen.conditional_assign(entry, index.ct_eq(&digit));
    }
    chosen
}

/// The table of `0·P` to `15·P`.
fn multiples(point: &Point) -> [G1; ENTRIES] {
    let mut sum = G1::identity();
    std::array::from_fn(|_| {
        let this = sum;
        sum += point;
        this
    })
}

/// The product `k·P`, by the same steps whatever `k` is.
pub fn multiply(point: &Point, scalar: &Scalar) -> G1 {
    let table = multiples(point);
    let mut digits = digits(scalar);
    let mut sum = G1::identity();
    for digit in digits.iter().rev() {
        for _ in 0..WINDOW {
            sum = sum.double();
        }
        sum += select(&table, *digit);
    }
    wipe_all(&mut digits);
    sum
}

/// For each window the multiples of `16^window · P`: what makes many products with one point `P` cheap.
pub struct Multiples(Vec<[Point; ENTRIES]>);

impl Multiples {
    /// The multiples of a point.
    pub fn of(point: &Point) -> Self {
        let mut base = *point;
        let tables = (0..WINDOWS).map(|_| {
            let table = multiples(&base);
            let affine = normalize(&table);
            base = (table[ENTRIES - 1] + base).into();
            std::array::from_fn(|index| affine[index])
        });
        Self(tables.collect())
    }

    /// The product `k·P`, by the same steps whatever `k` is.
    pub fn times(&self, scalar: &Scalar) -> G1 {
        let mut digits = digits(scalar);
        let mut sum = G1::identity();
        for (table, digit) in self.0.iter().zip(&digits) {
            sum += select(table, *digit);
        }
        wipe_all(&mut digits);
        sum
    }
}

/// `k·g`, from a table that is made once.
pub fn multiply_generator(scalar: &Scalar) -> G1 {
    static GENERATOR: LazyLock<Multiples> = LazyLock::new(|| Multiples::of(&Point::generator()));
    GENERATOR.times(scalar)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::random_scalar;
    use ff::Field;
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;

    /// For scalars at the edges of their windows and random ones, and for the identity too.
    #[test]
    fn agrees_with_the_curve_library() {
        let mut rng = ChaCha20Rng::seed_from_u64(3);
        let edges = [0, 1, 2, 15, 16, 17, 31, 32].map(Scalar::from);
        let negated = edges.map(|edge| -edge);
        let powers = [64, 128, 252, 253].map(|power| Scalar::from(2).pow([power]));
        let random: Vec<Scalar> = (0..40).map(|_| random_scalar(&mut rng)).collect();
        let g = Point::generator();
        for point in [g, (g * random[0]).into(), Point::default()] {
            let multiples = Multiples::of(&point);
            for scalar in [&edges[..], &negated, &powers, &random].concat() {
                let right = point * scalar;
                assert_eq!(multiply(&point, &scalar), right, "{scalar:?}");
                assert_eq!(multiples.times(&scalar), right, "{scalar:?}");
                if point == g {
                    assert_eq!(multiply_generator(&scalar), right, "{scalar:?}");
                }
            }
        }
    }
}
