//! `fogmate publish`: lets others replay a player's side of a game that is over, through the chain or by a file.

use std::path::{Path, PathBuf};

use chain::private;
use clap::Args as ClapArgs;
use client::chain::Chain;
use eyre::{Result, WrapErr as _};
use game::audit::{Audit, Unknown, opening};
use game::replay::KeyFile;
use game::{Command, GameRef};
use serde_json::json;

use super::play::{Seat, SeatArgs};
use crate::errand;
use crate::failure::bad_input;
use crate::files::free;
use crate::output::{note, say};
use crate::transcripts::audited;

/// Publish your view key of a game that is over, so that everybody can replay your side of it
///
/// Waits until that is final, and prints the transaction. The key tells nothing of other games, of your wallet or of money.
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    seat: SeatArgs,
    /// Write the key to a file and not to the chain: who gets the file replays your side with `fogmate replay --key`
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
}

pub async fn run(args: &Args) -> Result<()> {
    args.file.as_deref().map(free).transpose()?;
    let seat = args.seat.seat().await?;
    match &args.file {
        Some(path) => write(path, &seat, args.seat.side.json).await,
        None => {
            let (chain, game) = (seat.parts.chain.clone(), seat.parts.game);
            errand::run(&args.seat, seat, Command::PublishViewKey).await?;
            tell_what_counts(&chain, game).await;
            Ok(())
        }
    }
}

/// Says so where an audit doesn't take the moves that were posted.
async fn tell_what_counts(chain: &Chain, game: GameRef) {
    let Ok(records) = chain.records(game.game_id).await else { return };
    let audit = audited(game, records, None, |_, _| Ok::<_, &str>(())).map(|(_, audit)| audit);
    if let Ok(Audit { unknown: Some(unknown @ Unknown::PostedAlone(_)), .. }) = audit {
        note!("note: {unknown}");
    }
}

async fn write(path: &Path, Seat { parts, .. }: &Seat, json: bool) -> Result<()> {
    let records = parts.chain.final_records(parts.game.game_id).await?;
    if !game::audit::is_over(parts.game, &records) {
        return Err(bad_input(
            "the game isn't over, as far as blocks are final: your key would show the opponent your board",
        ));
    }
    let opening = opening(&records).ok_or_else(|| bad_input("the chain doesn't say who opened the game"))?;
    let secrets = parts.wallet.game_secrets(&parts.game, opening.creator, opening.nonce);
    let file = KeyFile::new(parts.game, parts.wallet.address(), secrets.view_key());
    let full = std::path::absolute(path).wrap_err_with(|| path.display().to_string())?;
    private::write(&full, (file.to_json()? + "\n").as_bytes())
        .wrap_err_with(|| format!("{} can't be written", path.display()))?;
    match json {
        true => say!("{}", json!({ "command": "publish", "game": parts.game.game_id, "file": path })),
        false => say!("{} has your view key: who gets it sees all your boards of this game", path.display()),
    }
}
