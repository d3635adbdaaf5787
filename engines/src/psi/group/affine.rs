//! Sums and doubles of many affine points of Grumpkin at once, with one inversion for all of them (Montgomery's trick): 6 products a sum and 7
//! a double, where the curve library's complete formulas take 11 and more.

use ff::BatchInverter;
use fog::curve::Point;
use group::{Curve, prime::PrimeCurveAffine};
use halo2curves::{
    ff::Field,
    grumpkin::{Fq as F, G1},
};

/// Work space that is used again from step to step.
#[derive(Default)]
pub struct Space {
    /// What is inverted, then the inverses. 0 where there is none.
    slopes: Vec<F>,
    /// Products of all before.
    products: Vec<F>,
}

impl Space {
    /// Inverts all but zeros, which stay.
    fn invert(&mut self) {
        self.products.resize(self.slopes.len(), F::ZERO);
        BatchInverter::invert_with_external_scratch(&mut self.slopes, &mut self.products);
    }
}

/// Adds to each of `sums` its term. Whatever the points are, the sum is right; those that no formula of distinct points adds (equal
/// ones, inverses, the identity) are left to the library. Whether there are such doesn't hang on scalars that are random.
pub fn add(sums: &mut [Point], terms: &[Point], space: &mut Space) {
    space.slopes.clear();
    space.slopes.extend(sums.iter().zip(terms).map(|(sum, term)| {
        let is_identity = bool::from(sum.is_identity() | term.is_identity());
        if is_identity { F::ZERO } else { term.x - sum.x }
    }));
    space.invert();
    for ((sum, term), inverse) in sums.iter_mut().zip(terms).zip(&space.slopes) {
        if bool::from(inverse.is_zero()) {
            *sum = (G1::from(*sum) + term).to_affine();
            continue;
        }
        let slope = (term.y - sum.y) * inverse;
        let x = slope.square() - sum.x - term.x;
        sum.y = slope * (sum.x - x) - sum.y;
        sum.x = x;
    }
}

/// Doubles each point. Of the identity alone `y` is zero: the order is odd.
pub fn double(points: &mut [Point], space: &mut Space) {
    space.slopes.clear();
    space.slopes.extend(points.iter().map(|point| point.y.double()));
    space.invert();
    for (point, inverse) in points.iter_mut().zip(&space.slopes) {
        let square = point.x.square();
        let slope = (square.double() + square) * inverse;
        let x = slope.square() - point.x.double();
        point.y = slope * (point.x - x) - point.y;
        point.x = x;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fog::{curve::Scalar, testing::seed};
    use rand::{SeedableRng, rngs::StdRng};

    /// Against the library's formulas, with every pair that the fast formula doesn't add among the others.
    #[test]
    fn sums_and_doubles_are_the_library_s() {
        let mut rng = StdRng::seed_from_u64(seed(171));
        let mut points: Vec<Point> =
            (0..20).map(|_| (G1::generator() * Scalar::random(&mut rng)).to_affine()).collect();
        let mut terms: Vec<Point> = points.iter().rev().copied().collect();
        terms[0] = points[0];
        terms[1] = -points[1];
        terms[2] = Point::identity();
        points[3] = Point::identity();
        (points[4], terms[4]) = (Point::identity(), Point::identity());
        let right = |a: &Point, b: &Point| (G1::from(*a) + G1::from(*b)).to_affine();
        let mut space = Space::default();
        for _ in 0..3 {
            let sums: Vec<Point> = points.iter().zip(&terms).map(|(a, b)| right(a, b)).collect();
            let doubles: Vec<Point> = points.iter().map(|a| right(a, a)).collect();
            let mut doubled = points.clone();
            double(&mut doubled, &mut space);
            assert_eq!(doubled, doubles);
            add(&mut points, &terms, &mut space);
            assert_eq!(points, sums);
        }
        add(&mut [], &[], &mut space);
    }
}
