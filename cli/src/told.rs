//! The reports of a runtime as events that a machine can read, and the words for what has no event of its own.

use client::link::{Kind, MessageId, Phase};
use client::runtime::{Action, Measurement, Report};
use client::seat::{Outcome, Update, View};
use rules::{Color, Side, Sight};

use crate::event::{MessageKind, PlayEvent, When};

/// The name of an action in JSON.
pub fn action_name(action: Action) -> &'static str {
    match action {
        Action::Reveal => "reveal",
        Action::Move { .. } => "move",
        Action::Resign => "resign",
        Action::AcceptDraw => "accept_draw",
        Action::ClaimTimeout => "claim_timeout",
        Action::PublishViewKey => "publish_view_key",
        Action::Withdraw => "withdraw",
    }
}

/// The sight that a view stands for. On a player's first move none is exchanged and none is needed: nobody can have met
/// the other yet (protocol, section 6), so all that is in reach is empty.
pub fn sight_of(view: &View) -> Option<Sight> {
    // Before its first move Black is shown the board while White moves, too.
    let own = Color::of_ply(view.ply.into()) == view.side.color;
    let opening = view.ply < 2 && (view.phase == Phase::Pre || !own);
    match &view.sight {
        Some(sight) => Some(sight.clone()),
        None if opening => {
            let nobody = Side::empty(!view.side.color);
            Some(Sight::between(&view.side, &nobody, true))
        }
        None => None,
    }
}

/// The event of a report, if it is one.
pub fn event(report: &Report) -> PlayEvent {
    match report {
        Report::Waiting => PlayEvent::Waiting {},
        Report::Listening(addresses) => PlayEvent::Listening {
            addresses: addresses.iter().map(ToString::to_string).collect(),
        },
        Report::Connected => PlayEvent::Connected {},
        Report::Disconnected => PlayEvent::Disconnected {},
        Report::LinkTrouble(text) | Report::ChainTrouble(text) => {
            PlayEvent::Note { text: text.clone() }
        }
        Report::Clocks { clocks, now } => PlayEvent::Clocks {
            white: clocks.left[Color::White.index()],
            black: clocks.left[Color::Black.index()],
            deadline: clocks.deadline,
            now: *now,
        },
        Report::Mined { action, receipt } => PlayEvent::Mined {
            action: action_name(*action).to_owned(),
            ply: match action {
                Action::Move { ply } => Some(*ply),
                _ => None,
            },
            transaction: receipt.transaction.to_string(),
            gas: receipt.gas_used,
            calldata_bytes: receipt.calldata_bytes,
            fee_wei: receipt.fee.to_string(),
        },
        Report::Measured(measurement) => measured(measurement),
        Report::Seat(update) => of_seat(update),
    }
}

fn measured(measurement: &Measurement) -> PlayEvent {
    match *measurement {
        Measurement::TurnProved {
            ply,
            prove_s,
            verify_ms,
        } => PlayEvent::TurnProved {
            ply,
            prove_s,
            verify_ms,
        },
        Measurement::AnswerProved {
            ply,
            phase,
            prove_s,
        } => PlayEvent::AnswerProved {
            ply,
            when: phase.into(),
            prove_s,
        },
        Measurement::AnswerVerified {
            ply,
            phase,
            verify_ms,
        } => PlayEvent::AnswerVerified {
            ply,
            when: phase.into(),
            verify_ms,
        },
        Measurement::MessageSent { id, bytes } => {
            let (kind, ply, when) = of_message(id);
            PlayEvent::MessageSent {
                kind,
                ply,
                when,
                bytes,
            }
        }
        Measurement::MessageReceived { id, bytes } => {
            let (kind, ply, when) = of_message(id);
            PlayEvent::MessageReceived {
                kind,
                ply,
                when,
                bytes,
            }
        }
    }
}

fn of_message(id: MessageId) -> (MessageKind, u16, When) {
    let kind = match id.kind {
        Kind::Request => MessageKind::Request,
        Kind::Answer => MessageKind::Answer,
        Kind::Want => MessageKind::Want,
    };
    (kind, id.ply, id.phase.into())
}

fn of_seat(update: &Update) -> PlayEvent {
    match update {
        Update::Playing { color, ply } => PlayEvent::Playing {
            color: color.to_string(),
            ply: *ply,
        },
        Update::View(view) => PlayEvent::View {
            ply: view.ply,
            when: view.phase.into(),
            board: sight_of(view).map(|sight| rules::board::line(&view.side, &sight)),
            legal: view.legal.len(),
        },
        Update::CheckingSight { ply, phase } => PlayEvent::Checking {
            ply: *ply,
            when: (*phase).into(),
        },
        Update::OpponentSeen { ply } => PlayEvent::OpponentSeen { ply: *ply },
        Update::OpponentMoved {
            ply,
            capture,
            draw_offered,
        } => PlayEvent::OpponentMoved {
            ply: *ply,
            capture: capture.map(|square| square.to_string()),
            draw_offered: *draw_offered,
        },
        Update::Proving { ply, mv } => PlayEvent::Proving {
            ply: *ply,
            mv: mv.to_string(),
        },
        Update::Sent { ply, mv } => PlayEvent::Sent {
            ply: *ply,
            mv: mv.to_string(),
        },
        Update::Moved { ply, mv, capture } => PlayEvent::Moved {
            ply: *ply,
            mv: mv.to_string(),
            capture: capture.map(|square| square.to_string()),
        },
        Update::Over(outcome) => over(outcome),
        Update::Refused(error) => PlayEvent::Refused {
            reason: error.to_string(),
        },
        Update::Failed(reason) => PlayEvent::Failed {
            reason: reason.clone(),
        },
        Update::Fault(fault) => PlayEvent::Fault {
            reason: fault.to_string(),
            may_be_honest: fault.may_be_honest(),
        },
        other => PlayEvent::Note { text: note(other) },
    }
}

fn over(outcome: &Outcome) -> PlayEvent {
    PlayEvent::Over {
        winner: outcome.color.map(|color| color.to_string()),
        reason: outcome.reason.to_string(),
    }
}

fn note(update: &Update) -> String {
    match update {
        Update::NoSightPosted { ply } => format!(
            "the opponent has posted no sight for ply {ply}: it says that it never had your request"
        ),
        Update::AwaitingRequest { mv } => format!(
            "{mv} waits for the opponent's request, without which it would get no sight (`go` moves all the same)"
        ),
        Update::MovingWithoutAnswer { mv } => {
            format!("{mv} is played without a sight for the opponent, whose request never came")
        }
        Update::Reorganised { ply } => {
            format!("the chain has taken back the move of ply {ply}; it is sent again")
        }
        Update::OpponentOutOfTime => {
            "the opponent's time has run out: `claim` claims the game".to_owned()
        }
        Update::NotThisWallet { ply } => format!(
            "the move of ply {ply} on chain was not made with this wallet's secrets: this game can't be played from here"
        ),
        Update::ChainRefused(reason) => {
            format!("the chain tells something that can't be: {reason}")
        }
        Update::JournalNote(text) => text.clone(),
        // The others are events of their own.
        other => format!("{other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sight_is_the_true_one() {
        let start = rules::Position::start();
        for color in [Color::White, Color::Black] {
            let side = start.side(color).clone();
            let view = View {
                ply: color.index() as u16,
                phase: Phase::Pre,
                side: side.clone(),
                sight: None,
                legal: Vec::new(),
            };
            let sight = sight_of(&view).expect("an opening's sight");
            assert_eq!(rules::board::line(&side, &sight), start.board_string(color));
        }
    }
}
