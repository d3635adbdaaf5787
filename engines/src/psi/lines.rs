//! Lines of sight, and the two sets of attack vectors over them.
//!
//! A line is what one piece looks along: a slider's ray, one step of a knight or a king, one of a pawn's two attacks, or a pawn's
//! way ahead. The receiver asks for what could stand on the squares of its own lines up to its own next piece. The sender answers for
//! every line that any piece of the receiver could have: it names the first of its own pieces there. So an element of both sets is a
//! piece that is seen, with nothing before it, and a line has at most one.

use super::element::{Element, Fact};
use fog::engine::Phase;
use rules::{
    Color, PieceType, Side, Square,
    geometry::{DIRECTIONS, FIRST_DIAGONAL, KNIGHT_STEPS, ahead, pawn_attacks, ray, two_ahead},
};

/// One line of sight.
pub struct Line {
    /// Who looks.
    pub piece: PieceType,
    /// From where.
    pub from: Square,
    /// The squares, nearest first.
    pub squares: Vec<Square>,
    /// A pawn's way ahead, on which it learns only whether a piece stands there.
    pub is_way: bool,
}

impl Line {
    /// What may be found on a square of this line.
    pub fn facts(&self, square: Square) -> impl Iterator<Item = Fact> + use<> {
        let is_way = self.is_way;
        let pieces = PieceType::ALL.into_iter().filter(move |piece| !is_way && may_stand(*piece, square));
        pieces.map(Fact::Piece).chain(is_way.then_some(Fact::Occupied))
    }

    /// The attack vector by which a fact is found on this line.
    pub fn element(&self, fact: Fact, square: Square) -> Element {
        Element::attack(fact, square, self.piece, self.from)
    }

    /// The squares before the first piece of the own side.
    pub fn open_squares<'a>(&'a self, own: &'a Side) -> impl Iterator<Item = Square> + 'a {
        self.squares.iter().copied().take_while(|square| own.piece(*square).is_none())
    }
}

/// Whether a piece may stand on a square: pawns never do on the first and the last rank.
pub fn may_stand(piece: PieceType, square: Square) -> bool {
    piece != PieceType::Pawn || (1..7).contains(&square.rank())
}

/// The lines of a piece of `color`.
pub fn lines(piece: PieceType, from: Square, color: Color) -> Vec<Line> {
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
pub fn lines_of(own: &Side) -> Vec<Line> {
    own.men().flat_map(|(from, piece)| lines(piece, from, own.color)).collect()
}

/// Every line that a piece of `color` could have.
pub fn all_lines(color: Color) -> impl Iterator<Item = Line> {
    let places = Square::all().flat_map(|from| PieceType::ALL.map(|piece| (piece, from)));
    let places = places.filter(|(piece, from)| may_stand(*piece, *from));
    places.flat_map(move |(piece, from)| lines(piece, from, color))
}

/// By which pawns of the receiver, and where, a double push of the sender may be captured: attack vectors of the squares jumped over.
pub fn all_jumps(receiver: Color) -> impl Iterator<Item = Element> {
    let pawns = Square::all().filter(|from| may_stand(PieceType::Pawn, *from));
    pawns.flat_map(move |from| jumps(from, receiver))
}

fn jumps(pawn: Square, receiver: Color) -> impl Iterator<Item = Element> {
    let targets = pawn_attacks(pawn, receiver).into_iter().flatten();
    let targets = targets.filter(move |target| target.rank() == jump_rank(receiver));
    targets.map(move |target| Element::attack(Fact::Jumped, target, PieceType::Pawn, pawn))
}

/// The rank that the opponent's pawns jump over.
pub fn jump_rank(receiver: Color) -> u8 {
    (!receiver).pawn_rank().saturating_add_signed((!receiver).forward())
}

/// The receiver's set: all that it may find.
pub fn asked(own: &Side, phase: Phase) -> Vec<Element> {
    let mut asked = Vec::new();
    for line in lines_of(own) {
        for square in line.open_squares(own) {
            asked.extend(line.facts(square).map(|fact| line.element(fact, square)));
        }
    }
    if phase == Phase::Pre {
        let pawns = own.men().filter(|(_, piece)| *piece == PieceType::Pawn);
        asked.extend(pawns.flat_map(|(from, _)| jumps(from, own.color)));
    }
    asked
}

/// The sender's set: all that any pieces of the receiver could find, on squares that aren't the sender's.
pub fn shown(own: &Side, phase: Phase) -> Vec<Element> {
    let receiver = !own.color;
    let mut shown = Vec::new();
    for line in all_lines(receiver).filter(|line| own.piece(line.from).is_none()) {
        let first = line.squares.iter().find_map(|square| Some((*square, own.piece(*square)?)));
        if let Some((square, piece)) = first {
            let fact = if line.is_way { Fact::Occupied } else { Fact::Piece(piece) };
            shown.push(line.element(fact, square));
        }
    }
    let target = own.jumped_square().filter(|_| phase == Phase::Pre);
    shown
        .extend(all_jumps(receiver).filter(|jump| jump.fact().map(|(_, square)| square) == target && target.is_some()));
    shown
}

/// The sender's board: its pieces by type, and the square that its last move jumped over.
pub fn board(own: &Side, phase: Phase) -> Vec<Element> {
    let pieces = own.men().map(|(square, piece)| Element::board(Fact::Piece(piece), square));
    let jumped = own.jumped_square().filter(|_| phase == Phase::Pre);
    pieces.chain(jumped.map(|square| Element::board(Fact::Jumped, square))).collect()
}

/// The squares that the sender's pieces stand on.
pub fn occupied(own: &Side) -> Vec<Element> {
    own.men().map(|(square, _)| Element::board(Fact::Occupied, square)).collect()
}
