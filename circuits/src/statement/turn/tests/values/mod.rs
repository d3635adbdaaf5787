//! *turn* value by value: every square, step, type, right and counter.

mod board;
mod geometry;
mod squares;
mod view;

use fog::statement::turn::Opened;
use halo2curves::bn256::Fr;
use rules::{Color, Square};

use super::super::{TurnCircuit, witness::Witness};
use crate::{StatementCircuit, values::flag};

/// A witness to be changed.
fn blank() -> Witness {
    (*TurnCircuit::blank().witness).clone()
}

/// A witness of a turn of this color, in the opening or after it.
fn of_turn(blank: &Witness, color: Color, is_opening: bool) -> Witness {
    let mut witness = blank.clone();
    witness.public.color = flag(color == Color::Black);
    witness.public.opening = flag(is_opening);
    witness
}

/// An opened square with nothing in its record.
fn opened(witness: &Witness, square: Square, choice: u8) -> Opened {
    let mut opened = witness.opened[0].clone();
    (opened.square, opened.choice, opened.record) = (square, choice, [Fr::zero(); 14]);
    opened
}

fn all_squares() -> Vec<Square> {
    Square::all().collect()
}
