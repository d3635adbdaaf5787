//! The columns of *chain answer*: those of *answer*, and one gate more, for the leaves of records.

use halo2_proofs::plonk::ConstraintSystem;
use halo2curves::bn256::Fr;

use crate::{
    gadget::{Columns, CommonConfig, Rows},
    statement::answer::config::AnswerConfig,
};

/// Columns and gates of *chain answer*.
#[derive(Clone, Debug)]
pub struct ChainAnswerConfig(pub AnswerConfig);

impl Columns for ChainAnswerConfig {
    /// Each gate is of degree ≤ 5.
    fn configure(meta: &mut ConstraintSystem<Fr>) -> Self {
        Self(AnswerConfig::with_chains(meta))
    }

    fn common(&self) -> &CommonConfig {
        self.0.common()
    }

    fn first_rows(taken: Rows) -> Rows {
        AnswerConfig::first_rows(taken)
    }
}
