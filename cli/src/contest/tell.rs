//! What is said of a game of any kind: an end, a state, an audit, what was sent; in words and in JSON.

use client::contest::{Audited, Done, Latest, Proven};
use client::lobby::in_ether;
use contest::{Ending, Outcome, Role, Status, Terms};
use game::clock_time;
use serde_json::{Value, json};

use super::{Played, Standing, View};
use crate::words;

fn outcome<G: Played>(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Cancelled => "cancelled",
        Outcome::Won => G::WON,
        Outcome::Drawn => "drawn",
        Outcome::Resigned => "resigned",
        Outcome::TimedOut => "timed out",
    }
}

/// A value with further fields.
pub fn with(mut value: Value, more: Value) -> Value {
    if let (Value::Object(fields), Value::Object(more)) = (&mut value, more) {
        fields.extend(more);
    }
    value
}

/// An event of a turn as a line of JSON.
pub fn event<G: Played>(name: &str, turn: u64) -> Value {
    let (field, number) = G::turn_field(turn);
    json!({ "event": name, field: number })
}

/// An end as a line of JSON.
pub fn ended<G: Played>(ending: &Ending) -> Value {
    json!({ "event": "over", "winner": ending.winner.map(Role::name), "outcome": outcome::<G>(ending.outcome) })
}

/// An end in words, from the view of one player or of none.
pub fn end<G: Played>(view: &G::View, ending: &Ending, me: Option<Role>) -> String {
    let is_loser = me.is_some() && ending.winner != me;
    let other = ending.winner.filter(|_| me.is_none()).map_or("opponent", |winner| winner.other().name());
    let how = match (ending.outcome, is_loser) {
        (Outcome::Cancelled, _) => return "The game was cancelled.".to_owned(),
        (Outcome::Won | Outcome::Drawn, _) => return view.ended(ending, me),
        (Outcome::Resigned, true) => "you have resigned".to_owned(),
        (Outcome::Resigned, false) => format!("the {other} has resigned"),
        (Outcome::TimedOut, true) => "you have let your time pass".to_owned(),
        (Outcome::TimedOut, false) => format!("the {other} has let its time pass"),
    };
    format!("{}: {how}.", winner(ending, me))
}

/// Who has won, in words.
pub fn winner(ending: &Ending, me: Option<Role>) -> String {
    match (ending.winner, me) {
        (Some(winner), Some(me)) if winner == me => "You win".to_owned(),
        (Some(_), Some(_)) => "The opponent wins".to_owned(),
        (Some(winner), None) => format!("The {} wins", winner.name()),
        (None, _) => "Nobody wins".to_owned(),
    }
}

/// Whether a stake, an own one or both, is the player's at the end.
pub fn is_owed(ending: &Ending, me: Option<Role>) -> bool {
    match ending.outcome {
        Outcome::Drawn => me.is_some(),
        Outcome::Cancelled => me == Some(Role::Creator),
        Outcome::Won | Outcome::Resigned | Outcome::TimedOut => me.is_some() && ending.winner == me,
    }
}

/// What the players agree on, in words.
pub fn described<G: Played>(terms: &Terms<G::Setup>) -> String {
    let (setup, stake, time) = (G::described(&terms.setup), in_ether(terms.stake), clock_time(terms.turn.into()));
    format!("{setup}a stake of {stake} ETH each, {time} for each {}", G::ACTION.name)
}

/// What proofs took, in JSON.
pub fn proofs(proven: &Proven) -> Value {
    json!({ "proofs": proven.proofs, "seconds": proven.seconds })
}

/// The contract's function by which time is claimed.
const CLAIM: &str = "claimTimeout";

/// What was sent, as a line of JSON and in words.
pub fn mined<G: Played>(done: &Done, me: Option<Role>) -> (Value, String) {
    let Done { name, turn, proven, receipt } = done;
    let sent = json!({
        "action": name, "by": me.map(Role::name), "gas": receipt.gas_used, "fee_wei": receipt.fee.to_string(),
        "calldata_bytes": receipt.calldata_bytes, "transaction": receipt.transaction,
    });
    let paid = cost(proven.proofs, proven.seconds, &words::cost(receipt.gas_used, receipt.fee));
    let what = if *name == CLAIM { "a claim of the opponent's time" } else { name };
    (with(with(event::<G>("mined", *turn), sent), proofs(proven)), format!("Sent: {what} ({paid})."))
}

/// What was sent, in words: proofs, and what the transaction cost.
fn cost(proofs: u32, seconds: f64, transaction: &str) -> String {
    match proofs {
        0 => transaction.to_owned(),
        1 => format!("1 proof in {seconds:.1} s, {transaction}"),
        n => format!("{n} proofs in {seconds:.1} s, {transaction}"),
    }
}

/// A game's public state: JSON and words; `now` is the chain's time.
pub fn status<G: Played>(latest: &Latest<G>, now: u64) -> (Value, String) {
    let Latest { is_open, is_playing, stake, turn, deadline, creator, joiner, winner, outcome: end, .. } = latest;
    let Standing { value, setup, place, due, after } = G::standing(latest);
    let state = match (is_open, is_playing) {
        (true, _) => "open",
        (_, true) => "in play",
        _ => "over",
    };
    let shared = json!({
        "state": state, "stake_wei": stake.to_string(), "turn": turn,
        "deadline": (state != "over").then_some(deadline), "creator": creator, "joiner": joiner, "winner": winner,
        "outcome": end.map(outcome::<G>),
    });
    let mut value = with(value, shared);
    if state != "in play" {
        value["waits_for"] = Value::Null;
    }
    let (left, is_late) = (clock_time(deadline.saturating_sub(now)), now > *deadline);
    let what = match (state, is_late) {
        ("open", true) => "nobody has joined in time".to_owned(),
        ("open", false) => format!("waits for an opponent, {left} more"),
        ("in play", true) => format!("{place}{due} is overdue"),
        ("in play", false) => format!("{place}waits for {due}, {left} left"),
        _ => {
            let who = winner.map(|winner| if winner == *creator { "creator" } else { "joiner" });
            let who = who.map_or_else(String::new, |who| format!(": the {who} has won"));
            format!("over, {} {after}{who}", end.map_or("ended", outcome::<G>))
        }
    };
    let (stake, time, action) = (in_ether(*stake), clock_time((*turn).into()), G::ACTION.name);
    (value, format!("{setup}{stake} ETH each, {time} for each {action}; {what}"))
}

/// An audit: JSON and words.
pub fn audited<G: Played>(found: &Audited<G>) -> (Value, String) {
    let Audited { table, fault, said, .. } = found;
    let fault = fault.map(|(index, fault)| format!("record {index}: {fault}"));
    let (is_in_order, ends_right) = (found.is_in_order(), found.ends_right());
    let shared = json!({
        "ok": is_in_order, "game": table.game_id(), "result": said.as_ref().map(ended::<G>), "fault": fault,
        "ends_right": ends_right,
    });
    let (value, what) = G::audited(found);
    let mut words = format!("{}: {what}", if is_in_order { "in order" } else { "NOT in order" });
    if let Some(fault) = fault {
        words += &format!("; {fault}");
    }
    if !ends_right {
        words += "; the end that the contract tells is not the one that the records lead to";
    }
    let end = match (said, table.status()) {
        (Some(ending), _) => end::<G>(&G::View::default(), ending, None),
        (None, Status::Open) => "Nobody has joined it yet.".to_owned(),
        (None, _) => "The game goes on.".to_owned(),
    };
    (with(value, shared), format!("{words}. {end}"))
}
