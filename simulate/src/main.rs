//! `make simulate`: plays drawn games on all cores until their number or the time is up, and ends with one line of counts. A broken promise
//! ends it with the seed and the number of the game, by which exactly that game is played again.

use clap::Parser;
use rand::Rng;
use simulate::run::{Counts, Failure, play};
use simulate::tell;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Games of two seats in bad weather, from a seed.
#[derive(Parser)]
struct Arguments {
    /// How many games are played.
    #[arg(long, env = "GAMES", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// What everything is drawn from; without it a fresh one.
    #[arg(long, env = "SEED")]
    seed: Option<u64>,
    /// Plays this game alone, and prints each of its steps.
    #[arg(long, env = "GAME")]
    game: Option<u64>,
    /// Plays until so many minutes are over, however many games that are.
    #[arg(long, env = "MINUTES", value_parser = minutes)]
    minutes: Option<Duration>,
}

/// Minutes, parts of one too.
fn minutes(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().map(|minutes| 60.0 * minutes);
    let time = seconds.ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.filter(|time| !time.is_zero()).ok_or_else(|| "say a number of minutes above zero".to_owned())
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let seed = arguments.seed.unwrap_or_else(|| rand::thread_rng().r#gen());
    tell!("seed {seed}");
    let begun = Instant::now();
    let played = match arguments.game {
        Some(number) => play(seed, number, true),
        None => play_all(seed, &arguments, begun),
    };
    match played {
        Ok(counts) => {
            let minutes = begun.elapsed().as_secs_f64() / 60.0;
            let mean = counts.plies as f64 / counts.games.max(1) as f64;
            tell!("{counts}, {mean:.1} plies a game, {:.0} games a minute, seed {seed}", counts.games as f64 / minutes);
            ExitCode::SUCCESS
        }
        Err(failure) => {
            tell!("{failure}");
            ExitCode::FAILURE
        }
    }
}

/// Plays games on all cores; each takes the next number.
fn play_all(seed: u64, arguments: &Arguments, begun: Instant) -> Result<Counts, Failure> {
    let until = arguments.minutes;
    let games = if until.is_some() { u64::MAX } else { arguments.games };
    let (next, is_broken) = (AtomicU64::new(0), AtomicBool::new(false));
    let all = Mutex::new(Ok(Counts::default()));
    let work = || {
        let mut counts = Counts::default();
        while !is_broken.load(Ordering::Relaxed) && until.is_none_or(|until| begun.elapsed() < until) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= games {
                break;
            }
            match play(seed, number, false) {
                Ok(game) => counts += game,
                Err(failure) => {
                    is_broken.store(true, Ordering::Relaxed);
                    // Of several the one that comes first.
                    let mut all = all.lock().expect("nothing panics while it is held");
                    if all.as_ref().err().is_none_or(|known: &Failure| known.number > failure.number) {
                        *all = Err(failure);
                    }
                    return;
                }
            }
        }
        if let Ok(all) = &mut *all.lock().expect("nothing panics while it is held") {
            *all += counts;
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..cores).for_each(|_| drop(scope.spawn(work))));
    all.into_inner().expect("nothing panics while it is held")
}
