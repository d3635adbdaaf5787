//! Points raised by one committed exponent, `(2²⁴⁸ + 2z + 1)·P`: ladders that start at `2P` and read the bits of `z`.
//!
//! **No case is exceptional, whoever chose `P`.** `P` is a point of the curve, whose order is a prime `q > 2²⁵³`, and on every row the ladder holds
//! `m·P` with `2 ≤ m < 3·2²⁴⁸`. Its additions are exceptional only if one of `m ∓ 1`, `1`, `2m ± 1` is 0 modulo `q`, and none is. The gate refuses
//! exceptional cases besides.

use fog::exponent::{EXPONENT_BITS, Exponent};

use super::{Cell, Context, EccConfig, Label, Point, fixed_base::bits};

/// Points that are raised by one number.
pub struct Powers<'c> {
    ecc: &'c EccConfig,
    label: Label,
    bits: [bool; EXPONENT_BITS],
    /// `z`, once a point has been raised.
    digits: Option<Cell>,
}

impl<'c> Powers<'c> {
    /// None raised yet. `label` says of each point that it is raised by the same exponent as the first.
    pub fn new(ecc: &'c EccConfig, label: Label, exponent: &Exponent) -> Self {
        Self { ecc, label, bits: bits(&exponent.digits()), digits: None }
    }

    /// A point of the curve, raised.
    pub fn raise(&mut self, cx: &mut Context<'_>, point: Point) -> Point {
        let (point, double) = self.ecc.double(cx, point);
        let chain = self.ecc.ladder(cx, double, point, &self.bits);
        match self.digits {
            Some(digits) => cx.equal(self.label, chain.z, digits),
            None => self.digits = Some(chain.z),
        }
        chain.point
    }

    /// The exponent `z` as one field element.
    pub fn digits(&self) -> Cell {
        self.digits.expect("a point has been raised")
    }
}
