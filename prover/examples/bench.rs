//! Measures the statements' keys and proofs, for `make bench`. One seeded statement each, a mean one of its kind.

use circuits::{AnswerCircuit, StatementCircuit, TurnCircuit};
use clap::Parser;
use eyre::{OptionExt, Result};
use fog::testing::{AnswerCase, TurnCase, answers, turns};
use prover::{NoProgress, Report, Srs, Statement, measure};

/// Measures the statements' keys and proofs.
#[derive(Parser)]
struct Args {
    /// How many proofs the medians are of.
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// One JSON object a line instead of text.
    #[arg(long)]
    json: bool,
}

fn main() -> Result<()> {
    let args = Args::parse();
    let ended = "the generators never end";
    let case = Some(TurnCase::LongSlide);
    let (public, private) = turns(1, case).next().ok_or_eyre(ended)?;
    print(&args, &bench::<TurnCircuit>(&public, &private, args.runs)?)?;
    let case = Some(AnswerCase::Pre);
    let (public, private) = answers(1, case).next().ok_or_eyre(ended)?;
    print(&args, &bench::<AnswerCircuit>(&public, &private, args.runs)?)
}

fn bench<C: Statement + StatementCircuit>(public: &C::Public, private: &C::Private, runs: usize) -> Result<Report> {
    let scratch = tempfile::tempdir()?;
    let srs = Srs::development(C::K, scratch.path(), &NoProgress);
    Ok(measure::<C>(&srs, scratch.path(), public, private, runs)?)
}

fn print(args: &Args, report: &Report) -> Result<()> {
    if args.json {
        println!("{}", serde_json::to_string(report)?);
    } else {
        println!("{report}");
    }
    Ok(())
}
