//! `fogmate schema`: the JSON Schema of the lines that a program plays by.

use eyre::Result;

use crate::output::say;

/// Print the JSON Schema of the lines that `play --json` writes and reads
#[derive(Debug, clap::Args)]
pub struct Args {}

pub async fn run(_: &Args) -> Result<()> {
    say!("{}", serde_json::to_string_pretty(&game::schema())?)
}
