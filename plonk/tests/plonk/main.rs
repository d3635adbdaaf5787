//! The prover against the library's.

mod library;
mod random_circuit;
mod same_bytes;
