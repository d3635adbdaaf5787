//! Where the parts of *turn* write: one sheet, three runs of rows.
//!
//! | rows | what |
//! | --- | --- |
//! | from 0 | points; the window table fills the fixed columns beside them |
//! | from [`HASH_ROW`] | permutations, 27 rows each |
//! | after the last permutation | arithmetic |

use halo2curves::bn256::Fr;

use crate::gadget::{Arith, Cell, Input, Machine, Permutation, Sheet, fixed_base, poseidon};
use fog::poseidon::Tag;

/// Rows that points take ([`super::points`] counts them).
pub const HASH_ROW: usize = 5680;
/// Permutations of a turn: 2 commitments, 127 for the request, 21 for each of 8 openings, and 9 for the walk.
pub const PERMUTATIONS: usize = 2 + 127 + 8 * 21 + 9;
/// The first row of arithmetic: the last permutation's outputs stand in the row before.
const ARITH_ROW: usize = HASH_ROW + PERMUTATIONS * poseidon::ROWS + 1;

const _: () = assert!(
    HASH_ROW >= fixed_base::TABLE_ROWS,
    "constants and table must not overlap"
);

/// The machine, its sheet and the next free rows.
#[derive(Debug)]
pub struct Desk<'a, 'r> {
    pub machine: &'a Machine,
    pub sheet: &'a mut Sheet<'r>,
    pub arith: Arith,
    tags: [Cell; 9],
    hash_row: usize,
    point_row: usize,
}

impl<'a, 'r> Desk<'a, 'r> {
    pub fn new(machine: &'a Machine, sheet: &'a mut Sheet<'r>) -> Self {
        machine.fixed_base.load(sheet);
        let mut arith = Arith::new(&machine.arith, sheet, ARITH_ROW);
        let tags = std::array::from_fn(|i| arith.constant(sheet, i as u64 + 1));
        Self {
            machine,
            sheet,
            arith,
            tags,
            hash_row: HASH_ROW,
            point_row: 0,
        }
    }

    /// `H(tag; x, y)`.
    #[track_caller]
    pub fn hash(&mut self, tag: Tag, x: impl Into<Input>, y: impl Into<Input>) -> Permutation {
        self.permute(self.tags[tag as usize - 1], x, y)
    }

    /// The cell that holds a tag.
    pub fn tag(&self, tag: Tag) -> Cell {
        self.tags[tag as usize - 1]
    }

    /// The permutation of `[first, x, y]`.
    #[track_caller]
    pub fn permute(
        &mut self,
        first: Cell,
        x: impl Into<Input>,
        y: impl Into<Input>,
    ) -> Permutation {
        let row = self.hash_row;
        self.hash_row += poseidon::ROWS;
        self.machine
            .poseidon
            .permute(self.sheet, row, [first.into(), x.into(), y.into()])
    }

    /// Takes `count` rows for points and returns the first.
    pub fn point_rows(&mut self, count: usize) -> usize {
        let row = self.point_row;
        self.point_row += count;
        assert!(
            self.point_row <= HASH_ROW,
            "more rows for points than were set apart"
        );
        row
    }

    /// Every permutation that was set apart has been laid.
    pub fn finish(&self) {
        let expected = HASH_ROW + PERMUTATIONS * poseidon::ROWS;
        assert_eq!(
            self.hash_row, expected,
            "the count of permutations is wrong"
        );
    }

    /// A witness that nothing binds yet.
    #[track_caller]
    pub fn witness(&mut self, value: Fr) -> Cell {
        self.arith.witness(self.sheet, value)
    }
}
