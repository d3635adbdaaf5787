//! Multiples of the generator by table: 37 windows of 7 bits, one row a window.
//!
//! The table holds for window `w` (1 the most significant) and digit `d` the point `(d·2^(7(37−w)) + u_w)·g`. The known `u_w` keep every
//! entry off the point at infinity and sum to zero, so a chain through all windows adds exactly the scalar's multiple. An entry is
//! `(w, w·d, w·x, w·y)` and a row looks up `(w, w·digit, w·px, w·py)` where `w` is a fixed column: outside of such rows both are zeros, so
//! the column is its own selector, and the row of zeros that serves them can't be used by a window.

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

use super::{Cell, EccConfig, Point, Sheet, ecc::Chain};

/// Bits of a window.
pub const WINDOW: usize = 7;
/// Windows of a scalar.
pub const WINDOWS: usize = 37;
/// Bits that the windows hold together.
pub const BITS: usize = WINDOW * WINDOWS;
/// Rows of the table, from row 0.
pub const TABLE_ROWS: usize = WINDOWS << WINDOW;

/// The points of the table, window by window.
static TABLE: LazyLock<Vec<G1Affine>> = LazyLock::new(table);

fn table() -> Vec<G1Affine> {
    let unit = |w: usize| Scalar::from(2).pow([(WINDOW * (WINDOWS - w)) as u64]);
    let all_but_last = (1..WINDOWS).map(unit).sum::<Scalar>();
    let mut points = Vec::with_capacity(TABLE_ROWS);
    for w in 1..=WINDOWS {
        let step = G1::generator() * unit(w);
        let mut point = if w < WINDOWS {
            step
        } else {
            -(G1::generator() * all_but_last)
        };
        for _ in 0..1 << WINDOW {
            points.push(point);
            point += step;
        }
    }
    let mut affine = vec![G1Affine::default(); points.len()];
    G1::batch_normalize(&points, &mut affine);
    affine
}

/// The bits of a scalar, most significant first.
pub fn bits(scalar: &Scalar) -> [bool; BITS] {
    let bytes = scalar.to_repr();
    let bytes = bytes.as_ref();
    std::array::from_fn(|i| {
        let bit = BITS - 1 - i;
        bytes
            .get(bit / 8)
            .is_some_and(|byte| byte >> (bit % 8) & 1 == 1)
    })
}

/// The table and the rows that look into it.
#[derive(Clone, Debug)]
pub struct FixedBase {
    ecc: EccConfig,
    window: Column<Fixed>,
    table: [Column<Fixed>; 4],
}

impl FixedBase {
    /// The lookup. The table's columns may serve other gates in other rows, where they must not hold `(w, …)` with `w` in 1..=37.
    pub fn configure(
        meta: &mut ConstraintSystem<Fr>,
        ecc: &EccConfig,
        window: Column<Fixed>,
        table: [Column<Fixed>; 4],
    ) -> Self {
        let (px, py, z): (Column<Advice>, _, _) = (ecc.px, ecc.py, ecc.z);
        meta.lookup_any("window's point", |meta| {
            let w = meta.query_fixed(window, Rotation::cur());
            let [px, py, z] = [px, py, z].map(|column| meta.query_advice(column, Rotation::cur()));
            let next_z = meta.query_advice(ecc.z, Rotation::next());
            let digit = next_z - z * Fr::from(1 << WINDOW);
            let [tw, td, tx, ty] = table.map(|column| meta.query_fixed(column, Rotation::cur()));
            vec![
                (w.clone(), tw),
                (w.clone() * digit, td),
                (w.clone() * px, tx),
                (w * py, ty),
            ]
        });
        Self {
            ecc: ecc.clone(),
            window,
            table,
        }
    }

    /// Writes the table on rows `0..TABLE_ROWS`.
    pub fn load(&self, sheet: &mut Sheet<'_>) {
        for (row, point) in TABLE.iter().enumerate() {
            let w = Fr::from((row >> WINDOW) as u64 + 1);
            let digit = Fr::from((row & ((1 << WINDOW) - 1)) as u64);
            for (column, value) in self.table.iter().zip([Fr::ONE, digit, point.x, point.y]) {
                sheet.fixed(*column, row, w * value);
            }
        }
    }

    /// Adds the windows `windows` (1 to 37) of a scalar, whose digits `bits` holds whole, to `start`: one row a window and one for the end.
    pub fn chain(
        &self,
        sheet: &mut Sheet<'_>,
        row: usize,
        start: Point,
        zero: Cell,
        windows: std::ops::RangeInclusive<usize>,
        bits: &[bool; BITS],
    ) -> Chain {
        let ecc = &self.ecc;
        let mut point = ecc.place(sheet, row, start.x, start.y);
        let mut z = sheet.advice(ecc.z, row, zero);
        let mut here = row;
        for w in windows {
            let digit = bits[(w - 1) * WINDOW..w * WINDOW]
                .iter()
                .fold(0, |d, &bit| d << 1 | usize::from(bit));
            let entry = TABLE[((w - 1) << WINDOW) + digit];
            sheet.fixed(self.window, here, Fr::from(w as u64));
            point = ecc.add_row(
                sheet,
                here,
                point,
                super::Input::Witness(entry.x),
                super::Input::Witness(entry.y),
            );
            z = sheet.witness(
                ecc.z,
                here + 1,
                z.value * Fr::from(1 << WINDOW) + Fr::from(digit as u64),
            );
            here += 1;
        }
        Chain {
            z,
            point,
            row: here,
        }
    }
}
