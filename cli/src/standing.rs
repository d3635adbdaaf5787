//! How a game stands for its player, in sentences and as JSON: what `fogmate recover` tells.

use std::time::Instant;

use client::chain::MoveUnderWay;
use client::lobby::{Owed, Standing};
use game::{Demand, Notice, Phase, clock_time, move_name};
use serde_json::{Value, json};
use tui::Clocks;

use crate::clocks;
use crate::hint::hint;

/// In sentences, one a line.
pub fn in_words(standing: &Standing) -> String {
    let mut lines = vec![who(standing)];
    lines.extend(where_it_is(standing));
    lines.extend(clocks_of(standing));
    lines.extend(standing.demands().iter().map(|(demand, own)| demanded(demand, *own, standing.now)));
    lines.extend(standing.fifty().map(|(own, deadline)| claimed(own, within(deadline, standing.now))));
    lines.extend(standing.owed().iter().map(owed));
    lines.extend(under_way(standing));
    lines.extend(next(standing));
    lines.join("\n")
}

/// As one JSON object.
pub fn as_json(standing: &Standing) -> Value {
    let phase = |phase: Phase| if phase == Phase::Pre { "pre" } else { "post" };
    let play = standing.table.playing();
    let demands = standing.demands().into_iter().map(|(Demand { demanded, deadline, .. }, own)| {
        json!({ "ply": demanded.ply, "phase": phase(demanded.phase), "own": own, "deadline": deadline })
    });
    let owed = standing.owed().into_iter().map(|owed| match owed {
        Owed::Points { ply } => json!({ "what": "points", "ply": ply }),
        Owed::Sight { ply, phase: of, is_posted } => {
            json!({ "what": "sight", "ply": ply, "phase": phase(of), "posted": is_posted })
        }
    });
    let under_way = match &standing.under_way {
        MoveUnderWay::None => Value::Null,
        MoveUnderWay::Move { transaction, .. } => {
            json!({ "move": standing.move_under_way.map(|mv| mv.to_string()), "transaction": transaction })
        }
        MoveUnderWay::Hidden => json!({ "move": Value::Null, "transaction": Value::Null }),
    };
    json!({
        "game": standing.game.game_id, "chain_id": standing.game.chain_id, "wallet": standing.me,
        "opponent": standing.opponent, "color": standing.color(), "ply": play.map(|play| play.ply),
        "turn": play.map(|play| play.turn()), "own_turn": standing.is_my_turn(),
        "own_moves": standing.moves.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "clocks": standing.clocks.map(|clocks| json!({
            "white": clocks.left[0], "black": clocks.left[1], "runs_from": clocks.runs_from, "hold": clocks.hold,
            "deadline": clocks.deadline, "now": standing.now,
        })),
        "demands": demands.collect::<Vec<_>>(),
        "fifty": standing.fifty().map(|(own, deadline)| json!({ "own": own, "deadline": deadline })),
        "owed": owed.collect::<Vec<_>>(), "under_way": under_way,
    })
}

fn who(standing: &Standing) -> String {
    let (game, chain_id) = (standing.game.game_id, standing.game.chain_id);
    let opponent = standing.opponent.map(|opponent| format!("{opponent:#x}"));
    match (standing.color(), opponent) {
        (Some(color), Some(opponent)) => {
            format!("The game {game} on chain {chain_id} is in play: you are {color}, against {opponent}.")
        }
        (_, Some(opponent)) => {
            format!("The game {game} on chain {chain_id} has not begun; the opponent is {opponent}.")
        }
        (_, None) => format!("The game {game} on chain {chain_id} waits for an opponent."),
    }
}

/// The move to come, whose it is, and what the wallet has found of the own moves; before the game, whose part of the coin toss is due.
fn where_it_is(standing: &Standing) -> Option<String> {
    if let Some((revealer, _)) = standing.table.to_reveal() {
        return Some(match revealer == standing.me {
            true => "Your share of the coin toss is to be revealed; `fogmate play` does it.".to_owned(),
            false => "The opponent's share of the coin toss is to be revealed.".to_owned(),
        });
    }
    let due = move_name(standing.table.playing()?.ply);
    let turn = if standing.is_my_turn() { "it is your turn" } else { "it is the opponent's turn" };
    let moves = standing.moves.iter().map(ToString::to_string).collect::<Vec<_>>();
    Some(match moves.is_empty() {
        true => format!("{due} is to be played: {turn}. You have made no move so far."),
        false => {
            format!("{due} is to be played: {turn}. Your moves, found again by your wallet: {}.", moves.join(" "))
        }
    })
}

fn clocks_of(standing: &Standing) -> Option<String> {
    let now = Instant::now();
    Some(clocks::sentences(&Clocks::of(&Notice::clocks(standing.clocks?, standing.now), now)?, now))
}

fn within(deadline: u64, now: u64) -> String {
    match deadline.checked_sub(now) {
        Some(left) => format!("within {}", clock_time(left)),
        None => "and the time for it has passed".to_owned(),
    }
}

fn demanded(Demand { demanded, deadline, .. }: &Demand, own: bool, now: u64) -> String {
    let (phase, name, within) = (demanded.phase, move_name(demanded.ply), within(*deadline, now));
    match own {
        true => format!(
            "You have demanded the sight {phase} {name} through the chain: the opponent must give it there, {within}, or loses."
        ),
        false => format!(
            "The opponent demands the sight {phase} {name} through the chain: you must give it there, {within}, or lose. `fogmate play` does it by itself; start it now."
        ),
    }
}

fn claimed(own: bool, within: String) -> String {
    match own {
        true => format!("You have claimed fifty moves: the opponent may answer, {within}; then the game is drawn."),
        false => format!(
            "The opponent claims fifty moves: you may answer, {within}, or the game is drawn. `fogmate play` answers by itself if you have made fewer."
        ),
    }
}

fn owed(owed: &Owed) -> String {
    let (Owed::Points { ply } | Owed::Sight { ply, .. }) = owed;
    let name = move_name(*ply);
    match owed {
        Owed::Points { .. } => {
            format!("The opponent owes you the points of {name} over the link: your next move's answer needs them.")
        }
        Owed::Sight { phase: Phase::Pre, is_posted: true, .. } => {
            format!(
                "The opponent owes you the sight before {name}: `fogmate play` asks for it, and demands it through the chain if it doesn't come."
            )
        }
        Owed::Sight { phase: Phase::Pre, is_posted: false, .. } => {
            format!(
                "The opponent has posted no sight before {name}: `fogmate play` demands it through the chain if it isn't posted late."
            )
        }
        Owed::Sight { phase: Phase::Post, .. } => {
            format!("The opponent owes you the sight after {name}, which no move needs: `fogmate play` asks for it.")
        }
    }
}

fn under_way(standing: &Standing) -> Option<String> {
    Some(match &standing.under_way {
        MoveUnderWay::Move { transaction, .. } => {
            let mv = standing.move_under_way.map_or_else(|| "a move".to_owned(), |mv| format!("your move {mv}"));
            format!("In the node's mempool is {mv} for this turn ({transaction:#x}): it counts, and no other can be made. Wait until it is in a block.")
        }
        MoveUnderWay::Hidden => "The node has a transaction of this wallet that it doesn't show: it may be your move of this turn. No other is signed before its fate is known.".to_owned(),
        MoveUnderWay::None if standing.is_my_turn() => {
            "The node's mempool has no move of yours for this turn. If you have signed one on another machine, choose the same again.".to_owned()
        }
        MoveUnderWay::None => return None,
    })
}

/// What to do next.
fn next(standing: &Standing) -> Vec<String> {
    let game = standing.game.game_id;
    let play = hint(&format!("play {game}"));
    let mut lines = vec![format!("Next: {play} goes on with it.")];
    if standing.opponent.is_some() {
        lines.push(format!(
            "The opponent's machine doesn't know where yours is now: {} prints a line to send to it, and the line that it prints goes to {}. Without either the game goes on through the chain.",
            hint(&format!("address --game {game} --announce ADDRESS")),
            hint(&format!("play {game} --at LINE"))
        ));
    }
    lines
}
