//! A game of dice at the keyboard, or by itself (`--auto`). The chain is looked at again and again; a node that fails is asked again for a while.

use client::chain::Receipt;
use client::dice::{DiceError, Player};
use dice::{Effect, Role, Square, Status};
use eyre::Result;
use game::clock_time;
use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};

use super::board::board;
use super::tell::{Rolled, ended, in_words, name};
use super::wanted::{Tried, Wanted};
use crate::contest::{Patience, stake_warning, tell_nodes, tell_withdraw};
use crate::failure::Interrupted;
use crate::hint::hint;
use crate::input::{Lines, Unattended};
use crate::line::quit;
use crate::output::{Screen, note};

const HELP: &str = "  Enter, roll     roll the die, when it is your turn
  board           show the board: you are @, the opponent is &
  resign          give up; for a stake, `resign yes`";

fn help() -> String {
    format!("{HELP}\n{}", quit("dice play"))
}

#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub json: bool,
    /// Roll without being asked.
    pub auto: bool,
    /// End with standard input.
    pub stay: bool,
    /// What giving up costs, in wei.
    pub stake: u128,
}

/// Plays until the game or the user ends it.
pub async fn play(player: Player, options: Options) -> Result<()> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut session = Session {
        player,
        options,
        screen: Screen::default(),
        squares: [Square::START; 2],
        asked: None,
        waiting: false,
        late: false,
        wanted: Wanted::default(),
        patience: Patience::default(),
        rolling: Patience::default(),
    };
    tokio::select! {
        ended = session.run() => ended,
        _ = interrupt.recv() => Err(Interrupted.into()),
        _ = terminate.recv() => Err(Interrupted.into()),
    }
}

struct Session {
    player: Player,
    options: Options,
    screen: Screen,
    /// Where both stood after the last roll told.
    squares: [Square; 2],
    /// The number of rolls at which the player was last asked to roll.
    asked: Option<u64>,
    /// Whether it was told that there is no opponent yet.
    waiting: bool,
    /// Whether it was told that the player's time is over.
    late: bool,
    /// The roll that was asked for and could not be sent so far.
    wanted: Wanted,
    patience: Patience,
    /// How long rolls are tried again.
    rolling: Patience,
}

impl Session {
    async fn run(&mut self) -> Result<()> {
        let mut lines = Lines::read();
        loop {
            self.look().await?;
            if self.player.is_over() {
                return Ok(());
            }
            let pause = tokio::time::sleep(self.player.chain().poll());
            tokio::select! {
                () = pause => {}
                line = lines.next() => {
                    if self.on_line(line.as_deref()).await? {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Looks at the chain, tells what is new, and does what is due by itself.
    async fn look(&mut self) -> Result<()> {
        let effects = self.player.look().await;
        tell_nodes(self.player.chain());
        let Some(effects) = self.bear(effects)? else { return Ok(()) };
        self.tell(&effects);
        if effects.iter().any(|effect| matches!(effect, Effect::Send(_))) {
            let receipt = self.player.carry_out(&effects).await;
            if let Some(Some(receipt)) = self.bear(receipt)? {
                self.mined("claimTimeout", &receipt);
            }
        }
        if self.player.side().table().status() == Status::Open && !self.waiting {
            self.waiting = true;
            self.line(json!({ "event": "waiting" }), "Waiting for an opponent to join.");
        }
        let table = self.player.side().table();
        let (is_my_turn, rolls, deadline) = (self.player.side().is_my_turn(), table.rolls(), table.deadline());
        let is_wanted = self.wanted.is_for(is_my_turn.then_some(rolls));
        if is_my_turn && (self.options.auto || is_wanted) && self.rolling.is_over() {
            return self.roll().await;
        }
        if is_my_turn && self.player.is_late() {
            if !std::mem::replace(&mut self.late, true) {
                note!("Your time seems to be over: then the opponent can claim the game.");
            }
            return Ok(());
        }
        if is_my_turn && self.asked != Some(rolls) {
            self.asked = Some(rolls);
            let now = self.player.chain().now().await.map_err(DiceError::from);
            let left = self.bear(now)?.map(|now| clock_time(deadline.saturating_sub(now))).unwrap_or_default();
            let value = json!({ "event": "turn", "roll": rolls + 1, "deadline": deadline });
            self.line(value, &format!("Your roll: press Enter ({left} left; `help` lists the commands)."));
        }
        Ok(())
    }

    fn tell(&mut self, effects: &[Effect]) {
        let me = self.player.side().role();
        let total = self.player.side().table().rolls();
        let told = effects.iter().filter(|effect| matches!(effect, Effect::Rolled { .. })).count() as u64;
        let mut number = total - told;
        if number == 0 {
            // The first look, or the first one after a reorganisation.
            self.squares = [Square::START; 2];
        }
        for effect in effects {
            match effect {
                Effect::Rolled { role, roll } => {
                    number += 1;
                    let from = std::mem::replace(&mut self.squares[*role as usize], roll.square);
                    let rolled = Rolled { number, role: *role, roll: roll.clone(), from };
                    self.line(rolled.as_json(), &rolled.in_words(me));
                }
                Effect::Over(ending) => {
                    self.line(ended(ending), &in_words(ending, me));
                    let is_owed = ending.winner.map_or(me == Some(Role::Creator), |winner| me == Some(winner));
                    if is_owed && self.options.stake > 0 && !self.options.json {
                        tell_withdraw("dice");
                    }
                }
                Effect::Send(_) | Effect::YourTurn(_) => {}
            }
        }
    }

    async fn roll(&mut self) -> Result<()> {
        let turn = self.player.side().table().rolls();
        let receipt = self.player.throw().await;
        let receipt = self.rolling.bear(receipt, Player::may_pass)?;
        let came = match receipt {
            Some(Some(_)) => Tried::Sent,
            Some(None) => Tried::NotNow,
            None => Tried::Failed,
        };
        if let Some(told) = self.wanted.tried(turn, came).filter(|_| !self.options.auto) {
            note!("{told}");
        }
        if let Some(Some(receipt)) = receipt {
            self.mined("roll", &receipt);
        }
        Ok(())
    }

    /// Does what a line says; whether that was the end.
    async fn on_line(&mut self, line: Option<&str>) -> Result<bool> {
        match line.map(str::trim) {
            None => {
                let Options { auto, stay, .. } = self.options;
                let (command, does) = (&hint("dice play"), "time is claimed");
                return Ok(Unattended { command, does, plays: auto, stay }.is_to_end());
            }
            Some("quit" | "exit") => return Ok(true),
            Some("" | "roll") if self.player.side().is_my_turn() => {
                self.wanted.ask();
                self.roll().await?;
            }
            Some("" | "roll") => note!("It is not your turn."),
            Some("resign") if self.options.stake > 0 => note!("{}", stake_warning(self.options.stake)),
            Some("resign" | "resign yes") => {
                let receipt = self.player.give_up().await;
                match self.bear(receipt)? {
                    Some(Some(receipt)) => self.mined("resign", &receipt),
                    Some(None) | None => note!("Not sent; type it again."),
                }
            }
            Some("board") => {
                let me = self.player.side().role().unwrap_or(Role::Creator);
                let [own, other] = [me, me.other()].map(|role| self.player.side().table().square(role));
                note!("{}", board(own, other).trim_end());
            }
            Some("help" | "?") => note!("{}", help()),
            Some(other) => note!("{other:?} is no command; `help` lists them"),
        }
        Ok(false)
    }

    fn mined(&mut self, action: &str, receipt: &Receipt) {
        let Receipt { gas_used, fee, calldata_bytes, transaction, .. } = receipt;
        let value = json!({
            "event": "mined", "action": action, "by": self.player.side().role().map(name), "gas": gas_used,
            "fee_wei": fee.to_string(), "calldata_bytes": calldata_bytes, "transaction": transaction,
        });
        if self.options.json {
            self.screen.show(format_args!("{value}"));
        }
    }

    fn line(&mut self, value: serde_json::Value, words: &str) {
        match self.options.json {
            true => self.screen.show(format_args!("{value}")),
            false => self.screen.show(format_args!("{words}")),
        }
    }

    /// What came of something that another try may bring, unless it has failed for too long.
    fn bear<T>(&mut self, result: Result<T, DiceError>) -> Result<Option<T>> {
        self.patience.bear(result, Player::may_pass)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_help_is_indented() {
        assert!(help().lines().all(|line| line.starts_with("  ")), "{}", help());
    }
}
