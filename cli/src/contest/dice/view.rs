//! What a player sees of a game of dice: rolls, squares, and the board when it is asked for.

use client::contest::{News, What};
use contest::dice::{Dice, Die, Duty, GOAL, Roll, Square};
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
        let (dice, chosen, to) = (roll.dice.map(Die::pips), roll.chosen.pips(), roll.square.number());
        let from = from.number();
        json!({ "event": "rolled", "roll": number, "by": role.name(), "dice": dice, "chosen": chosen, "from": from, "to": to })
    }

    /// In words, from the view of one player or of none.
    fn in_words(&self, me: Option<Role>) -> String {
        let (who, s) = match me {
            Some(me) if me == self.role => ("you", ""),
            Some(_) => ("the opponent", "s"),
            None if self.role == Role::Creator => ("the creator", "s"),
            None => ("the joiner", "s"),
        };
        let Roll { chosen, dice: [first, second], .. } = self.roll;
        let way = way(self.from, *chosen);
        format!("Roll {}: {who} roll{s} {first} and {second} and choose{s} {chosen}, {way}.", self.number)
    }
}

/// Where a die leads from a square, in words.
fn way(from: Square, die: Die) -> String {
    let (reached, to) = (from.number() + die.pips(), from.after(die).number());
    match to {
        _ if to == reached => format!("from {from} to {to}"),
        _ if reached > GOAL.number() => format!("more than is left from {from}"),
        _ if to > reached => format!("from {from} to {reached} and up a ladder to {to}"),
        _ => format!("from {from} to {reached} and down a snake to {to}"),
    }
}

/// The player's dice, and where they lead, if it is its turn.
fn thrown(side: &Side<Dice>) -> Option<([Die; 2], [Square; 2])> {
    let is_due = matches!(side.duty(), Ok(Some(Duty::Roll)));
    is_due.then(|| side.hand().dice(side.table())).map(|dice| (dice, dice.map(|die| side.table().after(die))))
}

impl View<Dice> for DiceView {
    fn tell(&mut self, news: &News<Dice>, side: &Side<Dice>) -> (Value, String) {
        let me = side.role();
        match (&news.what, news.by) {
            (What::Said(Action::Move(roll)), Some(role)) => {
                let from = std::mem::replace(&mut self.squares[role as usize], roll.square);
                let rolled = Rolled { number: news.turn + 1, role, roll, from };
                (rolled.as_json(), rolled.in_words(me))
            }
            (What::Over(ending), _) => (ended::<Dice>(ending), end::<Dice>(self, ending, me)),
            (What::Said(_) | What::TakenBack, by) => {
                (json!({ "event": "joined", "by": by.map(Role::name) }), "Both players are there.".to_owned())
            }
        }
    }

    fn ended(&self, ending: &Ending, me: Option<Role>) -> String {
        format!("{}: square 100 is reached.", winner(ending, me))
    }

    fn ask(&self, side: &Side<Dice>, left: &str) -> (Value, String) {
        let Some((dice, to)) = thrown(side) else { return Default::default() };
        let from = side.table().square(side.table().to_roll());
        let value = json!({ "dice": dice.map(Die::pips), "leads_to": to.map(Square::number) });
        let [first, second] = dice;
        let ways = match first == second {
            true => format!("  {first}: {}", way(from, first)),
            false => dice.map(|die| format!("  {die}: {}", way(from, die))).join("\n"),
        };
        let what = if to[0] == to[1] { "press Enter".to_owned() } else { format!("type {first} or {second}") };
        let words = format!(
            "You roll {first} and {second}:\n{ways}\nYour move: {what} ({left} left; `help` lists the commands)."
        );
        (value, words)
    }

    fn waits_for(&self, _: &Side<Dice>) -> &'static str {
        "roll"
    }

    fn read(&self, line: &str, side: &Side<Dice>) -> Result<Typed<Die>, String> {
        if let Some(die) = line.parse().ok().and_then(Die::new) {
            return Ok(Typed::Choose(die));
        }
        match line.to_lowercase().as_str() {
            "" => match thrown(side) {
                None => Err("It is not your turn.".to_owned()),
                Some(([first, _], to)) if to[0] == to[1] => Ok(Typed::Choose(first)),
                Some(([first, second], _)) => Err(format!("The choice is yours: type {first} or {second}.")),
            },
            "board" => {
                let me = side.role().unwrap_or(Role::Creator);
                let [own, other] = [me, me.other()].map(|role| side.table().square(role));
                Ok(Typed::Tell(board(own, other).trim_end().to_owned()))
            }
            _ => Err(format!("{line:?} is neither what a die shows nor a command; `help` lists them")),
        }
    }

    fn refusal(&self, chosen: Die, side: &Side<Dice>) -> Option<String> {
        let (dice, _) = thrown(side)?;
        let [first, second] = dice;
        let is_absent = !dice.contains(&chosen);
        is_absent.then(|| format!("Neither die shows {chosen}: you have rolled {first} and {second}."))
    }

    fn announce(&self, _: Die) -> Option<String> {
        None
    }

    fn by_itself(&self, side: &Side<Dice>) -> Option<Die> {
        Some(side.hand().better(side.table()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rolls_are_told() {
        let told = |from: u8, die: u8, me: Option<Role>| {
            let (from, chosen) = (Square::new(from).expect("a square"), Die::new(die).expect("a side"));
            let (head, revealed, number, promised) = Default::default();
            let (dice, square) = ([Die::ALL[0], chosen], from.after(chosen));
            let roll = Roll { head, revealed, number, promised, chosen, dice, square };
            Rolled { number: 3, role: Role::Creator, roll: &roll, from }.in_words(me)
        };
        let me = Some(Role::Creator);
        assert_eq!(told(10, 2, me), "Roll 3: you roll 1 and 2 and choose 2, from 10 to 12.");
        assert_eq!(told(0, 4, me), "Roll 3: you roll 1 and 4 and choose 4, from 0 to 4 and up a ladder to 14.");
        assert_eq!(told(10, 6, me), "Roll 3: you roll 1 and 6 and choose 6, from 10 to 16 and down a snake to 6.");
        assert_eq!(told(97, 5, me), "Roll 3: you roll 1 and 5 and choose 5, more than is left from 97.");
        let other = told(94, 6, Some(Role::Joiner));
        assert_eq!(other, "Roll 3: the opponent rolls 1 and 6 and chooses 6, from 94 to 100.");
    }
}
