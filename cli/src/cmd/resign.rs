//! `fogmate resign`: gives a game up without a board.

use clap::Args as ClapArgs;
use client::lobby::in_ether;
use eyre::Result;
use game::Command;

use super::play::SeatArgs;
use crate::errand;
use crate::failure::bad_input;

/// Give a game up
///
/// Waits until that is final, and prints the transaction. A game for a stake is given up with --yes alone.
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    seat: SeatArgs,
    /// Give up the stake, too
    #[arg(long)]
    yes: bool,
}

pub async fn run(args: &Args) -> Result<()> {
    let seat = args.seat.seat_in_play().await?;
    let stake = seat.state.terms.stake;
    if stake > 0 && !args.yes {
        return Err(bad_input(format!("you would lose your stake of {} ETH: --yes gives up", in_ether(stake))));
    }
    errand::run(&args.seat, seat, Command::Resign).await
}
