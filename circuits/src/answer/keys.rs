//! The points of an answer (protocol section 5): `A = a·g`, `a·A`, `D_s = a·B_s` and the keys `k_{s,j} = (D_s − j·a·A).x`.
//!
//! All products are by the same bits of `a`: each ladder's column of digits ends in a copy of the first one's, and digits that are
//! bits make that number in one way. That the points of the request lie on the curve is proven here too.

use std::array::from_fn;

use fog::engine::sight_lines::answer::{CHOICES, is_asked};
use halo2curves::bn256::Fr;
use rules::Square;

use super::{
    desk::Desk,
    witness::{Witness, generator},
};
use crate::gadget::{
    Arith, Cell, Input, Point, Sheet,
    shared_ladder::{self, Digits, RAILS, traces},
};

/// The generator, the fog key and the points of the request.
const PRODUCTS: usize = 2 + 64;
/// Rows of the ladders.
pub const LADDER_ROWS: usize = PRODUCTS / RAILS * shared_ladder::ROWS;
/// Keys that are sums: six a square, but without the pawn's on the outer ranks.
const SUMS: usize = 6 * 64 - 16;
/// Rows of ladders and sums.
pub const ROWS: usize = LADDER_ROWS + SUMS;

/// The points and keys.
#[derive(Clone, Debug)]
pub struct Keys {
    /// `A`.
    pub fog_key: Point,
    /// `B_s`.
    pub request: Vec<Point>,
    /// `a`.
    pub secret: Cell,
    /// `k_{s,j}`; none for a pawn where no pawn can stand.
    pub keys: Vec<[Option<Cell>; CHOICES]>,
}

impl Keys {
    /// Lays the ladders and the sums on the rows from 0.
    pub fn multiply(desk: &mut Desk<'_, '_>, witness: &Witness) -> Self {
        let (bases, products, secret) = products(desk, witness);
        let ([base, fog_key], request) = (from_fn(|i| bases[i]), bases[2..].to_vec());
        bind_generator(desk, base);
        desk.sheet.equal(products[0].x, fog_key.x);
        desk.sheet.equal(products[0].y, fog_key.y);
        let steps = negative_multiples(desk, products[1]);

        let shared = &products[2..];
        let mut pairs = Vec::with_capacity(SUMS);
        for square in Square::all() {
            let asked = (1..).zip(steps).filter(|&(j, _)| is_asked(square, j));
            pairs.extend(asked.map(|(_, step)| (shared[square.index()], step)));
        }
        let mut sums = desk
            .config
            .sums
            .add(desk.sheet, LADDER_ROWS, &pairs)
            .into_iter();
        let keys = Square::all()
            .map(|square| {
                from_fn(|j| match j {
                    0 => Some(shared[square.index()].x),
                    _ if is_asked(square, j) => sums.next(),
                    _ => None,
                })
            })
            .collect();
        Self {
            fog_key,
            request,
            secret,
            keys,
        }
    }
}

/// The bases, `a` times each, and `a`.
fn products(desk: &mut Desk<'_, '_>, witness: &Witness) -> (Vec<Point>, Vec<Point>, Cell) {
    let mut values = vec![witness.generator, witness.fog_key];
    values.extend(witness.request);
    let traces = traces(&values, &witness.secret);
    let (mut bases, mut products) = (Vec::new(), Vec::new());
    let one = desk.one();
    let mut digits = Digits {
        bits: &witness.secret,
        one,
        number: None,
    };
    for (i, (values, traces)) in values
        .chunks_exact(RAILS)
        .zip(traces.chunks_exact(RAILS))
        .enumerate()
    {
        let multiples = desk.config.ladder.multiply(
            desk.sheet,
            i * shared_ladder::ROWS,
            from_fn(|rail| values[rail].map(Input::Witness)),
            from_fn(|rail| &traces[rail]),
            &mut digits,
        );
        bases.extend(multiples.bases);
        products.extend(multiples.products);
    }
    let secret = digits.number.expect("there are ladders");
    (bases, products, secret)
}

fn bind_generator(desk: &mut Desk<'_, '_>, base: Point) {
    for (cell, value) in [base.x, base.y].into_iter().zip(generator()) {
        let constant = desk.arith.linear_field(desk.sheet, &[], value);
        desk.sheet.equal(cell, constant);
    }
}

/// `−j·P` for `j` from 1 to 6, by arithmetic. No sum is exceptional: the order of `P` is a prime above 12.
fn negative_multiples(desk: &mut Desk<'_, '_>, point: Point) -> [Point; CHOICES - 1] {
    let (arith, sheet) = (&mut desk.arith, &mut *desk.sheet);
    let zero = arith.zero();
    let first = Point {
        x: point.x,
        y: arith.sub(sheet, zero, point.y),
    };
    let square = arith.mul(sheet, first.x, first.x);
    let rise = arith.linear(sheet, &[(3, square)], 0);
    let run = arith.linear(sheet, &[(2, first.y)], 0);
    let mut multiple = through(arith, sheet, first, first, rise, run);
    from_fn(|i| {
        if i == 0 {
            return first;
        }
        if i > 1 {
            let rise = arith.sub(sheet, multiple.y, first.y);
            let run = arith.sub(sheet, multiple.x, first.x);
            multiple = through(arith, sheet, multiple, first, rise, run);
        }
        multiple
    })
}

/// The sum of two points on a line with the slope `rise / run`.
fn through(
    arith: &mut Arith,
    sheet: &mut Sheet<'_>,
    left: Point,
    right: Point,
    rise: Cell,
    run: Cell,
) -> Point {
    let inverse: Option<Fr> = run.value.invert().into();
    let slope = arith.witness(sheet, inverse.unwrap_or_default() * rise.value);
    let product = arith.mul(sheet, slope, run);
    sheet.equal(product, rise);
    let square = arith.mul(sheet, slope, slope);
    let x = arith.linear(sheet, &[(1, square), (-1, left.x), (-1, right.x)], 0);
    let fall = arith.sub(sheet, left.x, x);
    let drop = arith.mul(sheet, slope, fall);
    let y = arith.sub(sheet, drop, left.y);
    Point { x, y }
}
