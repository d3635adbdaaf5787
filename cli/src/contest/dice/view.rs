//! What a player sees of a game of dice: rolls, squares, and the board when it is asked for.

use client::contest::{News, What};
use contest::dice::{Dice, GOAL, Roll, Square};
use contest::{Action, Ending, Role, Side};
use serde_json::{Value, json};

use super::board::board;
use crate::contest::tell::{end, ended, winner};
use crate::contest::{Typed, View};

/// Where both stood after the last roll told.
#[derive(Default)]
pub struct DiceView {
    squares: [Square; 2],
}

/// One roll that was replayed and found right.
#[derive(Clone, Debug)]
struct Rolled<'a> {
    /// Its number, from 1.
    number: u64,
    role: Role,
    roll: &'a Roll,
    /// Where the player stood.
    from: Square,
}

impl Rolled<'_> {
    /// As a line of JSON.
    fn as_json(&self) -> Value {
        let Self { number, role, roll, from } = self;
        let (die, to) = (roll.die.pips(), roll.square.number());
        json!({ "event": "rolled", "roll": number, "by": role.name(), "die": die, "from": from.number(), "to": to })
    }

    /// In words, from the view of one player or of none.
    fn in_words(&self, me: Option<Role>) -> String {
        let who = match me {
            Some(me) if me == self.role => "you roll",
            Some(_) => "the opponent rolls",
            None if self.role == Role::Creator => "the creator rolls",
            None => "the joiner rolls",
        };
        let (from, die, to) = (self.from.number(), self.roll.die.pips(), self.roll.square.number());
        let reached = from + die;
        let way = match to {
            _ if to == reached => format!("from {from} to {to}"),
            _ if to == from && reached > GOAL.number() => format!("too much, and stays on {from}"),
            _ if to > reached => format!("from {from} to {reached} and up a ladder to {to}"),
            _ => format!("from {from} to {reached} and down a snake to {to}"),
        };
        format!("Roll {}: {who} {die}, {way}.", self.number)
    }
}

impl View<Dice> for DiceView {
    fn tell(&mut self, news: &News<Dice>, side: &Side<Dice>) -> (Value, String) {
        let me = side.role();
        match (&news.what, news.by) {
            (What::TakenBack, _) => {
                self.squares = [Square::START; 2];
                let words = "The chain has taken something back; this is what stands:";
                (json!({ "event": "taken-back" }), words.to_owned())
            }
            (What::Said(Action::Move(roll)), Some(role)) => {
                let from = std::mem::replace(&mut self.squares[role as usize], roll.square);
                let rolled = Rolled { number: news.turn + 1, role, roll, from };
                (rolled.as_json(), rolled.in_words(me))
            }
            (What::Over(ending), _) => (ended::<Dice>(ending), end::<Dice>(self, ending, me)),
            (What::Said(_), by) => {
                (json!({ "event": "joined", "by": by.map(Role::name) }), "Both players are there.".to_owned())
            }
        }
    }

    fn ended(&self, ending: &Ending, me: Option<Role>) -> String {
        format!("{}: square 100 is reached.", winner(ending, me))
    }

    fn ask(&self, _: &Side<Dice>, left: &str) -> (Value, String) {
        (json!({}), format!("Your roll: press Enter ({left} left; `help` lists the commands)."))
    }

    fn waits_for(&self, _: &Side<Dice>) -> &'static str {
        "roll"
    }

    fn read(&self, line: &str, side: &Side<Dice>) -> Result<Typed<()>, String> {
        match line.to_lowercase().as_str() {
            "" | "roll" => Ok(Typed::Choose(())),
            "board" => {
                let me = side.role().unwrap_or(Role::Creator);
                let [own, other] = [me, me.other()].map(|role| side.table().square(role));
                Ok(Typed::Tell(board(own, other).trim_end().to_owned()))
            }
            _ => Err(format!("{line:?} is no command; `help` lists them")),
        }
    }

    fn refusal(&self, (): (), _: &Side<Dice>) -> Option<String> {
        None
    }

    fn announce(&self, (): ()) -> Option<String> {
        None
    }

    fn by_itself(&self) -> Option<()> {
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contest::dice::Die;

    #[test]
    fn rolls_are_told() {
        let told = |from: u8, die: u8| {
            let (from, die) = (Square::new(from).expect("a square"), Die::new(die).expect("a side"));
            let (head, revealed, number, promised) = Default::default();
            let roll = Roll { head, revealed, number, promised, die, square: from.after(die) };
            Rolled { number: 3, role: Role::Creator, roll: &roll, from }.in_words(Some(Role::Creator))
        };
        assert_eq!(told(10, 2), "Roll 3: you roll 2, from 10 to 12.");
        assert_eq!(told(0, 4), "Roll 3: you roll 4, from 0 to 4 and up a ladder to 14.");
        assert_eq!(told(10, 6), "Roll 3: you roll 6, from 10 to 16 and down a snake to 6.");
        assert_eq!(told(97, 5), "Roll 3: you roll 5, too much, and stays on 97.");
        assert_eq!(told(94, 6), "Roll 3: you roll 6, from 94 to 100.");
    }
}
