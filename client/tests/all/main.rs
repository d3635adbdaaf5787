//! The integration tests of `client` in one program, so that its dependencies are linked once.

mod chain;
mod channel;
mod dice;
mod disclosure_file;
mod full_disk;
mod journal;
mod link;
mod proxy;
mod seat;
mod tag;
