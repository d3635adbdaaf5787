//! The vectors of *item* and *view*, whose product is a sight: a slot for every square of every [line of sight](rules::lines) that any piece of
//! the receiver's color could have, and one for every pawn and square that could capture *en passant*. 3,822 slots.
//!
//! In the item vector, which is the sender's, a slot says which piece stands on its square (1 to 6) if that is the first of the sender's
//! on the line, else 0; on a pawn's way ahead only that there is one (1); of a jump, that the last move was one over that square (1).
//! In the view vector, which is the receiver's, a slot is 1 if the receiver's own piece looks along the line as far as the square. So the
//! product has what the receiver sees, and 0 everywhere else.
//!
//! **The order** is that of White's lines: by the square that is looked from, the looking piece's number, its direction (as in
//! [`geometry`](rules::geometry)) and the distance; then jumps, by pawn and side. A Black receiver's slots are White's with all ranks
//! [mirrored](Square::mirrored), so that both colors have one table.

use fog::engine::Phase;
use rules::{
    Color, PieceType, Side, Square,
    geometry::pawn_attacks,
    lines::{Line, all_lines, jump_rank, lines_of, may_stand},
};
use std::{collections::HashMap, sync::OnceLock};
use zeroize::Zeroizing;

/// Slots of a vector.
pub const SLOTS: usize = 3822;

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Aim {
    /// A piece, by its type.
    Piece,
    /// Any piece, ahead of a pawn.
    Way,
    /// The square that the last move jumped over.
    Jump,
}

/// What a slot stands for: who looks from where, at which square, for what.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Slot {
    pub piece: PieceType,
    pub from: Square,
    pub square: Square,
    pub aim: Aim,
}

impl Slot {
    /// The slot of a square on a line.
    pub fn on(line: &Line, square: Square) -> Self {
        let aim = if line.is_way { Aim::Way } else { Aim::Piece };
        Self { piece: line.piece, from: line.from, square, aim }
    }

    fn mirrored(self) -> Self {
        Self { from: self.from.mirrored(), square: self.square.mirrored(), ..self }
    }
}

/// The slots of a receiver's color, in order.
struct Table {
    slots: Vec<Slot>,
    places: HashMap<Slot, usize>,
}

impl Table {
    fn new(receiver: Color) -> Self {
        let of_line = |line: &'static Line| line.squares.iter().map(move |square| Slot::on(line, *square));
        let mut slots: Vec<Slot> = all_lines(Color::White).flat_map(of_line).collect();
        let pawns = Square::all().filter(|from| may_stand(PieceType::Pawn, *from));
        slots.extend(pawns.flat_map(|from| jumps(from, Color::White)));
        if receiver == Color::Black {
            slots.iter_mut().for_each(|slot| *slot = slot.mirrored());
        }
        let places = slots.iter().copied().zip(0..).collect();
        Self { slots, places }
    }

    fn get(receiver: Color) -> &'static Self {
        static TABLES: OnceLock<[Table; 2]> = OnceLock::new();
        &TABLES.get_or_init(|| Color::ALL.map(Self::new))[receiver.index()]
    }

    /// A vector with some slots set.
    fn vector(&self, set: impl IntoIterator<Item = (Slot, u64)>) -> Zeroizing<Vec<u64>> {
        let mut vector = Zeroizing::new(vec![0; self.slots.len()]);
        for (slot, value) in set {
            if let Some(place) = self.places.get(&slot) {
                vector[*place] = value;
            }
        }
        vector
    }
}

/// Where a pawn of `color` may capture *en passant*.
fn jumps(pawn: Square, color: Color) -> impl Iterator<Item = Slot> {
    let targets = pawn_attacks(pawn, color).into_iter().flatten();
    let targets = targets.filter(move |target| target.rank() == jump_rank(color));
    targets.map(move |square| Slot { piece: PieceType::Pawn, from: pawn, square, aim: Aim::Jump })
}

/// The slots of a receiver's color, in order.
pub fn slots(receiver: Color) -> &'static [Slot] {
    &Table::get(receiver).slots
}

/// The sender's vector, given its board.
pub fn item(board: &Side, phase: Phase) -> Zeroizing<Vec<u64>> {
    let table = Table::get(!board.color);
    let first = |line: &Line| {
        let (square, piece) = line.squares.iter().find_map(|square| Some((*square, board.piece(*square)?)))?;
        let value = if line.is_way { 1 } else { u64::from(piece.code()) };
        Some((Slot::on(line, square), value))
    };
    let jumped = board.jumped_square().filter(|_| phase == Phase::Pre);
    let jumped = table.slots.iter().filter(move |slot| slot.aim == Aim::Jump && Some(slot.square) == jumped);
    table.vector(all_lines(!board.color).filter_map(first).chain(jumped.map(|slot| (*slot, 1))))
}

/// The receiver's vector, given its board.
pub fn view(board: &Side, phase: Phase) -> Zeroizing<Vec<u64>> {
    let table = Table::get(board.color);
    let seen = lines_of(board).flat_map(|line| line.open_squares(board).map(|square| Slot::on(line, square)));
    let pawns = board.men().filter(|(_, piece)| *piece == PieceType::Pawn && phase == Phase::Pre);
    let seen = seen.chain(pawns.flat_map(|(from, _)| jumps(from, board.color)));
    table.vector(seen.map(|slot| (slot, 1)))
}

/// A vector in words: how many of its slots aren't 0.
pub fn in_words(vector: &[u64]) -> String {
    format!("{} of {} slots are not 0", vector.iter().filter(|slot| **slot != 0).count(), vector.len())
}

/// Which of the two vectors, and so which of the two statements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// What stands where: the sender's.
    Item,
    /// Where is looked: the receiver's.
    View,
}

impl Kind {
    /// Both kinds of vectors.
    pub const ALL: [Self; 2] = [Self::Item, Self::View];

    /// The vector of a board, its captured piece removed.
    pub fn vector(self, board: &Side, phase: Phase) -> Zeroizing<Vec<u64>> {
        match self {
            Self::Item => item(board, phase),
            Self::View => view(board, phase),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn both_colors_have_the_slots_of_all_their_lines() {
        for color in Color::ALL {
            let table = Table::get(color);
            assert_eq!((table.slots.len(), table.places.len()), (SLOTS, SLOTS));
            let of_lines =
                all_lines(color).flat_map(|line| line.squares.iter().map(move |square| Slot::on(line, *square)));
            let pawns = Square::all().filter(|from| may_stand(PieceType::Pawn, *from));
            let all: HashSet<Slot> = of_lines.chain(pawns.flat_map(|from| jumps(from, color))).collect();
            assert_eq!(table.slots.iter().copied().collect::<HashSet<_>>(), all);
        }
    }

    /// The counts that the document gives.
    #[test]
    fn slots_by_piece() {
        let count = |piece, aim| {
            let of = slots(Color::White).iter().filter(|slot| (slot.piece, slot.aim) == (piece, aim));
            of.count()
        };
        let pieces = PieceType::ALL.map(|piece| count(piece, Aim::Piece));
        assert_eq!(pieces, [84, 336, 560, 896, 1456, 420]);
        assert_eq!([count(PieceType::Pawn, Aim::Way), count(PieceType::Pawn, Aim::Jump)], [56, 14]);
    }

    /// A player that plays the mirrored game has the same vectors.
    #[test]
    fn vectors_of_mirrored_boards_are_the_same() {
        let mut white = Side::start(Color::White);
        white.pieces.swap(1, 18);
        white.pieces.swap(12, 28);
        white.double_push = Some(4);
        let mut black = Side { color: Color::Black, ..white.clone() };
        for square in Square::all() {
            black.pieces[square.mirrored().index()] = white.pieces[square.index()];
        }
        for kind in Kind::ALL {
            for phase in [Phase::Pre, Phase::Post] {
                assert_eq!(kind.vector(&white, phase), kind.vector(&black, phase));
            }
            assert_ne!(kind.vector(&white, Phase::Pre), kind.vector(&Side::start(Color::White), Phase::Pre));
        }
    }
}
