//! The integration tests of `deploy` in one program, so that its dependencies are linked once.

mod anvil;
mod bundle;
mod deployment;
mod finality;
