//! The tests of this crate's public face. One binary for all: each of them compiles a prover, which takes a while.

mod ceremony_files;
mod common;
mod keys;
mod proofs;
mod real_ceremonies;
mod solidity;
mod statements;
mod transitions;
