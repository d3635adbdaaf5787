//! The columns of *turn*: eight advice columns with every chip on them. The chips' own tests use them too.
//!
//! Columns `0..5` are linked (in the permutation argument, two chunks with the instance), `5..8` aren't. In a row at most one gate is on.
//!
//! | column | poseidon | arithmetic | points |
//! | --- | --- | --- | --- |
//! | 0 1 2 | s0 s1 s2 | a b c | x y z |
//! | 3 4 | outputs, y1 y2 | acc d | px py |
//! | 5 6 7 | u0 u1 u2 | | λ μ inverse |
//!
//! | fixed | holds |
//! | --- | --- |
//! | f0–f3 | the window table from row 0; below it round constants or arithmetic's coefficients |
//! | window | the mark of the window that a row looks up, else 0 |
//! | three selector columns | full, partial · last, operation · add, double, constant |
//! | ladder | on or off: its gate has no degree to spare |

use halo2_proofs::plonk::ConstraintSystem;
use halo2curves::bn256::Fr;

use crate::gadget::{
    ArithConfig, CommonConfig, EccConfig, FixedBase, HashLane, PoseidonLane, SharedSelector, assert_degree,
};

/// Columns and gates of *turn*.
#[derive(Clone, Debug)]
pub struct TurnConfig {
    /// What every statement has; one lane, whose tags are constant cells.
    pub common: CommonConfig,
    /// Points.
    pub ecc: EccConfig,
    /// Multiples of the generator.
    pub fixed_base: FixedBase,
}

impl TurnConfig {
    /// Makes the columns and all gates, each of degree ≤ 5.
    pub fn configure(meta: &mut ConstraintSystem<Fr>) -> Self {
        let instance = meta.instance_column();
        meta.enable_equality(instance);
        let linked = [(); 5].map(|()| meta.advice_column());
        linked.iter().for_each(|&column| meta.enable_equality(column));
        let free = [(); 3].map(|()| meta.advice_column());
        let fixed = [(); 4].map(|()| meta.fixed_column());
        let window = meta.fixed_column();
        let [full, partial] = SharedSelector::share(meta.fixed_column());
        let [last, operation] = SharedSelector::share(meta.fixed_column());
        let [add, double, constant] = SharedSelector::share(meta.fixed_column());
        let [ladder] = SharedSelector::share(meta.fixed_column());

        let [f0, f1, f2, _] = fixed;
        let poseidon = PoseidonLane::configure(meta, linked, free, [f0, f1, f2], [full, partial, last]);
        let arith = ArithConfig::configure(meta, linked, fixed, operation, constant);
        let ecc = EccConfig::configure(meta, linked, free, [add, double, ladder]);
        let fixed_base = FixedBase::configure(meta, &ecc, window, fixed);
        assert_degree(meta);
        let lane = HashLane { poseidon, tag: None, chain: None };
        Self { common: CommonConfig { instance, lanes: vec![lane], arith }, ecc, fixed_base }
    }
}
