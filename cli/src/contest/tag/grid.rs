//! The grid as text: what one king sees of it.

use contest::tag::{Size, Square};

/// How a square in the fog is drawn.
const DARK: char = '░';
/// How a square that the own king sees empty is drawn.
const EMPTY: char = '·';

/// The ranks of the grid, the last above: `@` the own king, `&` the other one if it is seen, squares around the own king, and fog.
pub fn rows(size: Size, own: Square, other: Option<Square>) -> Vec<String> {
    let symbol = |square: Square| match square {
        _ if square == own => '@',
        _ if Some(square) == other => '&',
        _ if own.sees(square) => EMPTY,
        _ => DARK,
    };
    let rank = |rank: u8| {
        let squares = size.squares().filter(|square| square.rank() == rank);
        squares.map(|square| symbol(square).to_string()).collect::<Vec<_>>().join(" ")
    };
    (0..size.side()).rev().map(rank).collect()
}

/// The grid with the names of its ranks and files.
pub fn grid(size: Size, own: Square, other: Option<Square>) -> String {
    let mut text = String::new();
    for (row, rank) in rows(size, own, other).iter().zip((1..=size.side()).rev()) {
        text += &format!("  {rank} {row}\n");
    }
    let files: Vec<String> = (b'a'..b'a' + size.side()).map(|file| char::from(file).to_string()).collect();
    text + "    " + &files.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_king_sees_what_is_around_it() {
        let [own, other]: [Square; 2] = ["b2", "c3"].map(|name| name.parse().expect("a square"));
        let text = grid(Size::Six, own, Some(other));
        let expected = [
            "  6 ░ ░ ░ ░ ░ ░",
            "  5 ░ ░ ░ ░ ░ ░",
            "  4 ░ ░ ░ ░ ░ ░",
            "  3 · · & ░ ░ ░",
            "  2 · @ · ░ ░ ░",
            "  1 · · · ░ ░ ░",
            "    a b c d e f",
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
        let corner: Square = "h8".parse().expect("a square");
        let rows = rows(Size::Eight, corner, None);
        assert_eq!((rows[0].as_str(), rows[1].as_str()), ("░ ░ ░ ░ ░ ░ · @", "░ ░ ░ ░ ░ ░ · ·"));
        assert_eq!(rows.iter().filter(|row| row.contains('·')).count(), 2);
    }
}
