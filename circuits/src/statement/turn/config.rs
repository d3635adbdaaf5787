//! The columns of *turn*, and of every other statement that a contract verifies with few gas: eight advice columns with every chip on them. The
//! chips' own tests use them too.
//!
//! Columns `0..5` are linked (in the permutation argument, two chunks), `5..8` aren't; the instance is read by a gate. In a row at most one
//! gate is on.
//!
//! | column | poseidon | arithmetic | points | public inputs |
//! | --- | --- | --- | --- | --- |
//! | 0 1 2 | s0 s1 s2 | a b c | x y z | a |
//! | 3 4 | outputs, y1 y2 | acc d | px py | |
//! | 5 6 7 | u0 u1 u2 | | λ μ inverse | |
//!
//! | fixed | holds |
//! | --- | --- |
//! | f0–f3 | the window table below the public inputs' rows; below it round constants or arithmetic's coefficients |
//! | window | the mark of the window that a row looks up, else 0 |
//! | three selector columns | full, partial · last, operation · add, double, constant |
//! | ladder | on or off: its gate has no degree to spare |
//!
//! Public inputs stand on rows `0..PUBLIC_INPUTS`, on which nothing else is laid. One verifier's code serves every statement of this shape, with
//! a verifying key each, so all have the same number of public inputs: those that need fewer end in zeros ([`Columns::LEAST_INPUTS`]).

use fog::statement::turn::TURN_INPUTS;
use halo2_proofs::plonk::ConstraintSystem;
use halo2curves::bn256::Fr;

use crate::gadget::{
    ArithConfig, Columns, CommonConfig, EccConfig, FixedBase, HashLane, PoseidonLane, PublicColumn, RegionCtx, Rows,
    SharedSelector, assert_degree, fixed_base,
};

/// Public inputs of every statement of this shape, *turn*'s number.
pub const PUBLIC_INPUTS: usize = TURN_INPUTS;

/// Columns and gates of *turn*.
#[derive(Clone, Debug)]
pub struct TurnConfig {
    /// What every statement has; one lane, whose tags are constant cells.
    pub common: CommonConfig,
    pub ecc: EccConfig,
    /// Multiples of the generator.
    pub fixed_base: FixedBase,
}

impl Columns for TurnConfig {
    const LEAST_INPUTS: usize = PUBLIC_INPUTS;

    /// Each gate is of degree ≤ 5.
    fn configure(meta: &mut ConstraintSystem<Fr>) -> Self {
        let instance = meta.instance_column();
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
        let arith = ArithConfig::configure(meta, linked, fixed, operation, constant, Some(instance));
        let ecc = EccConfig::configure(meta, linked, free, [add, double, ladder]);
        let fixed_base = FixedBase::configure(meta, &ecc, window, fixed, PUBLIC_INPUTS);
        assert_degree(meta);
        let lane = HashLane { poseidon, tag: None, chain: None };
        Self {
            common: CommonConfig { public: PublicColumn::Gated { count: PUBLIC_INPUTS }, lanes: vec![lane], arith },
            ecc,
            fixed_base,
        }
    }

    fn common(&self) -> &CommonConfig {
        &self.common
    }

    /// Below the public inputs points, with the window table in the fixed columns beside them; below both the hashes, and below these arithmetic.
    fn first_rows(taken: Rows) -> Rows {
        let points = PUBLIC_INPUTS;
        let hashes = points + taken.points.max(fixed_base::TABLE_ROWS);
        Rows { points, hashes, arithmetic: hashes + taken.hashes }
    }

    fn load(&self, region: &mut RegionCtx<'_>) {
        self.fixed_base.load(region);
    }
}
