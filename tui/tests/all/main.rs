//! The integration tests of `tui` in one program, so that its dependencies are linked once.

#[path = "../../../test/src/golden.rs"]
mod golden;
mod keys;
mod screens;
mod status;
mod theme;
