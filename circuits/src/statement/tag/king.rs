//! A king's square as flags, what follows from them, and the commitment to it.

use contest::tag::{NEIGHBOURHOOD, Size, Square, square_point};
use ff::Field;
use fog::poseidon::Tag;
use halo2curves::bn256::Fr;

use crate::gadget::{Cell, Context, Label, Point};

/// A square on the largest grid, as one flag a square.
pub struct KingSquare {
    flags: Vec<Cell>,
    /// The square as `16·rank + file`.
    pub code: Cell,
}

impl KingSquare {
    /// Lays the flags, of which `label` says that one is set.
    pub fn new(cx: &mut Context<'_>, label: Label, square: Square) -> Self {
        let flags = cx.one_hot(label, Square::all().map(|other| other == square));
        let codes: Vec<_> = Square::all().map(|other| Fr::from(other.code())).zip(flags.iter().copied()).collect();
        Self { code: cx.add_terms(cx.zero, &codes), flags }
    }

    /// How far the square lies [beyond](Square::beyond) the smallest grid, and `room` more.
    pub fn beyond(&self, cx: &mut Context<'_>, room: Cell) -> Cell {
        let far = Square::all().zip(&self.flags).filter(|(square, _)| !Size::Five.contains(*square));
        let terms: Vec<_> = far.map(|(square, flag)| (Fr::from(u64::from(square.beyond())), *flag)).collect();
        cx.add_terms(room, &terms)
    }

    /// The point of a place of the square's neighbourhood: one of 64, chosen by the flags.
    pub fn point(&self, cx: &mut Context<'_>, place: usize) -> Point {
        let points: Vec<_> = Square::all().map(|square| square_point(square, place)).collect();
        let mut choose = |coordinate: fn(&fog::curve::Point) -> Fr| {
            let terms: Vec<_> = points.iter().map(coordinate).zip(self.flags.iter().copied()).collect();
            cx.add_terms(cx.zero, &terms)
        };
        Point { x: choose(|point| point.x), y: choose(|point| point.y) }
    }
}

/// The commitment `H(KING; code, salt)` to a square.
pub fn commit(cx: &mut Context<'_>, code: Cell, salt: Cell) -> Cell {
    cx.hash(Tag::King, code, salt)[0]
}

/// The salt of both exponents: `H(PRF; a, b)`.
pub fn salt(cx: &mut Context<'_>, look: Cell, answer: Cell) -> Cell {
    cx.hash(Tag::Prf, look, answer)[0]
}

pub fn set_hash(cx: &mut Context<'_>, set: &[Cell; NEIGHBOURHOOD]) -> Cell {
    let [first, second, others @ ..] = set;
    let start = cx.hash(Tag::Leaf, *first, *second)[0];
    others.iter().fold(start, |sum, x| cx.hash(Tag::Node, sum, *x)[0])
}

/// The coordinates of a step by its flags: `16·ranks + files`.
pub fn step_code((files, ranks): (i8, i8)) -> Fr {
    let magnitude = |n: i8| Fr::from(u64::from(n.unsigned_abs()));
    let signed = |n: i8| if n < 0 { -magnitude(n) } else { magnitude(n) };
    signed(ranks) * Fr::from(16) + signed(files)
}

/// Zero: the salt of a position that isn't there.
pub const NO_SALT: Fr = Fr::ZERO;
