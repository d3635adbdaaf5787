//! Writes the Solidity verifiers that are checked in, one for each shape of circuit, and the keys of the statements: in `dev` those from
//! development parameters, for local chains and tests; beside it those from the Ignition ceremony. With `--check` it writes nothing and
//! fails if what is checked in differs. Before them comes the table of all keys that the program knows.

use circuits::{
    AnswerCircuit, AskedCircuit, CapturedCircuit, ChainAnswerCircuit, DecryptionCircuit, FiftyCircuit, ItemCircuit,
    KeyShareCircuit, NoMoveCircuit, OwnStepCircuit, RequestDataCircuit, ShownCircuit, StatementCircuit,
    TagCaptureCircuit, TagReplyCircuit, TagStepCircuit, TurnCircuit, ViewCircuit,
};
use eyre::{Context, Result, bail};
use prover::{Progress, SetKeys, SolidityVerifier, Srs, Stage, Statement, Verifier, key_hashes};
use std::path::{Path, PathBuf};

/// Generates the Solidity verifiers.
#[derive(clap::Args)]
pub struct Args {
    /// The folder of generated contracts and keys; development keys go to `dev` in it.
    #[arg(long, default_value = "contracts/src/generated")]
    out: PathBuf,
    /// The folder of the table of keys that the program knows.
    #[arg(long, default_value = "prover/src")]
    known: PathBuf,
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

pub fn write(args: &Args) -> Result<()> {
    let (narrow_k, wide_k) = (TurnCircuit::K, ChainAnswerCircuit::K);
    let development = [narrow_k, wide_k].map(|k| Srs::development(k, &args.cache, &Printer));
    let shipped = |k| Srs::shipped(k, &args.cache, &Printer);
    let ignition = [shipped(narrow_k)?, shipped(wide_k)?];
    known_keys(args, &development, &ignition)?;
    let narrow = verifier::<TurnCircuit>(args, &development[0], "NarrowVerifier")?;
    let wide = verifier::<ChainAnswerCircuit>(args, &development[1], "WideVerifier")?;
    keys(args, &development, &narrow, &wide)?;
    keys(args, &ignition, &narrow, &wide)
}

/// Writes the table of keys and parameters that the program knows, or compares it. Keys are those that contracts verify, and those that only players
/// verify. Sets need more powers than the ceremony's file has.
fn known_keys(args: &Args, development: &[Srs; 2], ignition: &[Srs; 2]) -> Result<()> {
    let sets = Srs::development(SetKeys::K, &args.cache, &Printer);
    let of_steps = |ceremony: &Srs| match ceremony.ceremony().is_development() {
        true => Ok(Srs::development(SetKeys::STEP_K, &args.cache, &Printer)),
        false => Srs::shipped(SetKeys::STEP_K, &args.cache, &Printer),
    };
    let mut table = String::from(
        "# statement, ceremony, SHA-256 of the verifying key and of the proving key: `make verifiers` writes them\n\
         # parameters with their k, ceremony, SHA-256 of the file's contents\n",
    );
    for [narrow, wide] in [development, ignition] {
        let steps = of_steps(narrow)?;
        for srs in [&steps, narrow, wide] {
            table += &format!("{}\n", srs.known_line());
        }
        table += &known::<TurnCircuit>(narrow)?;
        table += &known::<FiftyCircuit>(narrow)?;
        table += &known::<NoMoveCircuit>(narrow)?;
        table += &known::<RequestDataCircuit>(narrow)?;
        table += &known::<AnswerCircuit>(narrow)?;
        table += &known::<ChainAnswerCircuit>(wide)?;
        table += &known::<TagStepCircuit>(narrow)?;
        table += &known::<TagReplyCircuit>(narrow)?;
        table += &known::<TagCaptureCircuit>(narrow)?;
        table += &known::<ItemCircuit>(narrow)?;
        table += &known::<ViewCircuit>(narrow)?;
        table += &known::<DecryptionCircuit>(narrow)?;
        table += &known::<KeyShareCircuit>(narrow)?;
        table += &known::<CapturedCircuit>(narrow)?;
        table += &known::<OwnStepCircuit>(&steps)?;
    }
    table += &format!("{}\n", sets.known_line());
    table += &known::<ShownCircuit<false>>(&sets)?;
    table += &known::<AskedCircuit<false>>(&sets)?;
    let file = "known_keys.txt";
    let write = |folder: &Path| Ok(std::fs::write(folder.join(file), &table)?);
    finish(args, &args.known, file, write)?;
    if table != <TurnCircuit as Statement>::KNOWN_KEYS {
        bail!("this program knows other keys: run `make verifiers` again, which builds it with the new table");
    }
    Ok(())
}

/// The line of a statement in the table.
fn known<C: Statement>(srs: &Srs) -> Result<String> {
    let [verifying, proving] = key_hashes::<C>(srs, &Printer)?;
    Ok(format!("{} {} {verifying} {proving}\n", C::NAME, srs.ceremony()))
}

/// The keys of all statements that the contract verifies, from the parameters of both sizes.
fn keys(args: &Args, srs: &[Srs; 2], narrow: &SolidityVerifier, wide: &SolidityVerifier) -> Result<()> {
    let [of_narrow, of_wide] = srs;
    key::<TurnCircuit>(args, of_narrow, narrow, "TurnKey")?;
    key::<RequestDataCircuit>(args, of_narrow, narrow, "RequestDataKey")?;
    key::<FiftyCircuit>(args, of_narrow, narrow, "FiftyKey")?;
    key::<NoMoveCircuit>(args, of_narrow, narrow, "NoMoveKey")?;
    key::<TagStepCircuit>(args, of_narrow, narrow, "TagStepKey")?;
    key::<TagReplyCircuit>(args, of_narrow, narrow, "TagReplyKey")?;
    key::<TagCaptureCircuit>(args, of_narrow, narrow, "TagCaptureKey")?;
    key::<ChainAnswerCircuit>(args, of_wide, wide, "ChainAnswerKey")
}

/// The verifier of a statement's shape, which doesn't depend on the parameters.
fn verifier<C: Statement>(args: &Args, srs: &Srs, name: &str) -> Result<SolidityVerifier> {
    let shape = Verifier::<C>::load_or_make(srs, &args.cache, &Printer)?.shape()?;
    let verifier = SolidityVerifier::new(shape, name)?;
    finish(args, &args.out, &format!("{name}.sol"), |folder| Ok(verifier.write(folder)?))?;
    Ok(verifier)
}

/// A statement's key for its verifier.
fn key<C: Statement>(args: &Args, srs: &Srs, verifier: &SolidityVerifier, name: &str) -> Result<()> {
    let key = Verifier::<C>::load_or_make(srs, &args.cache, &Printer)?.solidity_key(verifier)?;
    let folder = if key.development_only { args.out.join("dev") } else { args.out.clone() };
    finish(args, &folder, &format!("{name}.json"), |folder| Ok(key.write(folder, name)?))
}

/// Writes a file into its folder, or compares what is there with it.
fn finish(args: &Args, folder: &Path, file: &str, write: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let path = folder.join(file);
    if !args.check {
        write(folder)?;
        println!("{} written", path.display());
        return Ok(());
    }
    let scratch = tempfile::tempdir()?;
    write(scratch.path())?;
    let there = std::fs::read(&path).wrap_err_with(|| format!("{} is missing", path.display()))?;
    if there != std::fs::read(scratch.path().join(file))? {
        bail!("{} is not what the circuit gives: run `make verifiers`", path.display());
    }
    println!("{} is up to date", path.display());
    Ok(())
}
