//! What every statement of the protocol's section 7 offers to the prover: a circuit together with the public and the
//! private struct of its native twin in `fog`. Keys, proofs and Solidity verifiers are generic over it.
//!
//! It does not say how a proof is transported or hashed; that is the prover's choice.

use halo2_proofs::plonk::Circuit;
use halo2curves::bn256::Fr;

/// A circuit that proves one statement of the protocol.
pub trait StatementCircuit: Circuit<Fr> + Clone + Send + Sync {
    /// The statement's name, as it stands in file names and metadata.
    const NAME: &'static str;
    /// Base-two logarithm of the number of rows.
    const K: u32;
    /// What both sides know.
    type Public;
    /// What only the prover knows.
    type Private;

    /// The circuit with its witness.
    fn new(public: &Self::Public, private: &Self::Private) -> Self;

    /// The circuit without a witness, from which keys are made.
    fn blank() -> Self;

    /// The instance columns, in the circuit's order.
    fn instance(public: &Self::Public) -> Vec<Vec<Fr>>;
}
