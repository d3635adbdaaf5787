//! The statements of the protocol's section 7 as circuits, one folder a statement.
//!
//! **Where a new statement goes.** Its native twin first, in `fog::statement`, or with its engine in `engines`: the public inputs by name, the private part, `gather` and
//! `check`. Then a folder here, as `fifty/`, `turn/` and `answer/` are, with an [`Assigned`](crate::gadget::Assigned) and a name for its
//! [`CircuitOf`](crate::gadget::CircuitOf); relations of polynomials are a [`RingStatement`](crate::gadget::ring::RingStatement).
//!
//! | file | what |
//! | --- | --- |
//! | `mod.rs` | the circuit: what is [assigned](crate::gadget::Assigned), and how its parts are laid in order |
//! | `config.rs` | columns and gates, if those of no other statement fit |
//! | `public.rs`, or `instance.rs` where it is more than cells | the public inputs |
//! | `witness.rs` | the private values, read off the native structs |
//! | the others | the parts of the layout, made of [`gadget`](crate::gadget)s |
//! | `tests/` | against the native twin, and a forgery for every binding |
//!
//! Last, a line in `examples/rows.rs` if it is laid in a [`Context`](crate::gadget::Context), and what its proofs look like in `prover::Statement`. Rows need no counting: `make rows` prints them.

pub mod answer;
pub mod bfv;
pub mod captured;
pub mod chain_answer;
pub mod decryption;
pub mod fifty;
pub mod key_share;
pub mod no_move;
pub mod own_step;
pub mod psi;
pub mod request_data;
pub mod tag;
pub mod turn;

use halo2_proofs::plonk::{ConstraintSystem, Error};
use halo2curves::bn256::Fr;

use crate::Regions;

/// A circuit that proves one statement of the protocol: with the public and the private struct of its native twin. Keys, proofs
/// and Solidity verifiers are generic over it; how a proof is transported or hashed is the prover's choice. halo2 is given it as [`AnyCircuit`](crate::AnyCircuit).
pub trait StatementCircuit: Clone + Send + Sync + 'static {
    /// The statement's name, as it stands in file names and metadata.
    const NAME: &'static str;
    /// Base-two logarithm of the number of rows.
    const K: u32;
    /// What both sides know.
    type Public;
    /// What only the prover knows.
    type Private;
    /// The columns and gates, as the circuit has made them for itself.
    type Columns: Send + Sync + 'static;

    /// The circuit with its witness.
    fn new(public: &Self::Public, private: &Self::Private) -> Self;

    /// The circuit without a witness, from which keys are made.
    fn blank() -> Self;

    /// The instance columns, in the circuit's order.
    fn instance(public: &Self::Public) -> Vec<Vec<Fr>>;

    /// Makes the columns and all gates.
    fn configure(meta: &mut ConstraintSystem<Fr>) -> Self::Columns;

    /// Lays the circuit, which is done anew in every phase.
    fn synthesize(&self, columns: &Self::Columns, regions: &mut dyn Regions) -> Result<(), Error>;
}
