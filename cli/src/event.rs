//! What happens at a seat, one JSON object a line: the machine-readable side of `fogmate play --json`, read back by the
//! demo. What one player's process tells here is that player's own view: moves, boards and all.

use alloy::primitives::Address;
use client::link::{Kind, MessageId, Phase};
use client::runtime::{Action, Measurement, Report};
use client::seat::{Outcome, Update, View, color_of_ply};
use rules::{Color, Side, Sight};
use serde::{Deserialize, Serialize};

/// When a sight is of, or whether a player is asked before or after its move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// Before the move of the ply.
    Before,
    /// After it.
    After,
}

impl From<Phase> for When {
    fn from(phase: Phase) -> Self {
        match phase {
            Phase::Pre => Self::Before,
            Phase::Post => Self::After,
        }
    }
}

/// Which message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MessageKind {
    /// The points of a request.
    Request,
    /// An answer with its proof.
    Answer,
    /// A wish to get one of them again.
    Want,
}

/// Something that happened. Times are in seconds since 1970 unless said, plies count from 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum PlayEvent {
    /// Nobody has joined yet.
    Waiting {},
    /// The link listens here.
    Listening { addresses: Vec<String> },
    /// The opponent's machine is there.
    Connected {},
    /// It is gone.
    Disconnected {},
    /// The game begins or goes on, the ply to come being `ply`.
    Playing { color: String, ply: u16 },
    /// A proven board: ranks 8 to 1 joined by "/", as `fogmate rules` prints them; none while the sight isn't proven.
    View {
        ply: u16,
        when: When,
        board: Option<String>,
        legal: usize,
    },
    /// The opponent's answer has come and its proof is being verified.
    Checking { ply: u16, when: When },
    /// The opponent's move is in a block that isn't final.
    OpponentSeen { ply: u16 },
    /// The opponent's move is final.
    OpponentMoved {
        ply: u16,
        capture: Option<String>,
        draw_offered: bool,
    },
    /// One's own move is being proven.
    Proving {
        ply: u16,
        #[serde(rename = "move")]
        mv: String,
    },
    /// It is on its way to the chain.
    Sent {
        ply: u16,
        #[serde(rename = "move")]
        mv: String,
    },
    /// It is final.
    Moved {
        ply: u16,
        #[serde(rename = "move")]
        mv: String,
        capture: Option<String>,
    },
    /// A turn proof was made and verified.
    TurnProved {
        ply: u16,
        prove_s: f64,
        verify_ms: f64,
    },
    /// An answer proof was made, for the receiver's ply.
    AnswerProved { ply: u16, when: When, prove_s: f64 },
    /// The opponent's answer proof was verified, for one's own ply.
    AnswerVerified {
        ply: u16,
        when: When,
        verify_ms: f64,
    },
    /// A message left.
    MessageSent {
        kind: MessageKind,
        ply: u16,
        when: When,
        bytes: usize,
    },
    /// A message came.
    MessageReceived {
        kind: MessageKind,
        ply: u16,
        when: When,
        bytes: usize,
    },
    /// A transaction is in a block.
    Mined {
        action: String,
        ply: Option<u16>,
        transaction: String,
        gas: u64,
        calldata_bytes: usize,
        fee_wei: String,
    },
    /// Seconds left, and when the player to act runs out of time.
    Clocks {
        white: u64,
        black: u64,
        deadline: u64,
        now: u64,
    },
    /// The game is over.
    Over {
        winner: Option<String>,
        reason: String,
    },
    /// A command wasn't carried out; nothing was sent.
    Refused { reason: String },
    /// A proof or a transaction failed on this side; the seat tries again where that helps.
    Failed { reason: String },
    /// The opponent sent something wrong, which was refused.
    Fault { reason: String, may_be_honest: bool },
    /// Anything else worth a word.
    Note { text: String },
}

impl PlayEvent {
    /// The event as a line of JSON: its fields, and its name as `event`. Serde's own tagging of this kind can't be read
    /// back where a dependency has switched on arbitrary precision for JSON numbers, as ours does.
    pub fn to_line(&self) -> serde_json::Result<String> {
        let tagged = serde_json::to_string(self)?;
        let split = tagged
            .strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'));
        Ok(match split.and_then(|rest| rest.split_once(":{")) {
            Some((name, "}")) => format!("{{\"event\":{name}}}"),
            Some((name, fields)) => format!("{{\"event\":{name},{fields}"),
            None => tagged,
        })
    }

    /// Reads a line; none if it is no event.
    pub fn from_line(line: &str) -> Option<Self> {
        let Ok(serde_json::Value::Object(mut fields)) = serde_json::from_str(line) else {
            return None;
        };
        let name = fields.remove("event")?.as_str()?.to_owned();
        let tagged = serde_json::Map::from_iter([(name, fields.into())]);
        serde_json::from_value(tagged.into()).ok()
    }
}

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
    let own = color_of_ply(view.ply) == view.side.color;
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

/// An account as it is shown in a line.
pub fn short(account: &Address) -> String {
    let text = account.to_string();
    format!("{}…{}", &text[..8], &text[text.len() - 4..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_read_back() {
        let events = [
            PlayEvent::Waiting {},
            PlayEvent::Moved {
                ply: 3,
                mv: "e2e4".into(),
                capture: None,
            },
            PlayEvent::View {
                ply: 3,
                when: When::After,
                board: Some("*".into()),
                legal: 0,
            },
        ];
        for event in events {
            let line = event.to_line().expect("JSON");
            assert_eq!(PlayEvent::from_line(&line), Some(event), "{line}");
        }
        let proving = PlayEvent::Proving {
            ply: 1,
            mv: "e7e5".into(),
        };
        assert_eq!(
            proving.to_line().expect("JSON"),
            r#"{"event":"proving","ply":1,"move":"e7e5"}"#
        );
        assert_eq!(
            PlayEvent::Waiting {}.to_line().expect("JSON"),
            r#"{"event":"waiting"}"#
        );
        let proved = PlayEvent::TurnProved {
            ply: 1,
            prove_s: 2.5,
            verify_ms: 4.25,
        };
        assert_eq!(
            PlayEvent::from_line(&proved.to_line().expect("JSON")),
            Some(proved)
        );
        for line in [
            "",
            "[]",
            "{}",
            r#"{"event":"nonsense"}"#,
            r#"{"event":"proving"}"#,
        ] {
            assert_eq!(PlayEvent::from_line(line), None, "{line}");
        }
    }

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
