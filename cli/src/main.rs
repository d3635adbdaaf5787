//! The `fogmate` command: each subcommand is one file of [`cmd`], or one game of `contest`.
//!
//! Results go to stdout, all else to stderr. Exit codes: 0 done, 1 failed, 2 the command line or the input is wrong, 130
//! interrupted.

// Both panic where nobody reads: `output` has what doesn't.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod account;
mod boards;
mod cache;
mod clocks;
mod cmd;
mod contest;
mod demo;
mod deploying;
mod engine;
mod failure;
mod hint;
mod home;
mod input;
mod keys;
mod line;
mod machine;
mod node;
mod output;
mod page;
mod process;
mod screen;
mod script;
mod session;
mod standing;
mod terms;
mod thinker;
mod words;

use std::future::Future;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use eyre::Result;

/// Dark chess without a referee.
#[derive(Debug, Parser)]
#[command(version, arg_required_else_help = true, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Solo(cmd::solo::Args),
    Demo(cmd::demo::Args),
    Wallet(cmd::wallet::Args),
    Deploy(cmd::deploy::Args),
    Create(cmd::create::Args),
    Cancel(cmd::cancel::Args),
    Join(cmd::join::Args),
    Games(cmd::games::Args),
    Play(cmd::play::Args),
    Bot(cmd::bot::Args),
    Recover(cmd::recover::Args),
    Address(cmd::address::Args),
    Relay(cmd::relay::Args),
    Withdraw(cmd::withdraw::Args),
    Audit(cmd::audit::Args),
    Disclose(cmd::disclose::Args),
    Explorer(cmd::explorer::Args),
    Rules(cmd::rules::Args),
    Schema(cmd::schema::Args),
    /// Play Snakes and Ladders with dice that neither player throws alone
    ///
    /// Each roll is the sum of two numbers: one that its player promised before, and one that the opponent gave after that. The
    /// chain checks every promise and computes every roll; who keeps a roll to itself has lost when its time is over.
    Dice(crate::contest::Args<::contest::dice::Dice>),
    /// Play tag: two kings on a small grid, each in the fog of the other
    ///
    /// Players step by turns, from opposite corners; a king sees the squares around it. Who sees the other's king when it is its own
    /// turn wins, so who steps beside the other has lost. Where a king stands nobody else knows: sight is private set intersection, and
    /// the chain verifies a proof of every step, reply and capture. Who withholds one has lost when its time is over.
    Tag(crate::contest::Args<::contest::tag::Tag>),
}

fn main() -> ExitCode {
    process::keep_memory_private();
    let matches = Cli::command().get_matches();
    hint::remember(&matches);
    let Cli { command } = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let result = match command {
        Command::Solo(args) => wait(cmd::solo::run(&args)),
        Command::Demo(args) => wait(cmd::demo::run(&args)),
        Command::Wallet(args) => wait(cmd::wallet::run(&args)),
        Command::Deploy(args) => wait(cmd::deploy::run(&args)),
        Command::Create(args) => wait(cmd::create::run(&args)),
        Command::Cancel(args) => wait(cmd::cancel::run(&args)),
        Command::Join(args) => wait(cmd::join::run(&args)),
        Command::Games(args) => wait(cmd::games::run(&args)),
        Command::Play(args) => wait(cmd::play::run(&args)),
        Command::Bot(args) => wait(cmd::bot::run(&args)),
        Command::Recover(args) => wait(cmd::recover::run(&args)),
        Command::Address(args) => wait(cmd::address::run(&args)),
        Command::Relay(args) => wait(cmd::relay::run(&args)),
        Command::Withdraw(args) => wait(cmd::withdraw::run(&args)),
        Command::Audit(args) => wait(cmd::audit::run(&args)),
        Command::Disclose(args) => wait(cmd::disclose::run(&args)),
        Command::Explorer(args) => wait(cmd::explorer::run(&args)),
        Command::Rules(args) => wait(async { cmd::rules::run(&args) }),
        Command::Schema(args) => wait(async { cmd::schema::run(&args) }),
        Command::Dice(args) => wait(crate::contest::run(&args)),
        Command::Tag(args) => wait(crate::contest::run(&args)),
    };
    failure::exit_code(result)
}

/// Runs a command that talks to others. When it ends it ends at once: a proof that is still being made is of no use.
fn wait(command: impl Future<Output = Result<()>>) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let result = runtime.block_on(async {
        let _room = process::survive_full_files()?;
        command.await
    });
    runtime.shutdown_background();
    result
}
