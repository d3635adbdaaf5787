//! The `fogmate` command: each subcommand is one file of [`cmd`].
//!
//! Results go to stdout, all else to stderr. Exit codes: 0 done, 1 failed, 2 the command line or the input is wrong.

mod cmd;
mod failure;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Dark chess without a referee.
#[derive(Debug, Parser)]
#[command(version, arg_required_else_help = true, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Rules(cmd::rules::Args),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Rules(args) => cmd::rules::run(&args),
    };
    failure::exit_code(result)
}
