//! `fogmate draw`: accepts a draw without a board.

use clap::{Args as ClapArgs, ValueEnum};
use eyre::Result;
use game::Command;

use super::play::SeatArgs;
use crate::errand;
use crate::failure::bad_input;
use crate::hint::hint;

/// Accept the draw that the opponent's last move offered
///
/// Waits until that is final, and prints the transaction. An offer of your own goes with a move, so it is made at the board: `Nf3 draw`.
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    seat: SeatArgs,
    /// Take the draw that is offered
    #[arg(value_enum)]
    what: Option<What>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum What {
    Accept,
}

pub async fn run(args: &Args) -> Result<()> {
    if args.what.is_none() {
        let game = args.seat.name();
        return Err(bad_input(format!(
            "a draw is offered with a move: at the board of {} type `Nf3 draw`; {} takes one that is offered",
            hint(&format!("play {game}")),
            hint(&format!("draw {game} accept"))
        )));
    }
    errand::run(&args.seat, args.seat.seat_in_play().await?, Command::AcceptDraw).await
}
