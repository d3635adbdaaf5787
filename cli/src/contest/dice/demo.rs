//! A whole game of dice between two processes on a chain of its own, audited at the end.

use contest::Role;
use contest::dice::Dice;
use deploy::Repository;
use eyre::{Result, bail};
use serde_json::{Value, json};

use crate::cache::of_clone;
use crate::contest::demo::{Stage, heard};
use crate::contest::process::Player;
use crate::output::say;

/// Plays the demo, shows it on standard output, and gives its report in JSON.
pub async fn demo(repository: Repository) -> Result<Value> {
    let stage = Stage::set::<Dice>(&repository, of_clone(&repository)).await?;
    let (game, _) = stage.open(&[]).await?;
    say!("")?;
    let mut players = stage.play(game, &["--auto"])?;
    let (winner, rolls) = show(&mut players).await?;
    for player in players {
        player.end().await?;
    }
    stage.withdraw(winner).await?;
    let [report, costs] = stage.audit::<Dice>(game, winner).await?;
    Ok(json!({ "audit": report, "costs": costs, "rolls": rolls }))
}

/// The next thing that a player says of the game itself.
async fn of_the_game(player: &mut Player) -> Result<Value> {
    loop {
        let said = player.next().await?;
        if matches!(said["event"].as_str(), Some("rolled" | "over")) {
            return Ok(said);
        }
    }
}

/// Shows the game, of which both players must have replayed the same rolls; gives the winner and
/// what was chosen, in order.
async fn show(players: &mut [Player; 2]) -> Result<(Role, Vec<u64>)> {
    let mut rolls = Vec::new();
    loop {
        let [alice, bob] = players;
        let both = async { tokio::try_join!(of_the_game(alice), of_the_game(bob)) };
        let (first, second) = heard(both).await??;
        if first != second {
            bail!("the players disagree: {first}, {second}");
        }
        let number = |field: &str| first[field].as_u64().unwrap_or_default();
        if first["event"] == "rolled" {
            let who = if first["by"] == Role::Creator.name() { "Alice" } else { "Bob" };
            let [roll, die, from, to] = ["roll", "chosen", "from", "to"].map(number);
            let [left, right] = [0, 1].map(|index| first["dice"][index].as_u64().unwrap_or_default());
            let jump = if to == from + die || to == from { String::new() } else { format!(" by {}", from + die) };
            say!("roll {roll:3}  {who:5} rolls {left} and {right}, moves by {die}: {from} to {to}{jump}")?;
            rolls.push(die);
            continue;
        }
        let winner = if first["winner"] == Role::Creator.name() { Role::Creator } else { Role::Joiner };
        let who = ["Alice", "Bob"][winner as usize];
        say!("\n{who} wins: {}.", first["outcome"].as_str().unwrap_or_default())?;
        return Ok((winner, rolls));
    }
}
