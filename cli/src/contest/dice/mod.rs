//! Dice at the command line: [`mod@view`] is what a player sees of a game, [`mod@board`] the board.

mod board;
mod view;

use client::contest::{Audited, Latest};
use contest::Role;
use contest::dice::Dice;
use deploy::{Deployment, Game};
use eyre::Result;
use serde_json::{Value, json};

use super::common::Action;
use super::{NoArgs, Played, Standing};

/// How a game of dice is played at the command line.
#[derive(Clone, Debug, clap::Args)]
pub struct PlayArgs {
    /// Roll without being asked, by the die after which you win more often, by where both stand
    #[arg(long)]
    auto: bool,
}

impl Played for Dice {
    const KIND: Game = Game::Dice;
    const ACTION: Action<'static> = Action { name: "roll", proving: 0 };
    const CHOICE: &'static str = "roll";
    const UNATTENDED: &'static str = "time is claimed";
    const WON: &'static str = "finished";
    const HELP: &'static str = "  5               move by the die that shows 5, when it is your turn
  Enter           the same where both dice lead to one square
  board           show the board: you are @, the opponent is &";
    const DEMO: &'static [&'static str] = &["--auto"];
    type SetupArgs = NoArgs;
    type KeyArgs = NoArgs;
    type PlayArgs = PlayArgs;
    type View = view::DiceView;

    fn setup(_: &NoArgs) {}

    fn described((): &()) -> String {
        String::new()
    }

    fn is_auto(args: &PlayArgs) -> bool {
        args.auto
    }

    async fn prover(_: &NoArgs, _: &Deployment) -> Result<()> {
        Ok(())
    }

    fn verifier(_: &Deployment) -> Result<()> {
        Ok(())
    }

    fn standing(latest: &Latest<Self>) -> Standing {
        let (rolls, [first, second]) = (latest.state.rolls, latest.state.squares);
        let due = Role::of_turn(rolls).name();
        Standing {
            value: json!({ "waits_for": due, "rolls": rolls, "squares": latest.state.squares }),
            setup: String::new(),
            place: format!("creator on {first}, joiner on {second}; "),
            due: format!("the {due}'s roll {}", rolls.saturating_add(1)),
            after: format!("after {rolls} rolls"),
        }
    }

    fn turn_field(turn: u64) -> (&'static str, u64) {
        ("roll", turn.saturating_add(1))
    }

    fn audited(found: &Audited<Self>) -> (Value, String) {
        let table = &found.table;
        let (rolls, squares) = (table.rolls(), Role::ALL.map(|role| table.square(role).number()));
        let value = json!({ "rolls": rolls, "squares": squares, "head": table.head() });
        (value, format!("{rolls} rolls replayed, each with its promise, numbers, dice, choice and square"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::tell::status;
    use client::contest::DiceState;

    /// The contract's word, which a node passes on.
    #[test]
    fn any_number_of_rolls_is_told() {
        let latest = Latest::<Dice> {
            is_open: false,
            is_playing: true,
            stake: u128::MAX,
            turn: u32::MAX,
            deadline: u64::MAX,
            creator: Default::default(),
            joiner: None,
            winner: None,
            outcome: None,
            state: DiceState { rolls: u64::MAX, squares: [u8::MAX; 2], head: Default::default() },
        };
        for now in [0, u64::MAX] {
            assert!(status(&latest, now).1.contains("18446744073709551615"));
        }
    }
}
