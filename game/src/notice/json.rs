//! Notices as lines of JSON, the output of `fogmate play --json`: one object a line, with the notice's name as `event`. What a
//! player's process writes there is that player's own view, moves and boards included.
//!
//! What readers of lines need no event of its own for is a `note` with a sentence as `text`; its name is `about`.

use super::{Doubt, Notice};
use crate::{CommandError, PeerFault, Phase, grouped};
use serde::{Deserialize, Serialize};

impl Notice {
    /// The notice as a line of JSON, without the line's end. Serde's own way to write a name among the fields can't be read
    /// back where a dependency has switched on arbitrary precision for JSON numbers, as alloy does.
    ///
    /// # Errors
    ///
    /// If a measured number is no number.
    pub fn to_line(&self) -> serde_json::Result<String> {
        let tagged = serde_json::to_string(self)?;
        // {"name":{fields}}, or "name" where there are none.
        let inner = tagged.strip_prefix('{').and_then(|t| t.strip_suffix('}'));
        let (name, fields) = match inner.and_then(|inner| inner.split_once(":{")) {
            Some((name, fields)) => (name, format!(",{fields}")),
            None => (&tagged[..], "}".to_owned()),
        };
        Ok(match self.note() {
            Some(text) => {
                let text = serde_json::to_string(&text)?;
                format!("{{\"event\":\"note\",\"text\":{text},\"about\":{name}{fields}")
            }
            None => format!("{{\"event\":{name}{fields}"),
        })
    }

    /// The notice of a line; none if the line has another form.
    pub fn from_line(line: &str) -> Option<Self> {
        let Ok(serde_json::Value::Object(mut fields)) = serde_json::from_str(line) else {
            return None;
        };
        let mut name = fields.remove("event")?;
        if name == "note" {
            fields.remove("text");
            name = fields.remove("about")?;
        }
        let tagged = match fields.is_empty() {
            true => name,
            false => serde_json::Map::from_iter([(name.as_str()?.to_owned(), fields.into())]).into(),
        };
        serde_json::from_value(tagged).ok()
    }

    /// The sentence of a notice that is a `note` in JSON.
    pub fn note(&self) -> Option<String> {
        Some(match self {
            Self::LinkTrouble(reason) | Self::ChainTrouble(reason) | Self::JournalNote(reason) => reason.clone(),
            Self::AwaitingFinality { block, last_final } => {
                let last =
                    last_final.map_or_else(|| "none is yet".to_owned(), |last| format!("the last final one is {last}"));
                format!("the game goes on once block {block} is final; {last}")
            }
            Self::NoSightPosted { ply } => {
                format!("the opponent has posted no sight for ply {ply}: it says that it never had your request")
            }
            Self::AwaitingRequest { mv } => format!(
                "{mv} waits for the opponent's request, without which it would get no sight (`go` moves all the same)"
            ),
            Self::MovingWithoutAnswer { mv } => {
                format!("{mv} is played without a sight for the opponent, whose request never came")
            }
            Self::Reorganised { ply } => {
                format!("the chain has taken back the move of ply {ply}; it is sent again")
            }
            Self::FalseMove { ply, can_refute: true } => {
                format!(
                    "the proof of the opponent's move of ply {ply} is false: the contract is being told, which wins the game"
                )
            }
            Self::FalseMove { ply, can_refute: false } => format!(
                "the proof of the opponent's move of ply {ply} is false, and the contract has taken it: don't trust this deployment"
            ),
            Self::DemandingSight { ply, phase } => format!(
                "the sight {} the move of ply {ply} has not come: it is demanded through the chain, which costs each player \
                 about {} gas",
                of(*phase),
                grouped(EXCHANGE_GAS.into())
            ),
            Self::SightDemanded { ply, phase, own: true, .. } => {
                format!("the opponent must now give the sight {} ply {ply} through the chain, or loses", of(*phase))
            }
            Self::SightDemanded { ply, phase, own: false, .. } => format!(
                "the opponent demands its sight {} ply {ply} through the chain: the answer is made and sent; it costs each \
                 player about {} gas",
                of(*phase),
                grouped(EXCHANGE_GAS.into())
            ),
            Self::SightAnswered { ply, phase, own: true } => {
                format!("the sight {} ply {ply} has come through the chain", of(*phase))
            }
            Self::SightAnswered { ply, phase, own: false } => {
                format!("the sight {} ply {ply} was given through the chain", of(*phase))
            }
            Self::AnotherPosition { ply, phase } => format!(
                "the chain shows another position than the one in which the opponent was given its sight {} ply {ply}: it isn't given a \
                 second one. Ask another node; only if the chain really was taken back so far, `give` gives it",
                of(*phase)
            ),
            Self::SignedInAnotherPosition { ply, mv } => format!(
                "{mv}, signed for ply {ply}, was made in another position than the chain has now: it isn't sent again. Choose anew; that is \
                 sent once the earlier transaction can't be included any more"
            ),
            Self::ConfirmMove { ply, mv, doubt: Doubt::Unwritten } => format!(
                "{mv} of ply {ply} is not signed yet: there is no room on the disk to remember it, and after a restart you might sign another \
                 move of that ply, which shows the opponent two requests. Make room, or give {mv} again to have it signed all the same"
            ),
            Self::ConfirmMove { ply, mv, doubt: Doubt::Sent } => format!(
                "{mv} of ply {ply} is not signed yet: this wallet has a transaction on its way that isn't remembered here, and it may be another \
                 move of that ply. If you have signed one, on this machine or another, choose the same; give {mv} again to have it signed"
            ),
            Self::FiftyClaimed { own: true, .. } => {
                "you claim a draw by fifty moves: unless the opponent shows that it has made fewer, the game is drawn"
                    .to_owned()
            }
            Self::FiftyClaimed { disputed: true, .. } => {
                "the opponent claims a draw by fifty moves: you have made fewer, which is being shown".to_owned()
            }
            Self::FiftyClaimed { .. } => {
                "the opponent claims a draw by fifty moves, rightly: the game will be drawn".to_owned()
            }
            Self::OutOfTime => "by this machine's clock your time is over: the opponent can claim the game".to_owned(),
            Self::OpponentOutOfTime => "the opponent's time has run out; the game is being claimed".to_owned(),
            Self::NotThisWallet { ply } => format!(
                "the move of ply {ply} on chain was not made with this wallet's secrets: this game can't be played from here"
            ),
            Self::ChainRefused(reason) => {
                format!("the chain tells something that can't be: {reason}")
            }
            _ => return None,
        })
    }
}

/// What an exchange through the chain costs each of the players, in gas: `demandSight` and a share, or `answerSight` less it,
/// as measured (docs/src/performance-data.md).
pub const EXCHANGE_GAS: u32 = 1_050_000;

fn of(phase: Phase) -> &'static str {
    match phase {
        Phase::Pre => "before",
        Phase::Post => "after",
    }
}

/// A phase as the time that it is before or after: the own move of the ply.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Phase")]
pub(crate) enum When {
    #[serde(rename = "before")]
    Pre,
    #[serde(rename = "after")]
    Post,
}

/// A value as the text that it displays itself as.
pub(crate) mod text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use std::{fmt::Display, str::FromStr};

    /// Writes the text that a value displays itself as.
    pub fn serialize<T: Display, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(value)
    }

    /// Reads a value from its text.
    pub fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

/// How a notice with one unnamed value becomes an object: the value's shape, and the way there and back.
macro_rules! shape {
    ($module:ident: $type:ty, $value:ident => { $($field:ident: $shape:ty = $made:expr),* }, $back:ident) => {
        pub(super) mod $module {
            use super::*;

            #[derive(Serialize, Deserialize)]
            struct Shape { $($field: $shape),* }

            #[allow(clippy::ptr_arg, reason = "serde gives a reference to the field itself")]
            /// Writes the value by its shape in JSON.
            pub fn serialize<S: serde::Serializer>($value: &$type, to: S) -> Result<S::Ok, S::Error> {
                Shape { $($field: $made),* }.serialize(to)
            }

            /// Reads the value by its shape in JSON.
            pub fn deserialize<'de, D: serde::Deserializer<'de>>(from: D) -> Result<$type, D::Error> {
                Ok(Shape::deserialize(from)?.$back)
            }
        }
    };
}

shape!(addresses: Vec<String>, value => { addresses: Vec<String> = value.clone() }, addresses);
shape!(reason: String, value => { reason: String = value.clone() }, reason);
shape!(refused: CommandError, value => { reason: String = value.to_string(), error: CommandError = value.clone() }, error);
shape!(fault: PeerFault, value => {
    reason: String = value.to_string(), may_be_honest: bool = value.may_be_honest(), fault: PeerFault = value.clone()
}, fault);
