//! The columns of *own step*: those of *turn* without points, hashes below the public inputs and arithmetic below these. The instance is read by a gate.

use fog::statement::own_step::OWN_STEP_INPUTS;
use halo2_proofs::plonk::ConstraintSystem;
use halo2curves::bn256::Fr;

use crate::gadget::{
    ArithConfig, Columns, CommonConfig, HashLane, PoseidonLane, PublicColumn, Rows, SharedSelector, assert_degree,
    hash::{free, linked},
};

/// Columns and gates of *own step*: nothing but what every statement has.
#[derive(Clone, Debug)]
pub struct OwnStepConfig(CommonConfig);

impl Columns for OwnStepConfig {
    /// Each gate is of degree ≤ 5.
    fn configure(meta: &mut ConstraintSystem<Fr>) -> Self {
        let instance = meta.instance_column();
        let linked_columns = linked(meta);
        let free_columns = free(meta);
        let fixed = [(); 4].map(|()| meta.fixed_column());
        let [full, partial] = SharedSelector::share(meta.fixed_column());
        let [last, operation] = SharedSelector::share(meta.fixed_column());
        let [constant] = SharedSelector::share(meta.fixed_column());

        let [f0, f1, f2, _] = fixed;
        let poseidon = PoseidonLane::configure(meta, linked_columns, free_columns, [f0, f1, f2], [full, partial, last]);
        let arith = ArithConfig::configure(meta, linked_columns, fixed, operation, constant, Some(instance));
        assert_degree(meta);
        let lane = HashLane { poseidon, tag: None, chain: None };
        Self(CommonConfig { public: PublicColumn::Gated { count: OWN_STEP_INPUTS }, lanes: vec![lane], arith })
    }

    fn common(&self) -> &CommonConfig {
        &self.0
    }

    fn first_rows(taken: Rows) -> Rows {
        Rows { points: 0, hashes: OWN_STEP_INPUTS, arithmetic: OWN_STEP_INPUTS + taken.hashes }
    }
}
