//! The points that stand for squares.
//!
//! `P_q` is the first point of Grumpkin whose x-coordinate is `keccak256("fogmate/tag/point/1" ‖ rank + 1 ‖ file + 1 ‖ i)` modulo |F|, for
//! `i` = 0, 1, 2, … (a byte each); of its two y-coordinates the even one. So nobody knows the logarithm of one of them to another. There are
//! 10×10 of them: the squares of the largest grid, and those around it. A neighbourhood at an edge takes the latter; no king can stand
//! there, so they match nothing.

use fog::{
    curve::{Point, lift},
    word::{keccak256, reduce},
};
use std::sync::LazyLock;

use crate::tag::Square;

/// Files, and ranks, of the largest grid with what is around it.
const SIDE: usize = 10;
const DOMAIN: &[u8] = b"fogmate/tag/point/1";

static POINTS: LazyLock<Vec<Point>> =
    LazyLock::new(|| (0..SIDE * SIDE).map(|index| hash_to_point((index / SIDE) as u8, (index % SIDE) as u8)).collect());

fn hash_to_point(rank: u8, file: u8) -> Point {
    let candidates = (0..=u8::MAX).map(|i| reduce(&keccak256(&[DOMAIN, &[rank, file, i]].concat())));
    candidates.filter_map(lift).next().expect("half of all x have a point, and here are 256")
}

/// `P_q` for each place of the neighbourhood of a square, rank by rank.
pub(crate) fn neighbourhood_points(square: Square) -> [Point; crate::tag::NEIGHBOURHOOD] {
    let (file, rank) = (usize::from(square.file()), usize::from(square.rank()));
    std::array::from_fn(|place| POINTS[(rank + place / 3) * SIDE + file + place % 3])
}

/// `P_q` of a square moved by −1, 0 or 1 files and ranks: place 0 to 8 of its neighbourhood, 4 the square itself.
pub fn square_point(square: Square, place: usize) -> Point {
    neighbourhood_points(square)[place]
}

#[cfg(test)]
mod tests {
    use super::*;
    use ff::PrimeField;
    use std::collections::BTreeSet;

    #[test]
    fn points_are_distinct_and_neighbourhoods_share_them() {
        let distinct: BTreeSet<_> = POINTS.iter().map(|point| point.x.to_repr()).collect();
        assert_eq!(distinct.len(), SIDE * SIDE, "no two are equal or opposite");
        for square in Square::all() {
            let places = crate::tag::neighbourhood(square).into_iter().zip(neighbourhood_points(square));
            for (place, point) in places {
                let on_grid = Square::all().find(|other| square_point(*other, 4) == point);
                assert_eq!(on_grid, place);
            }
        }
    }
}
