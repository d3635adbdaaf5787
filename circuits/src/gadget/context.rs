//! The context that every circuit is laid in: the region, the chips that all statements have, and the next free rows.
//!
//! The floor planner starts every region at row 0, so a circuit is one region and its rows are allocated here, in three parts: points,
//! hashes and arithmetic. Where each part begins is a matter of a statement's columns ([`super::layout`]).
//!
//! Sums and products are in [`super::operations`].

use std::collections::HashMap;

use fog::poseidon::Tag;
use halo2_proofs::plonk::{Column, Instance};

use super::{ArithConfig, Cell, HashLane, Input, Label, Permutation, RegionCtx, poseidon};

/// The columns and chips that every statement has. What it has besides, such as points, lies in its own configuration.
#[derive(Clone, Debug)]
pub struct CommonConfig {
    pub public: PublicColumn,
    /// Hashes: the permutations of a circuit go to these lanes by turns.
    pub lanes: Vec<HashLane>,
    pub arith: ArithConfig,
}

/// The instance column, by how public inputs are bound to the cells that a statement lays.
#[derive(Clone, Copy, Debug)]
pub enum PublicColumn {
    /// It is in the permutation argument, and each public input is a copy: any number of them.
    Linked(Column<Instance>),
    /// It is in the gate of constants, and each public input is a row: so many of them, from row 0, of which those that a statement doesn't
    /// use are bound to be zero.
    Gated {
        /// How many they are.
        count: usize,
    },
}

/// A number of rows for each part of a circuit: how many it takes, or where it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    /// Ladders, windows and sums of points.
    pub points: usize,
    pub hashes: usize,
    pub arithmetic: usize,
}

impl Rows {
    /// Far apart: for counting, when it isn't known yet where a part ends.
    const APART: Self = Self { points: 0, hashes: 1 << 30, arithmetic: 1 << 31 };
}

/// The region, the common chips and the next free rows.
#[derive(Debug)]
pub struct Context<'r> {
    pub region: RegionCtx<'r>,
    /// The cell that holds 0.
    pub zero: Cell,
    /// The cell that holds 1.
    pub one: Cell,
    pub(super) common: CommonConfig,
    /// The cells that hold tags, of those that a lane has taken from a cell.
    tags: HashMap<Tag, Cell>,
    permutations: usize,
    first: Rows,
    point_row: usize,
    arithmetic_row: usize,
}

impl<'r> Context<'r> {
    /// Without a region, and with parts far apart.
    pub fn dry(common: &CommonConfig) -> Self {
        Self::new(RegionCtx::dry(), common, Rows::APART)
    }

    /// Starts each part on its first row, and lays the constants.
    pub fn new(mut region: RegionCtx<'r>, common: &CommonConfig, first: Rows) -> Self {
        let [zero, one] = common.arith.constants(&mut region, first.arithmetic);
        Self {
            region,
            zero,
            one,
            common: common.clone(),
            tags: HashMap::new(),
            permutations: 0,
            first,
            point_row: first.points,
            arithmetic_row: first.arithmetic + 2,
        }
    }

    /// Binds the first `count` rows of the instance to the cells of the public inputs, in order, and the rows after them to zero.
    pub fn publish(&mut self, cells: &[Cell], count: usize) {
        assert!(cells.len() <= count, "more public inputs than the shape has");
        let mut cells = cells.to_vec();
        cells.resize(count, self.zero);
        #[cfg(test)]
        super::trace::published(&cells);
        let arith = self.common.arith;
        for (row, cell) in cells.into_iter().enumerate() {
            arith.public(&mut self.region, row, cell);
        }
    }

    /// Takes `count` rows for points and returns the first.
    pub fn take_point_rows(&mut self, count: usize) -> usize {
        self.point_row += count;
        self.point_row - count
    }

    /// Takes a row for arithmetic.
    pub(super) fn take_arithmetic_row(&mut self) -> usize {
        self.arithmetic_row += 1;
        self.arithmetic_row - 1
    }

    /// The rows taken so far. The last permutation's outputs stand in the row after it.
    pub fn taken(&self) -> Rows {
        let lanes = self.common.lanes.len();
        Rows {
            points: self.point_row - self.first.points,
            hashes: self.permutations.div_ceil(lanes) * poseidon::ROWS + 1,
            arithmetic: self.arithmetic_row - self.first.arithmetic,
        }
    }

    /// Binds two cells to each other: what was computed, and what it must be.
    #[track_caller]
    pub fn equal(&mut self, label: Label, left: Cell, right: Cell) {
        self.region.equal(label, left, right);
    }
}

/// Hashes, each on the lane that is next.
impl Context<'_> {
    /// Both outputs of `H(tag; x, y)`.
    #[track_caller]
    pub fn hash(&mut self, tag: Tag, x: impl Into<Input>, y: impl Into<Input>) -> [Cell; 2] {
        self.tagged(tag, x, y).outputs
    }

    /// The permutation of `[tag, x, y]`.
    #[track_caller]
    pub fn tagged(&mut self, tag: Tag, x: impl Into<Input>, y: impl Into<Input>) -> Permutation {
        let (lane, row) = self.next_permutation();
        let first = match lane.tag {
            Some(column) => {
                self.region.fixed(column, row, tag.field());
                Input::Witness(tag.field())
            }
            None => self.tag(tag).into(),
        };
        lane.poseidon.permute(&mut self.region, row, [first, x.into(), y.into()])
    }

    /// The cell of a tag, laid where it is first used.
    fn tag(&mut self, tag: Tag) -> Cell {
        if let Some(cell) = self.tags.get(&tag) {
            return *cell;
        }
        let cell = self.constant(tag as u64);
        self.tags.insert(tag, cell);
        cell
    }

    /// The permutation of `[first, x, y]`. Where lanes have a gate for it, `first` must be output 0 of the lane's permutation before: between
    /// the two there must be as many others as there are other lanes.
    #[track_caller]
    pub fn chained(&mut self, first: Cell, x: impl Into<Input>, y: impl Into<Input>) -> Permutation {
        let (lane, row) = self.next_permutation();
        let first = match lane.chain {
            Some(chain) => {
                assert!(lane.poseidon.is_before(first, row), "a chain of permutations was interrupted");
                chain.on(&mut self.region, row);
                Input::Witness(first.value)
            }
            None => first.into(),
        };
        lane.poseidon.permute(&mut self.region, row, [first, x.into(), y.into()])
    }

    /// How many permutations stand beside each other.
    pub fn lanes(&self) -> usize {
        self.common.lanes.len()
    }

    /// Whether the next `count` permutations stand beside each other, on all lanes.
    pub(super) fn is_beside(&self, count: usize) -> bool {
        count == self.lanes() && self.permutations.is_multiple_of(count)
    }

    /// The lane of the next permutation, and its row.
    fn next_permutation(&mut self) -> (HashLane, usize) {
        let lanes = &self.common.lanes;
        let number = self.permutations;
        self.permutations += 1;
        let row = self.first.hashes + number / lanes.len() * poseidon::ROWS;
        (lanes[number % lanes.len()], row)
    }
}
