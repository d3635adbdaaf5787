//! The prover against the library's.

mod library;
mod odd;
mod random_circuit;
mod refusals;
mod same_bytes;
mod tables;
