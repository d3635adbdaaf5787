//! What a game is played for and how fast, and its clocks (protocol, section 8).

use alloy_primitives::Address;

/// What a game is played for, and how fast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// What each player puts in, in wei; below 2^96.
    pub stake: u128,
    /// Each player's time for the game, in seconds.
    pub base: u32,
    /// Seconds added after each own move.
    pub increment: u32,
    /// Seconds at the start of each ply during which no clock runs.
    pub delay: u32,
    /// Who may join; `None` for anyone.
    pub opponent: Option<Address>,
}

/// The clocks of a game now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// Seconds left to White and to Black.
    pub left: [u64; 2],
    /// The last second in which the player to act is in time, since 1970.
    pub deadline: u64,
}
