//! The two sets of attack vectors over [lines of sight](rules::lines).
//!
//! The receiver asks for what could stand on the squares of its own lines up to its own next piece. The sender answers for
//! every line that any piece of the receiver could have: it names the first of its own pieces there. So an element of both sets is a
//! piece that is seen, with nothing before it, and a line has at most one.

use super::element::{Element, Fact};
use fog::engine::Phase;
use rules::{
    Color, PieceType, Side, Square,
    geometry::pawn_attacks,
    lines::{Line, all_lines, jump_rank, lines_of, may_stand},
};
use std::collections::BTreeSet;

/// What may be found on a square of a line.
pub fn facts(line: &Line, square: Square) -> impl Iterator<Item = Fact> + use<> {
    let is_way = line.is_way;
    let pieces = PieceType::ALL.into_iter().filter(move |piece| !is_way && may_stand(*piece, square));
    pieces.map(Fact::Piece).chain(is_way.then_some(Fact::Occupied))
}

/// The attack vector by which a fact is found on a line.
pub fn element(line: &Line, fact: Fact, square: Square) -> Element {
    Element::attack(fact, square, line.piece, line.from)
}

/// Every attack vector there is, of both colors.
pub fn attack_vectors() -> BTreeSet<Element> {
    let mut elements = BTreeSet::new();
    for color in Color::ALL {
        for line in all_lines(color) {
            for square in &line.squares {
                elements.extend(facts(line, *square).map(|fact| element(line, fact, *square)));
            }
        }
        elements.extend(all_jumps(color));
    }
    elements
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

/// The receiver's set: all that it may find.
pub fn asked(own: &Side, phase: Phase) -> Vec<Element> {
    let mut asked = Vec::new();
    for line in lines_of(own) {
        for square in line.open_squares(own) {
            asked.extend(facts(line, square).map(|fact| element(line, fact, square)));
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
            shown.push(element(line, fact, square));
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
