//! Events in words, for a player who reads lines.

use crate::event::{PlayEvent, When};
use crate::terms::clock;

/// What a player is told; nothing of what only machines want to know.
pub fn of(event: &PlayEvent) -> Option<String> {
    use PlayEvent as E;
    Some(match event {
        E::Waiting {} => "Waiting for an opponent to join.".into(),
        E::Listening { addresses } => format!("Listening at {}.", addresses.join(", ")),
        E::Connected {} => "The opponent's machine is connected.".into(),
        E::Disconnected {} => {
            "The opponent's machine is gone; the game waits for it, and the clocks run.".into()
        }
        E::Playing { color, ply } => format!("You play {color}. Ply {ply} is to be played."),
        E::Checking { .. } => "The opponent's answer is here; its proof is being verified.".into(),
        E::OpponentSeen { .. } => "The opponent's move is in a block and not final yet.".into(),
        E::OpponentMoved {
            ply,
            capture,
            draw_offered,
        } => {
            let what = match capture {
                Some(square) => format!("captured on {square}"),
                None => "moved; nothing was captured".into(),
            };
            let offer = if *draw_offered {
                " It offers a draw (`accept`)."
            } else {
                ""
            };
            // On their first moves players rely on no sight.
            let unproven = if *ply == 0 {
                ""
            } else {
                " Your new sight is UNPROVEN until its answer has come."
            };
            format!("Ply {ply}: the opponent {what}.{unproven}{offer}")
        }
        E::Proving { mv, .. } => format!("Proving {mv} …"),
        E::TurnProved {
            prove_s, verify_ms, ..
        } => {
            format!("Proven in {prove_s:.1} s, verified in {verify_ms:.1} ms.")
        }
        E::Sent { mv, .. } => format!("{mv} is on its way to the chain."),
        E::Moved { ply, mv, capture } => match capture {
            Some(square) => format!("Ply {ply}: your {mv} is final; it captured on {square}."),
            None => format!("Ply {ply}: your {mv} is final."),
        },
        E::AnswerProved { when, prove_s, .. } => {
            let of = if *when == When::Before {
                "before its move"
            } else {
                "after its move"
            };
            format!("Your answer for the opponent's sight {of} is proven ({prove_s:.1} s).")
        }
        E::AnswerVerified { verify_ms, .. } => {
            format!("The opponent's answer was verified in {verify_ms:.1} ms.")
        }
        E::Mined {
            ply: Some(_),
            gas,
            calldata_bytes,
            ..
        } => {
            format!("Your move is in a block ({gas} gas, {calldata_bytes} bytes of calldata).")
        }
        E::Mined { action, gas, .. } => {
            format!("Done on chain: {} ({gas} gas).", action.replace('_', " "))
        }
        E::Over { winner, reason } => match winner {
            Some(color) => format!("The game is over: {color} wins, {reason}."),
            None => format!("The game is over: {reason}."),
        },
        E::Refused { reason } => format!("Not done: {reason}."),
        E::Failed { reason } => format!("Failed: {reason}."),
        E::Fault {
            reason,
            may_be_honest: false,
        } => format!("REFUSED: {reason}."),
        E::Note { text } => format!("Note: {text}."),
        E::Clocks { .. } => return clocks(event),
        // A network does that; the seat has dealt with it.
        E::Fault {
            may_be_honest: true,
            ..
        }
        | E::View { .. }
        | E::MessageSent { .. }
        | E::MessageReceived { .. } => return None,
    })
}

/// The clocks in a line.
pub fn clocks(event: &PlayEvent) -> Option<String> {
    let PlayEvent::Clocks { white, black, .. } = event else {
        return None;
    };
    Some(format!(
        "Clocks: White {}, Black {}.",
        clock(*white),
        clock(*black)
    ))
}
