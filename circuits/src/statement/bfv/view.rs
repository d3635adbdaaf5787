//! Where the receiver's pieces look, as its view vector says it.

use engines::bfv::vector::{Aim, slots};
use rules::{Color, PieceType, Square, lines::all_lines};

use super::board::{Board, Labels, Man};
use crate::gadget::{Cell, Context};

/// The bindings of *view*.
pub const LABELS: Labels = Labels { double_push: "V1.double_push", pending: "V2.pending" };

/// The slots of a view vector.
pub fn values(cx: &mut Context<'_>, board: &Board) -> Vec<Cell> {
    let looks: Vec<Looks> = Square::all().map(|square| Looks::new(cx, board.man(square))).collect();
    let mut values = Vec::new();
    for line in all_lines(Color::White) {
        // It looks along the line as long as the piece is there and no own piece was met.
        let mut open = looks[line.from.index()].is(line.piece);
        for square in &line.squares {
            open = cx.mul(open, looks[square.index()].empty);
            values.push(open);
        }
    }
    let jumps = slots(Color::White).iter().filter(|slot| slot.aim == Aim::Jump);
    values.extend(jumps.map(|slot| cx.mul(board.pre, looks[slot.from.index()].is(slot.piece))));
    values
}

/// What stands on a square, as one flag a type. The types are 1 pawn, 2 knight, 3 bishop, 4 rook, 5 queen, 6 king; 7, which no commitment of a
/// game holds, would be none of them and hide what is behind it.
pub struct Looks {
    pub empty: Cell,
    flags: [Cell; 6],
}

impl Looks {
    pub fn new(cx: &mut Context<'_>, Man { bits: [b0, b1, b2], neither }: Man) -> Self {
        let both = cx.mul(b0, b1);
        let only_b0 = cx.sub(b0, both);
        let only_b1 = cx.sub(b1, both);
        let bishop = cx.bilinear([-1, 1, 0, 0], both, b2);
        let rook = cx.mul(neither, b2);
        let queen = cx.mul(only_b0, b2);
        let king = cx.mul(only_b1, b2);
        let pawn = cx.sub(only_b0, queen);
        let knight = cx.sub(only_b1, king);
        Self { empty: cx.sub(neither, rook), flags: [pawn, knight, bishop, rook, queen, king] }
    }

    /// 1 if it is a piece of this type.
    pub fn is(&self, piece: PieceType) -> Cell {
        self.flags[usize::from(piece.code()) - 1]
    }
}
