//! What a player sees of a game of tag: the grid as its king sees it, and what it is told.

use alloy::primitives::B256;
use client::contest::{News, What};
use contest::tag::{Move, Phase, Sight, Square, Step, Tag};
use contest::{Action, Ending, Outcome, Role, Side};
use fog::word::to_word;
use serde_json::{Value, json};

use super::grid::{grid, rows};
use super::typed::parse;
use crate::contest::tell::{end, ended, event, with};
use crate::contest::{Typed, View};

/// Where the own king was last told to stand, and where the opponent's was last seen, if it still is.
#[derive(Default)]
pub struct TagView {
    own: Option<Square>,
    seen: Option<Square>,
}

/// The name of a square in JSON.
fn square(square: Option<Square>) -> Value {
    square.map_or(Value::Null, |square| square.to_string().into())
}

/// The squares that the own king can step to.
fn steps(side: &Side<Tag>) -> Vec<String> {
    let size = side.table().size();
    let Some(from) = side.hand().square() else { return Vec::new() };
    let squares = Step::all().filter_map(|step| from.after(step)).filter(|square| size.contains(*square));
    squares.map(|square| square.to_string()).collect()
}

impl TagView {
    /// The grid as the own king sees it.
    fn drawn(&self, side: &Side<Tag>) -> Option<String> {
        side.hand().square().map(|square| grid(side.table().size(), square, self.seen))
    }
}

impl View<Tag> for TagView {
    fn tell(&mut self, news: &News<Tag>, side: &Side<Tag>) -> (Value, String) {
        let me = side.role();
        let Sight { king, sees } = news.sight.unwrap_or_default();
        (self.own, self.seen) = (king.or(self.own), sees.unwrap_or(self.seen));
        let (is_own, ply) = (news.by == me && me.is_some(), news.turn);
        let by = json!({ "by": news.by.map(Role::name) });
        let trust = if news.is_shown { "" } else { " (Sent through another contract: verified by the chain alone.)" };
        let stands = king.map_or_else(|| "nowhere".to_owned(), |square| square.to_string());
        let sight = |now: &str| match sees {
            None => String::new(),
            Some(None) => " You see nobody.".to_owned(),
            Some(Some(square)) => format!(" You see its king on {square}, and it is {now}."),
        };
        let (mut value, words) = match &news.what {
            What::Over(ending) => (ended::<Tag>(ending), end::<Tag>(self, ending, me)),
            What::Said(Action::Move(Move::Step { placement, .. })) => {
                let [commitment, set] =
                    [placement.commitment, placement.set.hash()].map(|value| B256::from(to_word(&value)));
                let value = with(event::<Tag>("stepped", ply), json!({ "commitment": commitment, "set": set }));
                let words = match is_own {
                    true => format!("Ply {ply}: your king steps to {stands}."),
                    false => {
                        let sight = sight("your turn: you capture it");
                        format!("Ply {ply}: the opponent has stepped.{sight}{trust}")
                    }
                };
                (with(value, by), words)
            }
            What::Said(Action::Move(_)) => {
                let words = match is_own {
                    true => format!("Ply {ply}: your reply is on the chain."),
                    false => {
                        let sight = sight("its turn: it can capture yours");
                        format!("Ply {ply}: the opponent has replied.{sight}{trust}")
                    }
                };
                (with(event::<Tag>("replied", ply), by), words)
            }
            What::Said(_) | What::TakenBack => {
                let plies = side.table().plies();
                let words = format!(
                    "Both players are there: your king is on {stands}, the other one in the opposite corner. Drawn after {plies} plies.{trust}"
                );
                (with(json!({ "event": "joined" }), by), words)
            }
        };
        if is_own {
            value["square"] = square(king);
        }
        if let Some(seen) = sees {
            value["sees"] = square(seen);
        }
        if !news.is_shown {
            value["verified"] = "by the contract alone".into();
        }
        (value, words)
    }

    fn ended(&self, ending: &Ending, me: Option<Role>) -> String {
        let on = |square: Option<Square>| square.map_or_else(String::new, |square| format!(" on {square}"));
        let (own, seen) = (on(self.own), on(self.seen));
        match (ending.outcome, me) {
            (Outcome::Won, None) => {
                let winner = ending.winner.map_or("winner", Role::name);
                format!("The {winner} wins: its king has caught the other one.")
            }
            (Outcome::Won, Some(me)) if ending.winner == Some(me) => {
                format!("You win: your king{own} has caught the opponent's{seen}.")
            }
            (Outcome::Won, Some(_)) => format!("The opponent wins: its king{seen} has caught yours{own}."),
            _ => "Drawn: all plies are made, and nobody was caught.".to_owned(),
        }
    }

    fn ask(&self, side: &Side<Tag>, left: &str) -> (Value, String) {
        let (size, own) = (side.table().size(), side.hand().square());
        let value = json!({
            "square": square(own), "sees": square(self.seen), "steps": steps(side),
            "grid": own.map(|own| rows(size, own, self.seen)),
        });
        let (grid, ply) = (self.drawn(side).unwrap_or_default(), side.table().ply());
        let words =
            format!("{grid}\nPly {ply}, your step: a square or a direction ({left} left; `help` lists the commands).");
        (value, words)
    }

    fn waits_for(&self, side: &Side<Tag>) -> &'static str {
        match side.table().phase() {
            Phase::Step => "step",
            Phase::Reply => "reply",
            Phase::Last => "last word",
        }
    }

    fn read(&self, line: &str, side: &Side<Tag>) -> Result<Typed<Square>, String> {
        Ok(match line.to_lowercase().as_str() {
            "" => Typed::Nothing,
            "grid" | "board" => {
                Typed::Tell(self.drawn(side).unwrap_or_else(|| "Your king isn't placed yet.".to_owned()))
            }
            "steps" | "moves" => Typed::Tell(steps(side).join(" ")),
            _ => Typed::Choose(parse(line, side.hand().square())?),
        })
    }

    fn refusal(&self, to: Square, side: &Side<Tag>) -> Option<String> {
        let from = side.hand().square().map(|square| square.to_string()).unwrap_or_default();
        let is_step = steps(side).contains(&to.to_string());
        (!is_step).then(|| format!("Your king can't step from {from} to {to}; `steps` lists where it can."))
    }

    fn announce(&self, to: Square) -> Option<String> {
        Some(format!("Proving the step to {to} …"))
    }

    /// Nobody steps for a player.
    fn by_itself(&self, _: &Side<Tag>) -> Option<Square> {
        None
    }
}
