//! Multiples of the generator by table: 37 windows of 7 bits, one row a window.
//!
//! The table holds for window `w` (1 the most significant) and digit `d` the point `(d·2^(7(37−w)) + u_w)·g`. The known `u_w` keep every
//! entry off the point at infinity and sum to zero, so a chain through all windows adds exactly the scalar's multiple. An entry is
//! `(m, m·d, m·x, m·y)` with the window's [`mark`] `m`, and a row looks up `(m, m·digit, m·px, m·py)` where `m` is a fixed column: outside
//! of such rows all are zeros, so the column is its own selector, and the row of zeros that serves them can't be used by a window.

use std::sync::LazyLock;

use ff::{Field, PrimeField};
use group::Curve;
use halo2_proofs::{
    plonk::{Advice, Column, ConstraintSystem, Fixed},
    poly::Rotation,
};
use halo2curves::{
    bn256::Fr,
    grumpkin::{Fr as Scalar, G1, G1Affine},
};

use super::{Context, EccConfig, Input, Point, RegionCtx, advice, ecc::Chain};

/// Bits of a window.
pub const WINDOW: usize = 7;
/// Windows of a scalar.
pub const WINDOWS: usize = 37;
/// Bits that the windows hold together.
pub const BITS: usize = WINDOW * WINDOWS;
/// What marks window `w` in the fixed columns: a number that no other gate writes there. The table shares its columns with
/// coefficients and round constants, and a row of theirs with a window's mark would be an entry of the prover's choosing, off the
/// curve for instance.
pub fn mark(window: usize) -> Fr {
    Fr::from_raw([window as u64, 1, 0, 0])
}

/// Rows of the table.
pub const TABLE_ROWS: usize = WINDOWS << WINDOW;

/// The points of the table, window by window.
static TABLE: LazyLock<Vec<G1Affine>> = LazyLock::new(table);

fn table() -> Vec<G1Affine> {
    let unit = |w: usize| Scalar::from(2).pow([(WINDOW * (WINDOWS - w)) as u64]);
    let all_but_last = (1..WINDOWS).map(unit).sum::<Scalar>();
    let mut points = Vec::with_capacity(TABLE_ROWS);
    for w in 1..=WINDOWS {
        let step = G1::generator() * unit(w);
        let mut point = if w < WINDOWS { step } else { -(G1::generator() * all_but_last) };
        for _ in 0..1 << WINDOW {
            points.push(point);
            point += step;
        }
    }
    let mut affine = vec![G1Affine::default(); points.len()];
    G1::batch_normalize(&points, &mut affine);
    affine
}

/// The `N` lowest bits of a number, the most significant first; those above its 256 are 0.
pub fn bits<const N: usize>(number: &impl PrimeField<Repr = [u8; 32]>) -> [bool; N] {
    let bytes = number.to_repr();
    std::array::from_fn(|i| {
        let bit = N - 1 - i;
        bytes.get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 == 1)
    })
}

/// The table and the rows that look into it.
#[derive(Clone, Copy, Debug)]
pub struct FixedBase {
    ecc: EccConfig,
    window: Column<Fixed>,
    table: [Column<Fixed>; 4],
    first_row: usize,
}

impl FixedBase {
    /// The lookup, and where its table begins. The table's columns may serve other gates in other rows, where they must not hold a [`mark`]
    /// first.
    pub fn configure(
        meta: &mut ConstraintSystem<Fr>,
        ecc: &EccConfig,
        window: Column<Fixed>,
        table: [Column<Fixed>; 4],
        first_row: usize,
    ) -> Self {
        let (px, py, z): (Column<Advice>, _, _) = (ecc.px, ecc.py, ecc.z);
        meta.lookup_any("window's point", |meta| {
            let mark = meta.query_fixed(window, Rotation::cur());
            let [px, py, z] = advice(meta, [px, py, z], Rotation::cur());
            let next_z = meta.query_advice(ecc.z, Rotation::next());
            let digit = next_z - z * Fr::from(1 << WINDOW);
            let [tm, td, tx, ty] = table.map(|column| meta.query_fixed(column, Rotation::cur()));
            vec![(mark.clone(), tm), (mark.clone() * digit, td), (mark.clone() * px, tx), (mark * py, ty)]
        });
        Self { ecc: *ecc, window, table, first_row }
    }

    /// Writes the table, [`TABLE_ROWS`] from its first.
    pub fn load(&self, region: &mut RegionCtx<'_>) {
        for (row, point) in TABLE.iter().enumerate() {
            let mark = mark((row >> WINDOW) + 1);
            let digit = Fr::from((row & ((1 << WINDOW) - 1)) as u64);
            for (column, value) in self.table.iter().zip([Fr::ONE, digit, point.x, point.y]) {
                region.fixed(*column, self.first_row + row, mark * value);
            }
        }
    }

    /// Adds the windows `windows` (1 to 37) of a scalar, whose digits `bits` holds whole, to `start`: one row a window and one for the end.
    pub fn chain(
        &self,
        cx: &mut Context<'_>,
        start: Point,
        windows: std::ops::RangeInclusive<usize>,
        bits: &[bool; BITS],
    ) -> Chain {
        let chain = self.ecc.start(cx, start);
        windows.fold(chain, |chain, w| {
            let digits = &bits[(w - 1) * WINDOW..w * WINDOW];
            let digit = digits.iter().fold(0, |d, &bit| d << 1 | usize::from(bit));
            let entry = TABLE[((w - 1) << WINDOW) + digit];
            let point = self.add_entry(cx, chain.point, w, [entry.x, entry.y]);
            let z = chain.z.value * Fr::from(1 << WINDOW) + Fr::from(digit as u64);
            let z = cx.region.witness(self.ecc.z, point.x.row(), z);
            Chain { z, point }
        })
    }

    /// Adds what must be an entry of a window to the point on the last row; the sum stands on the next.
    pub(super) fn add_entry(&self, cx: &mut Context<'_>, point: Point, window: usize, entry: [Fr; 2]) -> Point {
        cx.region.fixed(self.window, point.x.row(), mark(window));
        self.ecc.add_to_last(cx, point, entry.map(Input::Witness))
    }
}
