//! The integration tests of `game` in one program, so that its dependencies are linked once.

mod ids;
mod notice;
mod player;
mod table;
mod unproven;
