//! Directions and steps, in the order that the protocol's encodings fix (section 7, "Encodings").

use crate::{Color, Square};

/// The eight directions as (file, rank): four along files and ranks, then four along diagonals. A direction's number `d`
/// is its index; also the order of the king's neighbours.
pub const DIRECTIONS: [(i8, i8); 8] = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1), (1, -1), (-1, 1)];

/// The first direction along a diagonal: those before it are along files and ranks.
pub const FIRST_DIAGONAL: usize = 4;

/// The knight's eight steps as (file, rank).
pub const KNIGHT_STEPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// The changes of file of a pawn's two captures: toward file a, toward file h.
pub const PAWN_SIDES: [i8; 2] = [-1, 1];

/// The squares that a ray from `from` crosses in direction `d` up to the edge, nearest first. None for `d` above 7.
pub fn ray(from: Square, d: usize) -> impl Iterator<Item = Square> {
    let step = DIRECTIONS.get(d).copied();
    std::iter::successors(Some(from), move |s| step.and_then(|(df, dr)| s.offset(df, dr))).skip(1)
}

/// The direction and the distance from one square to another on the same file, rank or diagonal.
#[must_use]
pub fn line(from: Square, to: Square) -> Option<(usize, u8)> {
    (0..DIRECTIONS.len()).find_map(|d| {
        let distance = ray(from, d).position(|s| s == to)?;
        Some((d, u8::try_from(distance + 1).ok()?))
    })
}

/// The square ahead of a pawn of `color` on `square`.
#[must_use]
pub const fn ahead(square: Square, color: Color) -> Option<Square> {
    square.offset(0, color.forward())
}

/// The square two ahead of a pawn of `color` that still stands on its first rank.
#[must_use]
pub const fn two_ahead(square: Square, color: Color) -> Option<Square> {
    if square.rank() == color.pawn_rank() { square.offset(0, 2 * color.forward()) } else { None }
}

/// The squares, toward file a and toward file h, that a pawn of `color` on `square` attacks.
#[must_use]
pub fn pawn_attacks(square: Square, color: Color) -> [Option<Square>; 2] {
    PAWN_SIDES.map(|df| square.offset(df, color.forward()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sq(name: &str) -> Square {
        name.parse().unwrap()
    }

    #[test]
    fn rays_run_to_the_edge() {
        let names: Vec<_> = ray(sq("e6"), 4).map(|s| s.to_string()).collect();
        assert_eq!(names, ["f7", "g8"]);
        assert_eq!(ray(sq("h8"), 0).count(), 0);
        assert_eq!(ray(sq("a1"), 8).count(), 0);
    }

    #[test]
    fn lines_have_a_direction_and_a_distance() {
        assert_eq!(line(sq("a1"), sq("a8")), Some((0, 7)));
        assert_eq!(line(sq("h1"), sq("e4")), Some((7, 3)));
        assert_eq!(line(sq("a1"), sq("b3")), None);
        assert_eq!(line(sq("a1"), sq("a1")), None);
    }

    #[test]
    fn pawns_go_forward() {
        assert_eq!(two_ahead(sq("e2"), Color::White), Some(sq("e4")));
        assert_eq!(two_ahead(sq("e2"), Color::Black), None);
        assert_eq!(pawn_attacks(sq("a7"), Color::Black), [None, Some(sq("b6"))]);
        assert_eq!(ahead(sq("e8"), Color::White), None);
    }
}
