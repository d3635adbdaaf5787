//! The integration tests of `circuits` in one program, so that its dependencies are linked once.

mod answer_proof;
mod answer_vectors;
mod common;
mod turn_proof;
