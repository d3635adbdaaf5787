//! What is said of a game: an event, an end, a state; in words and in JSON.

use alloy::primitives::Address;
use client::lobby::in_ether;
use client::tag::{Done, Latest, News, What};
use game::clock_time;
use serde_json::{Value, json};
use tag::{Ending, Kind, Outcome, Phase, Role, Square};

/// A role in JSON and in words.
pub fn name(role: Role) -> &'static str {
    match role {
        Role::Creator => "creator",
        Role::Joiner => "joiner",
    }
}

fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Cancelled => "cancelled",
        Outcome::Captured => "captured",
        Outcome::Drawn => "drawn",
        Outcome::Resigned => "resigned",
        Outcome::TimedOut => "timed out",
    }
}

/// The name of a square in JSON.
fn square(square: Option<Square>) -> Value {
    square.map_or(Value::Null, |square| square.to_string().into())
}

/// News as a line of JSON.
pub fn as_json(news: &News, me: Option<Role>) -> Value {
    let by = news.by.map(name);
    let mut value = match news.what {
        What::TakenBack => json!({ "event": "taken-back" }),
        What::Joined => json!({ "event": "joined", "by": by }),
        What::Stepped { ply, commitment, set } => {
            json!({ "event": "stepped", "ply": ply, "by": by, "commitment": commitment, "set": set })
        }
        What::Replied { ply } => json!({ "event": "replied", "ply": ply, "by": by }),
        What::Over(ending) => {
            json!({ "event": "over", "winner": ending.winner.map(name), "outcome": outcome(ending.outcome) })
        }
    };
    if news.by == me && me.is_some() {
        value["square"] = square(news.square);
    }
    if let Some(seen) = news.sees {
        value["sees"] = square(seen);
    }
    if !news.is_shown {
        value["verified"] = "by the contract alone".into();
    }
    value
}

/// News in a sentence, from the view of one player; `seen` is where it last saw the opponent's king.
pub fn in_words(news: &News, me: Option<Role>, seen: Option<Square>, plies: u16) -> String {
    let is_own = news.by == me;
    let sight = match news.sees {
        None => String::new(),
        Some(None) => " You see nobody.".to_owned(),
        Some(Some(square)) if matches!(news.what, What::Stepped { .. }) => {
            format!(" You see its king on {square}, and it is your turn: you capture it.")
        }
        Some(Some(square)) => format!(" You see its king on {square}, and it is its turn: it can capture yours."),
    };
    let trust = if news.is_shown { "" } else { " (Sent through another contract: verified by the chain alone.)" };
    let king = news.square.map_or_else(|| "nowhere".to_owned(), |square| square.to_string());
    match news.what {
        What::TakenBack => "The chain has taken something back; this is what stands:".to_owned(),
        What::Joined => format!(
            "Both players are there: your king is on {king}, the other one in the opposite corner. Drawn after {plies} plies.{trust}"
        ),
        What::Stepped { ply, .. } if is_own => format!("Ply {ply}: your king steps to {king}."),
        What::Stepped { ply, .. } => format!("Ply {ply}: the opponent has stepped.{sight}{trust}"),
        What::Replied { ply } if is_own => format!("Ply {ply}: your reply is on the chain."),
        What::Replied { ply } => format!("Ply {ply}: the opponent has replied.{sight}{trust}"),
        What::Over(ending) => over(&ending, me, seen, news.square),
    }
}

/// An end in words.
fn over(ending: &Ending, me: Option<Role>, seen: Option<Square>, own: Option<Square>) -> String {
    let on = |square: Option<Square>| square.map_or_else(String::new, |square| format!(" on {square}"));
    let (own, seen) = (on(own), on(seen));
    match (ending.outcome, ending.winner == me) {
        (Outcome::Cancelled, _) => "The game was cancelled.".to_owned(),
        (Outcome::Drawn, _) => "Drawn: all plies are made, and nobody was caught.".to_owned(),
        (Outcome::Captured, true) => format!("You win: your king{own} has caught the opponent's{seen}."),
        (Outcome::Captured, false) => format!("The opponent wins: its king{seen} has caught yours{own}."),
        (Outcome::Resigned, true) => "You win: the opponent has resigned.".to_owned(),
        (Outcome::Resigned, false) => "The opponent wins: you have resigned.".to_owned(),
        (Outcome::TimedOut, true) => "You win: the opponent has let its time pass.".to_owned(),
        (Outcome::TimedOut, false) => "The opponent wins: you have let your time pass.".to_owned(),
    }
}

/// What a kind of action is called.
pub fn action(kind: Kind) -> &'static str {
    match kind {
        Kind::Join => "join",
        Kind::Step => "step",
        Kind::Reply => "reply",
        Kind::Capture => "capture",
        Kind::Settle => "settle",
        Kind::Resign => "resign",
        Kind::ClaimTimeout => "claimTimeout",
        Kind::Cancel => "cancel",
    }
}

/// What was sent, as a line of JSON.
pub fn mined(done: &Done, me: Option<Role>) -> Value {
    let Done { kind, ply, proven, receipt } = done;
    json!({
        "event": "mined", "action": action(*kind), "ply": ply, "by": me.map(name), "proofs": proven.proofs,
        "seconds": proven.seconds, "gas": receipt.gas_used, "fee_wei": receipt.fee.to_string(),
        "calldata_bytes": receipt.calldata_bytes, "transaction": receipt.transaction,
    })
}

/// What was sent, in words: proofs, and what the transaction cost.
pub fn cost(proofs: u64, seconds: f64, transaction: &str) -> String {
    match proofs {
        0 => transaction.to_owned(),
        1 => format!("1 proof in {seconds:.1} s, {transaction}"),
        n => format!("{n} proofs in {seconds:.1} s, {transaction}"),
    }
}

fn waits_for(latest: &Latest) -> &'static str {
    let creator_moves = latest.ply.is_multiple_of(2);
    match (latest.phase, creator_moves) {
        (Some(Phase::Step), true) => "the creator's step",
        (Some(Phase::Step), false) => "the joiner's step",
        (Some(Phase::Reply), true) => "the joiner's reply",
        (Some(Phase::Reply), false) => "the creator's reply",
        (Some(Phase::Last), true) => "the creator to capture or settle",
        (Some(Phase::Last), false) => "the joiner to capture or settle",
        (None, _) => "nothing",
    }
}

/// A game's public state: JSON and words; `now` is the chain's time.
pub fn status(latest: &Latest, now: u64) -> (Value, String) {
    let Latest { is_open, phase, ply, plies, side, stake, deadline, creator, joiner, winner, outcome: end } = latest;
    let state = match (is_open, phase) {
        (true, _) => "open",
        (false, Some(_)) => "in play",
        (false, None) => "over",
    };
    let value = json!({
        "state": state, "waits_for": phase.map(|_| waits_for(latest)), "ply": ply, "plies": plies, "grid": side,
        "stake_wei": stake.to_string(), "deadline": (state != "over").then_some(deadline), "creator": creator,
        "joiner": joiner, "winner": winner, "outcome": end.map(outcome),
    });
    let left = clock_time(deadline.saturating_sub(now));
    let is_late = now > *deadline;
    let what = match (is_open, phase) {
        (true, _) if is_late => "nobody has joined in time".to_owned(),
        (true, _) => format!("waits for an opponent, {left} more"),
        (false, Some(_)) if is_late => format!("ply {ply} of {plies}: {} is overdue", waits_for(latest)),
        (false, Some(_)) => format!("ply {ply} of {plies}: waits for {}, {left} left", waits_for(latest)),
        (false, None) => ended(latest),
    };
    (value, format!("{side}x{side}, {} ETH each; {what}", in_ether(*stake)))
}

fn ended(latest: &Latest) -> String {
    let how = latest.outcome.map_or("over", outcome);
    let who = |winner: &Address| if *winner == latest.creator { "creator" } else { "joiner" };
    match &latest.winner {
        Some(winner) => format!("over, {how} at ply {}: the {} has won", latest.ply, who(winner)),
        None => format!("over, {how}"),
    }
}
