//! Measures every engine on the same 200 positions, of test/data/positions.jsonl, and prints a table; with `--json` the table goes to
//! the standard error and the same as JSON, with what the engines say of themselves, to the standard output. Sight-lines
//! stands beside them with native checks in place of its proofs, whose times are the prover's bench's.
//!
//! `compare [--json] [--positions N] [NAME…]`: the engines named, or all.

use engines::measure::{Cost, Failure, Measurement, measure};
use fog::{
    engine::{Engine, SightLines, Trust},
    testing::NativeProofs,
};
use rules::Position;
use serde_json::{Value, json};
use std::{process::ExitCode, sync::Arc, time::Duration};

const POSITIONS: usize = 200;
const DATA: &str = include_str!("../../test/data/positions.jsonl");

/// Positions taken evenly from those of the tests.
fn positions(count: usize) -> Vec<Position> {
    let lines: Vec<&str> = DATA.lines().collect();
    let places = (0..count.min(lines.len())).map(|place| lines[place * lines.len() / count]);
    let records = places.map(|line| serde_json::from_str::<Value>(line).expect("a record"));
    let position = |record: Value| Position::from_fen(record["fen"].as_str().unwrap_or_default());
    records.map(|record| position(record).expect("a position")).collect()
}

fn engines() -> Vec<Arc<dyn Engine>> {
    let mut engines: Vec<Arc<dyn Engine>> = vec![Arc::new(SightLines::new(Arc::new(NativeProofs)))];
    engines.extend(engines::all());
    engines
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
        "max_message": about.max_message,
        "set_up": cost(&measured.set_up),
        "first": cost(&measured.first),
        "sight": cost(&measured.sight),
        "longest_ms": ms(measured.longest),
    })
}

fn compare(arguments: &[String]) -> Result<(), Failure> {
    let is_json = arguments.iter().any(|argument| argument == "--json");
    let count = arguments.iter().skip_while(|argument| *argument != "--positions").nth(1);
    let count = count.and_then(|count| count.parse().ok()).unwrap_or(POSITIONS).clamp(1, POSITIONS);
    let mut chosen = engines();
    let is_named = |name: &str| arguments.iter().any(|argument| argument == name);
    if chosen.iter().any(|engine| is_named(engine.about().name)) {
        chosen.retain(|engine| is_named(engine.about().name));
    }
    let positions = positions(count);
    let tell = |text: String| if is_json { eprintln!("{text}") } else { println!("{text}") };
    tell(format!(
        "{:<14} {:<7} {:>6} {:>8} {:>10} {:>10} {:>11} {:>11} {:>9}",
        "engine", "part", "rounds", "messages", "sender B", "receiver B", "sender ms", "receiver ms", "wall ms"
    ));
    let mut records = Vec::new();
    for engine in chosen {
        let measured = measure(&*engine, &positions)?;
        tell(rows(&*engine, &measured));
        records.push(record(&*engine, &measured));
    }
    if is_json {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let all = json!({ "positions": positions.len(), "threads": threads, "engines": records });
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
