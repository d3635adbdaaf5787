//! The integration tests of `rules` in one program, so that its dependencies are linked once.

mod common;
mod games;
mod notation;
mod oracle;
mod perft;
mod properties;
