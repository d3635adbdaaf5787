//! *tag reply*: the points under a set's hash, and the point of the committed square, raised by the committed exponent. The native twin is
//! `contest::tag::statement::reply::check`.

use contest::tag::{
    NEIGHBOURHOOD, Position, Size, set_of,
    statement::reply::{ReplyInputs, ReplyPrivate, ReplyPublic, ReplyStatement, gather},
};

use super::king::{self, KingSquare};
use crate::{
    gadget::{Assigned, Cell, CircuitOf, Context, Point, powers::Powers},
    statement::turn::{
        config::TurnConfig,
        points::{assert_on_curve, use_every_gate},
    },
};

/// The place of the square itself in its neighbourhood.
const CENTRE: usize = NEIGHBOURHOOD / 2;

/// The circuit of *tag reply*.
pub type TagReplyCircuit = CircuitOf<ReplyPrivate>;

impl Assigned for ReplyPrivate {
    const NAME: &'static str = "tag-reply";
    const K: u32 = 14;
    type Statement = ReplyStatement;
    type Columns = TurnConfig;

    /// The public part follows from the private one, so it isn't looked at.
    fn of(_: &ReplyPublic, private: &Self) -> Self {
        private.clone()
    }

    /// A king's reply to the set of another, of both of whom everyone knows the exponents.
    fn for_keys() -> Self {
        let [a, b, c, d] = [1, 2, 3, 4].map(|byte| contest::tag::Exponent::new([byte; 31]));
        let looking = Position { square: Size::Six.start(false), look: a, answer: b };
        let replying = Position { square: Size::Six.start(true), look: c, answer: d };
        gather(&set_of(&looking), &replying).expect("a set has points").1
    }

    fn lay(&self, config: &TurnConfig, cx: &mut Context<'_>) -> Vec<Cell> {
        use_every_gate(cx, config);
        let Self { position, points } = self;
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
