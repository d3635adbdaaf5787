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

use fog::statement::no_move::{NoMoveInputs, NoMovePrivate, NoMovePublic, NoMoveStatement};

use super::turn::{
    config::TurnConfig,
    opened_square::{OpenedSquare, Roots},
    points::{Chains, OpeningLabels},
};
use crate::gadget::{Assigned, Cell, CircuitOf, Context, Point};
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
pub type NoMoveCircuit = CircuitOf<Witness>;

impl Assigned for Witness {
    const NAME: &'static str = "no-move";
    const K: u32 = 14;
    type Statement = NoMoveStatement;
    type Columns = TurnConfig;

    fn of(public: &NoMovePublic, private: &NoMovePrivate) -> Self {
        Self::new(public, private)
    }

    fn for_keys() -> Self {
        Self::blank()
    }

    fn lay(&self, config: &TurnConfig, cx: &mut Context<'_>) -> Vec<Cell> {
        let board = Board::open(cx, self);
        let inputs = NoMoveInputs {
            commitment: board.commitment,
            pending: board.pending,
            request_root: cx.witness(self.public.request_root),
            answer_root: cx.witness(self.public.answer_root),
            context: cx.witness(self.public.context),
            fog_key_x: cx.witness(self.public.fog_key_x),
            fog_key_y: cx.witness(self.public.fog_key_y),
            color: cx.boolean(self.is_black),
        };
        board.assert_no_step(cx);

        let key = Point { x: inputs.fog_key_x, y: inputs.fog_key_y };
        let chains = Chains::new(cx, config, &OPENING, key, self.offset);
        let active = self.active.map(|active| cx.boolean(active));
        let opened = active.iter().zip(&self.opened).map(|(&live, slot)| {
            let NoMoveInputs { request_root, answer_root, context, .. } = inputs;
            OpenedSquare::new(cx, &Roots { live, request_root, answer_root, context }, &chains, slot)
        });
        let opened: Vec<_> = opened.collect();
        pawns::constrain(cx, &board, inputs.color, &active, self.behind_own, &opened);
        inputs.to_array().to_vec()
    }
}
