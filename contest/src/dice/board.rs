//! The board of Snakes and Ladders: Milton Bradley's *Chutes and Ladders*, as studied by Althoen, King and Schilling, *How long is a game of
//! Snakes and Ladders?*, The Mathematical Gazette 77 (1993), 71–76. A test computes the exact length of a game that they publish.
//!
//! Both players start before square 1. A roll moves as many squares on; from the foot of a ladder or the head of a snake its other end is reached
//! at once. Square 100 must be reached exactly: a die that is too high leaves the player where it is. Players take turns whatever they
//! roll, and may share a square.
//!
//! The game here differs in one thing: a roll is of two dice, and the player moves by the one of them that it chooses.

use std::fmt;
use std::sync::LazyLock;

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

/// By square, how many rolls it takes from there on average if each is used as well as can be: E(s) = 1 + the mean over all pairs of dice of the
/// lesser E that they lead to, iterated until it stands.
static REMAINING: LazyLock<[f64; GOAL.0 as usize + 1]> = LazyLock::new(|| {
    let mut remaining = [0.0f64; GOAL.0 as usize + 1];
    for _ in 0..300 {
        for square in 0..GOAL.0 {
            let led = Die::ALL.map(|die| remaining[usize::from(Square(square).after(die).0)]);
            let pairs = led.iter().flat_map(|first| led.iter().map(|second| first.min(*second)));
            remaining[usize::from(square)] = 1.0 + pairs.sum::<f64>() / (led.len() * led.len()) as f64;
        }
    }
    remaining
});

/// Where a player stands: 0 before the first roll, else 1 to 100.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

    /// How many rolls it takes from here on average, of a player who uses each as well as can be.
    pub fn remaining(self) -> f64 {
        REMAINING[usize::from(self.0)]
    }

    /// The one of two dice to move by from here, after which the fewest rolls remain on average; the first if both are as good.
    pub fn better(self, [first, second]: [Die; 2]) -> Die {
        let [by_first, by_second] = [first, second].map(|die| self.after(die).remaining());
        // More than what sums of floating-point numbers are off.
        if by_second < by_first - 1e-9 { second } else { first }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
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
    fn the_better_die_leads_nearer_to_the_goal_by_rolls() {
        let better = |from: u8, pips: [u8; 2]| {
            let dice = pips.map(|pips| Die::new(pips).expect("a side"));
            Square(from).better(dice).pips()
        };
        assert_eq!((better(99, [6, 1]), better(0, [6, 1])), (1, 1), "the goal, and a ladder");
        assert_eq!((better(10, [6, 1]), better(97, [1, 6])), (1, 6), "to stay is better than a snake");
        assert_eq!((better(98, [4, 5]), better(98, [5, 4])), (4, 5), "the first of two that lead to the same");
    }

    #[test]
    fn no_jump_leads_to_another() {
        for (from, to) in JUMPS {
            assert!(JUMPS.iter().filter(|(other, _)| *other == from).count() == 1 && from != to);
            assert!(JUMPS.iter().all(|(other, _)| *other != to), "{from} to {to}");
        }
    }
}
