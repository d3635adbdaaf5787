//! The columns of *answer*: two lanes of permutations, and beside them everything else on eleven columns.
//!
//! | columns | what | linked |
//! | --- | --- | --- |
//! | 2 × 8 | a Poseidon lane: `s0 s1 s2`, two of outputs, three squares | `s1 s2` and the outputs |
//! | `z`, 2 × `px py` | ladders; below them sums of points; below these arithmetic's `a b c acc d` | all |
//! | 2 × `x λ μ` | the ladders' free columns; below, `λ` and an inverse | none |
//!
//! The lanes share round constants and selectors, so permutations stand in pairs. The first element of a permutation is always a tag,
//! which a fixed column states, so `s0` needs no link. `make rows` prints where they end. Linked columns are what the permutation argument costs, three a chunk: these
//! thirteen and the instance make five chunks.

use halo2_proofs::plonk::{Advice, Column, ConstraintSystem};
use halo2curves::bn256::Fr;

use crate::gadget::{
    ArithConfig, Columns, CommonConfig, PublicColumn, Rows, SharedSelector, assert_degree,
    hash::{free, linked, tagged_lanes},
    shared_ladder::{Rail, SharedLadder},
    sum_x::SumX,
};

/// Permutations beside each other.
pub const LANES: usize = 2;

/// Columns and gates of *answer*; or of *chain answer*, which has one gate more in each lane: chains of permutations, of which records' leaves are made.
#[derive(Clone, Debug)]
pub struct AnswerConfig<const CHAIN: bool = false> {
    /// What every statement has.
    pub common: CommonConfig,
    /// Multiples by the fog secret.
    pub ladder: SharedLadder,
    pub sums: SumX,
}

pub type ChainAnswerConfig = AnswerConfig<true>;

impl<const CHAIN: bool> Columns for AnswerConfig<CHAIN> {
    /// Each gate is of degree ≤ 5.
    fn configure(meta: &mut ConstraintSystem<Fr>) -> Self {
        let instance = meta.instance_column();
        meta.enable_equality(instance);
        let lanes = tagged_lanes(meta, LANES, CHAIN);

        let columns @ [z, px1, py1, px2, py2] = linked(meta);
        let frees: [[Column<Advice>; 3]; 2] = [free(meta), free(meta)];
        let [start] = SharedSelector::share(meta.fixed_column());
        let [step] = SharedSelector::share(meta.fixed_column());
        let [end] = SharedSelector::share(meta.fixed_column());
        let [operation] = SharedSelector::share(meta.fixed_column());
        let [sum, constant] = SharedSelector::share(meta.fixed_column());
        let bases = [[px1, py1], [px2, py2]];
        let rails = bases.into_iter().zip(frees);
        let rails = rails.map(|(base, free)| Rail { base, free }).collect();
        let ladder = SharedLadder::configure(meta, z, rails, [start, step, end]);
        let [lambda, inverse, _] = frees[0];
        let sums = SumX::configure(meta, (bases[0], bases[1], z), [lambda, inverse], sum);
        let coefficients = [(); 4].map(|()| meta.fixed_column());
        let arith = ArithConfig::configure(meta, columns, coefficients, operation, constant, None);
        assert_degree(meta);
        Self { common: CommonConfig { public: PublicColumn::Linked(instance), lanes, arith }, ladder, sums }
    }

    fn common(&self) -> &CommonConfig {
        &self.common
    }

    /// Hashes on their own columns; beside them points, and below these arithmetic.
    fn first_rows(taken: Rows) -> Rows {
        Rows { points: 0, hashes: 0, arithmetic: taken.points }
    }
}
