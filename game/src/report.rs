//! What an audit and a replay have found, as JSON: what `fogmate audit --json` prints, and what the audit page shows.

use crate::audit::{Audit, Finding};
use crate::replay::{Replay, ReplayError};
use serde_json::{Value, json};

/// A game's audit and its replay, or why there is none.
pub fn report(audit: &Audit, replay: Result<&Replay, &ReplayError>) -> Value {
    let list = |findings: &[Finding]| -> Vec<String> { findings.iter().map(ToString::to_string).collect() };
    let outcome = audit.ending.map(
        |ending| json!({ "winner": ending.color.map(|color| color.to_string()), "reason": ending.outcome.to_string() }),
    );
    let unknown = audit.unknown_after(replay.is_ok_and(Replay::ok)).map(|unknown| unknown.to_string());
    let replay = match replay {
        Ok(replay) => json!({
            "ok": replay.ok(), "moves": replay.uci(), "pgn": replay.pgn(), "findings": list(&replay.findings),
        }),
        Err(error) => json!({ "ok": null, "why": error.to_string() }),
    };
    json!({
        "ok": audit.ok, "mode": audit.mode.map(|mode| mode.to_string()), "plies": audit.plies, "by_chain": audit.by_chain, "proofs": audit.proofs,
        "by_nobody": audit.by_nobody, "claims": audit.claims, "claims_by_chain": audit.claims_by_chain, "signed": audit.signed, "unshown": audit.unshown, "untimed": audit.untimed, "unknown": unknown, "result": outcome, "end": audit.end(), "word_of_node": audit.word_of_node(), "findings": list(&audit.findings), "replay": replay,
    })
}
