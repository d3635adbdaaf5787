//! Measures every engine on the same 200 positions, of test/data/positions.jsonl, and prints what each sight cost as JSON, with what the engines say
//! of themselves. Sight-lines proves its answers and dh-psi-proven its sets with development keys, as a game does; the proof of a move, which other
//! engines lack, belongs to no sight and isn't in it. The sights of andos-chained are those of a game, since each board is proven from the one before.
//!
//! `compare [--positions N] [--seconds S] [NAME…]`: the engines named, or all; of each as many positions as begin within S seconds,
//! taken so that any number of them is spread over all.

use client::runtime::{KeyProver, Parameters};
use engines::alone::{Failure, Scene};
use engines::andos::Andos;
use engines::testing::measure::{Cost, Measurement, game as game_of, measure};
use fog::engine::{Engine, SightLines, Trust};
use prover::{NoProgress, SetKeys};
use rules::{Move, Position};
use serde_json::{Value, json};
use std::{path::Path, process::ExitCode, sync::Arc, time::Duration};

const POSITIONS: usize = 200;
/// A step through 200 positions that meets each once and the neighbours late.
const STRIDE: usize = 61;
const DATA: &str = include_str!("../data/positions.jsonl");
const GAMES: &str = include_str!("../data/games.jsonl");
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
    let prover = KeyProver::load_or_make(&Parameters::Development, Path::new(CACHE), &NoProgress);
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
    let others = engines::testing::all().into_iter().chain([Arc::new(Andos::CHAINED) as Arc<dyn Engine>]);
    with_keys.chain(others.filter(|engine| is_wanted(engine.about().name))).collect()
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
        "sights": measured.sights.iter().map(cost).collect::<Vec<_>>(),
    })
}

/// What an engine is measured on: positions, or a game where each exchange must follow the one before.
fn scenes(engine: &dyn Engine, positions: &[Position]) -> Vec<Scene> {
    if engine.about().name != Andos::CHAINED.about.name {
        return positions.iter().zip(0..).map(|(position, salt)| Scene::at(position, salt)).collect();
    }
    let game: Value = GAMES.lines().last().and_then(|line| serde_json::from_str(line).ok()).expect("a game");
    let moves = game["moves"].as_array().expect("moves").iter();
    game_of(&moves.map(|mv| mv.as_str().and_then(|mv| mv.parse().ok()).expect("a move")).collect::<Vec<Move>>())
}

fn compare(arguments: &[String]) -> Result<(), Failure> {
    let number = |name: &str| arguments.iter().skip_while(|argument| *argument != name).nth(1)?.parse::<usize>().ok();
    let count = number("--positions").unwrap_or(POSITIONS).clamp(2, POSITIONS);
    let limit = number("--seconds").map_or(Duration::MAX, |seconds| Duration::from_secs(seconds as u64));
    let is_name = |argument: &&String| argument.starts_with(|first: char| first.is_ascii_lowercase());
    let chosen = engines(&arguments.iter().filter(is_name).collect::<Vec<_>>());
    let positions = positions(count);
    let mut records = Vec::new();
    for engine in chosen {
        eprintln!("{} …", engine.about().name);
        let measured = measure(&*engine, &scenes(&*engine, &positions), limit)?;
        records.extend(measured.map(|measured| record(&*engine, &measured)));
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let all = json!({ "threads": threads, "engines": records });
    println!("{}", serde_json::to_string_pretty(&all).expect("plain values"));
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
