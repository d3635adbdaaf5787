//! What happens at a seat, one JSON object a line: the machine-readable side of `fogmate play --json`, read back by the
//! demo. What one player's process tells here is that player's own view: moves, boards and all.

use game::Phase;
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
}
