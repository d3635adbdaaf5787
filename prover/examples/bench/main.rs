//! Measures one statement, for `make bench`, which asks for one thing after the other, each in a process of its own, and puts them
//! together: threads and memory are a process's. Prints one JSON object.

mod measure;
mod rows;

use circuits::{
    AnswerCircuit, AskedCircuit, CapturedCircuit, ChainAnswerCircuit, DecryptionCircuit, FiftyCircuit, ItemCircuit,
    KeyShareCircuit, NoMoveCircuit, OwnStepCircuit, RequestDataCircuit, ShownCircuit, StatementCircuit, TurnCircuit,
    ViewCircuit,
};
use clap::{Parser, ValueEnum};
use engines::bfv::vector::Kind;
use engines::psi::catalogue::Extent;
use engines::testing::{asked_sets, captured, decryptions, encrypted, key_shares, shown_sets};
use eyre::{OptionExt, Result, eyre};
use fog::testing::{
    AnswerCase, NoMoveCase, TurnCase, answers, chain_answers, fifties, no_moves, own_steps, requests, turns,
};
use measure::{Sample, peak_memory, sizes, start, times};
use prover::{Backend, Keys, NoProgress, Srs, Statement};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

#[derive(Parser)]
struct Args {
    /// What to measure.
    #[arg(value_enum)]
    what: What,
    /// The statement.
    #[arg(long, default_value = TurnCircuit::NAME, value_parser = clap::builder::PossibleValuesParser::new(STATEMENTS.map(|(name, _)| name)))]
    statement: String,
    /// Rounds that the medians are of; each proves both samples.
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Where parameters, keys and tables are kept.
    #[arg(long, default_value = "target/bench-cache")]
    cache: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
enum What {
    /// The statements' names.
    Names,
    /// The circuit's sizes.
    Sizes,
    /// Both provers and the floor, in turns.
    Times,
    /// The first proof after a start.
    Start,
    /// Peak memory with the fast prover.
    Memory,
    /// Peak memory with the library's prover.
    LibraryMemory,
}

/// Every statement that there are keys for, each with two samples: all men on the board, and hardly any; for *no move* all pawns, and few.
const STATEMENTS: [(&str, Measure); 14] = [
    (TurnCircuit::NAME, |args| {
        let cases = [TurnCase::Opening, TurnCase::FewMen];
        measure::<TurnCircuit>(args, samples(cases.map(|case| turns(1, Some(case))))?)
    }),
    (AnswerCircuit::NAME, |args| {
        let cases = [AnswerCase::Pre, AnswerCase::PreFewMen];
        measure::<AnswerCircuit>(args, samples(cases.map(|case| answers(1, Some(case))))?)
    }),
    (ChainAnswerCircuit::NAME, |args| {
        let cases = [AnswerCase::Pre, AnswerCase::PreFewMen];
        measure::<ChainAnswerCircuit>(args, samples(cases.map(|case| chain_answers(1, Some(case))))?)
    }),
    // A request doesn't tell how many men it is for.
    (RequestDataCircuit::NAME, |args| measure::<RequestDataCircuit>(args, samples([1, 2].map(requests))?)),
    (FiftyCircuit::NAME, |args| measure::<FiftyCircuit>(args, samples([1, 2].map(fifties))?)),
    (NoMoveCircuit::NAME, |args| {
        let cases = [NoMoveCase::EightPawns, NoMoveCase::FewPawns];
        measure::<NoMoveCircuit>(args, samples(cases.map(|case| no_moves(1, Some(case))))?)
    }),
    (OwnStepCircuit::NAME, |args| {
        let cases = [TurnCase::Opening, TurnCase::FewMen];
        measure::<OwnStepCircuit>(args, samples(cases.map(|case| own_steps(1, Some(case))))?)
    }),
    (ItemCircuit::NAME, |args| measure::<ItemCircuit>(args, samples([1, 2].map(|seed| encrypted(Kind::Item, seed)))?)),
    (ViewCircuit::NAME, |args| measure::<ViewCircuit>(args, samples([1, 2].map(|seed| encrypted(Kind::View, seed)))?)),
    (DecryptionCircuit::NAME, |args| measure::<DecryptionCircuit>(args, samples([1, 2].map(decryptions))?)),
    (KeyShareCircuit::NAME, |args| {
        let both = key_shares().try_into().map_err(|_| eyre!("a set-up has two players"))?;
        measure::<KeyShareCircuit>(args, both)
    }),
    (CapturedCircuit::NAME, |args| measure::<CapturedCircuit>(args, samples([1, 2].map(captured))?)),
    // Dummies cost what elements cost.
    (ShownCircuit::<false>::NAME, |args| {
        measure::<ShownCircuit<false>>(args, samples([1, 2].map(|seed| shown_sets(Extent::Full, seed)))?)
    }),
    (AskedCircuit::<false>::NAME, |args| {
        measure::<AskedCircuit<false>>(args, samples([1, 2].map(|seed| asked_sets(Extent::Full, seed)))?)
    }),
];

type Measure = fn(&Args) -> Result<Value>;

fn main() -> Result<()> {
    let args = Args::parse();
    let found = STATEMENTS.iter().find(|(statement, _)| *statement == args.statement);
    let (_, measure) = found.ok_or_eyre("the names are checked")?;
    println!("{}", measure(&args)?);
    Ok(())
}

/// One statement of each kind.
fn samples<T, I: Iterator<Item = T>>(of_kind: [I; 2]) -> Result<[T; 2]> {
    let [many, few] = of_kind.map(|mut statements| statements.next().ok_or_eyre("the generators never end"));
    Ok([many?, few?])
}

fn measure<C: Statement>(args: &Args, samples: [Sample<C>; 2]) -> Result<Value> {
    let cache: &Path = &args.cache;
    let new_srs = || Srs::development(C::K, cache, &NoProgress);
    let srs = new_srs();
    Ok(match args.what {
        What::Names => json!(STATEMENTS.map(|(name, _)| name)),
        What::Sizes => json!(sizes::<C>(&srs, cache)?),
        What::Times => json!(times::<C>(&srs, cache, &samples, args.runs)?),
        What::Start => json!(start::<C>(new_srs, tempfile::tempdir()?.path(), &samples[0])?),
        What::Memory => {
            let keys = Keys::<C>::load_or_make(&srs, cache, &NoProgress)?;
            json!({ "peak_mib": peak_memory(&keys, &samples[0])? })
        }
        What::LibraryMemory => {
            let keys = Keys::<C>::load_or_make_for(Backend::Library, &srs, cache, &NoProgress)?;
            json!({ "library_peak_mib": peak_memory(&keys, &samples[0])? })
        }
    })
}
