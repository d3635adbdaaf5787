//! Operations in the gate of [`super::arith`], laid one under the other on the rows of arithmetic.

use ff::Field;
use halo2curves::bn256::Fr;

use super::{Cell, Context, Input, Label, power};

impl Context<'_> {
    /// A cell that holds `value`.
    pub fn constant(&mut self, value: u64) -> Cell {
        let [zero, one] = [self.zero, self.one].map(Input::from);
        let k = [0, 0, 0, value].map(Fr::from);
        self.operation(k, [zero, zero, one, zero]).1
    }

    /// One row: the cells of `a b c acc`, and `d = k₀·a·b + k₁·a + k₂·b + k₃·c + acc`.
    #[track_caller]
    pub fn operation(&mut self, k: [Fr; 4], inputs: [Input; 4]) -> ([Cell; 4], Cell) {
        let row = self.take_arithmetic_row();
        let config = self.common.arith;
        let region = &mut self.region;
        config.operation.on(region, row);
        for (column, k) in config.coefficients.into_iter().zip(k) {
            region.fixed(column, row, k);
        }
        let [.., d] = config.columns;
        // Not in a closure, which would be the caller of all rows.
        let mut cells = [self.zero; 4];
        for ((cell, column), input) in cells.iter_mut().zip(config.columns).zip(inputs) {
            *cell = region.advice(column, row, input);
        }
        let [a, b, c, acc] = cells.map(|cell| cell.value);
        let value = k[0] * a * b + k[1] * a + k[2] * b + k[3] * c + acc;
        (cells, region.witness(d, row, value))
    }

    /// A value of the prover's that nothing binds yet.
    #[track_caller]
    pub fn witness(&mut self, value: Fr) -> Cell {
        let zero = self.zero.into();
        let inputs = [Input::Witness(value), zero, zero, zero];
        self.operation([Fr::ZERO; 4], inputs).0[0]
    }

    /// A value of the prover's that is 0 or 1: `b·b − b = 0`, where both factors are one value.
    #[track_caller]
    pub fn boolean(&mut self, value: bool) -> Cell {
        let zero = self.zero.into();
        let value = Input::Witness(Fr::from(u64::from(value)));
        let k = [Fr::ONE, -Fr::ONE, Fr::ZERO, Fr::ZERO];
        let ([left, right, ..], product) = self.operation(k, [value, value, zero, zero]);
        #[cfg(test)]
        super::trace::chose_boolean([left, right]);
        self.equal("boolean.factors", left, right);
        self.equal("boolean.product", product, self.zero);
        left
    }

    /// The cell that holds `x·y + acc`.
    #[track_caller]
    pub fn mul_add(&mut self, x: Cell, y: Cell, acc: Cell) -> Cell {
        let k = [Fr::ONE, Fr::ZERO, Fr::ZERO, Fr::ZERO];
        let inputs = [x, y, self.zero, acc].map(Input::from);
        self.operation(k, inputs).1
    }

    #[track_caller]
    pub fn mul(&mut self, x: Cell, y: Cell) -> Cell {
        self.mul_add(x, y, self.zero)
    }

    #[track_caller]
    pub fn add(&mut self, x: Cell, y: Cell) -> Cell {
        self.linear(&[(1, x), (1, y)], 0)
    }

    #[track_caller]
    pub fn sub(&mut self, x: Cell, y: Cell) -> Cell {
        self.linear(&[(1, x), (-1, y)], 0)
    }

    /// The cell that holds `1 − x`, which negates a bit.
    #[track_caller]
    pub fn not(&mut self, x: Cell) -> Cell {
        self.linear(&[(-1, x)], 1)
    }

    /// `k₀·x·y + k₁·x + k₂·y + constant`, with small coefficients: one row.
    #[track_caller]
    pub fn bilinear(&mut self, k: [i64; 4], x: Cell, y: Cell) -> Cell {
        let inputs = [x, y, self.one, self.zero].map(Input::from);
        self.operation(k.map(signed), inputs).1
    }

    /// `Σ kᵢ·xᵢ + constant`, with small coefficients.
    #[track_caller]
    pub fn linear(&mut self, terms: &[(i64, Cell)], constant: i64) -> Cell {
        let terms: Vec<_> = terms.iter().map(|&(k, x)| (signed(k), x)).collect();
        self.linear_field(&terms, signed(constant))
    }

    /// `Σ kᵢ·xᵢ + constant`.
    #[track_caller]
    pub fn linear_field(&mut self, terms: &[(Fr, Cell)], constant: Fr) -> Cell {
        let mut terms = terms.to_vec();
        if !bool::from(constant.is_zero()) {
            terms.push((constant, self.one));
        }
        self.add_terms(self.zero, &terms)
    }

    /// `start + Σ kᵢ·xᵢ`: three terms a row.
    #[track_caller]
    pub fn add_terms(&mut self, start: Cell, terms: &[(Fr, Cell)]) -> Cell {
        let none = (Fr::ZERO, self.zero);
        let mut sum = start;
        for chunk in terms.chunks(3) {
            let term = |i: usize| chunk.get(i).copied().unwrap_or(none);
            let ((k1, a), (k2, b), (k3, c)) = (term(0), term(1), term(2));
            let inputs = [a, b, c, sum].map(Input::from);
            sum = self.operation([Fr::ZERO, k1, k2, k3], inputs).1;
        }
        sum
    }

    #[track_caller]
    pub fn sum(&mut self, cells: &[Cell]) -> Cell {
        let terms: Vec<_> = cells.iter().map(|&cell| (Fr::ONE, cell)).collect();
        self.add_terms(self.zero, &terms)
    }

    /// The number of which these are the bits, the lowest first.
    #[track_caller]
    pub fn number(&mut self, bits: &[Cell]) -> Cell {
        let powers = (0..).map(|i| power(2, i));
        let terms: Vec<_> = powers.zip(bits.iter().copied()).collect();
        self.add_terms(self.zero, &terms)
    }

    #[track_caller]
    pub fn inner_product(&mut self, x: &[Cell], y: &[Cell]) -> Cell {
        let mut sum = self.zero;
        for (&x, &y) in x.iter().zip(y) {
            sum = self.mul_add(x, y, sum);
        }
        sum
    }

    /// `bit` ? `yes` : `no`.
    #[track_caller]
    pub fn select(&mut self, bit: Cell, yes: Cell, no: Cell) -> Cell {
        let difference = self.sub(yes, no);
        self.mul_add(bit, difference, no)
    }

    /// 1 if `x` is 0, else 0: `z = 1 − x·x⁻¹` and `x·z = 0`.
    pub fn is_zero(&mut self, x: Cell) -> Cell {
        let k = [-Fr::ONE, Fr::ZERO, Fr::ZERO, Fr::ONE];
        let inputs = [x.into(), inverse(x), self.one.into(), self.zero.into()];
        let z = self.operation(k, inputs).1;
        self.assert_zero_product("is_zero.product", x, z);
        z
    }

    /// 1 if `x = y`, else 0.
    pub fn is_equal(&mut self, x: Cell, y: Cell) -> Cell {
        let difference = self.sub(x, y);
        self.is_zero(difference)
    }

    /// `x ≠ 0`: an inverse exists.
    #[track_caller]
    pub fn assert_nonzero(&mut self, label: Label, x: Cell) {
        let zero = self.zero.into();
        let k = [Fr::ONE, Fr::ZERO, Fr::ZERO, Fr::ZERO];
        let product = self.operation(k, [x.into(), inverse(x), zero, zero]).1;
        self.equal(label, product, self.one);
    }

    /// Constrains one of the two to be 0.
    #[track_caller]
    pub fn assert_zero_product(&mut self, label: Label, x: Cell, y: Cell) {
        let product = self.mul(x, y);
        self.equal(label, product, self.zero);
    }

    /// If `bit`, then `x = y`.
    #[track_caller]
    pub fn assert_equal_if(&mut self, label: Label, bit: Cell, x: Cell, y: Cell) {
        let difference = self.sub(x, y);
        self.assert_zero_product(label, bit, difference);
    }

    /// The low `count` bits of a value of the prover's, least significant first.
    #[track_caller]
    pub fn free_bits(&mut self, value: Fr, count: usize) -> Vec<Cell> {
        let bytes = value.to_bytes();
        self.booleans((0..count).map(|i| bytes[i / 8] >> (i % 8) & 1 == 1))
    }

    /// A boolean for each flag.
    #[track_caller]
    fn booleans(&mut self, flags: impl Iterator<Item = bool>) -> Vec<Cell> {
        let mut cells = Vec::new();
        // Not in a closure, which would be the caller of all.
        for flag in flags {
            cells.push(self.boolean(flag));
        }
        cells
    }

    /// Booleans of which exactly one is 1.
    #[track_caller]
    pub fn one_hot(&mut self, label: Label, flags: impl Iterator<Item = bool>) -> Vec<Cell> {
        let cells = self.booleans(flags);
        let sum = self.sum(&cells);
        self.equal(label, sum, self.one);
        cells
    }

    /// `Σ i·step·flagᵢ`: which of some one-hot flags is 1, times `step`.
    #[track_caller]
    pub fn index(&mut self, flags: &[Cell], step: u64) -> Cell {
        let numbers = (0..).map(|i| Fr::from(i * step));
        let terms: Vec<_> = numbers.zip(flags.iter().copied()).skip(1).collect();
        self.add_terms(self.zero, &terms)
    }
}

/// What `x` must be multiplied with to give 1; 0 where nothing does.
fn inverse(x: Cell) -> Input {
    Input::Witness(x.value.invert().unwrap_or(Fr::ZERO))
}

/// A small signed number as a field element.
fn signed(k: i64) -> Fr {
    let magnitude = Fr::from(k.unsigned_abs());
    if k < 0 { -magnitude } else { magnitude }
}
