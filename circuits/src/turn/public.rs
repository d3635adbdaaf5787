//! The public inputs of *turn*, in cells (protocol, Encodings).
//!
//! The circuit relies on three things that the contract sees to: colour and opening flag are 0 or 1 (it computes them), and the fog key is on
//! the curve (it checks that when the key is registered; half of a point off the curve would be off it too).

use halo2curves::bn256::Fr;

use super::desk::Desk;
use crate::gadget::{Cell, Point};

/// One cell an input, and what follows from them at once.
pub struct Public {
    pub commitment: Cell,
    pub pending: Cell,
    pub next_commitment: Cell,
    pub request_root: Cell,
    pub answer_root: Cell,
    pub ctx: Cell,
    /// The opponent's.
    pub fog_key: Point,
    pub next_request_root: Cell,
    /// 0 white, 1 black.
    pub color: Cell,
    pub opening: Cell,
    pub capture: Cell,
    pub king_fell: Cell,
    /// `1 − opening`: sight counts.
    pub live: Cell,
    /// `1 − 2·color`: the rank step of the mover's pawns.
    pub up: Cell,
    /// All 13, in their order.
    pub cells: [Cell; 13],
}

impl Public {
    pub fn new(d: &mut Desk<'_, '_>, instance: &[Fr; 13]) -> Self {
        let cells = instance.map(|value| d.witness(value));
        let [
            commitment,
            pending,
            next_commitment,
            request_root,
            answer_root,
            ctx,
            x,
            y,
            next_request_root,
            color,
            opening,
            capture,
            king_fell,
        ] = cells;
        let live = d.arith.not(d.sheet, opening);
        let up = d.arith.linear(d.sheet, &[(-2, color)], 1);
        let fog_key = Point { x, y };
        Self {
            commitment,
            pending,
            next_commitment,
            request_root,
            answer_root,
            ctx,
            fog_key,
            next_request_root,
            color,
            opening,
            capture,
            king_fell,
            live,
            up,
            cells,
        }
    }
}
