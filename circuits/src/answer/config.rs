//! The columns of *answer*: two lanes of permutations, and beside them everything else on eleven columns.
//!
//! | columns | what | linked |
//! | --- | --- | --- |
//! | 2 × 8 | a Poseidon lane: `s0 s1 s2`, two of outputs, three squares | `s1 s2` and the outputs |
//! | `z`, 2 × `px py` | ladders; below them sums of points; below these arithmetic's `a b c acc d` | all |
//! | 2 × `x λ μ` | the ladders' free columns; below, `λ` and an inverse | none |
//!
//! The lanes share round constants and switches, so permutations stand in pairs. The first element of a permutation is always a tag,
//! which a fixed column states, so `s0` needs no link. Permutations end on row 15,040, the rest on row 11,785 of 16,378. Linked columns are what the permutation argument costs, three a chunk: these
//! thirteen and the instance make five chunks.

use halo2_proofs::{
    plonk::{Advice, Column, ConstraintSystem, Fixed, Instance},
    poly::Rotation,
};
use halo2curves::bn256::Fr;

use crate::gadget::{
    ArithConfig, PoseidonLane, Switch, assert_degree,
    shared_ladder::{Rail, SharedLadder},
    sum_x::SumX,
};

/// Permutations beside each other.
pub const LANES: usize = 2;

/// A lane and the column that states its permutations' tags.
#[derive(Clone, Debug)]
pub struct TaggedLane {
    pub lane: PoseidonLane,
    pub tag: Column<Fixed>,
}

/// Columns and gates of *answer*.
#[derive(Clone, Debug)]
pub struct AnswerConfig {
    pub(super) instance: Column<Instance>,
    pub(super) lanes: [TaggedLane; LANES],
    pub(super) ladder: SharedLadder,
    pub(super) sums: SumX,
    pub(super) arith: ArithConfig,
}

fn linked<const N: usize>(meta: &mut ConstraintSystem<Fr>) -> [Column<Advice>; N] {
    let columns = free(meta);
    for column in columns {
        meta.enable_equality(column);
    }
    columns
}

fn free<const N: usize>(meta: &mut ConstraintSystem<Fr>) -> [Column<Advice>; N] {
    [(); N].map(|()| meta.advice_column())
}

impl AnswerConfig {
    /// Makes the columns and all gates, each of degree ≤ 5.
    pub(super) fn configure(meta: &mut ConstraintSystem<Fr>) -> Self {
        let instance = meta.instance_column();
        meta.enable_equality(instance);
        let lanes = Self::lanes(meta);

        let [z, px1, py1, px2, py2] = linked(meta);
        let frees: [[Column<Advice>; 3]; 2] = [free(meta), free(meta)];
        let [start] = Switch::share(meta.fixed_column());
        let [step] = Switch::share(meta.fixed_column());
        let [end] = Switch::share(meta.fixed_column());
        let [operation] = Switch::share(meta.fixed_column());
        let [sum, constant] = Switch::share(meta.fixed_column());
        let rails = [
            Rail {
                base: [px1, py1],
                free: frees[0],
            },
            Rail {
                base: [px2, py2],
                free: frees[1],
            },
        ];
        let ladder = SharedLadder::configure(meta, z, rails, [start, step, end]);
        let [lambda, inverse, _] = frees[0];
        let sums = SumX::configure(meta, ([px1, py1], [px2, py2], z), [lambda, inverse], sum);
        let coefficients = [(); 4].map(|()| meta.fixed_column());
        let columns = [z, px1, py1, px2, py2];
        let arith = ArithConfig::configure(meta, columns, coefficients, operation, constant);
        assert_degree(meta);
        Self {
            instance,
            lanes,
            ladder,
            sums,
            arith,
        }
    }

    fn lanes(meta: &mut ConstraintSystem<Fr>) -> [TaggedLane; LANES] {
        let constants = [(); 3].map(|()| meta.fixed_column());
        let [full, partial] = Switch::share(meta.fixed_column());
        let [last] = Switch::share(meta.fixed_column());
        [(); LANES].map(|()| {
            let [s0] = free(meta);
            let [s1, s2, o0, o1] = linked(meta);
            let squares = free(meta);
            let columns = [s0, s1, s2, o0, o1];
            let switches = [full, partial, last];
            let lane = PoseidonLane::configure(meta, columns, squares, constants, switches);
            let tag = meta.fixed_column();
            meta.create_gate("tag", |meta| {
                let tag = meta.query_fixed(tag, Rotation::cur());
                let s0 = meta.query_advice(s0, Rotation::cur());
                vec![("tag·(s0 − tag) = 0", tag.clone() * (s0 - tag))]
            });
            TaggedLane { lane, tag }
        })
    }
}
