//! The grid: sizes, squares, steps, neighbourhoods, and the corners where the kings start.

use std::fmt;
use std::str::FromStr;

use derive_more::Display;

/// Squares of a king's neighbourhood, its own among them.
pub const NEIGHBOURHOOD: usize = 9;

/// Files and ranks of the smallest grid.
pub const SMALLEST: u8 = 5;
/// Files and ranks of the largest grid.
const LARGEST: u8 = 8;

/// The grids that tag is played on, by their sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Size {
    Five = SMALLEST,
    Six,
    Seven,
    Eight,
}

impl Size {
    pub const ALL: [Self; 4] = [Self::Five, Self::Six, Self::Seven, Self::Eight];

    pub const fn side(self) -> u8 {
        self as u8
    }

    /// The grid with so many files.
    pub fn from_side(side: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|size| size.side() == side)
    }

    /// Whether a square lies on the grid.
    pub fn contains(self, square: Square) -> bool {
        square.file < self.side() && square.rank < self.side()
    }

    /// All squares, rank by rank.
    pub fn squares(self) -> impl Iterator<Item = Square> {
        Square::all().filter(move |square| self.contains(*square))
    }

    /// Where the king of the creator starts (`false`), or that of the joiner (`true`): the first square, or the last.
    pub fn start(self, joiner: bool) -> Square {
        let corner = if joiner { self.side() - 1 } else { 0 };
        Square { file: corner, rank: corner }
    }
}

/// A square of the largest grid. A smaller one is its first files and ranks.
#[derive(Clone, Copy, Display, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[display("{}{}", char::from(b'a' + file), rank + 1)]
pub struct Square {
    file: u8,
    rank: u8,
}

impl Square {
    /// By file and rank, both from 0 and below 8.
    pub fn new(file: u8, rank: u8) -> Option<Self> {
        (file < LARGEST && rank < LARGEST).then_some(Self { file, rank })
    }

    /// The 64 squares, rank by rank.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..LARGEST).flat_map(|rank| (0..LARGEST).map(move |file| Self { file, rank }))
    }

    /// 0 for the first file.
    pub fn file(self) -> u8 {
        self.file
    }

    /// 0 for the first rank.
    pub fn rank(self) -> u8 {
        self.rank
    }

    /// 0 to 63, rank by rank.
    pub fn index(self) -> usize {
        usize::from(self.rank * LARGEST + self.file)
    }

    /// How a square is committed to: `16·rank + file`. No step over the edge of a grid leads to the code of another square.
    pub fn code(self) -> u64 {
        u64::from(self.rank) * 16 + u64::from(self.file)
    }

    /// By so many files and ranks a grid must be larger than the smallest one to have the square on it.
    pub fn beyond(self) -> u8 {
        (self.file.max(self.rank) + 1).saturating_sub(SMALLEST)
    }

    /// Where a step leads, if there is such a square.
    pub fn after(self, step: Step) -> Option<Self> {
        let (file, rank) = step.offset();
        Self::new(self.file.checked_add_signed(file)?, self.rank.checked_add_signed(rank)?)
    }

    /// The step to another square, if a king can make it.
    pub fn step_to(self, other: Self) -> Option<Step> {
        Step::all().find(|step| self.after(*step) == Some(other))
    }

    /// Whether a king here sees another there.
    pub fn sees(self, other: Self) -> bool {
        self.file.abs_diff(other.file) <= 1 && self.rank.abs_diff(other.rank) <= 1
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text names no square, as `a1` to `h8` do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a square is a letter from a to h and a number from 1 to 8")]
pub struct NoSquare;

impl FromStr for Square {
    type Err = NoSquare;

    fn from_str(text: &str) -> Result<Self, NoSquare> {
        let [file, rank] = *text.as_bytes() else {
            return Err(NoSquare);
        };
        Self::new(file.wrapping_sub(b'a'), rank.wrapping_sub(b'1')).ok_or(NoSquare)
    }
}

/// One of the eight steps of a king.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step(u8);

impl Step {
    /// Rank by rank, as the neighbourhood without its centre.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..NEIGHBOURHOOD as u8).filter(|place| *place != 4).map(Self)
    }

    /// Files and ranks that it leads on, each −1, 0 or 1.
    pub fn offset(self) -> (i8, i8) {
        place(self.0.into())
    }
}

/// Files and ranks from the centre to the place `index` of a neighbourhood.
fn place(index: usize) -> (i8, i8) {
    (index as i8 % 3 - 1, index as i8 / 3 - 1)
}

/// The nine places of a king's neighbourhood, rank by rank: each a square, or none where the largest grid ends.
pub fn neighbourhood(square: Square) -> [Option<Square>; NEIGHBOURHOOD] {
    std::array::from_fn(|index| {
        let (file, rank) = place(index);
        Square::new(square.file.checked_add_signed(file)?, square.rank.checked_add_signed(rank)?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_and_sight_are_those_of_the_moore_neighbourhood() {
        for from in Square::all() {
            let seen: Vec<_> = neighbourhood(from).into_iter().flatten().collect();
            for to in Square::all() {
                let (files, ranks) = (from.file.abs_diff(to.file), from.rank.abs_diff(to.rank));
                assert_eq!(from.sees(to), files.max(ranks) <= 1);
                assert_eq!(seen.contains(&to), from.sees(to));
                assert_eq!(from.step_to(to).is_some(), files.max(ranks) == 1);
            }
            let edges = [from.file, from.rank].map(|line| usize::from(line == 0 || line == 7));
            assert_eq!(seen.len(), (3 - edges[0]) * (3 - edges[1]), "a corner has four");
            assert_eq!(from.to_string().parse(), Ok(from));
            assert_eq!(Size::from_side(5 + from.beyond()), Size::ALL.into_iter().find(|size| size.contains(from)));
        }
    }

    #[test]
    fn no_step_over_an_edge_has_the_code_of_another_square() {
        let codes: Vec<i64> = Square::all().map(|square| square.code() as i64).collect();
        for from in Square::all() {
            for step in Step::all() {
                let (file, rank) = step.offset();
                let code = from.code() as i64 + i64::from(rank) * 16 + i64::from(file);
                let expected = from.after(step).map(|to| to.code() as i64);
                assert_eq!(codes.iter().find(|known| **known == code).copied(), expected);
            }
        }
    }

    #[test]
    fn kings_start_in_opposite_corners() {
        let starts = Size::ALL.map(|size| [false, true].map(|joiner| size.start(joiner).to_string()));
        assert_eq!(starts, [["a1", "e5"], ["a1", "f6"], ["a1", "g7"], ["a1", "h8"]]);
    }

    #[test]
    fn grids_are_squares_of_five_to_eight() {
        for side in 0..=u8::MAX {
            let size = Size::from_side(side);
            assert_eq!(size.map(Size::side), (5..=8).contains(&side).then_some(side));
            let squares: Vec<_> = size.into_iter().flat_map(Size::squares).collect();
            assert_eq!(squares.len(), size.map_or(0, |_| usize::from(side * side)));
            assert!(squares.iter().all(|square| square.file < side && square.rank < side), "{side}");
        }
    }
}
