//! The arithmetic of the rules: one gate, one row an operation.
//!
//! `d = k₀·a·b + k₁·a + k₂·b + k₃·c + acc` over five linked columns `a b c acc d`, with the coefficients `k` in fixed
//! columns. Everything that is said about squares and pieces is said in this gate; sums run through `acc`.

use ff::Field;
use halo2_proofs::{
    plonk::{Advice, Column, ConstraintSystem, Fixed},
    poly::Rotation,
};
use halo2curves::bn256::Fr;

use super::{Cell, Input, Sheet, Switch};

/// Columns and switches of the gate.
#[derive(Clone, Debug)]
pub struct ArithConfig {
    columns: [Column<Advice>; 5],
    coefficients: [Column<Fixed>; 4],
    operation: Switch,
    constant: Switch,
}

impl ArithConfig {
    /// The gates. `columns` must have equality enabled; `operation` may be of degree ≤ 2, `constant` of degree ≤ 4.
    pub fn configure(
        meta: &mut ConstraintSystem<Fr>,
        columns: [Column<Advice>; 5],
        coefficients: [Column<Fixed>; 4],
        operation: Switch,
        constant: Switch,
    ) -> Self {
        meta.create_gate("arithmetic", |meta| {
            let q = operation.query(meta);
            let [a, b, c, acc, d] =
                columns.map(|column| meta.query_advice(column, Rotation::cur()));
            let [k0, k1, k2, k3] =
                coefficients.map(|column| meta.query_fixed(column, Rotation::cur()));
            vec![(
                "d = k₀·a·b + k₁·a + k₂·b + k₃·c + acc",
                q * (k0 * a.clone() * b.clone() + k1 * a + k2 * b + k3 * c + acc - d),
            )]
        });
        meta.create_gate("constant", |meta| {
            let q = constant.query(meta);
            let a = meta.query_advice(columns[0], Rotation::cur());
            let k = meta.query_fixed(coefficients[0], Rotation::cur());
            vec![("a = k₀", q * (a - k))]
        });
        Self {
            columns,
            coefficients,
            operation,
            constant,
        }
    }
}

/// Operations laid one under the other from a first row.
#[derive(Debug)]
pub struct Arith {
    config: ArithConfig,
    row: usize,
    zero: Cell,
    one: Cell,
}

impl Arith {
    /// Starts at `row`; the rows that follow are its own.
    pub fn new(config: &ArithConfig, sheet: &mut Sheet<'_>, row: usize) -> Self {
        let mut constant = |row: usize, value: Fr| {
            config.constant.on(sheet, row);
            sheet.fixed(config.coefficients[0], row, value);
            sheet.witness(config.columns[0], row, value)
        };
        let (zero, one) = (constant(row, Fr::ZERO), constant(row + 1, Fr::ONE));
        Self {
            config: config.clone(),
            row: row + 2,
            zero,
            one,
        }
    }

    /// The first row not yet used.
    pub fn row(&self) -> usize {
        self.row
    }

    /// The cell that holds 0.
    pub fn zero(&self) -> Cell {
        self.zero
    }

    /// The cell that holds 1.
    pub fn one(&self) -> Cell {
        self.one
    }

    /// A cell that holds `value`.
    pub fn constant(&mut self, sheet: &mut Sheet<'_>, value: u64) -> Cell {
        self.operation(
            sheet,
            [0, 0, 0, value].map(Fr::from),
            [
                self.zero.into(),
                self.zero.into(),
                self.one.into(),
                self.zero.into(),
            ],
        )
        .1
    }

    /// One row: the cells of `a b c acc`, and `d`.
    #[track_caller]
    pub fn operation(
        &mut self,
        sheet: &mut Sheet<'_>,
        k: [Fr; 4],
        inputs: [Input; 4],
    ) -> ([Cell; 4], Cell) {
        let row = self.row;
        self.row += 1;
        self.config.operation.on(sheet, row);
        for (column, k) in self.config.coefficients.iter().zip(k) {
            sheet.fixed(*column, row, k);
        }
        let [a, b, c, acc, d] = self.config.columns;
        let cells = [
            sheet.advice(a, row, inputs[0]),
            sheet.advice(b, row, inputs[1]),
            sheet.advice(c, row, inputs[2]),
            sheet.advice(acc, row, inputs[3]),
        ];
        let [a, b, c, acc] = cells.map(|cell| cell.value);
        let value = k[0] * a * b + k[1] * a + k[2] * b + k[3] * c + acc;
        (cells, sheet.witness(d, row, value))
    }

    /// A value of the prover's that nothing binds yet.
    #[track_caller]
    pub fn witness(&mut self, sheet: &mut Sheet<'_>, value: Fr) -> Cell {
        let zero = self.zero.into();
        self.operation(
            sheet,
            [Fr::ZERO; 4],
            [Input::Witness(value), zero, zero, zero],
        )
        .0[0]
    }

    /// A value of the prover's that is 0 or 1: `b² − b = 0`.
    #[track_caller]
    pub fn boolean(&mut self, sheet: &mut Sheet<'_>, value: bool) -> Cell {
        let zero = self.zero.into();
        let value = Input::Witness(Fr::from(u64::from(value)));
        let (cells, d) = self.operation(
            sheet,
            [Fr::ONE, -Fr::ONE, Fr::ZERO, Fr::ZERO],
            [value, value, zero, zero],
        );
        self.bind_boolean(sheet, cells, d);
        cells[0]
    }

    /// Both factors of `b·b − b` are one value, and it is 0. For traces these bonds are the gadget's, not its caller's.
    fn bind_boolean(&self, sheet: &mut Sheet<'_>, [left, right, ..]: [Cell; 4], product: Cell) {
        sheet.equal(left, right);
        sheet.equal(product, self.zero);
    }

    /// `x·y + acc`.
    pub fn mul_add(&mut self, sheet: &mut Sheet<'_>, x: Cell, y: Cell, acc: Cell) -> Cell {
        let k = [Fr::ONE, Fr::ZERO, Fr::ZERO, Fr::ZERO];
        self.operation(sheet, k, [x.into(), y.into(), self.zero.into(), acc.into()])
            .1
    }

    /// `x·y`.
    pub fn mul(&mut self, sheet: &mut Sheet<'_>, x: Cell, y: Cell) -> Cell {
        self.mul_add(sheet, x, y, self.zero)
    }

    /// `x + y`.
    pub fn add(&mut self, sheet: &mut Sheet<'_>, x: Cell, y: Cell) -> Cell {
        self.linear(sheet, &[(1, x), (1, y)], 0)
    }

    /// `x − y`.
    pub fn sub(&mut self, sheet: &mut Sheet<'_>, x: Cell, y: Cell) -> Cell {
        self.linear(sheet, &[(1, x), (-1, y)], 0)
    }

    /// `1 − x`.
    pub fn not(&mut self, sheet: &mut Sheet<'_>, x: Cell) -> Cell {
        self.linear(sheet, &[(-1, x)], 1)
    }

    /// `Σ kᵢ·xᵢ + constant`, with small coefficients.
    pub fn linear(&mut self, sheet: &mut Sheet<'_>, terms: &[(i64, Cell)], constant: i64) -> Cell {
        let terms: Vec<_> = terms.iter().map(|&(k, x)| (signed(k), x)).collect();
        self.linear_field(sheet, &terms, signed(constant))
    }

    /// `Σ kᵢ·xᵢ + constant`: three terms a row.
    pub fn linear_field(
        &mut self,
        sheet: &mut Sheet<'_>,
        terms: &[(Fr, Cell)],
        constant: Fr,
    ) -> Cell {
        let mut terms = terms.to_vec();
        if !bool::from(constant.is_zero()) {
            terms.push((constant, self.one));
        }
        let mut sum = self.zero;
        for chunk in terms.chunks(3) {
            let term = |i: usize| chunk.get(i).copied().unwrap_or((Fr::ZERO, self.zero));
            let ((k1, a), (k2, b), (k3, c)) = (term(0), term(1), term(2));
            sum = self
                .operation(
                    sheet,
                    [Fr::ZERO, k1, k2, k3],
                    [a.into(), b.into(), c.into(), sum.into()],
                )
                .1;
        }
        sum
    }

    /// `Σ xᵢ·yᵢ`.
    pub fn inner_product(&mut self, sheet: &mut Sheet<'_>, x: &[Cell], y: &[Cell]) -> Cell {
        x.iter()
            .zip(y)
            .fold(self.zero, |sum, (&x, &y)| self.mul_add(sheet, x, y, sum))
    }

    /// `bit` ? `yes` : `no`.
    pub fn select(&mut self, sheet: &mut Sheet<'_>, bit: Cell, yes: Cell, no: Cell) -> Cell {
        let difference = self.sub(sheet, yes, no);
        self.mul_add(sheet, bit, difference, no)
    }

    /// 1 if `x` is 0, else 0: `z = 1 − x·x⁻¹` and `x·z = 0`.
    pub fn is_zero(&mut self, sheet: &mut Sheet<'_>, x: Cell) -> Cell {
        let (zero, one) = (Input::from(self.zero), Input::from(self.one));
        let inverse = Input::Witness(x.value.invert().unwrap_or(Fr::ZERO));
        let (_, z) = self.operation(
            sheet,
            [-Fr::ONE, Fr::ZERO, Fr::ZERO, Fr::ONE],
            [x.into(), inverse, one, zero],
        );
        self.assert_zero_product(sheet, x, z);
        z
    }

    /// 1 if `x = y`, else 0.
    pub fn is_equal(&mut self, sheet: &mut Sheet<'_>, x: Cell, y: Cell) -> Cell {
        let difference = self.sub(sheet, x, y);
        self.is_zero(sheet, difference)
    }

    /// `x ≠ 0`: an inverse exists.
    #[track_caller]
    pub fn assert_nonzero(&mut self, sheet: &mut Sheet<'_>, x: Cell) {
        let zero = self.zero.into();
        let inverse = Input::Witness(x.value.invert().unwrap_or(Fr::ZERO));
        let (_, product) = self.operation(
            sheet,
            [Fr::ONE, Fr::ZERO, Fr::ZERO, Fr::ZERO],
            [x.into(), inverse, zero, zero],
        );
        sheet.equal(product, self.one);
    }

    /// `x·y = 0`.
    #[track_caller]
    pub fn assert_zero_product(&mut self, sheet: &mut Sheet<'_>, x: Cell, y: Cell) {
        let product = self.mul(sheet, x, y);
        sheet.equal(product, self.zero);
    }

    /// If `bit`, then `x = y`.
    #[track_caller]
    pub fn assert_equal_if(&mut self, sheet: &mut Sheet<'_>, bit: Cell, x: Cell, y: Cell) {
        let difference = self.sub(sheet, x, y);
        self.assert_zero_product(sheet, bit, difference);
    }

    /// The low `count` bits of a value of the prover's, least significant first.
    #[track_caller]
    pub fn free_bits(&mut self, sheet: &mut Sheet<'_>, value: Fr, count: usize) -> Vec<Cell> {
        let bytes = value.to_bytes();
        let mut bits = Vec::with_capacity(count);
        for i in 0..count {
            bits.push(self.boolean(sheet, bytes[i / 8] >> (i % 8) & 1 == 1));
        }
        bits
    }

    /// `Σ 2ⁱ·bitᵢ`.
    pub fn weigh(&mut self, sheet: &mut Sheet<'_>, bits: &[Cell]) -> Cell {
        let terms: Vec<_> = bits
            .iter()
            .enumerate()
            .map(|(i, &bit)| (Fr::from(2).pow([i as u64]), bit))
            .collect();
        self.linear_field(sheet, &terms, Fr::ZERO)
    }
}

/// A small signed number as a field element.
pub fn signed(k: i64) -> Fr {
    let magnitude = Fr::from(k.unsigned_abs());
    if k < 0 { -magnitude } else { magnitude }
}
