//! The points of *turn*: `B_s = r_s·g + c_s·A` for 64 new choices and 8 opened ones, and the keys `r_s·A` of the latter.
//!
//! Every chain starts from one point Θ of the prover's and is freed of it at the end. The ladders' base is `H = A/2`, because a
//! ladder's signed digits give odd multiples only:
//! * `choice`: three bits of `c` take Θ to `8Θ + (2c − 7)·H = Θ' + c·A`, the windows add `r·g`, and `Θ' = 8Θ − 7H` is taken off;
//! * `key`: the bits of `r` take Θ to `2ⁿ·Θ + (2r − 2ⁿ + 1)·H = E + r·A`, and `E` is taken off.
//!
//! A chain of zero bits gives `Θ'` on its way and `E` at its end. Scalars are cut at [`LOW`] bits, so that neither half
//! wraps around the field and the two chains of one `r` can be compared.

use ff::{Field, PrimeField};
use fog::curve::Scalar;
use halo2curves::{bn256::Fr, grumpkin::G1Affine};

use super::desk::Desk;
use crate::gadget::{
    Cell, Input, Point,
    fixed_base::{self, BITS, WINDOW, WINDOWS},
};

/// Windows of the high half.
const HIGH_WINDOWS: usize = 19;
/// Bits of the high half.
const HIGH: usize = HIGH_WINDOWS * WINDOW;
/// Bits of the low half.
const LOW: usize = BITS - HIGH;
/// Bits of a choice.
const CHOICE: usize = 3;

const _: () = assert!(
    HIGH < 253 && LOW < 253,
    "a half must not wrap around the field"
);

/// Rows of a choice: three chains with their ends, the result, and two to show that `r·g ≠ O`.
const CHOICE_ROWS: usize = CHOICE + 1 + HIGH_WINDOWS + 1 + (WINDOWS - HIGH_WINDOWS) + 2 + 2;
/// Rows of a key: two ladders with their ends and the result.
const KEY_ROWS: usize = HIGH + 1 + LOW + 2;

/// What all chains share.
pub struct Chains {
    start: Point,
    half: Point,
    minus_choice_start: Point,
    minus_key_start: Point,
}

/// A point of a request.
pub struct Choice {
    /// `c_s`, three bits.
    pub choice: Cell,
    /// `B_s`.
    pub point: Point,
    high: Cell,
    low: Cell,
}

impl Chains {
    /// Lays Θ, `H`, `Θ'` and `E` for the fog key in `key`.
    pub fn new(d: &mut Desk<'_, '_>, key: Point, offset: G1Affine) -> Self {
        let ecc = &d.machine.ecc;
        let zero = d.arith.zero();
        let half = {
            let row = d.point_rows(2);
            let affine = halved(key);
            ecc.halve(d.sheet, row, key, affine)
        };
        let row = d.point_rows(1);
        let start = ecc.place(
            d.sheet,
            row,
            Input::Witness(offset.x),
            Input::Witness(offset.y),
        );
        assert_on_curve(d, start);

        let row = d.point_rows(CHOICE + 1 + HIGH - CHOICE + 1 + LOW + 1);
        let choice = ecc.ladder(d.sheet, row, start, half, zero, &[false; CHOICE]);
        let high = ecc.ladder(
            d.sheet,
            choice.row + 1,
            choice.point,
            half,
            zero,
            &[false; HIGH - CHOICE],
        );
        let low = ecc.ladder(d.sheet, high.row + 1, high.point, half, zero, &[false; LOW]);
        for chain in [&choice, &high, &low] {
            d.sheet.equal(chain.z, zero);
        }
        Self {
            start,
            half,
            minus_choice_start: negate(d, choice.point),
            minus_key_start: negate(d, low.point),
        }
    }

    /// `B = r·g + c·A` with `r·g ≠ O`.
    pub fn choice(&self, d: &mut Desk<'_, '_>, scalar: &Scalar, choice: u8) -> Choice {
        let (ecc, windows) = (&d.machine.ecc, &d.machine.fixed_base);
        let zero = d.arith.zero();
        let bits = fixed_base::bits(scalar);
        let row = d.point_rows(CHOICE_ROWS);
        let c_bits = [2, 1, 0].map(|i| choice >> i & 1 == 1);
        let c = ecc.ladder(d.sheet, row, self.start, self.half, zero, &c_bits);
        let high = windows.chain(d.sheet, c.row + 1, c.point, zero, 1..=HIGH_WINDOWS, &bits);
        let low = windows.chain(
            d.sheet,
            high.row + 1,
            high.point,
            zero,
            HIGH_WINDOWS + 1..=WINDOWS,
            &bits,
        );
        let point = ecc.continue_with(d.sheet, low.row, low.point, self.minus_choice_start);
        // An addition exists only for points with different x: so r·g has moved the chain.
        let (x, y) = (low.point.x.into(), low.point.y.into());
        ecc.add(d.sheet, low.row + 2, (x, y), c.point);
        Choice {
            choice: c.z,
            point,
            high: high.z,
            low: low.z,
        }
    }

    /// The x-coordinate of `r·A`, for the scalar that `choice` was made with.
    pub fn key(&self, d: &mut Desk<'_, '_>, scalar: &Scalar, choice: &Choice) -> Cell {
        let ecc = &d.machine.ecc;
        let zero = d.arith.zero();
        let bits = fixed_base::bits(scalar);
        let row = d.point_rows(KEY_ROWS);
        let high = ecc.ladder(d.sheet, row, self.start, self.half, zero, &bits[..HIGH]);
        let low = ecc.ladder(
            d.sheet,
            high.row + 1,
            high.point,
            self.half,
            zero,
            &bits[HIGH..],
        );
        d.sheet.equal(high.z, choice.high);
        d.sheet.equal(low.z, choice.low);
        ecc.continue_with(d.sheet, low.row, low.point, self.minus_key_start)
            .x
    }
}

/// `y² = x³ − 17`. The formulas of addition don't know the curve's constant, so a point of the prover's must be checked.
fn assert_on_curve(d: &mut Desk<'_, '_>, point: Point) {
    let x_squared = d.arith.mul(d.sheet, point.x, point.x);
    let x_cubed = d.arith.mul(d.sheet, x_squared, point.x);
    let y_squared = d.arith.mul(d.sheet, point.y, point.y);
    let right = d.arith.linear(d.sheet, &[(1, x_cubed)], -17);
    d.sheet.equal(y_squared, right);
}

fn negate(d: &mut Desk<'_, '_>, point: Point) -> Point {
    Point {
        x: point.x,
        y: d.arith.linear(d.sheet, &[(-1, point.y)], 0),
    }
}

/// Half of a point, or zeros where the cells hold no point.
fn halved(point: Point) -> (Fr, Fr) {
    use group::Curve;
    use halo2curves::CurveAffine;
    let affine: Option<G1Affine> = G1Affine::from_xy(point.x.value, point.y.value).into();
    affine.map_or((Fr::ZERO, Fr::ZERO), |affine| {
        let half = (affine * Scalar::TWO_INV).to_affine();
        (half.x, half.y)
    })
}
