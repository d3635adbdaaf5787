//! The integration tests of `game` in one program, so that its dependencies are linked once.

#[path = "../../../test/src/golden.rs"]
mod golden;
mod ids;
mod lies;
mod notice;
mod player;
mod position;
mod said;
mod table;
mod unproven;
