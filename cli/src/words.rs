//! Notices in words, for a player who reads lines; and what commands of all games tell in the same words.

use alloy::primitives::B256;
use client::chain::Receipt;
use client::lobby::{about_in_ether, in_ether};
use eyre::Result;
use game::{Action, Awaiting, Notice, What, Who, grouped};
use rules::{Color, Move, Position};
use serde_json::{Value, json};

use crate::hint::hint;
use crate::output::{note, say};

/// What a player of a color is told, with the own moves as they are named; nothing of what only machines want to know.
pub fn of(notice: &Notice, you: Option<Color>, name: &dyn Fn(&Move) -> String) -> Option<String> {
    let note = notice.note().map(|text| format!("Note: {text}."));
    note.or_else(|| of_the_game(notice, you, name)).or_else(|| of_this_machine(notice, name))
}

/// Whether a player who has a board, clocks and moves in sight wants to be told in words, too.
pub fn is_beside_the_board(notice: &Notice) -> bool {
    match notice {
        Notice::AwaitingFinality { .. } | Notice::AwaitingRequest { .. } => false,
        Notice::Refused { .. } | Notice::Failed { .. } | Notice::Fault { .. } => true,
        Notice::Fetched { .. } | Notice::BondBack { .. } => true,
        _ => notice.note().is_some(),
    }
}

/// Whether a notice is of how moves are proven and carried rather than of the game.
pub fn is_of_the_trade(notice: &Notice) -> bool {
    matches!(
        notice,
        Notice::Listening { .. }
            | Notice::CheckingSight { .. }
            | Notice::Proving { .. }
            | Notice::TurnProved { .. }
            | Notice::Sent { .. }
            | Notice::AnswerProved { .. }
            | Notice::AnswerVerified { .. }
            | Notice::Mined { .. }
            | Notice::OpponentSeen { .. }
            | Notice::AwaitingFinality { .. }
            | Notice::AwaitingRequest { .. }
    )
}

/// Moves as players write them, White's first, and the board that they lead to.
fn played(moves: &[Move]) -> String {
    let (words, position) = laid_open(moves);
    let (side, sight) = tui::everything(&position);
    let board = rules::board::render(&side, &sight);
    format!("{words}\n\n{}", board.trim_end_matches('\n'))
}

/// Moves as players write them, and the position after them.
fn laid_open(moves: &[Move]) -> (String, Position) {
    let mut position = Position::start();
    let mut words = Vec::new();
    for (ply, mv) in moves.iter().enumerate() {
        let turn = position.turn();
        let san = position.side(turn).san(mv, &position.sight(turn));
        words.push(if turn == Color::White { format!("{}. {san}", ply / 2 + 1) } else { san });
        if position.play(mv).is_err() {
            break;
        }
    }
    (words.join(" "), position)
}

/// The number of a ply's move, as players write it before White's and Black's.
pub fn number(ply: u16) -> String {
    let dots = if ply.is_multiple_of(2) { "." } else { "…" };
    format!("{}{dots}", ply / 2 + 1)
}

/// What happens in the game.
fn of_the_game(notice: &Notice, you: Option<Color>, name: &dyn Fn(&Move) -> String) -> Option<String> {
    Some(match notice {
        Notice::Waiting => "Waiting for an opponent to join.".into(),
        Notice::Awaiting(Awaiting { what: What::Reveal, who: Who::Opponent, .. }) => {
            "Colours are being drawn: the opponent's machine has to do its part.".into()
        }
        Notice::Playing { color, ply } => match ply {
            0 => format!("You play {color}."),
            _ => format!("You play {color}. The game goes on with {}", number(*ply)),
        },
        Notice::OpponentSeen { .. } => "The opponent's move is in a block and not final yet.".into(),
        Notice::OpponentMoved { ply, capture, lost, draw_offered } => {
            let what = match (capture, lost) {
                (Some(square), Some(piece)) => format!("captured your {piece} on {square}"),
                (Some(square), None) => format!("captured on {square}"),
                (None, _) => "moved; nothing was captured".into(),
            };
            let offer = if *draw_offered { " It offers a draw (`accept`)." } else { "" };
            format!("{} The opponent {what}.{offer}", number(*ply))
        }
        Notice::Moved { ply, mv, capture, captured, draw_offered } => {
            let what = match (capture, captured) {
                (Some(square), Some(piece)) => format!("; it captured a {piece} on {square}"),
                (Some(square), None) => format!("; it captured on {square}"),
                (None, _) => String::new(),
            };
            let offer = if *draw_offered { " You offer a draw." } else { "" };
            format!("{} You played {}{what}.{offer}", number(*ply), name(mv))
        }
        Notice::Over(ending) => format!("The game is over. {}.", ending.told(you)),
        Notice::Replay { moves, .. } => format!("The fog has lifted. The game was: {}", played(moves)),
        _ => return None,
    })
}

/// What this machine does, and what comes and goes on its link. A fault that an honest opponent may cause is a network's doing, and the
/// seat has dealt with it.
fn of_this_machine(notice: &Notice, name: &dyn Fn(&Move) -> String) -> Option<String> {
    Some(match notice {
        Notice::Listening { addresses } => format!("Listening at {}.", addresses.join(", ")),
        Notice::Connected => "The opponent's machine is connected.".into(),
        Notice::Disconnected => "The opponent's machine is gone; it is dialled again.".into(),
        Notice::CheckingSight { .. } => "The opponent's answer is here; its proof is being verified.".into(),
        Notice::Proving { mv, .. } => format!("Proving {} …", name(mv)),
        Notice::TurnProved { prove_s, verify_ms, .. } => {
            format!("Proven in {prove_s:.1} s, verified in {}.", duration(*verify_ms))
        }
        Notice::Sent { mv, .. } => format!("{} is on its way to the chain.", name(mv)),
        Notice::AnswerProved { phase, prove_s, .. } => {
            format!("Your answer for the opponent's sight {phase} its move is proven ({prove_s:.1} s).")
        }
        Notice::AnswerVerified { verify_ms, .. } => {
            format!("The opponent's answer was verified in {}.", duration(*verify_ms))
        }
        Notice::Mined { action, ply, gas, calldata_bytes, fee_wei, .. } => match ply {
            Some(_) if *action == Action::Move => {
                let (cost, bytes) = (cost(*gas, *fee_wei), grouped(*calldata_bytes as u64));
                format!("Your move is in a block ({cost}, {bytes} bytes of calldata).")
            }
            _ => format!("In a block: {action} ({}).", cost(*gas, *fee_wei)),
        },
        Notice::Fetched { wei } => format!("Fetched {} ETH.", in_ether(*wei)),
        Notice::BondBack { wei } => {
            format!("Your bond is settled: {} ETH of it are yours again (`withdraw`).", in_ether(*wei))
        }
        Notice::Refused { error, .. } => format!("Not done: {error}."),
        Notice::Failed { reason } => format!("Failed: {reason}."),
        Notice::Fault { fault } if !fault.may_be_honest() => format!("REFUSED: {fault}."),
        // Told by the functions above, or only of use to machines: a new notice has to be put somewhere.
        Notice::Fault { .. }
        | Notice::Link { .. }
        | Notice::View(_)
        | Notice::History { .. }
        | Notice::Awaiting(_)
        | Notice::Game(_)
        | Notice::Accepted { .. }
        | Notice::Chain { .. }
        | Notice::Money { .. }
        | Notice::Proof { .. }
        | Notice::Stepped { .. }
        | Notice::MessageSent { .. }
        | Notice::MessageReceived { .. } => {
            return None;
        }
        Notice::Waiting | Notice::Playing { .. } | Notice::OpponentSeen { .. } | Notice::OpponentMoved { .. } => {
            return None;
        }
        // The clocks are told by who keeps them.
        Notice::Moved { .. } | Notice::Over(_) | Notice::Replay { .. } | Notice::Clocks { .. } => return None,
        Notice::LinkTrouble { .. }
        | Notice::ChainTrouble { .. }
        | Notice::JournalNote { .. }
        | Notice::ChainRefused { .. } => {
            return None;
        }
        Notice::NoSightPosted { .. } | Notice::AwaitingRequest { .. } | Notice::MovingWithoutAnswer { .. } => {
            return None;
        }
        Notice::Reorganised { .. } | Notice::NotThisWallet { .. } => return None,
        Notice::OutOfTime | Notice::OpponentOutOfTime => return None,
        Notice::FalseMove { .. } | Notice::DemandingSight { .. } | Notice::SightDemanded { .. } => return None,
        Notice::SightAnswered { .. } | Notice::FiftyClaimed { .. } | Notice::AwaitingFinality { .. } => return None,
        Notice::AnotherPosition { .. } | Notice::SignedInAnotherPosition { .. } => return None,
        Notice::Waking { .. } | Notice::Woken { .. } | Notice::Awake { .. } | Notice::PlyRefused { .. } => return None,
        Notice::ResultSigned { .. } | Notice::Closing { .. } => return None,
        Notice::ConfirmMove { .. }
        | Notice::FiftyFailed { .. }
        | Notice::ViewKey { .. }
        | Notice::RematchOpened { .. }
        | Notice::RematchWithdrawn => return None,
    })
}

/// What a transaction cost: gas, and its fee in wei, which is told in ether.
pub fn cost(gas: u64, fee: u128) -> String {
    format!("{} gas, {} ETH", grouped(gas), about_in_ether(fee))
}

/// A line of JSON, and in it what a transaction was and cost.
pub fn with_receipt(mut line: Value, receipt: Option<&Receipt>) -> Value {
    line["transaction"] = json!(receipt.map(|receipt| receipt.transaction));
    line["gas"] = json!(receipt.map(|receipt| receipt.gas_used));
    line["fee_wei"] = json!(receipt.map(|receipt| receipt.fee.to_string()));
    line
}

/// Tells of a game that was taken back; the command `withdraw` fetches its stake.
pub fn tell_cancelled(game: B256, stake: u128, receipt: &Receipt, json: bool, withdraw: &str) -> Result<()> {
    if json {
        return say!("{}", with_receipt(json!({ "game": game }), Some(receipt)));
    }
    match stake {
        0 => say!("cancelled {game}"),
        _ => say!("cancelled {game}; {} fetches the stake", hint(withdraw)),
    }
}

/// Tells of a game that was joined, now or, without a transaction, before; the command `play` goes on with it.
pub fn tell_joined(play: &str, game: B256, receipt: Option<&Receipt>, json: Option<Value>) -> Result<()> {
    if receipt.is_none() {
        note!("note: this wallet has joined it before");
    }
    match json {
        Some(mut more) => {
            more["game"] = json!(game);
            say!("{}", with_receipt(more, receipt))
        }
        None => {
            note!("joined; play with {}", hint(play));
            say!("{game}")
        }
    }
}

/// What a transaction cost, from the JSON of a player's process.
pub fn cost_of(value: &Value) -> String {
    let fee = value["fee_wei"].as_str().and_then(|wei| wei.parse().ok());
    cost(value["gas"].as_u64().unwrap_or_default(), fee.unwrap_or_default())
}

/// Milliseconds as one reads them.
fn duration(ms: f64) -> String {
    match ms < 1e3 {
        true => format!("{ms:.1} ms"),
        false => format!("{:.1} s", ms / 1e3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_transaction_cost_is_told_in_ether_too() {
        for (action, ply) in [(Action::Move, Some(3)), (Action::Withdraw, None)] {
            let (gas, calldata_bytes, fee_wei) = (512_345, 3_100, 1_079_000_000_000_000);
            let mined = Notice::Mined { action, ply, transaction: Default::default(), gas, calldata_bytes, fee_wei };
            let words = of(&mined, None, &ToString::to_string);
            assert!(words.as_deref().is_some_and(|words| words.contains("512,345 gas, 0.0011 ETH")), "{words:?}");
        }
    }
}
