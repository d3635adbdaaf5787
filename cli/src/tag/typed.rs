//! What a player can type, and what it means.

use tag::{Square, Step};

use crate::line::quit;

/// All of it but how to stop.
const HELP: &str = "  b2              step to a square beside your king
  n, ne, e, se, s, sw, w, nw
                  the same by its direction; north leads to higher ranks, east to later files
  grid            show the grid: you are @, the opponent is & where you see it, ░ is fog
  steps           the squares that your king can step to
  resign          give up; for a stake, `resign yes`";

/// All of it, for the player.
pub fn help() -> String {
    format!("{HELP}\n{}", quit("tag play"))
}

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

/// What a line asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typed {
    /// A step to a square.
    Go(Square),
    Grid,
    /// The squares that the king can step to.
    Steps,
    /// Give up, if that costs no stake.
    Resign,
    /// Give up, whatever it costs.
    ResignSurely,
    Help,
    Quit,
    Nothing,
}

/// Reads a line of a player whose king stands on a square.
pub fn parse(line: &str, king: Option<Square>) -> Result<Typed, String> {
    let line = line.trim();
    let small = line.to_lowercase();
    Ok(match small.as_str() {
        "" => Typed::Nothing,
        "grid" | "board" => Typed::Grid,
        "steps" | "moves" => Typed::Steps,
        "resign" => Typed::Resign,
        "resign yes" => Typed::ResignSurely,
        "help" | "?" => Typed::Help,
        "quit" | "exit" => Typed::Quit,
        text => match DIRECTIONS.iter().find(|(name, _)| *name == text) {
            Some((_, offset)) => Typed::Go(beside(king, *offset).ok_or("your king can't go there: the grid ends")?),
            None => {
                let square = text.parse();
                let neither =
                    "is neither a square such as b2 nor a direction such as ne nor a command; `help` lists them";
                Typed::Go(square.map_err(|_| format!("{line:?} {neither}"))?)
            }
        },
    })
}

/// The square in a direction.
fn beside(king: Option<Square>, offset: (i8, i8)) -> Option<Square> {
    Step::all().find(|step| step.offset() == offset).and_then(|step| king?.after(step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_help_is_indented() {
        assert!(help().lines().all(|line| line.starts_with("  ")), "{}", help());
    }

    #[test]
    fn lines_are_understood() {
        let square = |name: &str| name.parse::<Square>().expect("a square");
        let king = Some(square("a1"));
        assert_eq!(parse(" B2 ", king), Ok(Typed::Go(square("b2"))));
        assert_eq!(parse("ne", king), Ok(Typed::Go(square("b2"))));
        assert_eq!(parse("E", king), Ok(Typed::Go(square("b1"))));
        assert_eq!((parse("", king), parse("help", None), parse("exit", None)), {
            (Ok(Typed::Nothing), Ok(Typed::Help), Ok(Typed::Quit))
        });
        for step in Step::all() {
            let to = square("d4").after(step).expect("a square");
            let named = DIRECTIONS.iter().find(|(_, offset)| *offset == step.offset()).expect("a direction");
            assert_eq!(parse(named.0, Some(square("d4"))), Ok(Typed::Go(to)));
        }
        for wrong in ["w", "south", "b2 b3", "z9", "castle", "\u{fffd}"] {
            assert!(parse(wrong, king).is_err(), "{wrong}");
        }
    }
}
