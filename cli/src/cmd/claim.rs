//! `fogmate claim`: claims what time has decided, without a board.

use clap::Args as ClapArgs;
use eyre::Result;
use game::Command;

use super::play::SeatArgs;
use crate::errand;

/// Claim what time has decided: the game, once the opponent's time has run out
///
/// Waits until that is final, and prints the transaction. A board that is open claims by itself.
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    seat: SeatArgs,
}

pub async fn run(args: &Args) -> Result<()> {
    errand::run(&args.seat, args.seat.seat_in_play().await?, Command::ClaimTimeout).await
}
