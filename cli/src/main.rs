//! The `fogmate` command.

fn main() {}
