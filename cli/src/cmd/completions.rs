//! `fogmate completions`: what a shell needs to complete this program's commands.

use clap::{Args as ClapArgs, CommandFactory as _};
use clap_complete::{Shell, generate};
use eyre::Result;

use crate::help::complete;
use crate::output::say;

/// Print completions for a shell
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The shell that is to complete commands
    shell: Shell,
}

pub async fn run(args: &Args) -> Result<()> {
    let mut text = Vec::new();
    generate(args.shell, &mut complete(crate::Cli::command()), "fogmate", &mut text);
    say!("{}", String::from_utf8(text)?.trim_end())
}
