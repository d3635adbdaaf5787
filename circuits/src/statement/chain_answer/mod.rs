//! *chain answer*: *answer* as a contract verifies it when a sight is demanded on chain (protocol section 7). Points and elements are known
//! by their roots, which are computed here, and the elements are bound to calldata by the value of their polynomial.
//!
//! The relation is *answer*'s own ([`Relation`]); after it come the elements in their places ([`wire`]), the two roots, and `y`. The native twin is `fog::statement::chain_answer::check`.

mod wire;

#[cfg(test)]
mod tests;

use ff::Field;
use fog::statement::chain_answer::{ChainAnswerInputs, ChainAnswerPrivate, ChainAnswerPublic, ChainAnswerStatement};
use halo2curves::bn256::Fr;

use super::answer::{config::ChainAnswerConfig, relation::Relation, witness::Witness};
use crate::gadget::{
    Assigned, Cell, CircuitOf, Context,
    merkle::{answer_root, request_root},
    polynomial::evaluate_terms,
};
use wire::Wire;

/// The circuit of *chain answer*.
pub type ChainAnswerCircuit = CircuitOf<ChainWitness>;

/// What the prover assigns.
pub struct ChainWitness {
    answer: Witness,
    /// The point at which calldata is compared.
    z: Fr,
}

impl Assigned for ChainWitness {
    const NAME: &'static str = "chain-answer";
    const K: u32 = 15;
    type Statement = ChainAnswerStatement;
    type Columns = ChainAnswerConfig;

    fn of(public: &ChainAnswerPublic, private: &ChainAnswerPrivate) -> Self {
        let answer = Witness::new(&public.fog_key, &public.header, &private.request, &private.answer);
        Self { answer, z: public.binding.z }
    }

    fn for_keys() -> Self {
        Self { answer: Witness::blank(), z: Fr::ZERO }
    }

    fn lay(&self, config: &ChainAnswerConfig, cx: &mut Context<'_>) -> Vec<Cell> {
        let relation = Relation::lay(cx, config, &self.answer);
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
