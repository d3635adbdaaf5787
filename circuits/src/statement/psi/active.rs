//! Which elements a board has in its set, and their listing.
//!
//! A line reaches a square if nothing stands before it: for *asked* if the piece that looks along it stands at its start, and no own piece from there to the
//! square, that included; for *shown* if nothing of the sender's stands from its start to the square, that excluded. An asked element is active where its line
//! reaches; a shown one if besides its fact is true of the square. Lines are those of a White receiver, and the board is turned to it.

use std::collections::HashMap;

use engines::{
    bfv::vector::{Aim, Slot, slots},
    psi::{
        catalogue::{Group, SetKind},
        element::Fact,
    },
};
use rules::{
    Color, PieceType, Square,
    lines::{Line, all_lines},
};

use super::config::SetConfig;
use crate::{
    gadget::{Cell, Context, Label},
    statement::bfv::{board::Board, view::Looks},
};

/// Lists a board's elements, then dummies. `label` says that there are as many as the list has places.
pub fn list<const SHOWN: bool, const SMALL: bool>(
    cx: &mut Context<'_>,
    config: &SetConfig<SHOWN, SMALL>,
    board: &Board,
    label: Label,
    dummies: usize,
) {
    let kind = SetConfig::<SHOWN, SMALL>::KIND;
    let catalogue = SetConfig::<SHOWN, SMALL>::catalogue();
    let squares = Squares::new(cx, board);
    let reached = squares.reached(cx, board, kind, &catalogue.groups);
    // Dummies are active up to the flagged one.
    let flags: Vec<Cell> = (0..catalogue.entries).map(|index| cx.boolean(index == dummies)).collect();

    let mut claims = config.listing.start();
    for group in &catalogue.groups {
        let reach = reached[&group.slot];
        for (fact, number) in group.facts.iter().zip(group.first..) {
            let is_fact = squares.is(kind, slots(Color::White)[group.slot].square, *fact).unwrap_or(cx.one);
            let active = cx.mul(reach, is_fact);
            claims.list(cx, active, number);
        }
    }
    let mut active = cx.one;
    for (flag, number) in flags.into_iter().zip(catalogue.first_dummy()..) {
        active = cx.bilinear([0, 1, -1, 0], active, flag);
        claims.list(cx, active, number);
    }
    claims.end(cx, label, catalogue.entries);
}

/// What is said of each square.
struct Squares {
    looks: Vec<Looks>,
    occupied: Vec<Cell>,
}

impl Squares {
    fn new(cx: &mut Context<'_>, board: &Board) -> Self {
        let looks: Vec<Looks> = Square::all().map(|square| Looks::new(cx, board.man(square))).collect();
        let occupied = looks.iter().map(|looks| cx.not(looks.empty)).collect();
        Self { looks, occupied }
    }

    /// Whether a fact of the sender's board is true; none where reaching is all.
    fn is(&self, kind: SetKind, square: Square, fact: Fact) -> Option<Cell> {
        match fact {
            _ if kind == SetKind::Asked => None,
            Fact::Piece(piece) => Some(self.looks[square.index()].is(piece)),
            Fact::Occupied => Some(self.occupied[square.index()]),
            Fact::Jumped => None,
        }
    }

    /// For the slots of the groups whether their lines reach them.
    fn reached(&self, cx: &mut Context<'_>, board: &Board, kind: SetKind, groups: &[Group]) -> HashMap<usize, Cell> {
        let places: HashMap<Slot, usize> = slots(Color::White).iter().copied().zip(0..).collect();
        let wanted: HashMap<usize, ()> = groups.iter().map(|group| (group.slot, ())).collect();
        let mut reached = HashMap::new();
        let mut rays: HashMap<(Square, &[Square]), Vec<Cell>> = HashMap::new();
        for line in all_lines(Color::White) {
            let of_line = line.squares.iter().map(|square| places[&Slot::on(line, *square)]);
            let of_line: Vec<usize> = of_line.filter(|slot| wanted.contains_key(slot)).collect();
            if of_line.is_empty() {
                continue;
            }
            let reach = match kind {
                SetKind::Asked => self.of_own(cx, line),
                // Queens look along the same rays as rooks and bishops, and nothing hangs on who looks.
                SetKind::Shown => {
                    let ray = (line.from, &line.squares[..]);
                    rays.entry(ray).or_insert_with(|| self.up_to_the_first(cx, line)).clone()
                }
            };
            reached.extend(of_line.into_iter().zip(reach));
        }
        let pushed: Vec<Cell> = board.pushes.iter().map(|&push| cx.mul(board.pre, push)).collect();
        for group in groups {
            let slot = slots(Color::White)[group.slot];
            if slot.aim == Aim::Jump {
                let reach = match kind {
                    SetKind::Asked => {
                        let pawn = self.looks[slot.from.index()].is(PieceType::Pawn);
                        cx.mul(board.pre, pawn)
                    }
                    SetKind::Shown => pushed[usize::from(slot.square.file())],
                };
                reached.insert(group.slot, reach);
            }
        }
        reached
    }

    fn of_own(&self, cx: &mut Context<'_>, line: &Line) -> Vec<Cell> {
        let mut open = self.looks[line.from.index()].is(line.piece);
        let step = |square: &Square| {
            open = cx.mul(open, self.looks[square.index()].empty);
            open
        };
        line.squares.iter().map(step).collect()
    }

    fn up_to_the_first(&self, cx: &mut Context<'_>, line: &Line) -> Vec<Cell> {
        let mut open = self.looks[line.from.index()].empty;
        let mut reached = Vec::new();
        for (number, square) in line.squares.iter().enumerate() {
            reached.push(open);
            if number + 1 < line.squares.len() {
                open = cx.mul(open, self.looks[square.index()].empty);
            }
        }
        reached
    }
}

/// How many of a list's numbers are dummies.
pub fn dummies<const SHOWN: bool, const SMALL: bool>(numbers: &[u64]) -> usize {
    let first = SetConfig::<SHOWN, SMALL>::catalogue().first_dummy();
    numbers.iter().filter(|number| **number >= first).count()
}
