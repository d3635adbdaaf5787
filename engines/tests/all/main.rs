//! The integration tests of `engines` in one program, so that its dependencies are linked once.

mod andos;
mod bfv;
mod counted;
mod own_step;
mod pair;
mod psi_statements;
mod suite;
