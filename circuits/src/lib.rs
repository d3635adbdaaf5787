//! The circuits of the protocol's section 7, one gadget a file.
//!
//! What the statements mean in plain Rust is in `fog::statement`; keys, proofs and files are the business of `prover`.

mod statement;

pub use statement::StatementCircuit;
