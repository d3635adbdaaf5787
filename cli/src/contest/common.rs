//! Deadlines, errors and warnings that the commands of all contests share.

use alloy::primitives::B256;
use chain::Classified as _;
use client::chain::Connection;
use client::contest::{Contract, GameError};
use client::lobby::in_ether;
use eyre::{Report, Result};
use game::clock_time;

use crate::failure::{Found, bad_input};
use crate::machine::tell_advice;
use crate::output::note;
use crate::terms::LONGEST_TURN;

/// How long what is sent may take to be in a block, in seconds.
const INCLUSION: u64 = 60;

pub fn game_id(text: &str) -> Result<B256, String> {
    text.parse().map_err(|_| format!("{text:?} is not a game's id (0x and 64 hexadecimal digits)"))
}

/// An error with the exit code that it deserves.
pub fn told<G: Contract>(error: GameError<G>) -> Report {
    match error {
        GameError::NoGame { .. } => Found::NoGame(error.to_string()).into(),
        GameError::NotInOrder { .. } => Found::NotInOrder(error.to_string()).into(),
        _ if error.is_of_the_user() => bad_input(error),
        _ => error.into(),
    }
}

/// What a player is told that types `resign` where there is a stake, in wei.
pub fn stake_warning(stake: u128) -> String {
    format!("You would lose your stake of {} ETH: `resign yes` gives up.", in_ether(stake))
}

/// What a player does within the time for a turn.
#[derive(Clone, Copy, Debug)]
pub struct Action<'a> {
    /// The verb for it, as in "roll".
    pub name: &'a str,
    /// How long its proofs may take on a slow machine, in seconds.
    pub proving: u64,
}

/// Tells which of the nodes that blocks are compared with have fallen silent, or answer again.
pub fn tell_nodes(chain: &Connection) {
    chain.take_notes().iter().for_each(|words| note!("note: {words}"));
}

/// Until when a game can be joined that is opened now for so long: its contract counts from a block's time, which may be behind this machine's date.
pub async fn expiry(chain: &Connection, open_for: u32) -> Result<u64> {
    let (now, block) = (chain.now().await?, chain.block_time().await?);
    Ok(now.saturating_add(open_for.into()).min(block.saturating_add(LONGEST_TURN.into())))
}

/// Says so if little of the time for an action is left once the opponent's message is final, or less than it may take; and from here on what becomes
/// of the wallet's transactions.
pub async fn tell_caution(chain: &Connection, turn: u32, action: Action<'_>) -> Result<()> {
    let Action { name, proving } = action;
    tell_nodes(chain);
    tell_advice(chain.advice());
    let wait = chain.finality_time().await?;
    if u64::from(turn) < wait.saturating_mul(2) {
        let (turn, wait) = (clock_time(turn.into()), clock_time(wait));
        note!(
            "note: of the {turn} for each {name} about {wait} pass until the opponent's message is final on this chain"
        );
    }
    let least = wait.saturating_add(proving).saturating_add(INCLUSION);
    if u64::from(turn) < least {
        let (turn, least) = (clock_time(turn.into()), clock_time(least));
        note!(
            "note: {turn} for each {name} is short: a machine that runs may need {least}, so who is in the right may lose"
        );
    }
    Ok(())
}
