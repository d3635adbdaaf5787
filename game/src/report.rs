//! What an audit and a replay have found, as JSON and in sentences: what `fogmate audit` prints, and what the audit page shows.

use crate::audit::{Audit, Finding, Unknown};
use crate::replay::{Replay, ReplayError};
use crate::{Ending, Mode};
use serde::Serialize;
use serde_json::{Value, json};

/// What an audit and a replay, or why there is none, leave unknown.
pub fn unknown(audit: &Audit, replay: Result<&Replay, &ReplayError>) -> Option<Unknown> {
    let of_replay = match replay {
        // A key may open a player's first move, which says whose it is, and not the others.
        Err(ReplayError::WrongViewKey(color)) => Some(Unknown::ViewKey(*color)),
        Err(_) => None,
        Ok(replay) => replay.belied.map(Unknown::Reason),
    };
    audit.unknown_after(replay.is_ok_and(Replay::ok)).or(of_replay)
}

/// How a game ended, for a program.
pub fn result(ending: Ending) -> Value {
    json!({ "winner": ending.color, "reason": ending.outcome.to_string() })
}

/// A game's audit and its replay, or why there is none.
pub fn report(audit: &Audit, replay: Result<&Replay, &ReplayError>) -> Value {
    let list = |findings: &[Finding]| -> Vec<String> { findings.iter().map(ToString::to_string).collect() };
    let outcome = audit.ending.map(result);
    let unknown = unknown(audit, replay).map(|unknown| unknown.to_string());
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

/// What an audit and a replay have found, for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Said {
    /// Whether the game is in order, without a full stop.
    pub verdict: &'static str,
    /// How much of the game was verified, and how it ended.
    pub summary: String,
    /// What is wrong with it, by the replay too.
    pub findings: Vec<String>,
    /// What nobody can know of it.
    pub unknown: Option<String>,
    /// Which view keys are missing, without which nobody sees both players' boards.
    pub no_boards: Option<String>,
}

impl Said {
    /// An audit and a replay, or why there is none, in sentences.
    pub fn of(audit: &Audit, replay: Result<&Replay, &ReplayError>) -> Self {
        let of_replay = replay.iter().flat_map(|replay| &replay.findings).map(|finding| format!("replay: {finding}"));
        let findings: Vec<String> = audit.findings.iter().map(ToString::to_string).chain(of_replay).collect();
        let unknown = unknown(audit, replay).map(|unknown| unknown.to_string());
        let verdict = match (findings.is_empty(), unknown.is_some()) {
            (false, _) if audit.is_of_transcript => "Not in order with this transcript",
            (false, _) => "Not in order",
            (true, true) => "In order, as far as can be known",
            (true, false) => "In order",
        };
        let no_boards = replay.err().filter(|why| matches!(why, ReplayError::NoViewKey(_) | ReplayError::NoViewKeys));
        let no_boards = no_boards.map(ToString::to_string);
        Self { verdict, summary: summary(audit), findings, unknown, no_boards }
    }
}

/// How much was verified, and how the game ended. What nobody can know is said elsewhere.
fn summary(audit: &Audit) -> String {
    let &Audit { plies, by_chain, proofs, by_nobody, claims, claims_by_chain, signed, .. } = audit;
    let mut sentences = Vec::new();
    sentences.push(match (audit.mode, plies) {
        (_, 0) if audit.unknown.is_some() => "No move is shown".to_owned(),
        (_, 0) => "No move was made".to_owned(),
        (Some(Mode::Unproven), _) => format!("{}, which neither the chain nor this audit verifies", moves(plies)),
        _ => {
            let all = if by_chain == plies { "each verified here and by the chain" } else { "each verified here" };
            let verified = match proofs {
                0 => "none of them verified here".to_owned(),
                _ if proofs == plies => all.to_owned(),
                _ => format!("{proofs} of them verified here"),
            };
            let unproven = if by_nobody > 0 { format!(", {by_nobody} without a proof") } else { String::new() };
            format!("{}, {verified}{unproven}", moves(plies))
        }
    });
    if signed > 0 && signed == plies.saturating_sub(by_chain) {
        sentences.push("Both players stand by all that went from machine to machine".to_owned());
    }
    if claims + claims_by_chain > 0 {
        let alone = if claims_by_chain > 0 { format!(", {claims_by_chain} by the chain alone") } else { String::new() };
        sentences.push(format!("Demands, demanded sights and claims: {claims} verified here{alone}"));
    }
    let end = audit.end();
    sentences.push(format!("{}{}{}", end[..1].to_uppercase(), &end[1..], audit.word_of_node()));
    if audit.is_of_transcript {
        sentences.push("What the chain has of the game is in order".to_owned());
    }
    format!("{}.", sentences.join(". "))
}

fn moves(count: u16) -> String {
    if count == 1 { "1 move".to_owned() } else { format!("{count} moves of the two players") }
}
