//! FEN as text: [`Setup`] is what a FEN says, checked for its form only (protocol, section 2).
//!
//! Whether the pieces make a position of the game is decided by [`Position::from_fen`](crate::Position::from_fen); so what can be
//! read and what can be played are different types.

use std::{fmt, str::FromStr};

use thiserror::Error;

use crate::{CastlingRights, Color, PieceType, Square, castling::Wing};

/// The highest move counter that is read: far above any game, far below an overflow.
pub const MAX_COUNTER: u32 = 9999;

/// What a FEN says, in proper form but perhaps without sense: kings may lack, rights may have no rook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The pieces, by square.
    pub board: [Option<(Color, PieceType)>; 64],
    /// Who is to move.
    pub turn: Color,
    /// Castling rights, by color.
    pub rights: [CastlingRights; 2],
    /// The square that a double push just jumped over.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove: u32,
    /// Number of the full move, from 1.
    pub fullmove: u32,
}

/// What is wrong with a FEN's form.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FenError {
    #[error(
        "a FEN has 6 fields (board, turn, castling, en passant, halfmove clock, move number), but this one has {0}"
    )]
    Fields(usize),
    #[error("the board has {0} ranks instead of 8")]
    Ranks(usize),
    /// A rank of another length than eight.
    #[error("rank {rank} has {squares} squares instead of 8")]
    RankLength {
        /// The rank, 1 to 8.
        rank: u8,
        /// How many squares it describes.
        squares: usize,
    },
    /// A character that stands for no piece and no run of empty squares.
    #[error("rank {rank} contains {found:?}, which is neither a piece (PNBRQK, pnbrqk) nor a number from 1 to 8")]
    Piece {
        /// The rank, 1 to 8.
        rank: u8,
        found: char,
    },
    /// Two numbers side by side.
    #[error("rank {rank} has two numbers of empty squares side by side, which must be written as one")]
    SplitNumber {
        /// The rank, 1 to 8.
        rank: u8,
    },
    #[error("the player to move is {0:?}, but must be w or b")]
    Turn(String),
    #[error("the castling rights are {0:?}, but must be - or letters of KQkq, each at most once")]
    Castling(String),
    #[error("the en-passant square is {0:?}, but must be - or a square")]
    EnPassant(String),
    #[error("the halfmove clock is {0:?}, but must be a whole number from 0 to {MAX_COUNTER}")]
    Halfmove(String),
    #[error("the move number is {0:?}, but must be a whole number from 1 to {MAX_COUNTER}")]
    Fullmove(String),
}

impl FromStr for Setup {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Self, FenError> {
        let fields: Vec<_> = fen.split_ascii_whitespace().collect();
        let &[board, turn, castling, en_passant, halfmove, fullmove] = fields.as_slice() else {
            return Err(FenError::Fields(fields.len()));
        };
        Ok(Self {
            board: parse_board(board)?,
            turn: parse_turn(turn)?,
            rights: parse_rights(castling).ok_or_else(|| FenError::Castling(excerpt(castling)))?,
            en_passant: match en_passant {
                "-" => None,
                square => Some(square.parse().map_err(|_| FenError::EnPassant(excerpt(square)))?),
            },
            halfmove: parse_counter(halfmove, 0).ok_or_else(|| FenError::Halfmove(excerpt(halfmove)))?,
            fullmove: parse_counter(fullmove, 1).ok_or_else(|| FenError::Fullmove(excerpt(fullmove)))?,
        })
    }
}

/// The beginning of a field: an error quotes no more, whatever it was given.
fn excerpt(field: &str) -> String {
    const SHOWN: usize = 16;
    let mut shown: String = field.chars().take(SHOWN).collect();
    if field.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

fn parse_board(field: &str) -> Result<[Option<(Color, PieceType)>; 64], FenError> {
    let count = field.split('/').count();
    if count != 8 {
        return Err(FenError::Ranks(count));
    }
    let mut board = [None; 64];
    for (text, rank) in field.split('/').zip((0..8).rev()) {
        parse_rank(text, rank, &mut board)?;
    }
    Ok(board)
}

fn parse_rank(text: &str, rank: u8, board: &mut [Option<(Color, PieceType)>; 64]) -> Result<(), FenError> {
    let mut squares = 0_usize;
    let mut after_number = false;
    for found in text.chars() {
        let number = found.to_digit(10).filter(|n| (1..=8).contains(n));
        if number.is_some() && after_number {
            return Err(FenError::SplitNumber { rank: rank + 1 });
        }
        after_number = number.is_some();
        if let Some(number) = number {
            squares += number as usize;
            continue;
        }
        let man = parse_man(found).ok_or(FenError::Piece { rank: rank + 1, found })?;
        if let Some(square) = u8::try_from(squares).ok().and_then(|file| Square::at(file, rank)) {
            board[square.index()] = Some(man);
        }
        squares += 1;
    }
    if squares == 8 { Ok(()) } else { Err(FenError::RankLength { rank: rank + 1, squares }) }
}

fn parse_man(letter: char) -> Option<(Color, PieceType)> {
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    Some((color, PieceType::from_letter(letter.to_ascii_lowercase())?))
}

fn parse_turn(field: &str) -> Result<Color, FenError> {
    match field {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(FenError::Turn(excerpt(field))),
    }
}

fn parse_rights(field: &str) -> Option<[CastlingRights; 2]> {
    let mut rights = [CastlingRights::NONE; 2];
    if field == "-" {
        return Some(rights);
    }
    for letter in field.chars() {
        let (color, wing) = RIGHTS.iter().find(|(_, _, l)| *l == letter).map(|&(c, w, _)| (c, w))?;
        if rights[color.index()].has(wing) {
            return None;
        }
        rights[color.index()].set(wing, true);
    }
    Some(rights)
}

/// Castling rights and their letters, in FEN's order.
pub(crate) const RIGHTS: [(Color, Wing, char); 4] = [
    (Color::White, Wing::KingSide, 'K'),
    (Color::White, Wing::QueenSide, 'Q'),
    (Color::Black, Wing::KingSide, 'k'),
    (Color::Black, Wing::QueenSide, 'q'),
];

fn parse_counter(field: &str, least: u32) -> Option<u32> {
    // `u32::from_str` would also take a plus sign.
    let is_number = field.bytes().all(|b| b.is_ascii_digit());
    let value = field.parse().ok().filter(|_| is_number)?;
    (least..=MAX_COUNTER).contains(&value).then_some(value)
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            self.write_rank(rank, f)?;
            f.write_str(if rank == 0 { " " } else { "/" })?;
        }
        f.write_str(if self.turn == Color::White { "w " } else { "b " })?;
        let rights = RIGHTS.iter().filter(|(color, wing, _)| self.rights[color.index()].has(*wing));
        let letters: String = rights.map(|&(_, _, letter)| letter).collect();
        f.write_str(if letters.is_empty() { "-" } else { &letters })?;
        match self.en_passant {
            Some(square) => write!(f, " {square}")?,
            None => f.write_str(" -")?,
        }
        write!(f, " {} {}", self.halfmove, self.fullmove)
    }
}

impl Setup {
    fn write_rank(&self, rank: u8, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut empty = 0;
        for file in 0..8 {
            let man = self.board[Square::from_coordinates(file, rank).index()];
            if let Some((color, piece)) = man {
                write_number(&mut empty, f)?;
                write!(f, "{}", piece.letter_of(color))?;
            } else {
                empty += 1;
            }
        }
        write_number(&mut empty, f)
    }
}

fn write_number(empty: &mut u8, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match std::mem::take(empty) {
        0 => Ok(()),
        number => write!(f, "{number}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn error(fen: &str) -> FenError {
        fen.parse::<Setup>().expect_err(fen)
    }

    #[test]
    fn texts_round_trip() {
        for fen in [START, "8/8/8/KPp4r/8/8/8/4k3 w - c6 0 1", "8/8/8/8/8/8/8/8 b Kq - 99 9999"] {
            assert_eq!(fen.parse::<Setup>().unwrap().to_string(), fen);
        }
    }

    #[test]
    fn each_fault_of_form_has_its_name() {
        let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        assert_eq!(error(""), FenError::Fields(0));
        assert_eq!(error(board), FenError::Fields(1));
        assert_eq!(error(&format!("{START} 1")), FenError::Fields(7));
        assert_eq!(error("8/8/8/8/8/8/8 w - - 0 1"), FenError::Ranks(7));
        assert_eq!(error("8/8/8/8/8/8/8/8/8 w - - 0 1"), FenError::Ranks(9));
        assert_eq!(error("8/8/8/7/8/8/8/8 w - - 0 1"), FenError::RankLength { rank: 5, squares: 7 });
        assert_eq!(error("8/8/8/8/8/8/8/8k w - - 0 1"), FenError::RankLength { rank: 1, squares: 9 });
        assert_eq!(error("8//8/8/8/8/8/8 w - - 0 1"), FenError::RankLength { rank: 7, squares: 0 });
        assert_eq!(error("8/8/8/8/8/8/8/7x w - - 0 1"), FenError::Piece { rank: 1, found: 'x' });
        assert_eq!(error("9/8/8/8/8/8/8/8 w - - 0 1"), FenError::Piece { rank: 8, found: '9' });
        assert_eq!(error("8/8/8/8/8/8/8/7٣ w - - 0 1"), FenError::Piece { rank: 1, found: '٣' });
        assert_eq!(error("8/8/44/8/8/8/8/8 w - - 0 1"), FenError::SplitNumber { rank: 6 });
        assert_eq!(error("8/8/8/8/8/8/8/8 W - - 0 1"), FenError::Turn("W".into()));
        for castling in ["KK", "KQkqK", "HAha", "x", "--", "K-"] {
            let fen = format!("{board} w {castling} - 0 1");
            assert_eq!(error(&fen), FenError::Castling(castling.into()));
        }
        assert_eq!(error(&format!("{board} w - e9 0 1")), FenError::EnPassant("e9".into()));
        for counter in ["-1", "+1", "x", "10000", "1.0", "99999999999999999999"] {
            let halfmove = excerpt(counter);
            assert_eq!(error(&format!("{board} w - - {counter} 1")), FenError::Halfmove(halfmove));
        }
        assert_eq!(error(&format!("{board} w - - 0 0")), FenError::Fullmove("0".into()));
    }

    #[test]
    fn errors_quote_little() {
        let text = error(&format!("8/8/8/8/8/8/8/8 {} - - 0 1", "w".repeat(1_000_000))).to_string();
        assert!(text.len() < 100, "{text}");
    }
}
