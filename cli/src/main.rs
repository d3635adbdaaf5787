//! The `fogmate` command: each subcommand is one file of [`cmd`], or one game of `contest`.
//!
//! Results go to stdout, all else to stderr. Exit codes are those of [`failure`].

// Both panic where nobody reads: `output` has what doesn't.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod account;
mod again;
mod anvil;
mod boards;
mod cache;
mod clocks;
mod cmd;
mod contest;
mod course;
mod demo;
mod deploying;
mod editor;
mod engine;
mod errand;
mod failure;
mod files;
mod help;
mod hint;
mod home;
mod input;
mod keys;
mod line;
mod look;
mod machine;
mod node;
mod opening;
mod output;
mod page;
mod process;
mod qr;
mod screen;
mod script;
mod secret;
mod session;
mod side;
mod taking;
mod terminal;
mod terms;
mod thinker;
mod transcripts;
mod words;

use std::future::Future;
use std::io;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use eyre::Result;
use tokio::runtime::{self, Runtime};

/// Dark chess without a referee.
#[derive(Debug, Parser)]
#[command(version, arg_required_else_help = true, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Makes the commands: each has a name, and a file of [`cmd`] with its arguments and what it does. After them come the games of `contest`.
macro_rules! commands {
    ($($name:ident $file:ident,)*) => {
        #[derive(Debug, Subcommand)]
        enum Command {
            $($name(cmd::$file::Args),)*
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

        impl Command {
            fn run(&self) -> Result<()> {
                match self {
                    $(Self::$name(args) => wait(cmd::$file::run(args)),)*
                    Self::Dice(args) => wait(crate::contest::run(args)),
                    Self::Tag(args) => wait(crate::contest::run(args)),
                }
            }
        }
    };
}

commands! {
    Solo solo, Demo demo, Wallet wallet, Deploy deploy, Host host, Invite invite, Lobby lobby, Rematch rematch,
    Create create, Cancel cancel, Join join, Games games, Play play, Bot bot, Resign resign, Draw draw, Claim claim,
    Publish publish, Recover recover, Address address, Relay relay, Tower tower, Withdraw withdraw, Watch watch,
    Replay replay, Audit audit, Proof proof, Transcript transcript, Disclose disclose, Doctor doctor,
    Explorer explorer, Rules rules, Sight sight, Schema schema, Completions completions, Man man,
}

fn main() -> ExitCode {
    process::keep_memory_private();
    let matches = help::complete(Cli::command()).get_matches();
    hint::remember(&matches);
    let Cli { command } = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    failure::exit_code(command.run())
}

/// Runs a command. When it ends all ends at once: a proof that is still being made is of no use.
fn wait(command: impl Future<Output = Result<()>>) -> Result<()> {
    let runtime = runtime()?;
    let result = runtime.block_on(async {
        let _room = process::survive_full_files()?;
        command.await
    });
    runtime.shutdown_background();
    result
}

/// Its threads have as much stack as a process usually begins with, not the library's 2 MiB: code that isn't optimised takes two or three times as much.
fn runtime() -> io::Result<Runtime> {
    runtime::Builder::new_multi_thread().enable_all().thread_stack_size(8 << 20).build()
}

#[cfg(test)]
mod tests {
    use alloy::primitives::hex;
    use alloy::rpc::types::Transaction;
    use serde_json::json;

    /// Whatever a node is asked for, it may show a transaction with blobs, which the library moves about on the stack.
    #[test]
    fn a_transaction_with_blobs_fits_the_stack_of_any_thread() {
        let bytes = |count| hex::encode_prefixed(vec![1; count]);
        let shown = json!({
            "type": "0x3", "chainId": "0x1", "nonce": "0x0", "gas": "0x5208", "maxFeePerGas": "0x1",
            "maxPriorityFeePerGas": "0x1", "maxFeePerBlobGas": "0x1", "to": bytes(20), "value": "0x0", "input": "0x",
            "accessList": [], "blobVersionedHashes": [bytes(32)], "r": "0x1", "s": "0x1", "yParity": "0x0", "v": "0x0",
            "hash": bytes(32), "from": bytes(20), "blockHash": null, "blockNumber": null, "transactionIndex": null,
            "blobs": [bytes(131_072)], "commitments": [bytes(48)], "proofs": [bytes(48)],
        });
        let runtime = super::runtime().unwrap();
        let read = runtime.spawn(async { serde_json::from_value::<Transaction>(shown) });
        let read = runtime.block_on(read).unwrap().unwrap();
        assert!(read.inner.inner().as_eip4844().unwrap().tx().as_with_sidecar().is_some(), "it has its blobs");
    }
}
