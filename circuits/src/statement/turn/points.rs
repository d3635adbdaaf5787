//! The points of *turn*, and of other statements that open squares: `B_s = r_s·g + c_s·A` for 64 new choices and 8 opened ones, and the keys `r_s·A` of the latter.
//!
//! Every chain starts from one point Θ of the prover's and is freed of it at the end. The ladders' base is `H = A/2`, because a
//! ladder's signed digits give odd multiples only:
//! * `choice`: three bits of `c` take Θ to `8Θ + (2c − 7)·H = Θ' + c·A`, the windows add `r·g`, and `Θ' = 8Θ − 7H` is taken off;
//! * `key`: the bits of `r` take Θ to `2ⁿ·Θ + (2r − 2ⁿ + 1)·H = E + r·A`, and `E` is taken off.
//!
//! A chain of zero bits gives `Θ'` on its way and `E` at its end. Scalars are cut at [`LOW`] bits, so that neither half
//! wraps around the field and the two chains of one `r` can be compared.

use ff::{Field, PrimeField};
use fog::curve::{self, Scalar};
use halo2curves::{bn256::Fr, grumpkin::G1Affine};

use super::config::TurnConfig;
use crate::gadget::{
    Cell, Context, EccConfig, FixedBase, Input, Label, Point,
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

const _: () = assert!(HIGH < 253 && LOW < 253, "a half must not wrap around the field");

/// The bindings that open squares, under the names that a statement has for them.
pub struct OpeningLabels {
    /// The chains' start is on the curve.
    pub offset_on_curve: Label,
    /// What takes it off again is made of zero digits.
    pub offset_digits: Label,
    /// The request's path climbs from one node to the next.
    pub request_path: Label,
    /// It ends in the request's root.
    pub request_root: Label,
    /// The answer's path climbs from one node to the next.
    pub answer_path: Label,
    /// It ends in the answer's root.
    pub answer_root: Label,
    /// The key's scalar is the point's: the high half.
    pub scalar_high: Label,
    pub scalar_low: Label,
}

/// What all chains share.
pub struct Chains<'c> {
    pub(super) labels: &'c OpeningLabels,
    ecc: &'c EccConfig,
    windows: &'c FixedBase,
    start: Point,
    half: Point,
    minus_choice_start: Point,
    minus_key_start: Point,
}

/// A point of a request.
pub struct Choice {
    /// The choice `c_s`, a number of three bits.
    pub choice: Cell,
    /// The requested point `B_s`.
    pub point: Point,
    high: Cell,
    low: Cell,
}

impl<'c> Chains<'c> {
    /// Lays Θ, `H`, `Θ'` and `E` for the fog key in `key`.
    pub fn new(
        cx: &mut Context<'_>,
        config: &'c TurnConfig,
        labels: &'c OpeningLabels,
        key: Point,
        offset: G1Affine,
    ) -> Self {
        let ecc = &config.ecc;
        let half = ecc.halve(cx, key, halved(key));
        let start = ecc.place(cx, Input::Witness(offset.x), Input::Witness(offset.y));
        assert_on_curve(cx, labels.offset_on_curve, start);

        let choice = ecc.ladder(cx, start, half, &[false; CHOICE]);
        let high = ecc.ladder(cx, choice.point, half, &[false; HIGH - CHOICE]);
        let low = ecc.ladder(cx, high.point, half, &[false; LOW]);
        for chain in [&choice, &high, &low] {
            cx.equal(labels.offset_digits, chain.z, cx.zero);
        }
        Self {
            labels,
            ecc,
            windows: &config.fixed_base,
            start,
            half,
            minus_choice_start: negate(cx, choice.point),
            minus_key_start: negate(cx, low.point),
        }
    }

    /// `B = r·g + c·A` with `r·g ≠ O`.
    pub fn choice(&self, cx: &mut Context<'_>, scalar: &Scalar, choice: u8) -> Choice {
        let (ecc, windows) = (self.ecc, self.windows);
        let bits = fixed_base::bits(scalar);
        let c_bits = [2, 1, 0].map(|i| choice >> i & 1 == 1);
        let c = ecc.ladder(cx, self.start, self.half, &c_bits);
        let high = windows.chain(cx, c.point, 1..=HIGH_WINDOWS, &bits);
        let low = windows.chain(cx, high.point, HIGH_WINDOWS + 1..=WINDOWS, &bits);
        let point = ecc.add_to_last(cx, low.point, self.minus_choice_start.into());
        // An addition exists only for points with different x: so r·g has moved the chain.
        let end = ecc.place(cx, low.point.x, low.point.y);
        ecc.add_to_last(cx, end, c.point.into());
        Choice { choice: c.z, point, high: high.z, low: low.z }
    }

    /// The x-coordinate of `r·A`, for the scalar that `choice` was made with.
    pub fn key(&self, cx: &mut Context<'_>, scalar: &Scalar, choice: &Choice) -> Cell {
        let ecc = self.ecc;
        let bits: [bool; BITS] = fixed_base::bits(scalar);
        let high = ecc.ladder(cx, self.start, self.half, &bits[..HIGH]);
        let low = ecc.ladder(cx, high.point, self.half, &bits[HIGH..]);
        cx.equal(self.labels.scalar_high, high.z, choice.high);
        cx.equal(self.labels.scalar_low, low.z, choice.low);
        ecc.add_to_last(cx, low.point, self.minus_key_start.into()).x
    }
}

/// `y² = x³ − 17`. The formulas of addition don't know the curve's constant, so a point of the prover's must be checked.
pub fn assert_on_curve(cx: &mut Context<'_>, label: Label, point: Point) {
    let x_squared = cx.mul(point.x, point.x);
    let x_cubed = cx.mul(x_squared, point.x);
    let y_squared = cx.mul(point.y, point.y);
    let right = cx.linear(&[(1, x_cubed)], -17);
    cx.equal(label, y_squared, right);
}

fn negate(cx: &mut Context<'_>, point: Point) -> Point {
    Point { x: point.x, y: cx.linear(&[(-1, point.y)], 0) }
}

/// Half of a point, or zeros where the cells hold no point.
fn halved(point: Point) -> [Fr; 2] {
    use group::Curve;
    use halo2curves::CurveAffine;
    let affine: Option<G1Affine> = G1Affine::from_xy(point.x.value, point.y.value).into();
    affine.map_or([Fr::ZERO; 2], |affine| {
        let half = (affine * Scalar::TWO_INV).to_affine();
        [half.x, half.y]
    })
}

/// A row of each gate of points, on constants: for statements of *turn*'s shape that need none of them. A fixed column without a row would
/// hold zeros alone, and its commitment in the verifying key would be the point at infinity, which has no coordinates: `snark-verifier` makes
/// no verifier of such a key.
pub fn use_every_gate(cx: &mut Context<'_>, config: &TurnConfig) {
    let [generator, other] = [1, 5].map(|k| curve::mul(&G1Affine::generator(), &Scalar::from(k)));
    let [base, start] =
        [generator, other].map(|point| Point { x: cx.linear_field(&[], point.x), y: cx.linear_field(&[], point.y) });
    config.ecc.ladder(cx, start, base, &[false]);
    config.fixed_base.chain(cx, start, 1..=1, &[false; BITS]);
}
