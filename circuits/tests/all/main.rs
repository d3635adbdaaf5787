//! The integration tests of `circuits` in one program, so that its dependencies are linked once.

mod answer_vectors;
