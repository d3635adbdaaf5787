//! What a player has and sees, in words: for who can't look at a board.

use rules::{Color, PieceType, Seen, Side, Sight, Square};

/// What a line asks to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Square(Square),
    /// A file, 0 to 7.
    File(u8),
    /// A rank, 0 to 7.
    Rank(u8),
}

impl Place {
    /// Reads `e4`, `file e` or `rank 4`.
    pub fn parse(words: &[&str]) -> Option<Self> {
        let of = |first: u8, text: &str| match text.as_bytes() {
            [c] => Some(c.to_ascii_lowercase().wrapping_sub(first)).filter(|index| *index < 8),
            _ => None,
        };
        match words {
            ["file", file] => of(b'a', file).map(Self::File),
            ["rank", rank] => of(b'1', rank).map(Self::Rank),
            [square] => square.to_ascii_lowercase().parse().ok().map(Self::Square),
            _ => None,
        }
    }

    fn squares(self) -> Vec<Square> {
        match self {
            Self::Square(square) => vec![square],
            Self::File(file) => Square::all().filter(|square| square.file() == file).collect(),
            Self::Rank(rank) => Square::all().filter(|square| square.rank() == rank).collect(),
        }
    }
}

/// What is on the squares of a place.
pub fn look(side: &Side, sight: &Sight, place: Place) -> String {
    let on = |square: Square| match (side.piece(square), sight.at(square)) {
        (Some(piece), _) => format!("your {piece}"),
        (None, Seen::Piece(piece)) => format!("the opponent's {piece}"),
        (None, Seen::Occupied) => "a piece of unknown kind".to_owned(),
        (None, Seen::Empty) => "empty".to_owned(),
        (None, Seen::Dark) => "in the fog".to_owned(),
    };
    let squares: Vec<String> = place.squares().into_iter().map(|square| format!("{square} {}", on(square))).collect();
    format!("{}.", squares.join(", "))
}

/// All pieces by kind: the own ones, and what they see. Then how often White and Black have captured, if at all.
pub fn read(side: &Side, sight: &Sight, points: [u16; 2]) -> String {
    let own = by_kind(side.men());
    let [white, black] = points;
    let points =
        if points == [0; 2] { String::new() } else { format!(" Captured: by White {white}, by Black {black}.") };
    format!("You, {}: {own}. {}{points}", side.color, seen(side.color, sight))
}

/// What is seen of the opponent.
pub fn seen(own: Color, sight: &Sight) -> String {
    let pieces = Square::all().filter_map(|square| match sight.at(square) {
        Seen::Piece(piece) => Some((square, piece)),
        _ => None,
    });
    let mut parts = vec![by_kind(pieces)];
    let unknown: Vec<String> =
        Square::all().filter(|square| sight.at(*square) == Seen::Occupied).map(|square| square.to_string()).collect();
    if !unknown.is_empty() {
        parts.push(format!("unknown {}", unknown.join(" ")));
    }
    parts.retain(|part| !part.is_empty());
    match parts.is_empty() {
        true => format!("Nothing of {} is in sight.", !own),
        false => format!("In sight of {}: {}.", !own, parts.join(", ")),
    }
}

fn by_kind(pieces: impl Iterator<Item = (Square, PieceType)>) -> String {
    let pieces: Vec<_> = pieces.collect();
    let kinds = PieceType::ALL.into_iter().rev().filter_map(|kind| {
        let of_kind = pieces.iter().filter(|(_, piece)| *piece == kind);
        let squares: Vec<String> = of_kind.map(|(square, _)| square.to_string()).collect();
        (!squares.is_empty()).then(|| format!("{kind} {}", squares.join(" ")))
    });
    kinds.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::Position;

    #[test]
    fn a_board_is_told_in_words() {
        let position = Position::from_fen("4k3/8/4n3/4P3/8/8/8/R3K2R w - - 0 1").expect("a position");
        let (side, sight) = (position.side(Color::White), position.sight(Color::White));
        let told = |words: &[&str]| look(side, &sight, Place::parse(words).expect("a place"));
        assert_eq!(told(&["e5"]), "e5 your pawn.");
        assert_eq!(told(&["E6"]), "e6 a piece of unknown kind.");
        assert_eq!(told(&["a4"]), "a4 empty.");
        assert!(told(&["file", "e"]).starts_with("e1 your king, e2 empty, e3 in the fog,"), "{}", told(&["file", "e"]));
        assert!(told(&["rank", "8"]).starts_with("a8 empty, b8 in the fog,"), "{}", told(&["rank", "8"]));
        let words = "You, white: king e1, rook a1 h1, pawn e5. In sight of black: unknown e6.";
        assert_eq!(read(side, &sight, [0, 0]), words);
        assert_eq!(read(side, &sight, [0, 2]), format!("{words} Captured: by White 0, by Black 2."));
        assert_eq!(seen(Color::White, &Sight::DARK), "Nothing of black is in sight.");
        for wrong in [&["e9"][..], &["file", "i"], &["rank", "0"], &["file"], &[]] {
            assert_eq!(Place::parse(wrong), None, "{wrong:?}");
        }
    }
}
