//! The points of an answer (protocol section 5): `A = a·g`, `a·A`, `D_s = a·B_s` and the keys `k_{s,j} = (D_s − j·a·A).x`.
//!
//! All products are by the same bits of `a`: each ladder's column of digits ends in a copy of the first one's, and digits that are
//! bits make that number in one way. That the points of the request lie on the curve is proven here too.

use std::array::from_fn;

use ff::Field;
use fog::engine::sight_lines::answer::{CHOICES, is_asked};
use rules::Square;

use super::{
    config::AnswerConfig,
    witness::{Witness, generator},
};
use crate::gadget::{Cell, Context, Point};

/// The points and keys.
#[derive(Clone, Debug)]
pub struct MaskKeys {
    /// The point `A` of the answering player.
    pub fog_key: Point,
    /// The requested points `B_s`, a1 first.
    pub request: Vec<Point>,
    /// The secret `a` with `A = a·g`.
    pub secret: Cell,
    /// `k_{s,j}`; none for a pawn where no pawn can stand.
    pub keys: Vec<[Option<Cell>; CHOICES]>,
}

impl MaskKeys {
    /// Lays the ladders, of the generator, the fog key and the request; then the sums.
    pub fn multiply<const CHAIN: bool>(cx: &mut Context<'_>, config: &AnswerConfig<CHAIN>, witness: &Witness) -> Self {
        let mut bases = vec![witness.generator, witness.fog_key];
        bases.extend(witness.request);
        let multiples = config.ladder.multiply(cx, &bases, &witness.secret, None);
        let (bases, products) = (multiples.bases, multiples.products);
        bind_generator(cx, bases[0]);
        cx.equal("A3.fog_key_x", products[0].x, bases[1].x);
        cx.equal("A3.fog_key_y", products[0].y, bases[1].y);
        let steps = negative_multiples(cx, products[1]);

        let shared = &products[2..];
        let pairs = Square::all().flat_map(|square| {
            let asked = (1..).zip(steps).filter(move |&(j, _)| is_asked(square, j));
            asked.map(move |(_, step)| (shared[square.index()], step))
        });
        let pairs: Vec<_> = pairs.collect();
        let mut sums = config.sums.add(cx, &pairs).into_iter();
        let keys = Square::all().map(|square| {
            from_fn(|j| match j {
                0 => Some(shared[square.index()].x),
                _ if is_asked(square, j) => sums.next(),
                _ => None,
            })
        });
        Self { keys: keys.collect(), fog_key: bases[1], request: bases[2..].to_vec(), secret: multiples.number }
    }
}

fn bind_generator(cx: &mut Context<'_>, base: Point) {
    let [x, y] = generator();
    let x = cx.linear_field(&[], x);
    cx.equal("A3.generator_x", base.x, x);
    let y = cx.linear_field(&[], y);
    cx.equal("A3.generator_y", base.y, y);
}

/// `−j·P` for `j` from 1 to 6, by arithmetic. No sum is exceptional: the order of `P` is a prime above 12.
fn negative_multiples(cx: &mut Context<'_>, point: Point) -> [Point; CHOICES - 1] {
    let first = Point { x: point.x, y: cx.sub(cx.zero, point.y) };
    let square = cx.mul(first.x, first.x);
    let rise = cx.linear(&[(3, square)], 0);
    let run = cx.linear(&[(2, first.y)], 0);
    let mut multiple = through(cx, first, first, rise, run);
    from_fn(|i| {
        if i == 0 {
            return first;
        }
        if i > 1 {
            let rise = cx.sub(multiple.y, first.y);
            let run = cx.sub(multiple.x, first.x);
            multiple = through(cx, multiple, first, rise, run);
        }
        multiple
    })
}

/// The sum of two points on a line with the slope `rise / run`.
fn through(cx: &mut Context<'_>, left: Point, right: Point, rise: Cell, run: Cell) -> Point {
    let inverse = run.value.invert().unwrap_or(halo2curves::bn256::Fr::ZERO);
    let slope = cx.witness(inverse * rise.value);
    let product = cx.mul(slope, run);
    cx.equal("A6.slope", product, rise);
    let square = cx.mul(slope, slope);
    let x = cx.linear(&[(1, square), (-1, left.x), (-1, right.x)], 0);
    let fall = cx.sub(left.x, x);
    let drop = cx.mul(slope, fall);
    let y = cx.sub(drop, left.y);
    Point { x, y }
}
