//! `fogmate demo`: a whole game on this machine, for everybody to see (the front door of the project).

use std::path::PathBuf;

use clap::Args as ClapArgs;
use deploy::Repository;
use deploy::anvil::Hardfork;
use eyre::{Result, bail};
use game::Mode;

use crate::cache::of_clone;
use crate::demo::cheat::{self, Scene};
use crate::demo::{Demo, DemoReport, built_in, play};
use crate::engine::EngineArgs;
use crate::failure::bad_input;
use crate::files::{begin_report, write_report};
use crate::process::Signals;
use crate::script::Script;
use crate::terms;

/// Play a whole game between two processes on a local chain, every move proven
///
/// Starts Anvil on a free port, deploys, funds two wallets, and starts two players, which share nothing but the chain and
/// a network link. Tells every ply: the move, both players' boards, proof times, bytes and gas. Then audits the game from
/// the chain alone, publishes the view keys, and replays it as PGN. Uses development parameters, for which everybody can
/// forge proofs: nothing of it is for real stakes.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The game to play: one JSON object with `moves`, a list of UCI strings [default: a short game of our own]
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    #[command(flatten)]
    engine: EngineArgs,
    /// Cut the link between the players for good before this ply: the game goes on through the chain alone
    #[arg(long, value_name = "PLY", value_parser = terms::ply, allow_hyphen_values = true)]
    cut_link: Option<u16>,
    /// Who verifies the proofs of moves: `verified`, the chain with each move; `channel`, the opponent's machine [default: verified; an engine
    /// without proofs has none]
    #[arg(long, value_name = "MODE", value_parser = terms::mode)]
    mode: Option<Mode>,
    /// The rules of the local chain, on which gas depends: `prague` or `osaka`
    #[arg(long, value_name = "NAME", default_value = "prague", value_parser = hardfork)]
    hardfork: Hardfork,
    /// Play a Bob who cheats, in every way there is or in one, and see what becomes of it: `illegal`, `lie`, `withheld`, `silence`,
    /// `fifty`, `replay` or `wake`
    #[arg(long, value_name = "SCENE", num_args = 0..=1, hide_possible_values = true, conflicts_with_all = ["script", "engine", "cut_link", "mode", "hardfork"])]
    cheat: Option<Option<Scene>>,
    /// Write a report in JSON
    #[arg(long, value_name = "OUT")]
    json: Option<PathBuf>,
    /// The folder with parameters and keys [default: .cache/fogmate in the repository]
    #[arg(long, env = "FOGMATE_CACHE", value_name = "DIR")]
    cache: Option<PathBuf>,
}

pub async fn run(args: &Args) -> Result<()> {
    let demo = if args.cheat.is_some() { None } else { Some(demo(args)?) };
    let out = begin_report(args.json.as_deref())?;
    let mut signals = Signals::new()?;
    // Whichever way a game is left, dropping it ends all processes.
    match demo {
        None => {
            let repository = Repository::find_here().map_err(bad_input)?;
            let cache = args.cache.clone().unwrap_or_else(|| of_clone(&repository));
            let scenes = cheat::play(args.cheat.flatten(), &repository, cache);
            write_report(out, &signals.during(Box::pin(scenes)).await?)
        }
        Some(demo) => {
            let report = signals.during(Box::pin(play(demo))).await?;
            write_report(out, &report)?;
            judge(&report)
        }
    }
}

/// What is to be played.
fn demo(args: &Args) -> Result<Demo> {
    let script = args.script.as_deref().map_or_else(|| Ok(built_in()), Script::read)?;
    script.check().map_err(bad_input)?;
    let plies = script.uci().len();
    if let Some(cut) = args.cut_link.filter(|cut| usize::from(*cut) >= plies) {
        let last = plies.saturating_sub(1);
        return Err(bad_input(format!("the game has no ply {cut}: say a ply from 0 to {last} with --cut-link")));
    }
    let engine = args.engine.kind();
    if let Some(about) = engine.about() {
        let name = about.name;
        if args.cut_link.is_some() {
            return Err(bad_input(format!("a game of {name} needs the link: its sights don't go through the chain")));
        }
        if let Some(mode) = args.mode {
            return Err(bad_input(format!("{name} proves no moves, so that none can be {mode}: leave --mode out")));
        }
    }
    let by_engine = if engine.about().is_some() { Mode::Unproven } else { Mode::Verified };
    let mode = args.mode.unwrap_or(by_engine);
    let repository = Repository::find_here().map_err(bad_input)?;
    let cache = args.cache.clone().unwrap_or_else(|| of_clone(&repository));
    let Args { cut_link, hardfork, .. } = *args;
    Ok(Demo { script, repository, cache, engine, cut_link, mode, hardfork })
}

/// A hardfork by its name.
fn hardfork(text: &str) -> Result<Hardfork, String> {
    let found = Hardfork::ALL.into_iter().find(|hardfork| hardfork.name() == text);
    found.ok_or_else(|| format!("{text:?} is not {}", Hardfork::ALL.map(Hardfork::name).join(" or ")))
}

fn judge(report: &DemoReport) -> Result<()> {
    if !report.audit.ok {
        bail!("the audit found something wrong");
    }
    if !report.replay.matches_script {
        bail!("the replayed game is not the one of the script");
    }
    Ok(())
}
