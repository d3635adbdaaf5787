//! Lines of sight: what one piece looks along. A slider's ray, one step of a knight or a king, one of a pawn's two attacks, or a pawn's way
//! ahead. The first piece on a line hides the rest of it.

use crate::{
    Color, PieceType, Side, Square,
    geometry::{DIRECTIONS, FIRST_DIAGONAL, KNIGHT_STEPS, ahead, pawn_attacks, ray, two_ahead},
};
use std::sync::LazyLock;

/// One line of sight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub piece: PieceType,
    pub from: Square,
    /// The squares, nearest first.
    pub squares: Vec<Square>,
    /// A pawn's way ahead, on which it learns only whether a piece stands there.
    pub is_way: bool,
}

impl Line {
    /// The squares before the first piece of the own side.
    pub fn open_squares<'a>(&'a self, own: &'a Side) -> impl Iterator<Item = Square> + 'a {
        self.squares.iter().copied().take_while(|square| own.piece(*square).is_none())
    }
}

/// Whether a piece may stand on a square: pawns never do on the first and the last rank.
#[must_use]
pub fn may_stand(piece: PieceType, square: Square) -> bool {
    piece != PieceType::Pawn || (1..7).contains(&square.rank())
}

/// The lines of a piece of `color`.
#[must_use]
pub fn lines(piece: PieceType, from: Square, color: Color) -> &'static [Line] {
    // By color, piece and square, since a search asks for them all the time.
    static LINES: LazyLock<[[Vec<Vec<Line>>; 6]; 2]> = LazyLock::new(|| {
        Color::ALL.map(|color| {
            PieceType::ALL.map(|piece| Square::all().map(|from| compute_lines(piece, from, color)).collect())
        })
    });
    &LINES[color.index()][usize::from(piece.code()) - 1][from.index()]
}

fn compute_lines(piece: PieceType, from: Square, color: Color) -> Vec<Line> {
    let mut lines = Vec::with_capacity(8);
    let mut add = |squares: Vec<Square>, is_way| {
        if !squares.is_empty() {
            lines.push(Line { piece, from, squares, is_way });
        }
    };
    let steps: &[(i8, i8)] = match piece {
        PieceType::Knight => &KNIGHT_STEPS,
        PieceType::King => &DIRECTIONS,
        _ => &[],
    };
    for (files, ranks) in steps {
        add(Vec::from_iter(from.offset(*files, *ranks)), false);
    }
    for direction in 0..DIRECTIONS.len() {
        let is_orthogonal = direction < FIRST_DIAGONAL;
        if if is_orthogonal { piece.is_orthogonal_slider() } else { piece.is_diagonal_slider() } {
            add(ray(from, direction).collect(), false);
        }
    }
    if piece == PieceType::Pawn {
        for target in pawn_attacks(from, color).into_iter().flatten() {
            add(vec![target], false);
        }
        add([ahead(from, color), two_ahead(from, color)].into_iter().flatten().collect(), true);
    }
    lines
}

/// The lines of all pieces of a side.
pub fn lines_of(own: &Side) -> impl Iterator<Item = &'static Line> {
    own.men().flat_map(|(from, piece)| lines(piece, from, own.color))
}

/// Every line that a piece of `color` could have.
pub fn all_lines(color: Color) -> impl Iterator<Item = &'static Line> {
    let places = Square::all().flat_map(|from| PieceType::ALL.map(|piece| (piece, from)));
    let places = places.filter(|(piece, from)| may_stand(*piece, *from));
    places.flat_map(move |(piece, from)| lines(piece, from, color))
}

/// The rank that the opponent's pawns jump over.
#[must_use]
pub fn jump_rank(receiver: Color) -> u8 {
    (!receiver).pawn_rank().saturating_add_signed((!receiver).forward())
}
