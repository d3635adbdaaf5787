//! *no move*: the player to move has no legal move (protocol section 7), proved on chain in a claim, which draws the game.
//!
//! The parts, in the order in which they lean on each other: [`board`], the state opened, the captured piece removed, and no step left to any
//! piece but pawns; then [`pawns`], whose squares are opened as *turn* opens squares. On *turn*'s columns. The native twin is
//! `fog::statement::no_move::check`.

mod board;
mod pawns;
mod witness;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use fog::statement::no_move::{NoMoveInputs, NoMovePrivate, NoMovePublic};
use halo2curves::bn256::Fr;

use super::turn::{
    config::{TurnConfig, padded},
    opened_square::{OpenedSquare, Roots},
    points::{Chains, OpeningLabels},
};
use crate::{
    StatementCircuit,
    gadget::{Cell, Context, Layout, Point, Tamper, layout::laid_circuit},
};
use board::Board;
use witness::Witness;

/// The bindings that open squares.
const OPENING: OpeningLabels = OpeningLabels {
    offset_on_curve: "N5.offset_on_curve",
    offset_digits: "N5.offset_digits",
    request_path: "N5.path",
    request_root: "N5.request_root",
    answer_path: "N8.path",
    answer_root: "N8.answer_root",
    scalar_high: "N9.scalar_high",
    scalar_low: "N9.scalar_low",
};

/// The circuit of *no move*.
#[derive(Clone)]
pub struct NoMoveCircuit {
    witness: Arc<Witness>,
    tampers: Vec<Tamper>,
}

fog::redacted!(NoMoveCircuit);

impl StatementCircuit for NoMoveCircuit {
    const NAME: &'static str = "no-move";
    const K: u32 = 14;
    type Public = NoMovePublic;
    type Private = NoMovePrivate;

    fn new(public: &NoMovePublic, private: &NoMovePrivate) -> Self {
        Self { witness: Arc::new(Witness::new(public, private)), tampers: Vec::new() }
    }

    fn blank() -> Self {
        Self { witness: Arc::new(Witness::blank()), tampers: Vec::new() }
    }

    fn instance(public: &NoMovePublic) -> Vec<Vec<Fr>> {
        vec![padded(&public.to_instance())]
    }
}

laid_circuit!(NoMoveCircuit, TurnConfig);

impl Layout for NoMoveCircuit {
    fn lay(&self, config: &TurnConfig, cx: &mut Context<'_>) -> Vec<Cell> {
        let w = &self.witness;
        let board = Board::open(cx, w);
        let inputs = NoMoveInputs {
            commitment: board.commitment,
            pending: board.pending,
            request_root: cx.witness(w.public.request_root),
            answer_root: cx.witness(w.public.answer_root),
            context: cx.witness(w.public.context),
            fog_key_x: cx.witness(w.public.fog_key_x),
            fog_key_y: cx.witness(w.public.fog_key_y),
            color: cx.boolean(w.is_black),
        };
        board.assert_no_step(cx);

        let key = Point { x: inputs.fog_key_x, y: inputs.fog_key_y };
        let chains = Chains::new(cx, config, &OPENING, key, w.offset);
        let active = w.active.map(|active| cx.boolean(active));
        let opened = active.iter().zip(&w.opened).map(|(&live, slot)| {
            let NoMoveInputs { request_root, answer_root, context, .. } = inputs;
            OpenedSquare::new(cx, &Roots { live, request_root, answer_root, context }, &chains, slot)
        });
        let opened: Vec<_> = opened.collect();
        pawns::constrain(cx, &board, inputs.color, &active, w.behind_own, &opened);
        inputs.to_array().to_vec()
    }
}
