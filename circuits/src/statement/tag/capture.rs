//! *tag capture*: the committed exponent that looks raises the replier's element to a point that the replier raised too. The native twin is
//! `contest::tag::statement::capture::check`.

use contest::tag::{
    Position, Size, reply_to, set_of,
    statement::capture::{CaptureInputs, CapturePrivate, CapturePublic, CaptureStatement, gather},
};
use halo2curves::bn256::Fr;

use super::king;
use crate::{
    gadget::{Assigned, Cell, CircuitOf, Context, Point, powers::Powers},
    statement::turn::{
        config::TurnConfig,
        points::{assert_on_curve, use_every_gate},
    },
};

/// The circuit of *tag capture*.
pub type TagCaptureCircuit = CircuitOf<CapturePrivate>;

impl Assigned for CapturePrivate {
    const NAME: &'static str = "tag-capture";
    const K: u32 = 14;
    type Statement = CaptureStatement;
    type Columns = TurnConfig;

    /// The public part follows from the private one, so it isn't looked at.
    fn of(_: &CapturePublic, private: &Self) -> Self {
        private.clone()
    }

    /// A king that captures another on its own square; everyone knows all exponents.
    fn for_keys() -> Self {
        let [a, b, c, d] = [1, 2, 3, 4].map(|byte| contest::tag::Exponent::new([byte; 31]));
        let square = Size::Six.start(false);
        let looking = Position { square, look: a, answer: b };
        let reply = reply_to(&set_of(&looking), &Position { square, look: c, answer: d }).expect("a set has points");
        let (_, _, private) = gather(&reply, &looking).expect("both stand on one square");
        private
    }

    fn lay(&self, config: &TurnConfig, cx: &mut Context<'_>) -> Vec<Cell> {
        use_every_gate(cx, config);
        let Self { position, own } = self;
        let x = cx.witness(own.x);
        let own = Point { x, y: cx.witness(own.y) };
        assert_on_curve(cx, "TC1.on_curve", own);
        // It has no other to be equal to: no label is ever laid.
        let mut powers = Powers::new(&config.ecc, "TC2.one_exponent", &position.look);
        let shared = powers.raise(cx, own).x;
        let answer = cx.witness(position.answer.digits());
        let salt = king::salt(cx, powers.digits(), answer);
        let code = cx.witness(Fr::from(position.square.code()));
        let commitment = king::commit(cx, code, salt);
        CaptureInputs { commitment, own: own.x, shared }.to_array().to_vec()
    }
}
