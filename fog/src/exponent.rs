//! Secret exponents that circuits raise points to: `2²⁴⁸ + 2z + 1` for a number `z` of 248 bits, which stands for the exponent wherever it is
//! committed to.
//!
//! The form is that of a ladder which starts at twice a point and adds or takes off the point for each bit of `z`: the multiples on its way are
//! between 2 and 3·2²⁴⁸, below half of the group's order, so no addition is exceptional, whatever the point.

use crate::{
    F,
    curve::{Point, Scalar, mul},
};
use ff::{Field, PrimeField};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// The number of bits of an exponent.
pub const EXPONENT_BITS: usize = 248;

/// A secret exponent `z` of 248 bits, forgotten when it is dropped.
#[derive(Clone, PartialEq, Eq, Zeroize, ZeroizeOnDrop)]
pub struct Exponent([u8; EXPONENT_BITS / 8]);

crate::redacted!(Exponent);

impl Exponent {
    /// From 31 uniform bytes, `z` little-endian.
    pub fn new(z: [u8; EXPONENT_BITS / 8]) -> Self {
        Self(z)
    }

    /// `z` as what is committed to.
    pub fn digits(&self) -> F {
        Option::from(F::from_repr(self.padded())).expect("248 bits are below the field's modulus")
    }

    /// The exponent as a scalar.
    pub fn scalar(&self) -> Scalar {
        let z: Option<Scalar> = Scalar::from_repr(self.padded()).into();
        let top = Scalar::from(2).pow_vartime([EXPONENT_BITS as u64]);
        z.expect("248 bits are below the group's order").double() + top + Scalar::ONE
    }

    /// The multiple of a point.
    pub fn raise(&self, point: &Point) -> Point {
        mul(point, &self.scalar())
    }

    fn padded(&self) -> [u8; 32] {
        let mut repr = [0; 32];
        repr[..self.0.len()].copy_from_slice(&self.0);
        repr
    }
}
