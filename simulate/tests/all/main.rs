//! The integration tests of `simulate` in one program, so that its dependencies are linked once.

mod backend;
mod controls;
mod fresh;
mod link;
mod nothing_ships;
mod opponent;
