//! `fogmate audit`: a game checked from the chain alone, and replayed once both view keys are published (protocol, section
//! 9). No wallet is needed.

use alloy::primitives::B256;
use circuits::TurnCircuit;
use clap::Args as ClapArgs;
use client::chain::Chain;
use eyre::{Result, bail};
use game::Mode;
use game::audit::{Audit, Finding, audit};
use game::replay::{Replay, ReplayError, replay};
use prover::Verifier;
use serde_json::json;

use crate::home::{HomeArgs, game_id};
use crate::keys::{KeyArgs, turn_verifier};
use crate::node::NodeArgs;
use crate::output::{note, say};

/// Check a game from the chain alone
///
/// Verifies every turn proof with the verifying key, and that turns, commitments and contexts follow on. If both players
/// have published their view keys the whole game is replayed by the rules and its PGN printed. Ends with exit code 1 if
/// anything is wrong.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The game's id, or the start of one that this machine knows
    game: String,
    #[command(flatten)]
    home: HomeArgs,
    #[command(flatten)]
    node: NodeArgs,
    #[command(flatten)]
    keys: KeyArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What was found of a game.
pub struct Findings {
    /// The audit.
    pub audit: Audit,
    /// The replay, or why there is none.
    pub replay: Result<Replay, ReplayError>,
}

/// Runs the command.
pub async fn run(args: &Args) -> Result<()> {
    let home = args.home.home()?;
    let known = home.find(&args.game)?;
    let id = game_id(known.as_ref(), &args.game)?;
    let (chain, deployment) = args.node.connect(known.as_ref(), None).await?;
    let mut verifier = None;
    if chain.game(id).await?.terms.mode.has_proofs() {
        let parameters = args.keys.parameters(&deployment)?;
        let cache = args.keys.cache(home.cache());
        let made = tokio::task::spawn_blocking(move || turn_verifier(&parameters, &cache, &deployment)).await??;
        verifier = Some(made);
    }
    let findings = examine(&chain, id, verifier.as_ref()).await?;
    if args.json {
        say!("{}", as_json(&findings))?;
    } else {
        print(&findings)?;
    }
    if !findings.audit.ok || findings.replay.as_ref().is_ok_and(|replay| !replay.ok()) {
        bail!("the game is not in order");
    }
    Ok(())
}

/// Reads a game from the chain and checks it. A game without proofs needs no verifier.
pub async fn examine(chain: &Chain, id: B256, verifier: Option<&Verifier<TurnCircuit>>) -> Result<Findings> {
    let records = chain.records(id).await?;
    let game = chain.game_ref(id);
    // Verifying takes milliseconds a move.
    let audit = audit(game, &records, |public, proof| match verifier {
        Some(verifier) => verifier.verify(public, proof).map_err(|error| error.to_string()),
        None => Err("there is no verifying key".to_owned()),
    });
    Ok(Findings { audit, replay: replay(game, &records) })
}

fn as_json(findings: &Findings) -> serde_json::Value {
    let Findings { audit, replay } = findings;
    let list = |findings: &[Finding]| -> Vec<String> { findings.iter().map(ToString::to_string).collect() };
    let outcome = audit.ending.map(
        |ending| json!({ "winner": ending.color.map(|color| color.to_string()), "reason": ending.outcome.to_string() }),
    );
    let replay = match replay {
        Ok(replay) => json!({
            "ok": replay.ok(), "moves": replay.uci(), "pgn": replay.pgn(), "findings": list(&replay.findings),
        }),
        Err(error) => json!({ "ok": null, "why": error.to_string() }),
    };
    json!({
        "ok": audit.ok, "mode": audit.mode.map(|mode| mode.to_string()), "plies": audit.plies, "by_chain": audit.by_chain, "proofs": audit.proofs, "by_nobody": audit.by_nobody, "result": outcome,
        "findings": list(&audit.findings), "replay": replay,
    })
}

fn print(findings: &Findings) -> Result<()> {
    say!("{}", summary(&findings.audit))?;
    for finding in &findings.audit.findings {
        say!("  {finding}")?;
    }
    match &findings.replay {
        Ok(replay) => {
            for finding in &replay.findings {
                say!("  replay: {finding}")?;
            }
            say!("\n{}", replay.pgn())?;
        }
        Err(error) => note!("no replay: {error}"),
    }
    Ok(())
}

/// The audit in a line.
pub fn summary(audit: &Audit) -> String {
    let verdict = if audit.ok { "in order" } else { "NOT in order" };
    let Audit { plies, proofs, by_chain, by_nobody, .. } = audit;
    let end = audit.ending.map_or_else(
        || "the game goes on".to_owned(),
        |ending| match ending.color {
            Some(color) => format!("{color} won, {}", ending.outcome),
            None => ending.outcome.to_string(),
        },
    );
    if audit.mode == Some(Mode::Unproven) {
        return format!(
            "{verdict} as far as can be seen: UNPROVEN, {plies} plies that nobody has proven or verified; {end}"
        );
    }
    format!(
        "{verdict}: {plies} plies; {by_chain} verified by the chain when they were made, {proofs} verified now, {by_nobody} by \
         nobody; {end}"
    )
}
