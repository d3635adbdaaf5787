//! What is said of a game: a roll, an end, an audit; in words and in JSON.

use client::dice::Latest;
use client::lobby::in_ether;
use dice::{Audit, Ending, Outcome, Role, Roll, Square};
use game::clock_time;
use serde_json::{Value, json};

/// A role in JSON and in words.
pub fn name(role: Role) -> &'static str {
    match role {
        Role::Creator => "creator",
        Role::Joiner => "joiner",
    }
}

fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Cancelled => "cancelled",
        Outcome::Finished => "finished",
        Outcome::Resigned => "resigned",
        Outcome::TimedOut => "timed out",
    }
}

/// One roll that was replayed and found right.
#[derive(Clone, Debug)]
pub struct Rolled {
    /// Its number, from 1.
    pub number: u64,
    pub role: Role,
    pub roll: Roll,
    /// Where the player stood.
    pub from: Square,
}

impl Rolled {
    /// As a line of JSON.
    pub fn as_json(&self) -> Value {
        let Rolled { number, role, roll, from } = self;
        let (die, to) = (roll.die.pips(), roll.square.number());
        json!({ "event": "rolled", "roll": number, "by": name(*role), "die": die, "from": from.number(), "to": to })
    }

    /// In words, from the view of one player or of none.
    pub fn in_words(&self, me: Option<Role>) -> String {
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
            _ if to == from && reached > dice::GOAL.number() => format!("too much, and stays on {from}"),
            _ if to > reached => format!("from {from} to {reached} and up a ladder to {to}"),
            _ => format!("from {from} to {reached} and down a snake to {to}"),
        };
        format!("Roll {}: {who} {die}, {way}.", self.number)
    }
}

/// An end as a line of JSON.
pub fn ended(ending: &Ending) -> Value {
    json!({ "event": "over", "winner": ending.winner.map(name), "outcome": outcome(ending.outcome) })
}

/// A game's public state: JSON and words; `now` is the chain's time.
pub fn status(latest: &Latest, now: u64) -> (Value, String) {
    let Latest { is_open, is_playing, rolls, squares, stake, turn, deadline, creator, joiner, winner, outcome: end } =
        latest;
    let state = match (is_open, is_playing) {
        (true, _) => "open",
        (_, true) => "in play",
        _ => "over",
    };
    let due = name(if rolls.is_multiple_of(2) { Role::Creator } else { Role::Joiner });
    let value = json!({
        "state": state, "waits_for": is_playing.then_some(due), "rolls": rolls, "squares": squares,
        "stake_wei": stake.to_string(), "turn": turn, "deadline": (state != "over").then_some(deadline),
        "creator": creator, "joiner": joiner, "winner": winner, "outcome": end.map(outcome),
    });
    let (left, is_late, roll) = (clock_time(deadline.saturating_sub(now)), now > *deadline, rolls.saturating_add(1));
    let [first, second] = squares;
    let what = match (state, is_late) {
        ("open", true) => "nobody has joined in time".to_owned(),
        ("open", false) => format!("waits for an opponent, {left} more"),
        ("in play", true) => format!("creator on {first}, joiner on {second}; roll {roll}, the {due}'s, is overdue"),
        ("in play", false) => {
            format!("creator on {first}, joiner on {second}; waits for roll {roll}, the {due}'s, {left} left")
        }
        _ => {
            let who = winner.map(|winner| if winner == *creator { "creator" } else { "joiner" });
            let who = who.map_or_else(String::new, |who| format!(": the {who} has won"));
            format!("over, {} after {rolls} rolls{who}", end.map_or("ended", outcome))
        }
    };
    (value, format!("{} ETH each, {} for each roll; {what}", in_ether(*stake), clock_time((*turn).into())))
}

/// An end in words.
pub fn in_words(ending: &Ending, me: Option<Role>) -> String {
    let is_loser = me.zip(ending.winner).is_some_and(|(me, winner)| me != winner);
    let how = match ending.outcome {
        Outcome::Cancelled => return "The game was cancelled.".to_owned(),
        Outcome::Finished => "square 100 is reached",
        Outcome::Resigned if is_loser => "you have resigned",
        Outcome::Resigned => "the other player resigned",
        Outcome::TimedOut if is_loser => "you did not roll in time",
        Outcome::TimedOut => "the other player did not roll in time",
    };
    let who = match (ending.winner, me) {
        (Some(winner), Some(me)) if winner == me => "You win".to_owned(),
        (Some(_), Some(_)) => "The opponent wins".to_owned(),
        (Some(winner), None) => format!("The {} wins", name(winner)),
        (None, _) => "Nobody wins".to_owned(),
    };
    format!("{who}: {how}.")
}

/// An audit: JSON and words.
pub fn audited(audit: &Audit, said: Option<&Ending>) -> (Value, String) {
    let fault = audit.fault.map(|(index, fault)| format!("record {index}: {fault}"));
    let squares = [Role::Creator, Role::Joiner].map(|role| audit.table.square(role).number());
    let value = json!({
        "ok": audit.is_in_order(), "game": audit.table.game_id(), "rolls": audit.table.rolls(), "squares": squares,
        "head": audit.table.head(), "result": said.map(ended), "fault": fault, "ends_right": audit.ends_right,
    });
    let verdict = if audit.is_in_order() { "in order" } else { "NOT in order" };
    let rolls = audit.table.rolls();
    let mut words = format!("{verdict}: {rolls} rolls replayed, each with its promise, numbers, die and square");
    if let Some(fault) = fault {
        words += &format!("; {fault}");
    }
    if !audit.ends_right {
        words += "; the end that the contract tells is not the one that the records lead to";
    }
    let end = said.map_or_else(|| "The game goes on.".to_owned(), |ending| in_words(ending, None));
    (value, format!("{words}. {end}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dice::Die;

    #[test]
    fn rolls_are_told() {
        let told = |from: u8, die: u8| {
            let (from, die) = (Square::new(from).expect("a square"), Die::new(die).expect("a side"));
            let (head, revealed, number, promised) = Default::default();
            let roll = Roll { head, revealed, number, promised, die, square: from.after(die) };
            Rolled { number: 3, role: Role::Creator, roll, from }.in_words(Some(Role::Creator))
        };
        assert_eq!(told(10, 2), "Roll 3: you roll 2, from 10 to 12.");
        assert_eq!(told(0, 4), "Roll 3: you roll 4, from 0 to 4 and up a ladder to 14.");
        assert_eq!(told(10, 6), "Roll 3: you roll 6, from 10 to 16 and down a snake to 6.");
        assert_eq!(told(97, 5), "Roll 3: you roll 5, too much, and stays on 97.");
        assert_eq!(told(94, 6), "Roll 3: you roll 6, from 94 to 100.");
    }

    /// The contract's word, which a node passes on.
    #[test]
    fn any_number_of_rolls_is_told() {
        let latest = Latest {
            is_open: false,
            is_playing: true,
            rolls: u64::MAX,
            squares: [u8::MAX; 2],
            stake: u128::MAX,
            turn: u32::MAX,
            deadline: u64::MAX,
            creator: Default::default(),
            joiner: None,
            winner: None,
            outcome: None,
        };
        for now in [0, u64::MAX] {
            assert!(status(&latest, now).1.contains("18446744073709551615"));
        }
    }
}
