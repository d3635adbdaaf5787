//! What both forms of *answer* say: that these elements are what the committed board makes of these points (relations A1 to A14).

use fog::statement::answer::AnswerInputs;

use super::{
    board::{Board, PENDINGS},
    config::AnswerConfig,
    elements::Elements,
    keys::MaskKeys,
    masks::Masks,
    rays,
    witness::Witness,
};
use crate::gadget::{Cell, Context, Point};

/// The cells of all that it speaks of.
#[derive(Clone, Debug)]
pub struct Relation {
    /// The public inputs of both forms.
    pub inputs: AnswerInputs<Cell>,
    /// The receiver's points, proven to lie on the curve.
    pub request: Vec<Point>,
    pub masks: Masks,
    pub elements: Elements,
}

impl Relation {
    pub fn lay<const CHAIN: bool>(cx: &mut Context<'_>, config: &AnswerConfig<CHAIN>, witness: &Witness) -> Self {
        Self::lay_with(cx, witness, |cx| MaskKeys::multiply(cx, config, witness))
    }

    /// Lays the relation with keys that stand in the place of its own.
    pub(super) fn lay_with(
        cx: &mut Context<'_>,
        witness: &Witness,
        lay_keys: impl FnOnce(&mut Context<'_>) -> MaskKeys,
    ) -> Self {
        let receiver = cx.boolean(witness.receiver_is_black);
        let phase = cx.boolean(witness.is_post);
        let context = cx.witness(witness.context);
        let board = Board::open(cx, witness, phase);
        let keys = lay_keys(cx);
        let flags = (0..PENDINGS).map(|square| square == witness.pending_receiver);
        let captured = cx.one_hot("A8.pending", flags);
        let inputs = AnswerInputs {
            commitment: board.commitment,
            pending_sender: board.pending,
            fog_key_x: keys.fog_key.x,
            fog_key_y: keys.fog_key.y,
            context,
            receiver,
            phase,
            pending_receiver: cx.index(&captured, 1),
        };
        let masks = Masks::hash(cx, &keys, context, &captured);
        let rays = rays::fields(cx, &board, &masks);
        let elements = Elements::make(cx, receiver, &board, &masks, &rays);
        Self { inputs, request: keys.request, masks, elements }
    }

    /// The public inputs of the form that peers send each other.
    pub fn public(&self) -> Vec<Cell> {
        let mut public = self.inputs.to_array().to_vec();
        public.extend(self.request.iter().flat_map(|point| [point.x, point.y]));
        public.extend(self.elements.in_order());
        public
    }
}
