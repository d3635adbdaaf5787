//! `fogmate bot`: a bot plays a side of one game, over the real link and chain.

use std::path::PathBuf;

use bot::Level;
use chain::private;
use clap::Args as ClapArgs;
use eyre::{Result, WrapErr as _};

use super::play::{Chooser, SeatArgs, sit};
use crate::taking::Agreement;

/// Let a bot play a game, go on with it, or take an invitation
///
/// It takes the side of a wallet of its own, and sees what that side sees. What happens is shown as by `play`, and what is
/// typed is carried out: `resign`, `publish` and the rest. It never resigns, offers no draw, and accepts one if it stands worse. The program ends with the game.
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    seat: SeatArgs,
    #[command(flatten)]
    agreement: Agreement,
    /// How well it plays: `easy`, `medium` or `hard`
    #[arg(long, value_name = "LEVEL", default_value_t)]
    level: Level,
    /// Where it keeps what it was told, to remember it after a restart [default: in the home folder]
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Draw by this number, not by the wallet: the same moves again where what it is told is the same
    #[arg(long, value_name = "N", hide = true)]
    seed: Option<u64>,
}

pub async fn run(args: &Args) -> Result<()> {
    // A seat is not paid for whose player can't begin.
    if let Some(log) = &args.log {
        private::file(log).wrap_err_with(|| log.display().to_string())?;
    }
    sit(&args.seat, &args.agreement, Chooser::Bot { level: args.level, log: args.log.clone(), seed: args.seed }).await
}
