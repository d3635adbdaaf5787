//! The columns of *chain answer*: those of *answer*, and one gate more, for the leaves of records.

use halo2_proofs::plonk::ConstraintSystem;
use halo2curves::bn256::Fr;

use crate::statement::answer::config::AnswerConfig;

/// Columns and gates of *chain answer*.
#[derive(Clone, Debug)]
pub struct ChainAnswerConfig(pub AnswerConfig);

impl ChainAnswerConfig {
    /// Makes the columns and all gates, each of degree ≤ 5.
    pub fn configure(meta: &mut ConstraintSystem<Fr>) -> Self {
        Self(AnswerConfig::with_chains(meta))
    }
}
