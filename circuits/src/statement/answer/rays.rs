//! Record fields 0 to 7 (protocol section 5, "ray steps"): the keys by which a receiver walks along a line.
//!
//! `K_{a+d,d}` = output `d mod 2` of `H(PRF; key_a, ⌊(d mod 4)/2⌋)`, and
//! `e_{x,d} = H(RAY; K_{x,d}, pass_x) + (type on x, or else K_{x+d,d}, or 0 at the board's end)`.

use fog::{
    engine::sight_lines::geometry::{behind, step},
    poseidon::Tag,
};
use rules::{
    Square,
    geometry::{DIRECTIONS, FIRST_DIAGONAL},
};

use super::{board::Board, masks::Masks};
use crate::gadget::{Cell, Context};

/// By square and direction.
pub type Fields = Vec<[Option<Cell>; DIRECTIONS.len()]>;

/// The fields `e_{x,d}` that exist.
pub fn fields(cx: &mut Context<'_>, board: &Board, masks: &Masks) -> Fields {
    let keys = first_keys(cx, masks);
    let mut fields: Fields = vec![[None; DIRECTIONS.len()]; 64];
    for square in Square::all() {
        let x = square.index();
        for d in 0..DIRECTIONS.len() {
            if behind(square, d).is_none() {
                continue;
            }
            let key = keys[x][d].expect("a square with one behind it has a key");
            let beyond = step(square, d).and_then(|next| keys[next.index()][d]);
            let [mask, _] = cx.hash(Tag::Ray, key, masks.pass(x));
            fields[x][d] = Some(payload(cx, board, x, beyond, mask));
        }
    }
    fields
}

/// `mask + type + empty·beyond`: the type is 0 where nothing stands.
fn payload(cx: &mut Context<'_>, board: &Board, x: usize, beyond: Option<Cell>, mask: Cell) -> Cell {
    let beyond = beyond.unwrap_or(cx.zero);
    let k = [1, 0, 0, 1].map(halo2curves::bn256::Fr::from);
    let inputs = [board.empty[x], beyond, board.types[x], mask].map(Into::into);
    cx.operation(k, inputs).1
}

/// `K_{x,d}`: the key to look at `x` while moving in `d`.
fn first_keys(cx: &mut Context<'_>, masks: &Masks) -> Fields {
    let numbers = [cx.zero, cx.one];
    let mut keys: Fields = vec![[None; DIRECTIONS.len()]; 64];
    for square in Square::all() {
        let [orth, diag] = masks.start_keys[square.index()];
        for pair in 0..DIRECTIONS.len() / 2 {
            let directions = [2 * pair, 2 * pair + 1];
            let targets = directions.map(|d| step(square, d));
            if targets.iter().all(Option::is_none) {
                continue;
            }
            let key = if directions[0] < FIRST_DIAGONAL { orth } else { diag };
            let outputs = cx.hash(Tag::Prf, key, numbers[pair % 2]);
            for ((d, target), output) in directions.into_iter().zip(targets).zip(outputs) {
                if let Some(target) = target {
                    keys[target.index()][d] = Some(output);
                }
            }
        }
    }
    keys
}
