//! The board as text: from 1 below on the left to 100 above on the left, each row the other way round than the one below it.

use contest::dice::{JUMPS, Square};

/// The board with both players on it: `@` the first, `&` the second, `#` both. Ladders and snakes are named beside their rows.
pub fn board(first: Square, second: Square) -> String {
    let mut text = String::new();
    for row in (0..10u8).rev() {
        let squares: Vec<u8> = (1..=10).map(|column| 10 * row + column).collect();
        let from_left: Vec<u8> = if row % 2 == 0 { squares.clone() } else { squares.iter().rev().copied().collect() };
        for square in from_left {
            let cell = match (first.number() == square, second.number() == square) {
                (true, true) => "#".to_owned(),
                (true, false) => "@".to_owned(),
                (false, true) => "&".to_owned(),
                (false, false) => square.to_string(),
            };
            text += &format!("{cell:>4}");
        }
        let of_row = JUMPS.iter().filter(|(from, _)| squares.contains(from));
        let jumps: Vec<String> = of_row.map(|(from, to)| format!("{from} to {to}")).collect();
        text += &format!("   {}", jumps.join(", "));
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_winds_upwards() {
        let square = |number| Square::new(number).expect("a square");
        let text = board(square(12), square(100));
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(rows.len(), 10);
        assert_eq!(rows[0], "   &  99  98  97  96  95  94  93  92  91   93 to 73, 95 to 75, 98 to 78");
        assert_eq!(rows[8], "  20  19  18  17  16  15  14  13   @  11   16 to 6");
        assert_eq!(rows[9], "   1   2   3   4   5   6   7   8   9  10   1 to 38, 4 to 14, 9 to 31");
        assert!(board(square(7), square(7)).contains('#') && !board(Square::START, Square::START).contains('@'));
    }
}
