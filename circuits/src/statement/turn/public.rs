//! The public inputs of *turn*, in cells (protocol, Encodings).
//!
//! The circuit relies on three things that the contract sees to: color and opening flag are 0 or 1 (it computes them), and the fog key is on
//! the curve (it checks that when the key is registered; half of a point off the curve would be off it too).

use fog::statement::turn::TurnInputs;
use halo2curves::bn256::Fr;

use super::mover::Mover;
use crate::gadget::{Cell, Context, Point};

/// One cell an input, and what follows from them at once.
pub struct Public {
    pub inputs: TurnInputs<Cell>,
    /// `1 − opening`: sight counts.
    pub live: Cell,
    pub mover: Mover,
}

impl Public {
    /// Lays a cell for each input.
    pub fn new(cx: &mut Context<'_>, values: &TurnInputs<Fr>) -> Self {
        let inputs = TurnInputs::from_array(values.to_array().map(|value| cx.witness(value)));
        let live = cx.not(inputs.opening);
        let commitments = [inputs.commitment, inputs.next_commitment];
        let mover = Mover::new(cx, commitments, inputs.pending, inputs.color);
        Self { inputs, live, mover }
    }

    /// The opponent's fog key.
    pub fn fog_key(&self) -> Point {
        Point { x: self.inputs.fog_key_x, y: self.inputs.fog_key_y }
    }
}
