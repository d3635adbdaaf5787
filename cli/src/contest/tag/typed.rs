//! What a player of tag can type, and what it means.

use contest::tag::{Square, Step};

/// All that not all games have.
pub const HELP: &str = "  b2              step to a square beside your king
  n, ne, e, se, s, sw, w, nw
                  the same by its direction; north leads to higher ranks, east to later files
  grid            show the grid: you are @, the opponent is & where you see it, ░ is fog
  steps           the squares that your king can step to";

/// Directions, with the files and ranks that they lead on.
const DIRECTIONS: [(&str, (i8, i8)); 8] = [
    ("n", (0, 1)),
    ("ne", (1, 1)),
    ("e", (1, 0)),
    ("se", (1, -1)),
    ("s", (0, -1)),
    ("sw", (-1, -1)),
    ("w", (-1, 0)),
    ("nw", (-1, 1)),
];

/// The square that a line names to a player whose king stands on a square.
pub fn parse(line: &str, king: Option<Square>) -> Result<Square, String> {
    let text = line.trim().to_lowercase();
    if let Some((_, offset)) = DIRECTIONS.iter().find(|(name, _)| *name == text) {
        return beside(king, *offset).ok_or_else(|| "Your king can't go there: the grid ends.".to_owned());
    }
    let neither = "is neither a square such as b2 nor a direction such as ne nor a command; `help` lists them";
    text.parse().map_err(|_| format!("{line:?} {neither}"))
}

/// The square in a direction.
fn beside(king: Option<Square>, offset: (i8, i8)) -> Option<Square> {
    Step::all().find(|step| step.offset() == offset).and_then(|step| king?.after(step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood() {
        let square = |name: &str| name.parse::<Square>().expect("a square");
        let king = Some(square("a1"));
        assert_eq!(parse(" B2 ", king), Ok(square("b2")));
        assert_eq!(parse("ne", king), Ok(square("b2")));
        assert_eq!(parse("E", king), Ok(square("b1")));
        for step in Step::all() {
            let to = square("d4").after(step).expect("a square");
            let named = DIRECTIONS.iter().find(|(_, offset)| *offset == step.offset()).expect("a direction");
            assert_eq!(parse(named.0, Some(square("d4"))), Ok(to));
        }
        for wrong in ["w", "south", "b2 b3", "z9", "castle", "\u{fffd}"] {
            assert!(parse(wrong, king).is_err(), "{wrong}");
        }
    }
}
