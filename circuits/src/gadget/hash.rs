//! `H(tag; x, y)` on lanes of permutations (protocol section 3).
//!
//! Each lane takes the next permutation in turn. The first element of a permutation is a tag, or the output of another hash in a
//! record's leaf. A lane gets its tags in one of two ways: from constant cells, if its first column is linked, or from a fixed column. In the
//! first the output is copied too; in the second it must be that of the lane's permutation before, beside which the next one begins anyway.

use halo2_proofs::{
    plonk::{Advice, Column, ConstraintSystem, Constraints, Fixed},
    poly::Rotation,
};
use halo2curves::bn256::Fr;

use super::{PoseidonLane, SharedSelector};

/// A lane of permutations.
#[derive(Clone, Copy, Debug)]
pub struct HashLane {
    /// Its columns and gates.
    pub poseidon: PoseidonLane,
    /// States the tag that a permutation begins with. Without it tags are copied from constant cells.
    pub tag: Option<Column<Fixed>>,
    /// Says that a permutation begins with output 0 of the one before it on this lane.
    pub chain: Option<SharedSelector>,
}

/// Lanes beside each other, on columns of their own: `s0`, which isn't linked; `s1 s2` and the outputs, which are; three squares. They share
/// round constants and selectors, so their permutations stand in the same rows, and a fixed column for each states the tags. If `chained`,
/// the permutations of a row may also begin with output 0 of the ones before them, all of them or none; that costs no column.
pub fn tagged_lanes(meta: &mut ConstraintSystem<Fr>, count: usize, chained: bool) -> Vec<HashLane> {
    let constants = [(); 3].map(|()| meta.fixed_column());
    let [full, partial] = SharedSelector::share(meta.fixed_column());
    let (last, chain) = if chained {
        let [last, chain] = SharedSelector::share(meta.fixed_column());
        (last, Some(chain))
    } else {
        let [last] = SharedSelector::share(meta.fixed_column());
        (last, None)
    };
    let lanes = (0..count).map(|_| {
        let [s0] = free(meta);
        let [s1, s2, o0, o1] = linked(meta);
        let squares = free(meta);
        let columns = [s0, s1, s2, o0, o1];
        let selectors = [full, partial, last];
        let poseidon = PoseidonLane::configure(meta, columns, squares, constants, selectors);
        let tag = meta.fixed_column();
        meta.create_gate("tag", |meta| {
            let tag = meta.query_fixed(tag, Rotation::cur());
            let s0 = meta.query_advice(s0, Rotation::cur());
            vec![("tag·(s0 − tag) = 0", tag.clone() * (s0 - tag))]
        });
        if let Some(chain) = chain {
            meta.create_gate("chain", |meta| {
                let q = chain.query(meta);
                let s0 = meta.query_advice(s0, Rotation::cur());
                let output = meta.query_advice(o0, Rotation::cur());
                Constraints::with_selector(q, [("s0 = output 0 before", s0 - output)])
            });
        }
        HashLane { poseidon, tag: Some(tag), chain }
    });
    lanes.collect()
}

/// Advice columns with equality enabled.
pub fn linked<const N: usize>(meta: &mut ConstraintSystem<Fr>) -> [Column<Advice>; N] {
    let columns = free(meta);
    for column in columns {
        meta.enable_equality(column);
    }
    columns
}

/// Advice columns that only gates bind.
pub fn free<const N: usize>(meta: &mut ConstraintSystem<Fr>) -> [Column<Advice>; N] {
    [(); N].map(|()| meta.advice_column())
}
