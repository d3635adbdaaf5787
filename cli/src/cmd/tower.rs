//! `fogmate tower`: looks after games between the machines by their backups, while their players are away. It knows no secret of a game.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args as ClapArgs;
use client::lobby::{about_in_ether, in_ether};
use client::tower::{Told, Tower};
use eyre::Result;
use game::{date, move_name, moves_known};
use serde_json::{Value, json};
use tokio::time::{MissedTickBehavior, interval};

use crate::failure::bad_input;
use crate::machine::{MachineArgs, fill, tell_advice};
use crate::output::{note, say};
use crate::process::uninterrupted;

/// Gas of a position that takes the place of another one (docs/src/performance-data.md).
const GAS_OF_A_POSITION: u128 = 91_000;

/// Look after games of mode `channel` while their players are away
///
/// Watches the contract for every game that has a backup in the folder. If an opponent wakes one at an earlier position than both have signed, the
/// tower puts the later one in its place, and its wallet pays for that. It needs no key of a player, learns nothing and can't harm. It
/// can't move or answer either: for that the player has to be back within the game's window.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The folder of backups, as `fogmate play --backup` writes it
    #[arg(long, value_name = "DIR")]
    backup: PathBuf,
    #[command(flatten)]
    machine: MachineArgs,
    /// Print a JSON object a line
    #[arg(long)]
    json: bool,
}

pub async fn run(args: &Args) -> Result<()> {
    let folder = std::fs::read_dir(&args.backup);
    folder.map_err(|error| bad_input(format!("the folder of backups {}: {error}", args.backup.display())))?;
    let home = args.machine.home.home()?;
    let (wallet, chain, _) = args.machine.connect(&home, None).await?;
    tell_advice(chain.advice());
    let (account, poll) = (wallet.address(), chain.config().poll);
    fill(&args.machine.node.rpc(None), account).await?;
    let (balance, price): (u128, _) = (chain.balance(account).await?.saturating_to(), chain.price().await?);
    note!(
        "watching the games in {}; {account:#x} pays, and has {} ETH. Ctrl-C ends it",
        args.backup.display(),
        in_ether(balance)
    );
    if let Some(lack) = lack(balance, price) {
        note!("note: {lack}: send some to {account:#x}");
    }
    // What was sent goes on by itself if this is ended meanwhile.
    uninterrupted(look_after(Tower::new(chain, &args.backup).await?, poll, args.json)).await
}

/// Looks at the games again and again, and says what it finds and does.
async fn look_after(mut tower: Tower, poll: Duration, json: bool) -> Result<()> {
    let mut pace = interval(poll);
    pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut last_trouble = None;
    loop {
        pace.tick().await;
        match tower.look().await {
            Ok(told) => {
                last_trouble = None;
                for told in &told {
                    match json {
                        true => say!("{}", as_json(told))?,
                        false => say!("{}", in_words(told))?,
                    }
                }
            }
            Err(error) => {
                let text = error.to_string();
                if last_trouble.as_ref() != Some(&text) {
                    note!("note: {text}");
                }
                last_trouble = Some(text);
            }
        }
    }
}

/// Why a wallet with so many wei can't put a position on the chain, where a unit of gas costs `price`.
fn lack(balance: u128, price: u128) -> Option<String> {
    let cost = price.saturating_mul(GAS_OF_A_POSITION);
    let is_poor = balance == 0 || balance < cost;
    is_poor.then(|| {
        format!("to put the later position in the place of an earlier one costs about {} ETH here now, which this wallet lacks", about_in_ether(cost))
    })
}

fn in_words(told: &Told) -> String {
    match told {
        Told::Watches { game, plies } => format!("Game {game:#x}: the backup has {}.", moves_known(*plies)),
        Told::NothingLater { game, contest } => format!(
            "Game {game:#x} was woken at {}, and the backup has nothing later that both have signed. It is contested until {}; then its player has to \
             be there.",
            move_name(contest.ply),
            date(contest.until)
        ),
        Told::Shown { game, ply, contest, receipt } => format!(
            "Game {game:#x} was woken at {}: {} stands in its place now, for {} ETH. From {} on its player has to be there.",
            move_name(contest.ply),
            move_name(*ply),
            in_ether(receipt.fee),
            date(contest.until)
        ),
        Told::Over { game } => format!("Game {game:#x} is over."),
        Told::Trouble { path, reason } => format!("{}: {reason}; the tower goes on trying.", path.display()),
    }
}

fn as_json(told: &Told) -> Value {
    match told {
        Told::Watches { game, plies } => json!({ "event": "watches", "game": game, "plies": plies }),
        Told::NothingLater { game, contest } => {
            json!({ "event": "nothing_later", "game": game, "woken_at": contest.ply, "contested_until": contest.until })
        }
        Told::Shown { game, ply, contest, receipt } => json!({
            "event": "shown", "game": game, "woken_at": contest.ply, "contested_until": contest.until, "ply": ply,
            "transaction": receipt.transaction, "gas": receipt.gas_used, "fee_wei": receipt.fee.to_string(),
        }),
        Told::Over { game } => json!({ "event": "over", "game": game }),
        Told::Trouble { path, reason } => json!({ "event": "trouble", "backup": path, "reason": reason }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tower_without_the_money_for_a_position_says_what_one_costs() {
        assert!(lack(0, 2_000_000_000).is_some_and(|said| said.contains("about 0.00019 ETH here now")));
        assert!(lack(0, 0).is_some() && lack(181_000_000_000_000, 2_000_000_000).is_some());
        assert_eq!(lack(182_000_000_000_000, 2_000_000_000), None);
    }
}
