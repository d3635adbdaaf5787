//! What stands where, as the sender's item vector says it.

use std::collections::HashMap;

use engines::bfv::vector::{Aim, slots};
use rules::{
    Color, Square,
    lines::{Line, all_lines},
};

use super::board::{Board, Labels};
use crate::gadget::{Cell, Context};

/// The bindings of *item*.
pub const LABELS: Labels = Labels { double_push: "I1.double_push", pending: "I2.pending" };

/// The slots of an item vector.
pub fn values(cx: &mut Context<'_>, board: &Board) -> Vec<Cell> {
    let stands = Stands::new(cx, board);
    let mut firsts = HashMap::new();
    let mut values = Vec::new();
    for line in all_lines(Color::White) {
        // Queens look along the same rays as rooks and bishops.
        let way = (line.from, &line.squares, line.is_way);
        let of_line = firsts.entry(way).or_insert_with(|| stands.first(cx, line));
        values.extend_from_slice(of_line);
    }
    let jumped: Vec<Cell> = board.pushes.iter().map(|&push| cx.mul(board.pre, push)).collect();
    let jumps = slots(Color::White).iter().filter(|slot| slot.aim == Aim::Jump);
    values.extend(jumps.map(|slot| jumped[usize::from(slot.square.file())]));
    values
}

/// What stands on the squares, as slots say it.
struct Stands {
    /// The types, 0 for none.
    types: Vec<Cell>,
    /// 1 where nothing stands.
    empty: Vec<Cell>,
    /// 1 where something stands.
    occupied: Vec<Cell>,
}

impl Stands {
    fn new(cx: &mut Context<'_>, board: &Board) -> Self {
        let types = board.men.iter().map(|man| cx.number(&man.bits)).collect();
        let empty: Vec<Cell> =
            board.men.iter().map(|man| cx.bilinear([-1, 1, 0, 0], man.neither, man.bits[2])).collect();
        let occupied = empty.iter().map(|&empty| cx.not(empty)).collect();
        Self { types, empty, occupied }
    }

    /// The slots of a line: on each square what stands there, if nothing stands before it.
    fn first(&self, cx: &mut Context<'_>, line: &Line) -> Vec<Cell> {
        let found = |square: &Square| {
            let of = if line.is_way { &self.occupied } else { &self.types };
            of[square.index()]
        };
        let Some((nearest, rest)) = line.squares.split_first() else {
            return Vec::new();
        };
        let mut values = vec![found(nearest)];
        let mut open = self.empty[nearest.index()];
        for (number, square) in rest.iter().enumerate() {
            if number > 0 {
                open = cx.mul(open, self.empty[rest[number - 1].index()]);
            }
            values.push(cx.mul(open, found(square)));
        }
        values
    }
}
