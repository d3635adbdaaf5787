//! The integration tests of `contest` in one program, so that its dependencies are linked once.

mod dice;
mod tag;
