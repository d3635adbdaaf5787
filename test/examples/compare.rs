//! Measures every engine on the same 200 positions, of test/data/positions.jsonl, and prints a table; with `--json` the table goes to
//! the standard error and the same as JSON, with what the engines say of themselves, to the standard output. Sight-lines proves its
//! answers and dh-psi-proven its sets with development keys, as a game does; the proof of a move, which other engines lack, belongs to
//! no sight and isn't in it.
//!
//! `compare [--json] [--positions N] [--seconds S] [NAME…]`: the engines named, or all; of each as many positions as begin within S seconds,
//! taken so that any number of them is spread over all.

use client::runtime::{KeyProver, Parameters};
use engines::alone::Failure;
use engines::testing::measure::{Cost, Measurement, measure};
use fog::engine::{Engine, SightLines, Trust};
use prover::{Backend, NoProgress, SetKeys};
use rules::Position;
use serde_json::{Value, json};
use std::{path::Path, process::ExitCode, sync::Arc, time::Duration};

const POSITIONS: usize = 200;
/// A step through 200 positions that meets each once and the neighbours late.
const STRIDE: usize = 61;
const DATA: &str = include_str!("../data/positions.jsonl");
/// Where `make bench` keeps parameters and keys.
const CACHE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/bench-cache");

/// Positions taken evenly from those of the tests, in an order in which every beginning is spread over all.
fn positions(count: usize) -> Vec<Position> {
    let lines: Vec<&str> = DATA.lines().collect();
    let places = (0..POSITIONS).map(|place| place * STRIDE % POSITIONS * lines.len() / POSITIONS).take(count);
    let records = places.map(|place| serde_json::from_str::<Value>(lines[place]).expect("a record"));
    let position = |record: Value| Position::from_fen(record["fen"].as_str().unwrap_or_default());
    records.map(|record| position(record).expect("a position")).collect()
}

fn sight_lines() -> Arc<dyn Engine> {
    let prover = KeyProver::load_or_make(&Parameters::Development, Backend::Fast, Path::new(CACHE), &NoProgress);
    Arc::new(SightLines::new(Arc::new(prover.expect("keys"))))
}

fn dh_psi_proven() -> Arc<dyn Engine> {
    let [sets, steps] = [SetKeys::K, SetKeys::STEP_K]
        .map(|k| Parameters::Development.load(k, Path::new(CACHE), &NoProgress).expect("parameters"));
    let keys = SetKeys::load_or_make([&sets, &steps], Path::new(CACHE), &NoProgress);
    Arc::new(engines::dh_psi::proven(keys.expect("keys")))
}

/// How an engine with keys is made.
type Make = fn() -> Arc<dyn Engine>;

/// The engines of these names, or all. Keys are made of those alone that need them.
fn engines(names: &[&String]) -> Vec<Arc<dyn Engine>> {
    let is_wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| *wanted == name);
    let with_keys: [(&str, Make); 2] = [("sight-lines", sight_lines), ("dh-psi-proven", dh_psi_proven)];
    let with_keys = with_keys.into_iter().filter(|(name, _)| is_wanted(name)).map(|(_, make)| make());
    with_keys.chain(engines::testing::all().into_iter().filter(|engine| is_wanted(engine.about().name))).collect()
}

fn ms(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e5).round() / 100.0
}

fn cost(cost: &Cost) -> Value {
    json!({
        "rounds": cost.rounds,
        "messages": cost.messages,
        "bytes": cost.opener_bytes + cost.other_bytes,
        "sender_bytes": cost.opener_bytes,
        "receiver_bytes": cost.other_bytes,
        "sender_cpu_ms": ms(cost.opener_cpu),
        "receiver_cpu_ms": ms(cost.other_cpu),
        "wall_ms": ms(cost.wall),
    })
}

fn row(name: &str, part: &str, cost: &Cost) -> String {
    format!(
        "{name:<14} {part:<7} {:>6} {:>8} {:>10} {:>10} {:>11.2} {:>11.2} {:>9.2}",
        cost.rounds,
        cost.messages,
        cost.opener_bytes,
        cost.other_bytes,
        ms(cost.opener_cpu),
        ms(cost.other_cpu),
        ms(cost.wall)
    )
}

fn rows(engine: &dyn Engine, measured: &Measurement) -> String {
    let parts = [("set-up", &measured.set_up), ("first", &measured.first), ("sight", &measured.sight)];
    parts.map(|(part, cost)| row(engine.about().name, part, cost)).join("\n")
}

fn record(engine: &dyn Engine, measured: &Measurement) -> Value {
    let about = engine.about();
    json!({
        "engine": about.name,
        "trust": match about.trust { Trust::Malicious => "malicious", Trust::SemiHonest => "semi-honest" },
        "caveat": about.caveat,
        "proven": about.claims.proven,
        "cheating_receiver": about.claims.cheating_receiver,
        "cheating_sender": about.claims.cheating_sender,
        "security": about.claims.security,
        "max_message": about.max_message,
        "set_up": cost(&measured.set_up),
        "first": cost(&measured.first),
        "sight": cost(&measured.sight),
        "longest_ms": ms(measured.longest),
        "positions": measured.positions,
    })
}

fn compare(arguments: &[String]) -> Result<(), Failure> {
    let is_json = arguments.iter().any(|argument| argument == "--json");
    let number = |name: &str| arguments.iter().skip_while(|argument| *argument != name).nth(1)?.parse::<usize>().ok();
    let count = number("--positions").unwrap_or(POSITIONS).clamp(1, POSITIONS);
    let limit = number("--seconds").map_or(Duration::MAX, |seconds| Duration::from_secs(seconds as u64));
    let is_name = |argument: &&String| argument.starts_with(|first: char| first.is_ascii_lowercase());
    let chosen = engines(&arguments.iter().filter(is_name).collect::<Vec<_>>());
    let positions = positions(count);
    let tell = |text: String| if is_json { eprintln!("{text}") } else { println!("{text}") };
    tell(format!(
        "{:<14} {:<7} {:>6} {:>8} {:>10} {:>10} {:>11} {:>11} {:>9}",
        "engine", "part", "rounds", "messages", "sender B", "receiver B", "sender ms", "receiver ms", "wall ms"
    ));
    let mut records = Vec::new();
    for engine in chosen {
        let Some(measured) = measure(&*engine, &positions, limit)? else { continue };
        tell(rows(&*engine, &measured));
        records.push(record(&*engine, &measured));
    }
    if is_json {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let all = json!({ "threads": threads, "engines": records });
        println!("{}", serde_json::to_string_pretty(&all).expect("plain values"));
    }
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match compare(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}
