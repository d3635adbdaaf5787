//! The pawns of *no move*: each is opened, and each sees that it can neither capture nor advance.
//!
//! Sets of squares are compared as numbers to the base 9: a digit a square, of which eight squares at most add up without a carry. So no square
//! has to be looked up on the board.

use ff::Field;
use fog::{
    engine::sight_lines::geometry::{AHEAD_BIT, EN_PASSANT_BIT, PAWN_BITS, PAWN_FIELD},
    statement::no_move::MAX_PAWNS,
};
use halo2curves::bn256::Fr;
use rules::{Color, Square, geometry::ahead};

use super::{OpenedSquare, board::Board};
use crate::gadget::{Cell, Context, power};

/// A digit counts opened squares.
const BASE: u64 = MAX_PAWNS as u64 + 1;

/// Proves of the opened squares that are `active` that they are the pawns', and that none of these has a move.
pub fn constrain(
    cx: &mut Context<'_>,
    board: &Board,
    color: Cell,
    active: &[Cell; MAX_PAWNS],
    behind_own: [bool; MAX_PAWNS],
    opened: &[OpenedSquare],
) {
    let weights: Vec<Cell> = active
        .iter()
        .zip(opened)
        .map(|(&active, square)| {
            let weight = weight(cx, &square.index);
            cx.mul(active, weight)
        })
        .collect();
    let found = cx.sum(&weights);
    let pawns = number(cx, board.men.iter().map(|man| man.pawn));
    cx.equal("N4.pawns", found, pawns);

    let behind_own = behind_own.map(|flag| cx.boolean(flag));
    let found = cx.inner_product(&behind_own, &weights);
    let own_ahead = own_ahead(cx, board, color);
    let own_ahead = number(cx, own_ahead.into_iter());
    cx.equal("N12.own_ahead", found, own_ahead);

    for ((&active, behind_own), square) in active.iter().zip(behind_own).zip(opened) {
        cx.assert_equal_if("N7.choice", active, square.choice, cx.one);
        let value = cx.sub(square.record[PAWN_FIELD], square.mask[0]);
        let bits = cx.free_bits(value.value, PAWN_BITS);
        let weighed = cx.number(&bits);
        cx.assert_equal_if("N10.payload", active, value, weighed);
        let seen = cx.sum(&bits[..AHEAD_BIT]);
        cx.assert_zero_product("N11.captures", active, seen);
        let en_passant = cx.sum(&bits[EN_PASSANT_BIT..]);
        cx.assert_zero_product("N11.en_passant", active, en_passant);
        let free = cx.bilinear([1, -1, -1, 1], behind_own, bits[AHEAD_BIT]);
        cx.assert_zero_product("N12.blocked", active, free);
    }
}

/// `9^square`, from the bits of the square: `Π (1 + bitᵢ·(9^(2ⁱ) − 1))`.
fn weight(cx: &mut Context<'_>, index: &[Cell]) -> Cell {
    let powers = (0..).map(|i| power(BASE, 1 << i));
    index.iter().zip(powers).fold(cx.one, |product, (&bit, power)| {
        let k = [power - Fr::ONE, Fr::ONE, Fr::ZERO, Fr::ZERO];
        let zero = cx.zero.into();
        cx.operation(k, [product.into(), bit.into(), zero, zero]).1
    })
}

/// Packs flags into the word `Σ 9^square·flag`.
fn number(cx: &mut Context<'_>, flags: impl Iterator<Item = Cell>) -> Cell {
    let weights = (0..).map(|square| power(BASE, square));
    let terms: Vec<_> = weights.zip(flags).collect();
    cx.add_terms(cx.zero, &terms)
}

/// For each square whether a pawn stands there with an own piece ahead of it. Of the outer ranks, where no pawn stands and no record
/// has a pawn's field, it is 0.
fn own_ahead(cx: &mut Context<'_>, board: &Board, color: Cell) -> Vec<Cell> {
    let empty_ahead = |square: Square, color| ahead(square, color).map(|square| board.men[square.index()].empty);
    let flags = Square::all().map(|square| {
        let fronts = Color::ALL.map(|color| empty_ahead(square, color));
        let [Some(white), Some(black)] = fronts else {
            return cx.zero;
        };
        let empty = cx.select(color, black, white);
        cx.bilinear([-1, 1, 0, 0], board.men[square.index()].pawn, empty)
    });
    flags.collect()
}
