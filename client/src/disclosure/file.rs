//! A disclosure as JSON: one object, whose numbers are decimal and whose bytes are hexadecimal after `0x`.
//!
//! ```json
//! {"fogmate": "disclosure 2", "chain_id": 31337, "contract": "0x…", "game": "0x…", "player": "0x…", "engine": "emanant",
//!  "branch": "0x…", "view_key": "0x…",
//!  "heard": [{"session": "set-up", "message": 1, "bytes": "0x…"}, {"session": "4 pre", …}]}
//! ```

use super::{Disclosure, DisclosureError};
use alloy::primitives::{Address, B256, Bytes};
use fog::ensure;
use game::{GameRef, Phase, SessionId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use zeroize::Zeroizing;

const VERSION: &str = "disclosure 2";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    fogmate: String,
    chain_id: u64,
    contract: Address,
    game: B256,
    player: Address,
    engine: String,
    branch: B256,
    view_key: B256,
    heard: Vec<Heard>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Heard {
    session: String,
    message: u16,
    bytes: Bytes,
}

impl Disclosure {
    /// As JSON, a message a line.
    pub fn to_json(&self) -> String {
        let messages = |(session, heard): (&SessionId, &BTreeMap<u16, Vec<u8>>)| {
            let session = name(*session);
            let message = move |(message, bytes): (&u16, &Vec<u8>)| {
                serde_json::json!({ "session": session, "message": message, "bytes": Bytes::from(bytes.clone()) })
                    .to_string()
            };
            heard.iter().map(message).collect::<Vec<_>>()
        };
        let heard: Vec<String> = self.heard.iter().flat_map(messages).collect();
        let GameRef { chain_id, contract, game_id } = &self.game;
        let (branch, view_key) = (B256::from(*self.branch), B256::from(*self.view_key));
        format!(
            "{{\"fogmate\": \"{VERSION}\", \"chain_id\": {chain_id}, \"contract\": \"{contract:#x}\", \"game\": \"{game_id:#x}\",\n \
             \"player\": \"{:#x}\", \"engine\": \"{}\",\n \"branch\": \"{branch:#x}\",\n \"view_key\": \"{view_key:#x}\",\n \
             \"heard\": [\n{}\n]}}\n",
            self.player,
            self.engine,
            heard.join(",\n")
        )
    }

    /// Reads what [`Self::to_json`] wrote. What it says is looked at by [`super::check()`].
    pub fn from_json(text: &[u8]) -> Result<Self, DisclosureError> {
        #[derive(Deserialize)]
        struct Marked {
            fogmate: String,
        }
        let form = |error: serde_json::Error| DisclosureError::Form(error.to_string());
        let Marked { fogmate } = serde_json::from_slice(text).map_err(form)?;
        ensure!(fogmate == VERSION, DisclosureError::Version(fogmate));
        let file: File = serde_json::from_slice(text).map_err(form)?;
        let mut heard = BTreeMap::<_, BTreeMap<_, _>>::new();
        for Heard { session: text, message, bytes } in file.heard {
            let messages = heard.entry(session(&text)?).or_default();
            ensure!(messages.insert(message, bytes.to_vec()).is_none(), DisclosureError::Twice(text, message));
        }
        Ok(Self {
            game: GameRef { chain_id: file.chain_id, contract: file.contract, game_id: file.game },
            player: file.player,
            engine: file.engine,
            branch: Zeroizing::new(file.branch.0),
            view_key: Zeroizing::new(file.view_key.0),
            heard,
        })
    }
}

/// What a session is called in a file.
pub(super) fn name(session: SessionId) -> String {
    match session {
        SessionId::SetUp => "set-up".to_owned(),
        SessionId::Exchange { ply, phase: Phase::Pre } => format!("{ply} pre"),
        SessionId::Exchange { ply, phase: Phase::Post } => format!("{ply} post"),
    }
}

/// The session with a name; each has one spelling.
fn session(text: &str) -> Result<SessionId, DisclosureError> {
    let sight = |(ply, phase): (&str, &str)| {
        let phase = [Phase::Pre, Phase::Post].into_iter().find(|known| phase == ["pre", "post"][*known as usize])?;
        Some(SessionId::Exchange { ply: ply.parse().ok()?, phase })
    };
    let found = if text == "set-up" { Some(SessionId::SetUp) } else { text.split_once(' ').and_then(sight) };
    let found = found.filter(|session| name(*session) == text);
    found.ok_or_else(|| DisclosureError::Session(text.to_owned()))
}
