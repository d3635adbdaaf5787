//! *chain answer*: *answer* as a contract verifies it when a sight is demanded on chain (protocol section 7). Points and elements are known
//! by their roots, which are computed here, and the elements are bound to calldata by the value of their polynomial.
//!
//! The relation is *answer*'s own ([`Relation`]); after it come the elements in their places ([`wire`]), the two roots, and `y`. The native twin is `fog::statement::chain_answer::check`.

pub mod config;
mod wire;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use ff::Field;
use fog::statement::chain_answer::{ChainAnswerInputs, ChainAnswerPrivate, ChainAnswerPublic};
use halo2curves::bn256::Fr;

use super::answer::{relation::Relation, witness::Witness};
use crate::{
    StatementCircuit,
    gadget::{
        Cell, Context, Layout, Tamper,
        layout::laid_circuit,
        merkle::{answer_root, request_root},
        polynomial::evaluate_terms,
    },
};
use config::ChainAnswerConfig;
use wire::Wire;

/// The circuit of *chain answer*.
#[derive(Clone)]
pub struct ChainAnswerCircuit {
    witness: Arc<Witness>,
    /// The point at which calldata is compared.
    z: Fr,
    tampers: Vec<Tamper>,
}

fog::redacted!(ChainAnswerCircuit);

impl StatementCircuit for ChainAnswerCircuit {
    const NAME: &'static str = "chain-answer";
    const K: u32 = 15;
    type Public = ChainAnswerPublic;
    type Private = ChainAnswerPrivate;

    fn new(public: &ChainAnswerPublic, private: &ChainAnswerPrivate) -> Self {
        let witness = Witness::new(&public.fog_key, &public.header, &private.request, &private.answer);
        Self { witness: Arc::new(witness), z: public.binding.z, tampers: Vec::new() }
    }

    fn blank() -> Self {
        Self { witness: Arc::new(Witness::blank()), z: Fr::ZERO, tampers: Vec::new() }
    }

    fn instance(public: &ChainAnswerPublic) -> Vec<Vec<Fr>> {
        vec![public.to_instance().to_vec()]
    }
}

laid_circuit!(ChainAnswerCircuit, ChainAnswerConfig);

impl Layout for ChainAnswerCircuit {
    fn lay(&self, config: &ChainAnswerConfig, cx: &mut Context<'_>) -> Vec<Cell> {
        let relation = Relation::lay(cx, &config.0, &self.witness);
        let z = cx.witness(self.z);
        let wire = Wire::new(cx, &relation);
        let records = wire.records(cx);
        let answer_root = answer_root(cx, &records);
        let request_root = request_root(cx, relation.request.iter().copied());
        let terms = wire.terms(cx, z);
        let y = evaluate_terms(cx, &terms);
        let inputs = ChainAnswerInputs::new(&relation.inputs, [request_root, answer_root], [z, y]);
        inputs.to_array().to_vec()
    }
}
