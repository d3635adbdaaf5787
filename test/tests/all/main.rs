//! The integration tests of `test` in one program, so that its dependencies are linked once.

mod abi;
mod chain;
mod comments;
mod documents;
mod game;
mod layers;
mod page_code;
mod peer;
mod repository;
mod verifier;
mod world;
