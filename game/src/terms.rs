//! What a game is played for and how fast, its clocks, and the ids that follow from what was agreed (protocol, section 8).

use alloy_primitives::{Address, B256};
use derive_more::Display;
use fog::{
    curve::FogKey,
    engine::{Registration, engine_word},
    ensure,
    word::keccak256,
};
use rules::Color;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// Which game it is, on which chain: part of every `ctx`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GameRef {
    pub chain_id: u64,
    #[schemars(with = "String")]
    pub contract: Address,
    /// The contract's id of the game.
    #[serde(rename = "game")]
    #[schemars(with = "String")]
    pub game_id: B256,
}

impl GameRef {
    /// As invitations, journals and backups have it: the chain's id (8, big-endian), the contract (20), the id (32).
    pub fn to_bytes(&self) -> [u8; 60] {
        let parts = [&self.chain_id.to_be_bytes()[..], &self.contract[..], &self.game_id[..]].concat();
        std::array::from_fn(|i| parts[i])
    }

    /// The game with these bytes.
    pub fn of(bytes: &[u8; 60]) -> Self {
        let chain_id = u64::from_be_bytes(std::array::from_fn(|i| bytes[i]));
        Self { chain_id, contract: Address::from_slice(&bytes[8..28]), game_id: B256::from_slice(&bytes[28..]) }
    }
}

/// When the proofs of moves are verified: the names and numbers of the contract's enum `Mode`.
#[derive(Clone, Copy, Debug, Default, Display, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[display(rename_all = "snake_case")]
pub enum Mode {
    /// By the contract, with the move.
    #[default]
    Verified = 0,
    /// By nobody: the moves have no proofs. For sight engines that prove none; without a stake, and without all that needs a proof.
    Unproven = 2,
    /// By the opponent's machine, without the chain; and by the contract if the game is woken.
    Channel = 3,
}

impl Mode {
    /// Whether moves have proofs in it.
    pub fn has_proofs(self) -> bool {
        self != Self::Unproven
    }
}

/// Why a text names no mode that can be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a mode is `verified`, `channel` or `unproven`")]
pub struct ModeParseError;

impl FromStr for Mode {
    type Err = ModeParseError;

    fn from_str(text: &str) -> Result<Self, ModeParseError> {
        [Self::Verified, Self::Channel, Self::Unproven]
            .into_iter()
            .find(|mode| mode.to_string() == text)
            .ok_or(ModeParseError)
    }
}

/// What a game is played for, how fast, and how long each waits for the other. In JSON the names tell the units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Terms {
    /// When the proofs of moves are verified.
    pub mode: Mode,
    /// What each player puts in, in wei; below 2^96.
    #[serde(rename = "stake_wei", with = "crate::as_text::AsText")]
    pub stake: u128,
    /// Each player's time for the game, in seconds.
    #[serde(rename = "base_s")]
    pub base: u32,
    /// Seconds added after each own move.
    #[serde(rename = "increment_s")]
    pub increment: u32,
    /// Seconds at the start of each ply during which no clock runs.
    #[serde(rename = "delay_s")]
    pub delay: u32,
    /// Seconds to answer a demand or a claim.
    #[serde(rename = "window_s")]
    pub window: u32,
    /// Seconds to reveal a share of the coin toss, for each player.
    #[serde(rename = "reveal_s")]
    pub reveal: u32,
    /// The last block time, in seconds since 1970, at which the game can be joined; below 2^40.
    pub expiry: u64,
    /// Who may join; `None` for anyone.
    #[schemars(with = "Option<String>")]
    pub opponent: Option<Address>,
}

impl Terms {
    /// The nine words of the contract's struct.
    fn words(&self) -> [[u8; 32]; 9] {
        let opponent = self.opponent.unwrap_or_default();
        [
            number(self.mode as u128),
            number(self.stake),
            number(self.base.into()),
            number(self.increment.into()),
            number(self.delay.into()),
            number(self.window.into()),
            number(self.reveal.into()),
            number(self.expiry.into()),
            opponent.into_word().0,
        ]
    }
}

/// All that a creator says when it opens a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Opening {
    pub creator: Address,
    /// What the creator tells its games apart by, random.
    pub nonce: B256,
    /// What it is played for and how fast.
    pub terms: Terms,
    /// The commitment to the creator's share of the coin toss.
    pub toss: B256,
    /// What the creator registered: its fog key, or in mode `unproven` what its sight engine registers.
    pub registration: Registration,
}

impl Opening {
    /// The game's id: `keccak256(abi.encode(chain id, contract, creator, nonce, terms, toss, registration))`.
    pub fn game_id(&self, chain_id: u64, contract: Address) -> B256 {
        let head = [number(chain_id.into()), contract.into_word().0, self.creator.into_word().0, self.nonce.0];
        let words = [&head[..], &self.terms.words(), &[self.toss.0]].concat();
        keccak256(&[words.as_flattened(), &self.registration].concat()).into()
    }
}

/// Why what a player registered can't be. The contract takes no such create or join.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegistrationError {
    /// In a mode with proofs the registration is a fog key.
    #[error("a player has registered no fog key")]
    NoFogKey,
    /// In mode `unproven` its second word is the name of the engine.
    #[error("a player has registered no sight engine")]
    NoEngine,
    /// In mode `unproven` both play with the same.
    #[error("the players have registered different sight engines")]
    OtherEngine,
    /// Each has a secret of its own.
    #[error("both players have registered the same")]
    Same,
}

/// Checks what the creator registered, as the contract does.
pub(crate) fn check_creator(mode: Mode, registration: &Registration) -> Result<(), RegistrationError> {
    if mode.has_proofs() {
        return FogKey::from_bytes(registration).map(|_| ()).map_err(|_| RegistrationError::NoFogKey);
    }
    ensure!(engine_word(registration) != [0; 32], RegistrationError::NoEngine);
    Ok(())
}

/// Checks what the joiner registered, as the contract does.
pub(crate) fn check_joiner(opening: &Opening, joiner: &Registration) -> Result<(), RegistrationError> {
    let (mode, creator) = (opening.terms.mode, &opening.registration);
    check_creator(mode, joiner)?;
    ensure!(creator != joiner, RegistrationError::Same);
    let is_same = mode.has_proofs() || engine_word(creator) == engine_word(joiner);
    ensure!(is_same, RegistrationError::OtherEngine);
    Ok(())
}

/// What the creator's secrets of a game derive from, in place of the game's id, which binds its registration and its commitment:
/// `keccak256(abi.encode(keccak256("fogmate/opening/1"), chain id, contract, creator, nonce))`.
pub fn opening_id(chain_id: u64, contract: Address, creator: Address, nonce: B256) -> B256 {
    let tag = keccak256(b"fogmate/opening/1");
    let words = [tag, number(chain_id.into()), contract.into_word().0, creator.into_word().0, nonce.0];
    keccak256(words.as_flattened()).into()
}

/// What `player`'s secrets of a game derive from: for its creator the opening, for who joins the game itself, which by its id
/// is bound to the creator's commitments.
pub fn secrets_id(game: &GameRef, player: Address, creator: Address, nonce: B256) -> B256 {
    match player == creator {
        true => opening_id(game.chain_id, game.contract, creator, nonce),
        false => game.game_id,
    }
}

fn number(value: u128) -> [u8; 32] {
    let mut word = [0; 32];
    word[16..].copy_from_slice(&value.to_be_bytes());
    word
}

/// The clocks of a game, as of some time. Times are in seconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// Seconds left to White and to Black.
    pub left: [u64; 2],
    /// The earliest deadline of the game: once it has passed, the game is decided.
    pub deadline: u64,
    /// Whose clock it is that runs, or will; none before the coin toss.
    pub turn: Option<Color>,
    /// When that clock starts to run, or when it did.
    pub runs_from: u64,
    /// While an open demand or claim stops it: the last second to answer that.
    pub hold: Option<u64>,
}

impl Clocks {
    /// These, as of `then`, at a later time, if nothing has happened in between.
    pub fn after(mut self, then: u64, now: u64) -> Self {
        if let (Some(color), None) = (self.turn, self.hold) {
            let left = &mut self.left[color.index()];
            *left = left.saturating_sub(now.saturating_sub(self.runs_from.max(then)));
        }
        self
    }
}
