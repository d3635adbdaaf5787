//! Moves as players write them: standard algebraic notation without check and mate, which dark chess doesn't have.
//!
//! A player's own pieces are told apart by its own legal moves. Read are also coordinates (`e2e4`), any case, and moves without `x` and `=`.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::castling::Wing;
use crate::{Move, PieceType, Side, Sight, Square};

/// Longest text that can be a move, in bytes: `Qa1xb2+!?` and some room.
const LONGEST: usize = 12;

impl Side {
    /// A legal move of this side in standard algebraic notation; in coordinates if nothing stands where it begins.
    #[must_use]
    pub fn san(&self, mv: &Move, sight: &Sight) -> String {
        let Some(piece) = self.piece(mv.from) else { return mv.to_string() };
        match self.castling_wing(mv) {
            Some(Wing::KingSide) => return "O-O".to_owned(),
            Some(Wing::QueenSide) => return "O-O-O".to_owned(),
            None => {}
        }
        let is_capture = self.capture_square(mv, sight).is_some();
        let start = match piece {
            PieceType::Pawn if is_capture => file_of(mv.from).to_string(),
            PieceType::Pawn => String::new(),
            _ => format!("{}{}", letter(piece), self.origin(piece, mv, sight)),
        };
        let capture = if is_capture { "x" } else { "" };
        let promotion = mv.promotion.map_or_else(String::new, |piece| format!("={}", letter(piece)));
        format!("{start}{capture}{}{promotion}", mv.to)
    }

    /// As much of the square of departure as it takes to tell the piece from others of its kind.
    fn origin(&self, piece: PieceType, mv: &Move, sight: &Sight) -> String {
        let moves = self.legal_moves(sight).into_iter();
        let rivals: Vec<Square> = moves
            .filter(|other| other.to == mv.to && other.from != mv.from && self.piece(other.from) == Some(piece))
            .map(|other| other.from)
            .collect();
        if rivals.is_empty() {
            String::new()
        } else if rivals.iter().all(|from| from.file() != mv.from.file()) {
            file_of(mv.from).to_string()
        } else if rivals.iter().all(|from| from.rank() != mv.from.rank()) {
            (mv.from.rank() + 1).to_string()
        } else {
            mv.from.to_string()
        }
    }
}

fn file_of(square: Square) -> char {
    char::from(b'a' + square.file())
}

fn letter(piece: PieceType) -> char {
    piece.letter().to_ascii_uppercase()
}

/// A text that looks like a move, and what it may mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenMove {
    text: String,
    /// What is meant rather comes first: `bxc3` is a pawn's move, if there is one, and else a bishop's.
    readings: Vec<Reading>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    Squares(Move),
    Castling(Wing),
    Piece {
        piece: PieceType,
        /// The file that it comes from, if that is said.
        file: Option<u8>,
        /// The rank that it comes from, if that is said.
        rank: Option<u8>,
        to: Square,
        promotion: Option<PieceType>,
    },
}

/// A text that is no move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is no move: type it as Nf3, exd6, O-O or e2e4")]
pub struct WrittenMoveError(pub String);

/// Why a written move can't be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FindMoveError {
    /// No legal move is meant by it.
    #[error("{0} is not a legal move here")]
    Illegal(String),
    /// More than one legal move is meant by it.
    #[error("{text} could be {}", one_of(.moves))]
    Ambiguous { text: String, moves: Vec<Move> },
}

fn one_of(moves: &[Move]) -> String {
    moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ")
}

impl fmt::Display for WrittenMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for WrittenMove {
    type Err = WrittenMoveError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let refused = || WrittenMoveError(text.chars().take(LONGEST).collect());
        if text.len() > LONGEST || !text.is_ascii() {
            return Err(refused());
        }
        let bare = text.trim_end_matches(['+', '#', '!', '?']);
        let squares = bare.to_ascii_lowercase().parse().ok().map(Reading::Squares);
        // In small letters it is nothing else: `b2c3` is no bishop's move.
        if squares.is_some() && !bare.contains(|c: char| c.is_ascii_uppercase()) {
            return Ok(Self { text: text.to_owned(), readings: squares.into_iter().collect() });
        }
        let mut readings: Vec<Reading> = castling(bare).into_iter().collect();
        let as_typed =
            bare.chars().next().and_then(|first| PieceType::from_letter(first.to_ascii_lowercase()).zip(Some(first)));
        match as_typed.filter(|(piece, _)| *piece != PieceType::Pawn) {
            Some((piece, first)) if first.is_ascii_uppercase() => {
                readings
                    .extend([of_piece(piece, &bare[1..]), squares, of_piece(PieceType::Pawn, bare)].iter().flatten());
            }
            Some((piece, _)) => {
                readings
                    .extend([squares, of_piece(PieceType::Pawn, bare), of_piece(piece, &bare[1..])].iter().flatten());
            }
            None => readings.extend([squares, of_piece(PieceType::Pawn, bare)].iter().flatten()),
        }
        if readings.is_empty() { Err(refused()) } else { Ok(Self { text: text.to_owned(), readings }) }
    }
}

/// `O-O` and `O-O-O`, also with zeros, without strokes and in small letters.
fn castling(text: &str) -> Option<Reading> {
    match &text.to_ascii_uppercase().replace('0', "O").replace('-', "")[..] {
        "OO" => Some(Reading::Castling(Wing::KingSide)),
        "OOO" => Some(Reading::Castling(Wing::QueenSide)),
        _ => None,
    }
}

/// What follows a piece's letter: perhaps a file and a rank, the square, perhaps a promotion.
fn of_piece(piece: PieceType, rest: &str) -> Option<Reading> {
    let rest: String = rest.chars().filter(|c| !"xX=-".contains(*c)).map(|c| c.to_ascii_lowercase()).collect();
    let (rest, promotion) = match rest.chars().last().and_then(PieceType::from_letter) {
        Some(promotion) if rest.len() > 2 && PieceType::PROMOTIONS.contains(&promotion) => {
            (&rest[..rest.len() - 1], Some(promotion))
        }
        _ => (&rest[..], None),
    };
    let (from, to) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
    let to = to.parse().ok()?;
    let (mut file, mut rank) = (None, None);
    for c in from.chars() {
        match c {
            'a'..='h' if file.is_none() && rank.is_none() => file = Some(c as u8 - b'a'),
            '1'..='8' if rank.is_none() => rank = Some(c as u8 - b'1'),
            _ => return None,
        }
    }
    Some(Reading::Piece { piece, file, rank, to, promotion })
}

impl WrittenMove {
    /// The move in coordinates, if it is written so: what it means hangs on no board.
    #[must_use]
    pub fn squares(&self) -> Option<Move> {
        match self.readings[..] {
            [Reading::Squares(mv), ..] => Some(mv),
            _ => None,
        }
    }

    /// The same text, meaning only what it means first: for a move that is given before its board is known, where another reading would be a surprise.
    #[must_use]
    pub fn at_first(mut self) -> Self {
        self.readings.truncate(1);
        self
    }

    /// The one legal move of a side that is meant.
    ///
    /// # Errors
    ///
    /// If it is none of them, or more than one: a pawn that is promoted must be told what it becomes.
    pub fn find(&self, side: &Side, legal: &[Move]) -> Result<Move, FindMoveError> {
        for reading in &self.readings {
            let moves: Vec<Move> = legal.iter().copied().filter(|mv| reading.means(side, mv)).collect();
            match moves[..] {
                [] => {}
                [mv] => return Ok(mv),
                _ => return Err(FindMoveError::Ambiguous { text: self.text.clone(), moves }),
            }
        }
        Err(FindMoveError::Illegal(self.text.clone()))
    }
}

impl Reading {
    fn means(&self, side: &Side, mv: &Move) -> bool {
        match self {
            Self::Squares(squares) => mv == squares,
            Self::Castling(wing) => side.castling_wing(mv) == Some(*wing),
            Self::Piece { piece, file, rank, to, promotion } => {
                side.piece(mv.from) == Some(*piece)
                    && file.is_none_or(|file| mv.from.file() == file)
                    && rank.is_none_or(|rank| mv.from.rank() == rank)
                    && mv.to == *to
                    && promotion.is_none_or(|promotion| mv.promotion == Some(promotion))
                    && side.castling_wing(mv).is_none()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;

    fn of(fen: &str, mv: &str) -> String {
        let position = Position::from_fen(fen).unwrap();
        let color = position.turn();
        position.side(color).san(&mv.parse().unwrap(), &position.sight(color))
    }

    fn read(fen: &str, text: &str) -> Result<String, String> {
        let position = Position::from_fen(fen).unwrap();
        let written = text.parse::<WrittenMove>().map_err(|error| error.to_string())?;
        let found = written.find(position.side(position.turn()), &position.legal_moves());
        found.map(|mv| mv.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn pieces_are_told_apart_as_far_as_needed() {
        let knights = "4k3/8/8/8/8/8/8/N1N1K3 w - - 0 1";
        assert_eq!(of(knights, "a1b3"), "Nab3");
        let rooks = "R3k3/8/8/8/8/8/8/R3K3 w - - 0 1";
        assert_eq!(of(rooks, "a1a4"), "R1a4");
        let queens = "4k3/8/8/8/Q6Q/8/8/4K2Q w - - 0 1";
        assert_eq!(of(queens, "h4e4"), "Qh4e4");
        assert_eq!(of("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "a1d1"), "Rd1");
    }

    #[test]
    fn castling_pawns_promotions_and_kings() {
        let castles = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(of(castles, "e1g1"), "O-O");
        assert_eq!(of(castles, "e1c1"), "O-O-O");
        assert_eq!(of(castles, "e1f1"), "Kf1");
        assert_eq!(of("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"), "exd6");
        assert_eq!(of("3nk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8n"), "exd8=N");
        assert_eq!(of("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q"), "a8=Q");
        assert_eq!(of("4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1", "e7e8"), "Qxe8");
        assert_eq!(of("4k3/4K3/8/8/8/8/8/8 w - - 0 1", "e7e8"), "Kxe8");
    }

    #[test]
    fn a_pinned_piece_is_a_rival_because_nothing_is_pinned() {
        // In chess the knight on e2 couldn't leave the e-file; here it can, so the other one must be told from it.
        assert_eq!(of("4r1k1/8/8/8/8/8/4N3/1N2K3 w - - 0 1", "b1c3"), "Nbc3");
    }

    #[test]
    fn a_move_is_read_as_one_writes_it() {
        let castles = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for text in ["O-O", "o-o", "0-0", "OO", "e1g1", "E1G1", "O-O!?"] {
            assert_eq!(read(castles, text).as_deref(), Ok("e1g1"), "{text}");
        }
        for text in ["O-O-O", "000", "e1c1"] {
            assert_eq!(read(castles, text).as_deref(), Ok("e1c1"), "{text}");
        }
        // The king's step of two squares is castling, and so no move of the king to that square.
        assert_eq!(read(castles, "Kg1"), Err("Kg1 is not a legal move here".to_owned()));
        let both = "4k3/8/8/8/8/2p5/1P6/B3K3 w - - 0 1";
        assert_eq!(read(both, "bxc3").as_deref(), Ok("b2c3"));
        let bishop = "4k3/8/8/8/8/2p5/8/B3K3 w - - 0 1";
        for text in ["bxc3", "Bxc3", "Bc3", "bc3", "BXC3", "Bxc3+"] {
            assert_eq!(read(bishop, text).as_deref(), Ok("a1c3"), "{text}");
        }
        let promotes = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1";
        for text in ["a8=Q", "a8q", "A8=q", "a7a8q", "a7a8=Q"] {
            assert_eq!(read(promotes, text).as_deref(), Ok("a7a8q"), "{text}");
        }
        assert_eq!(read(promotes, "a8"), Err("a8 could be a7a8n or a7a8b or a7a8r or a7a8q".to_owned()));
        assert_eq!(read("4k3/8/8/8/8/8/8/N1N1K3 w - - 0 1", "nb3"), Err("nb3 could be a1b3 or c1b3".to_owned()));
        assert_eq!(read("4k3/8/8/8/8/8/8/N1N1K3 w - - 0 1", "n1b3"), Err("n1b3 could be a1b3 or c1b3".to_owned()));
        assert_eq!(read("4k3/8/8/8/8/8/8/N1N1K3 w - - 0 1", "Nc1b3").as_deref(), Ok("c1b3"));
    }

    #[test]
    fn squares_in_small_letters_are_no_bishop_s_move_and_a_bishop_s_rank_is_no_pawn_s() {
        let bishops = "4k3/8/8/8/8/8/1P1B4/4KB2 w - - 0 1";
        assert_eq!(read(bishops, "b2c3"), Err("b2c3 is not a legal move here".to_owned()));
        assert_eq!(read(bishops, "B2c3").as_deref(), Ok("d2c3"));
        let both = "4k3/8/8/8/8/2p5/1P1B4/4KB2 w - - 0 1";
        assert_eq!((read(both, "b2c3").as_deref(), read(both, "B2c3").as_deref()), (Ok("b2c3"), Ok("d2c3")));
        let squares = |text: &str| text.parse::<WrittenMove>().unwrap().squares().map(|mv| mv.to_string());
        assert_eq!(
            (squares("b2c3").as_deref(), squares("E2E4").as_deref(), squares("B2c3")),
            (Some("b2c3"), Some("e2e4"), None)
        );
    }

    #[test]
    fn at_first_a_text_has_one_meaning() {
        let position = Position::from_fen("4k3/8/8/8/8/2p5/3B4/4K3 w - - 0 1").unwrap();
        let find = |written: &WrittenMove| written.find(position.side(position.turn()), &position.legal_moves()).ok();
        let written: WrittenMove = "bxc3".parse().unwrap();
        assert_eq!(
            (find(&written).map(|mv| mv.to_string()).as_deref(), find(&written.at_first())),
            (Some("d2c3"), None)
        );
    }

    #[test]
    fn what_is_no_move_is_refused() {
        for text in
            ["", "Zf3", "e9", "e", "x", "=", "Nf", "N", "O", "O-O-O-O", "e2e4e6", "a1b2c3", "é4", "N\u{1b}[A", "draw"]
        {
            assert_eq!(text.parse::<WrittenMove>(), Err(WrittenMoveError(text.to_owned())), "{text:?}");
        }
        assert_eq!(
            "resign".parse::<WrittenMove>().unwrap_err().to_string(),
            "\"resign\" is no move: type it as Nf3, exd6, O-O or e2e4"
        );
        assert_eq!("a".repeat(1_000).parse::<WrittenMove>().unwrap_err().0.len(), LONGEST);
    }
}
