//! What both players and the chain know of a game before its first exchange.

use super::Word;
use rules::Color;

/// Bytes that a player registers on chain: a public key or a commitment to a seed.
pub const REGISTRATION_BYTES: usize = 64;
/// What a player registers on chain at create or join.
pub type Registration = [u8; REGISTRATION_BYTES];

/// The public facts of a game that every exchange of it is bound to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The chain's id.
    pub chain_id: u64,
    /// The game contract's address.
    pub contract: [u8; 20],
    /// The game's id.
    pub game_id: Word,
    /// Joint randomness of the coin toss for colors: the common random string of engines that need one.
    pub toss: Word,
    /// What each player registered, by color.
    pub registered: [Registration; 2],
}

impl Game {
    /// What a player registered.
    pub fn registered(&self, color: Color) -> &Registration {
        &self.registered[color.index()]
    }
}
