//! Where the parts of *answer* write: the sheet, its lanes and its arithmetic, and the next free rows of each.

use ff::Field;
use fog::poseidon::Tag;
use halo2curves::bn256::Fr;

use super::{
    config::{AnswerConfig, LANES},
    keys,
};
use crate::gadget::{Arith, Cell, Input, Sheet, poseidon};

/// Permutations of an answer: the state, the captured square's keys, 7 masks a square but 6 on the outer ranks, 4 a square for the
/// first keys of rays but 3 in the corners, one for each of 420 ray steps and one for each double push.
pub const PERMUTATIONS: usize = 1 + 1 + (64 * 7 - 16) + (64 * 4 - 4) + 420 + 8;

/// The first row that arithmetic leaves free. The permutations, which need [`PERMUTATIONS`] / 2 × 27 + 1 rows, set the circuit's size.
pub const ARITH_END: usize = 11_785;

/// What a choice among several is written as.
#[derive(Clone, Debug)]
pub struct OneHot {
    /// Exactly one is 1.
    pub flags: Vec<Cell>,
    /// Which one.
    pub number: Cell,
}

/// The columns, the sheet and what stands on it.
#[derive(Debug)]
pub struct Desk<'a, 'r> {
    pub config: &'a AnswerConfig,
    pub sheet: &'a mut Sheet<'r>,
    pub arith: Arith,
    permutations: usize,
}

impl<'a, 'r> Desk<'a, 'r> {
    pub fn new(config: &'a AnswerConfig, sheet: &'a mut Sheet<'r>) -> Self {
        let arith = Arith::new(&config.arith, sheet, keys::ROWS);
        Self {
            config,
            sheet,
            arith,
            permutations: 0,
        }
    }

    /// `H(tag; x, y)`, outputs 0 and 1.
    pub fn hash(&mut self, tag: Tag, x: impl Into<Input>, y: impl Into<Input>) -> [Cell; 2] {
        let lane = &self.config.lanes[self.permutations % LANES];
        let row = self.permutations / LANES * poseidon::ROWS;
        self.permutations += 1;
        self.sheet.fixed(lane.tag, row, tag.field());
        let first = Input::Witness(tag.field());
        let inputs = [first, x.into(), y.into()];
        lane.lane.permute(self.sheet, row, inputs).outputs
    }

    pub fn zero(&self) -> Cell {
        self.arith.zero()
    }

    pub fn one(&self) -> Cell {
        self.arith.one()
    }

    #[track_caller]
    pub fn witness(&mut self, value: Fr) -> Cell {
        self.arith.witness(self.sheet, value)
    }

    #[track_caller]
    pub fn boolean(&mut self, value: bool) -> Cell {
        self.arith.boolean(self.sheet, value)
    }

    pub fn not(&mut self, x: Cell) -> Cell {
        self.arith.not(self.sheet, x)
    }

    pub fn mul(&mut self, x: Cell, y: Cell) -> Cell {
        self.arith.mul(self.sheet, x, y)
    }

    /// `x·y + acc`.
    pub fn mul_add(&mut self, x: Cell, y: Cell, acc: Cell) -> Cell {
        self.arith.mul_add(self.sheet, x, y, acc)
    }

    pub fn select(&mut self, bit: Cell, yes: Cell, no: Cell) -> Cell {
        self.arith.select(self.sheet, bit, yes, no)
    }

    /// `k₀·x·y + k₁·x + k₂·y + constant`, with small coefficients: one row.
    pub fn bilinear(&mut self, [k0, k1, k2, constant]: [i64; 4], x: Cell, y: Cell) -> Cell {
        let k = [k0, k1, k2, constant].map(crate::gadget::arith::signed);
        let (one, zero) = (self.one().into(), self.zero().into());
        let inputs = [x.into(), y.into(), one, zero];
        self.arith.operation(self.sheet, k, inputs).1
    }

    /// `start + Σ kᵢ·xᵢ`: three terms a row.
    pub fn weigh(&mut self, start: Cell, terms: &[(Fr, Cell)]) -> Cell {
        let zero = self.zero();
        terms.chunks(3).fold(start, |sum, chunk| {
            let term = |i: usize| chunk.get(i).copied().unwrap_or((Fr::ZERO, zero));
            let ((k1, a), (k2, b), (k3, c)) = (term(0), term(1), term(2));
            let k = [Fr::ZERO, k1, k2, k3];
            let inputs = [a, b, c, sum].map(Input::from);
            self.arith.operation(self.sheet, k, inputs).1
        })
    }

    /// A choice among `count`; one that isn't among them can't be made.
    #[track_caller]
    pub fn one_hot(&mut self, choice: usize, count: usize) -> OneHot {
        let mut flags = Vec::with_capacity(count);
        for i in 0..count {
            flags.push(self.boolean(i == choice));
        }
        let terms: Vec<_> = flags.iter().map(|&flag| (Fr::ONE, flag)).collect();
        let sum = self.weigh(self.zero(), &terms);
        let one = self.one();
        self.sheet.equal(sum, one);
        let numbers = (0..).map(Fr::from);
        let terms: Vec<_> = numbers.zip(flags.iter().copied()).skip(1).collect();
        let number = self.weigh(self.zero(), &terms);
        OneHot { flags, number }
    }

    /// All permutations that were counted on were made, and arithmetic ended in its rows.
    pub fn finish(&self) {
        assert_eq!(
            self.permutations, PERMUTATIONS,
            "the count of permutations is wrong"
        );
        assert_eq!(self.arith.row(), ARITH_END, "the count of rows is wrong");
    }
}
