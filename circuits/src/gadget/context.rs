//! The context that every circuit is laid in: the region, the chips that all statements have, and the next free rows.
//!
//! The floor planner starts every region at row 0, so a circuit is one region and its rows are allocated here, in three parts: points,
//! hashes and arithmetic. Where each part begins is a statement's business ([`Layout`]); how many rows it takes is counted by laying
//! the circuit once without a region ([`count_rows`]), never by hand.
//!
//! Sums and products are in [`super::arith`], hashes in [`super::hash`].

use halo2_proofs::{
    circuit::Layouter,
    plonk::{Column, ConstraintSystem, Error, Instance},
};
use halo2curves::bn256::Fr;

use super::{ArithConfig, Cell, HashLane, Label, RegionCtx, Tamper, hash::TAGS, poseidon, publish_linked};
use crate::StatementCircuit;

/// The columns and chips that every statement has. What it has besides, such as points, lies in its own configuration.
#[derive(Clone, Debug)]
pub struct CommonConfig {
    pub public: PublicColumn,
    /// Hashes: the permutations of a circuit go to these lanes by turns.
    pub lanes: Vec<HashLane>,
    pub arith: ArithConfig,
}

/// The instance column, by how public inputs are bound to the cells that [`Layout::lay`] gives.
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

/// A circuit that is laid in a [`Context`].
pub trait Layout: StatementCircuit {
    /// The chips that it has in common with every other.
    fn common(config: &Self::Config) -> &CommonConfig;

    /// The first row of each part, given how many rows each takes.
    fn first_rows(taken: Rows) -> Rows;

    /// How many rows each part takes: [`count_rows`], counted once.
    fn rows() -> Rows;

    /// Fills fixed columns before anything else; nothing by default.
    fn load(_config: &Self::Config, _region: &mut RegionCtx<'_>) {}

    /// Lays the whole statement; gives the cells of the public inputs, in their order.
    fn lay(&self, config: &Self::Config, cx: &mut Context<'_>) -> Vec<Cell>;
}

/// Makes halo2's [`Circuit`](halo2_proofs::plonk::Circuit) of a statement's circuit: with the columns of its configuration, and laid by its
/// [`Layout`].
macro_rules! laid_circuit {
    ($circuit:ty, $config:ty) => {
        impl ::halo2_proofs::plonk::Circuit<Fr> for $circuit {
            type Config = $config;
            type FloorPlanner = ::halo2_proofs::circuit::SimpleFloorPlanner;
            type Params = ();

            fn without_witnesses(&self) -> Self {
                <Self as $crate::StatementCircuit>::blank()
            }

            fn configure(meta: &mut ::halo2_proofs::plonk::ConstraintSystem<Fr>) -> $config {
                <$config>::configure(meta)
            }

            fn synthesize(
                &self,
                config: $config,
                layouter: impl ::halo2_proofs::circuit::Layouter<Fr>,
            ) -> Result<(), ::halo2_proofs::plonk::Error> {
                $crate::gadget::context::synthesize(self, &config, &self.tampers, layouter)
            }
        }
    };
}

pub(crate) use laid_circuit;

/// Lays a circuit without a region and counts the rows that each part takes.
pub fn count_rows<C: Layout>() -> Rows {
    let config = C::configure(&mut ConstraintSystem::default());
    let mut cx = Context::dry(C::common(&config));
    C::blank().lay(&config, &mut cx);
    cx.taken()
}

/// Lays a circuit; `tampers` break cells of its witness.
pub fn synthesize<C: Layout>(
    circuit: &C,
    config: &C::Config,
    tampers: &[Tamper],
    mut layouter: impl Layouter<Fr>,
) -> Result<(), Error> {
    let common = C::common(config);
    let public = layouter.assign_region(
        || C::NAME,
        |region| {
            let mut region = RegionCtx::new(region, tampers.to_vec());
            C::load(config, &mut region);
            let mut cx = Context::new(region, common, C::first_rows(C::rows()));
            let public = circuit.lay(config, &mut cx);
            assert_eq!(cx.taken(), C::rows(), "another circuit than was counted");
            if let PublicColumn::Gated { count } = common.public {
                cx.publish(&public, count);
            }
            Ok(public)
        },
    )?;
    if let PublicColumn::Linked(instance) = common.public {
        publish_linked(&mut layouter, instance, &public);
    }
    Ok(())
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
    /// The cells that hold the tags, if the lanes take them from cells.
    pub(super) tags: Vec<Cell>,
    pub(super) permutations: usize,
    pub(super) first: Rows,
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
        let mut cx = Self {
            region,
            zero,
            one,
            common: common.clone(),
            tags: Vec::new(),
            permutations: 0,
            first,
            point_row: first.points,
            arithmetic_row: first.arithmetic + 2,
        };
        if common.lanes.iter().any(|lane| lane.tag.is_none()) {
            cx.tags = (1..=TAGS).map(|tag| cx.constant(tag)).collect();
        }
        cx
    }

    /// Binds the first `count` rows of the instance to the cells of the public inputs, in order, and the rows after them to zero.
    fn publish(&mut self, cells: &[Cell], count: usize) {
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
