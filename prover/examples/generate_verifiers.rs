//! Writes the Solidity verifiers that are checked in: `TurnVerifier`, from the Ignition ceremony's file where that is at
//! hand, and `TurnVerifierDev`, from development parameters, for local chains and tests. With `--check` it writes nothing and
//! fails if what is checked in differs.

use circuits::TurnCircuit;
use clap::Parser;
use eyre::{Context, Result, bail};
use prover::{Pin, Progress, SolidityVerifier, Srs, Stage, Statement, Verifier};
use std::path::{Path, PathBuf};

/// Generates the Solidity verifiers.
#[derive(Parser)]
struct Args {
    /// The folder of generated contracts; development ones go to `dev` in it.
    #[arg(long, default_value = "contracts/src/generated")]
    out: PathBuf,
    /// The Ignition ceremony's file.
    #[arg(long, default_value = "../shared/srs/aztec-ignition-2e15.bin")]
    ignition: PathBuf,
    /// Where converted parameters and keys are kept.
    #[arg(long, default_value = ".cache/fogmate")]
    cache: PathBuf,
    /// Compare with what is there instead of writing it.
    #[arg(long)]
    check: bool,
}

/// Prints each stage as it starts.
struct Printer;

impl Progress for Printer {
    fn at(&self, subject: &str, stage: Stage, fraction: f32) {
        if fraction == 0.0 {
            eprintln!("{subject}: {stage}");
        }
    }

    fn notice(&self, message: &str) {
        eprintln!("{message}");
    }
}

fn main() -> Result<()> {
    let args = Args::parse();
    let k = <TurnCircuit as circuits::StatementCircuit>::K;
    let development = Srs::development(k, &args.cache, &Printer);
    let verifier = generate::<TurnCircuit>(&development, &args.cache, "TurnVerifierDev")?;
    finish(&args, &args.out.join("dev"), &verifier)?;
    if args.ignition.exists() {
        let ceremony = Srs::load(&args.ignition, Pin::Known, k, &args.cache, &Printer)?;
        let verifier = generate::<TurnCircuit>(&ceremony, &args.cache, "TurnVerifier")?;
        finish(&args, &args.out, &verifier)?;
    } else {
        println!("TurnVerifier not generated: there is no {}", args.ignition.display());
    }
    Ok(())
}

fn generate<C: Statement>(srs: &Srs, cache: &Path, name: &str) -> Result<SolidityVerifier> {
    let verifier = Verifier::<C>::load_or_make(srs, cache, &Printer)?;
    Ok(verifier.solidity_verifier(name)?)
}

fn finish(args: &Args, folder: &Path, verifier: &SolidityVerifier) -> Result<()> {
    let name = &verifier.metadata.contract;
    let path = folder.join(format!("{name}.sol"));
    if !args.check {
        verifier.write(folder)?;
        println!("{} written", path.display());
        return Ok(());
    }
    let scratch = tempfile::tempdir()?;
    verifier.write(scratch.path())?;
    for suffix in ["sol", "json"] {
        let file = format!("{name}.{suffix}");
        let there = std::fs::read(folder.join(&file)).wrap_err_with(|| format!("{file} is missing"))?;
        if there != std::fs::read(scratch.path().join(&file))? {
            bail!("{} is not what the circuit gives: run `make verifiers`", folder.join(&file).display());
        }
    }
    println!("{} is up to date", path.display());
    Ok(())
}
