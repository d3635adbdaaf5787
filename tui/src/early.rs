//! A move that is given before its turn.

use rules::{FindMoveError, Move, Seen, Side, Sight, WrittenMove};
use std::fmt;

/// A move that is given before its turn, perhaps with the offer of a draw. It is shown as it is typed.
#[derive(Debug)]
pub struct Early {
    written: WrittenMove,
    /// What follows the move in its line.
    offer: &'static str,
}

impl Early {
    /// The move of a line, if that is one.
    pub fn of(line: &str) -> Option<Self> {
        let (mv, offer) = line.strip_suffix(" draw").map_or((line, ""), |mv| (mv, " draw"));
        Some(Self { written: mv.trim().parse::<WrittenMove>().ok()?.at_first(), offer })
    }

    /// What it would be on a board, were nothing in the dark.
    fn find(&self, side: &Side, sight: &Sight) -> Result<Move, FindMoveError> {
        let squares = sight.squares.map(|seen| if seen == Seen::Dark { Seen::Empty } else { seen });
        self.written.find(side, &side.legal_moves(&Sight { squares, ..sight.clone() }))
    }

    /// Where it would go on a board; none where it is no move yet.
    pub(crate) fn squares(&self, side: &Side, sight: &Sight) -> Option<Move> {
        self.written.squares().or_else(|| self.find(side, sight).ok())
    }

    /// Why it isn't taken: it could be moves of several men.
    pub(crate) fn refused(&self, side: &Side, sight: &Sight) -> Option<FindMoveError> {
        let error = self.find(side, sight).err()?;
        let FindMoveError::Ambiguous { moves, .. } = &error else { return None };
        moves.iter().any(|mv| mv.from != moves[0].from).then_some(error)
    }

    /// Its line by the squares, now that these moves are legal; a pawn of which nothing more was said becomes a queen.
    ///
    /// # Errors
    ///
    /// A sentence, if it is none of them or could be several.
    pub fn due(&self, side: &Side, legal: &[Move]) -> Result<String, String> {
        let as_queen = || format!("{}q", self.written).parse::<WrittenMove>().ok()?.at_first().find(side, legal).ok();
        match self.written.find(side, legal).or_else(|error| as_queen().ok_or(error)) {
            Ok(mv) => Ok(format!("{mv}{}", self.offer)),
            Err(error @ FindMoveError::Ambiguous { .. }) => Err(format!("{error}.")),
            Err(_) => Err(format!("{self}, given early, can't be played now.")),
        }
    }
}

impl fmt::Display for Early {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.written, self.offer)
    }
}
