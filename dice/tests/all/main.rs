//! The integration tests of `dice` in one program, so that its dependencies are linked once.

mod play;
mod vectors;
