//! The board of Snakes and Ladders: Milton Bradley's *Chutes and Ladders*, as studied by Althoen, King and Schilling, *How long is a game of
//! Snakes and Ladders?*, The Mathematical Gazette 77 (1993), 71–76. A test computes the exact length of a game that they publish.
//!
//! Both players start before square 1. A roll moves as many squares on; from the foot of a ladder or the head of a snake its other end is reached
//! at once. Square 100 must be reached exactly: a die that is too high leaves the player where it is. Players take turns whatever they
//! roll, and may share a square.
//!
//! The game here differs in one thing: a roll is of two dice, and the player moves by the one of them that it chooses.

use std::sync::LazyLock;

use derive_more::Display;

use crate::dice::Die;

/// The last square: who reaches it first has won.
pub const GOAL: Square = Square(100);

/// Ladders, then snakes: from where, to where.
pub const JUMPS: [(u8, u8); 19] = [
    (1, 38),
    (4, 14),
    (9, 31),
    (21, 42),
    (28, 84),
    (36, 44),
    (51, 67),
    (71, 91),
    (80, 100),
    (16, 6),
    (47, 26),
    (49, 11),
    (56, 53),
    (62, 19),
    (64, 60),
    (87, 24),
    (93, 73),
    (95, 75),
    (98, 78),
];

/// The squares that a player may stand on, the one before the first among them.
const SQUARES: usize = GOAL.0 as usize + 1;

/// By where the player who is to roll and the other one stand, how often the first wins if both choose as well as can be: W(s, t) = the mean over all
/// pairs of dice of the greater 1 - W(t, s') that they lead to, iterated until it stands. With the other at the goal it is 0.
static WINS: LazyLock<[[f64; SQUARES]; SQUARES]> = LazyLock::new(|| {
    let mut wins = [[0.0f64; SQUARES]; SQUARES];
    for _ in 0..100 {
        for (own, other) in (0..GOAL.0).flat_map(|own| (0..GOAL.0).map(move |other| (own, usize::from(other)))) {
            let led = Die::ALL.map(|die| 1.0 - wins[other][usize::from(Square(own).after(die).0)]);
            let pairs = led.iter().flat_map(|first| led.iter().map(|second| first.max(*second)));
            wins[usize::from(own)][other] = pairs.sum::<f64>() / (led.len() * led.len()) as f64;
        }
    }
    wins
});

/// Where a player stands: 0 before the first roll, else 1 to 100.
#[derive(Clone, Copy, Debug, Display, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// Before the first square.
    pub const START: Self = Self(0);

    /// A square; `None` above 100.
    pub fn new(number: u8) -> Option<Self> {
        (number <= GOAL.0).then_some(Self(number))
    }

    pub fn number(self) -> u8 {
        self.0
    }

    /// Where a die leads from here.
    pub fn after(self, die: Die) -> Self {
        let reached = self.0 + die.pips();
        if reached > GOAL.0 {
            return self;
        }
        let jump = JUMPS.iter().find(|(from, _)| *from == reached);
        Self(jump.map_or(reached, |(_, to)| *to))
    }

    /// How often a player who has come here wins if both choose as well as can be; the other one is to roll, from its own square.
    pub fn wins_against(self, other: Self) -> f64 {
        1.0 - WINS[usize::from(other.0)][usize::from(self.0)]
    }

    /// The one of two dice to move by from here, after which the player wins more often, by where the other one stands; the first if both are as good.
    pub fn better(self, other: Self, [first, second]: [Die; 2]) -> Die {
        let [by_first, by_second] = [first, second].map(|die| self.after(die).wins_against(other));
        // More than what sums of floating-point numbers are off.
        if by_second > by_first + 1e-9 { second } else { first }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The exact expectation of Althoen, King and Schilling, as a quotient:
    /// 225837582538403273407117496273279920181931269186581786048583 / 5757472998140039232950575874628786131130999406013041613400.
    /// `tests/reference.py` compares it exactly.
    const EXPECTED_ROLLS: f64 = 39.225_122_308_234_96;

    /// With one die and no choice, as it is published, the expected number of rolls satisfies E(s) = 1 + the mean of E over what the six sides lead to; iterated until it stands.
    #[test]
    fn the_board_is_the_published_one() {
        let mut expected = [0.0f64; 101];
        for _ in 0..5_000 {
            for square in 0..100 {
                let reached = Die::ALL.map(|die| expected[usize::from(Square(square).after(die).0)]);
                expected[usize::from(square)] = 1.0 + reached.iter().sum::<f64>() / 6.0;
            }
        }
        assert!((expected[0] - EXPECTED_ROLLS).abs() < 1e-9, "{}", expected[0]);
    }

    #[test]
    fn the_goal_is_reached_exactly() {
        let after = |from: u8, pips: u8| Square(from).after(Die::new(pips).expect("a side")).0;
        assert_eq!((after(97, 3), after(97, 4), after(97, 6), after(97, 1)), (100, 97, 97, 78));
        assert_eq!((after(79, 1), after(0, 1), after(10, 6), after(0, 2)), (100, 38, 6, 2));
        assert_eq!((Square::new(100), Square::new(101)), (Some(GOAL), None));
    }

    #[test]
    fn the_better_die_wins_more_often_against_an_opponent_where_it_stands() {
        let better_against = |other: u8, from: u8, pips: [u8; 2]| {
            let dice = pips.map(|pips| Die::new(pips).expect("a side"));
            Square(from).better(Square(other), dice).pips()
        };
        let better = |from, pips| better_against(0, from, pips);
        assert_eq!((better(99, [6, 1]), better(0, [6, 1])), (1, 1), "the goal, and a ladder");
        assert_eq!((better(10, [6, 1]), better(97, [1, 6])), (1, 6), "to stay is better than a snake");
        assert_eq!((better(98, [4, 5]), better(98, [5, 4])), (4, 5), "the first of two that lead to the same");
        // The ladder to 91 leaves fewer rolls on average. From 76 the next one may reach the goal, which counts for more against who stands on 92.
        assert_eq!([0, 50, 92].map(|other| better_against(other, 70, [6, 1])), [1, 1, 6]);
    }

    #[test]
    fn no_jump_leads_to_another() {
        for (from, to) in JUMPS {
            assert!(JUMPS.iter().filter(|(other, _)| *other == from).count() == 1 && from != to);
            assert!(JUMPS.iter().all(|(other, _)| *other != to), "{from} to {to}");
        }
    }
}
