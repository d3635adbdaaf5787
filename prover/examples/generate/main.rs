//! Writes what is checked in and made from circuits: Solidity verifiers and keys, and the real proofs that forge's tests run on.

mod tag;
mod turns;
mod verifiers;

use clap::Parser;
use eyre::Result;

#[derive(Parser)]
enum Args {
    Verifiers(verifiers::Args),
    Turns(turns::Args),
    Tag(tag::Args),
}

fn main() -> Result<()> {
    match Args::parse() {
        Args::Verifiers(args) => verifiers::write(&args),
        Args::Turns(args) => turns::write(&args),
        Args::Tag(args) => tag::write(&args),
    }
}
