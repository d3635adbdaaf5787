//! The integration tests of `client` in one program, so that its dependencies are linked once.

mod backup;
mod chain;
mod channel;
mod channel_transcript;
mod dice;
mod disclosure_file;
mod full_disk;
mod journal;
mod link;
mod proxy;
mod seat;
mod tag;
