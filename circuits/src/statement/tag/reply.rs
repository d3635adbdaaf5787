//! *tag reply*: the points under a set's hash, and the point of the committed square, raised by the committed exponent. The native twin is
//! `contest::tag::statement::reply::check`.

use std::sync::Arc;

use contest::tag::{
    NEIGHBOURHOOD, Position, Size, set_of,
    statement::reply::{ReplyInputs, ReplyPrivate, ReplyPublic, ReplyStatement, gather},
};
use halo2curves::bn256::Fr;

use super::king::{self, KingSquare};
use crate::{
    gadget::{Cell, Context, Layout, Point, Tamper, layout::statement_circuit, powers::Powers},
    statement::turn::{
        config::{TurnConfig, padded},
        points::{assert_on_curve, use_every_gate},
    },
};

/// The place of the square itself in its neighbourhood.
const CENTRE: usize = NEIGHBOURHOOD / 2;

/// The circuit of *tag reply*.
#[derive(Clone)]
pub struct TagReplyCircuit {
    witness: Arc<ReplyPrivate>,
    pub(super) tampers: Vec<Tamper>,
}

statement_circuit!(TagReplyCircuit, "tag-reply", 14, ReplyStatement, TurnConfig, padded);

impl TagReplyCircuit {
    /// A king's reply to the set of another, of both of whom everyone knows the exponents.
    fn blank_draw() -> (ReplyPublic, ReplyPrivate) {
        let [a, b, c, d] = [1, 2, 3, 4].map(|byte| contest::tag::Exponent::new([byte; 31]));
        let looking = Position { square: Size::Six.start(false), look: a, answer: b };
        let replying = Position { square: Size::Six.start(true), look: c, answer: d };
        gather(&set_of(&looking), &replying).expect("a set has points")
    }

    /// The public part follows from the private one, so it isn't looked at.
    fn of(_: &ReplyPublic, private: &ReplyPrivate) -> Self {
        Self { witness: Arc::new(private.clone()), tampers: Vec::new() }
    }

    #[cfg(test)]
    pub(super) fn tampered(&self, tampers: Vec<Tamper>) -> Self {
        Self { witness: Arc::clone(&self.witness), tampers }
    }
}

impl Layout for TagReplyCircuit {
    fn lay(&self, config: &TurnConfig, cx: &mut Context<'_>) -> Vec<Cell> {
        use_every_gate(cx, config);
        let ReplyPrivate { position, points } = &*self.witness;
        let points = points.map(|point| {
            let x = cx.witness(point.x);
            Point { x, y: cx.witness(point.y) }
        });
        for point in points {
            assert_on_curve(cx, "TR1.on_curve", point);
        }
        let set_hash = king::set_hash(cx, &points.map(|point| point.x));

        let square = KingSquare::new(cx, "TR3.one_square", position.square);
        let mut powers = Powers::new(&config.ecc, "TR4.one_exponent", &position.answer);
        let [y0, y1, y2, y3, y4, y5, y6, y7, y8] = points.map(|point| powers.raise(cx, point).x);
        let own = square.point(cx, CENTRE);
        let own = powers.raise(cx, own).x;

        let look = cx.witness(position.look.digits());
        let salt = king::salt(cx, look, powers.digits());
        let commitment = king::commit(cx, square.code, salt);
        let inputs = ReplyInputs { commitment, set_hash, y0, y1, y2, y3, y4, y5, y6, y7, y8, own };
        inputs.to_array().to_vec()
    }
}
