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
mod standing;
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

#[derive(Debug, Subcommand)]
enum Command {
    Solo(cmd::solo::Args),
    Demo(cmd::demo::Args),
    Wallet(cmd::wallet::Args),
    Deploy(cmd::deploy::Args),
    Host(cmd::host::Args),
    Invite(cmd::invite::Args),
    Lobby(cmd::lobby::Args),
    Rematch(cmd::rematch::Args),
    Create(cmd::create::Args),
    Cancel(cmd::cancel::Args),
    Join(cmd::join::Args),
    Games(cmd::games::Args),
    Play(cmd::play::Args),
    Bot(cmd::bot::Args),
    Resign(cmd::resign::Args),
    Draw(cmd::draw::Args),
    Claim(cmd::claim::Args),
    Publish(cmd::publish::Args),
    Recover(cmd::recover::Args),
    Address(cmd::address::Args),
    Relay(cmd::relay::Args),
    Tower(cmd::tower::Args),
    Withdraw(cmd::withdraw::Args),
    Watch(cmd::watch::Args),
    Replay(cmd::replay::Args),
    Audit(cmd::audit::Args),
    Proof(cmd::proof::Args),
    Transcript(cmd::transcript::Args),
    Disclose(cmd::disclose::Args),
    Doctor(cmd::doctor::Args),
    Explorer(cmd::explorer::Args),
    Rules(cmd::rules::Args),
    Sight(cmd::sight::Args),
    Schema(cmd::schema::Args),
    Completions(cmd::completions::Args),
    Man(cmd::man::Args),
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
    let matches = help::complete(Cli::command()).get_matches();
    hint::remember(&matches);
    let Cli { command } = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let result = match command {
        Command::Solo(args) => wait(cmd::solo::run(&args)),
        Command::Demo(args) => wait(cmd::demo::run(&args)),
        Command::Wallet(args) => wait(cmd::wallet::run(&args)),
        Command::Deploy(args) => wait(cmd::deploy::run(&args)),
        Command::Host(args) => wait(cmd::host::run(&args)),
        Command::Invite(args) => wait(cmd::invite::run(&args)),
        Command::Lobby(args) => wait(cmd::lobby::run(&args)),
        Command::Rematch(args) => wait(cmd::rematch::run(&args)),
        Command::Create(args) => wait(cmd::create::run(&args)),
        Command::Cancel(args) => wait(cmd::cancel::run(&args)),
        Command::Join(args) => wait(cmd::join::run(&args)),
        Command::Games(args) => wait(cmd::games::run(&args)),
        Command::Play(args) => wait(cmd::play::run(&args)),
        Command::Bot(args) => wait(cmd::bot::run(&args)),
        Command::Resign(args) => wait(cmd::resign::run(&args)),
        Command::Draw(args) => wait(cmd::draw::run(&args)),
        Command::Claim(args) => wait(cmd::claim::run(&args)),
        Command::Publish(args) => wait(cmd::publish::run(&args)),
        Command::Recover(args) => wait(cmd::recover::run(&args)),
        Command::Address(args) => wait(cmd::address::run(&args)),
        Command::Relay(args) => wait(cmd::relay::run(&args)),
        Command::Tower(args) => wait(cmd::tower::run(&args)),
        Command::Withdraw(args) => wait(cmd::withdraw::run(&args)),
        Command::Watch(args) => wait(cmd::watch::run(&args)),
        Command::Replay(args) => wait(cmd::replay::run(&args)),
        Command::Audit(args) => wait(cmd::audit::run(&args)),
        Command::Proof(args) => wait(cmd::proof::run(&args)),
        Command::Transcript(args) => wait(cmd::transcript::run(&args)),
        Command::Disclose(args) => wait(cmd::disclose::run(&args)),
        Command::Doctor(args) => wait(cmd::doctor::run(&args)),
        Command::Explorer(args) => wait(cmd::explorer::run(&args)),
        Command::Rules(args) => wait(async { cmd::rules::run(&args) }),
        Command::Sight(args) => cmd::sight::run(&args),
        Command::Schema(args) => wait(async { cmd::schema::run(&args) }),
        Command::Completions(args) => cmd::completions::run(&args),
        Command::Man(args) => cmd::man::run(&args),
        Command::Dice(args) => wait(crate::contest::run(&args)),
        Command::Tag(args) => wait(crate::contest::run(&args)),
    };
    failure::exit_code(result)
}

/// Runs a command that talks to others. When it ends it ends at once: a proof that is still being made is of no use.
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
