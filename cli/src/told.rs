//! The reports of a runtime as events that a machine can read, and the words for what has no event of its own.

use game::{Action, Ending, Kind, MessageId, Notice, Phase, View};
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

/// The event of a notice.
pub fn event(notice: &Notice) -> PlayEvent {
    match notice {
        Notice::Waiting => PlayEvent::Waiting {},
        Notice::Listening(addresses) => PlayEvent::Listening {
            addresses: addresses.iter().map(ToString::to_string).collect(),
        },
        Notice::Connected => PlayEvent::Connected {},
        Notice::Disconnected => PlayEvent::Disconnected {},
        Notice::LinkTrouble(text) | Notice::ChainTrouble(text) => {
            PlayEvent::Note { text: text.clone() }
        }
        Notice::Clocks { clocks, now } => PlayEvent::Clocks {
            white: clocks.left[Color::White.index()],
            black: clocks.left[Color::Black.index()],
            deadline: clocks.deadline,
            now: *now,
        },
        Notice::Mined {
            action,
            transaction,
            gas,
            calldata_bytes,
            fee_wei,
        } => PlayEvent::Mined {
            action: action_name(*action).to_owned(),
            ply: match action {
                Action::Move { ply } => Some(*ply),
                _ => None,
            },
            transaction: transaction.to_string(),
            gas: *gas,
            calldata_bytes: *calldata_bytes,
            fee_wei: fee_wei.to_string(),
        },
        Notice::TurnProved {
            ply,
            prove_s,
            verify_ms,
        } => PlayEvent::TurnProved {
            ply: *ply,
            prove_s: *prove_s,
            verify_ms: *verify_ms,
        },
        Notice::AnswerProved {
            ply,
            phase,
            prove_s,
        } => PlayEvent::AnswerProved {
            ply: *ply,
            when: (*phase).into(),
            prove_s: *prove_s,
        },
        Notice::AnswerVerified {
            ply,
            phase,
            verify_ms,
        } => PlayEvent::AnswerVerified {
            ply: *ply,
            when: (*phase).into(),
            verify_ms: *verify_ms,
        },
        Notice::MessageSent { id, bytes } => {
            let (kind, ply, when) = of_message(*id);
            PlayEvent::MessageSent {
                kind,
                ply,
                when,
                bytes: *bytes,
            }
        }
        Notice::MessageReceived { id, bytes } => {
            let (kind, ply, when) = of_message(*id);
            PlayEvent::MessageReceived {
                kind,
                ply,
                when,
                bytes: *bytes,
            }
        }
        Notice::Playing { color, ply } => PlayEvent::Playing {
            color: color.to_string(),
            ply: *ply,
        },
        Notice::View(view) => PlayEvent::View {
            ply: view.ply,
            when: view.phase.into(),
            board: sight_of(view).map(|sight| rules::board::line(&view.side, &sight)),
            legal: view.legal.len(),
        },
        Notice::CheckingSight { ply, phase } => PlayEvent::Checking {
            ply: *ply,
            when: (*phase).into(),
        },
        Notice::OpponentSeen { ply } => PlayEvent::OpponentSeen { ply: *ply },
        Notice::OpponentMoved {
            ply,
            capture,
            draw_offered,
        } => PlayEvent::OpponentMoved {
            ply: *ply,
            capture: capture.map(|square| square.to_string()),
            draw_offered: *draw_offered,
        },
        Notice::Proving { ply, mv } => PlayEvent::Proving {
            ply: *ply,
            mv: mv.to_string(),
        },
        Notice::Sent { ply, mv } => PlayEvent::Sent {
            ply: *ply,
            mv: mv.to_string(),
        },
        Notice::Moved { ply, mv, capture } => PlayEvent::Moved {
            ply: *ply,
            mv: mv.to_string(),
            capture: capture.map(|square| square.to_string()),
        },
        Notice::Over(outcome) => over(outcome),
        Notice::Refused(error) => PlayEvent::Refused {
            reason: error.to_string(),
        },
        Notice::Failed(reason) => PlayEvent::Failed {
            reason: reason.clone(),
        },
        Notice::Fault(fault) => PlayEvent::Fault {
            reason: fault.to_string(),
            may_be_honest: fault.may_be_honest(),
        },
        other => PlayEvent::Note { text: note(other) },
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

fn over(ending: &Ending) -> PlayEvent {
    PlayEvent::Over {
        winner: ending.color.map(|color| color.to_string()),
        reason: ending.outcome.to_string(),
    }
}

fn note(notice: &Notice) -> String {
    match notice {
        Notice::NoSightPosted { ply } => format!(
            "the opponent has posted no sight for ply {ply}: it says that it never had your request"
        ),
        Notice::AwaitingRequest { mv } => format!(
            "{mv} waits for the opponent's request, without which it would get no sight (`go` moves all the same)"
        ),
        Notice::MovingWithoutAnswer { mv } => {
            format!("{mv} is played without a sight for the opponent, whose request never came")
        }
        Notice::Reorganised { ply } => {
            format!("the chain has taken back the move of ply {ply}; it is sent again")
        }
        Notice::OpponentOutOfTime => {
            "the opponent's time has run out: `claim` claims the game".to_owned()
        }
        Notice::NotThisWallet { ply } => format!(
            "the move of ply {ply} on chain was not made with this wallet's secrets: this game can't be played from here"
        ),
        Notice::ChainRefused(reason) => {
            format!("the chain tells something that can't be: {reason}")
        }
        Notice::JournalNote(text) => text.clone(),
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
