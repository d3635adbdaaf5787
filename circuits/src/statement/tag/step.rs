//! *tag step*: a king stood where its player had committed to and made a step on the grid, or is placed where it has to start; and the set is its
//! neighbourhood, raised by the committed exponent. The native twin is `contest::tag::statement::step::check`.
//!
//! What a king comes from isn't decoded: its code is that of the new square less a step, and only codes of squares are ever committed to. So there is
//! nothing to say about edges.
//!
//! Nor is there a case for each grid. Two bits say by how much it is larger than the smallest one, so there are four. That is as much as the square lies beyond
//! the smallest one, and a room of two bits more.

use contest::tag::{
    NEIGHBOURHOOD, Position, SMALLEST, Size, Step,
    statement::step::{StepInputs, StepPrivate, StepPublic, StepStatement, gather},
};
use halo2curves::bn256::Fr;

use super::king::{self, KingSquare, NO_SALT, step_code};
use crate::{
    gadget::{Assigned, Cell, CircuitOf, Context, powers::Powers},
    statement::turn::{config::TurnConfig, points::use_every_gate},
};

/// What the prover assigns.
pub struct Witness {
    pub(super) position: Position,
    pub(super) size: Size,
    pub(super) is_placed: bool,
    /// A flag for each step: the one made; the first, when the king is placed.
    pub(super) steps: [bool; NEIGHBOURHOOD - 1],
    pub(super) before_salt: Fr,
}

/// The circuit of *tag step*.
pub type TagStepCircuit = CircuitOf<Witness>;

impl Witness {
    /// The king's square, the commitment before, and what is said of the grid and of a start.
    pub(super) fn lay_move(&self, cx: &mut Context<'_>) -> (KingSquare, Cell, Cell) {
        let square = KingSquare::new(cx, "TS1.one_square", self.position.square);
        let larger = self.size.side() - SMALLEST;
        let room = larger.saturating_sub(self.position.square.beyond());
        let larger = cx.free_bits(Fr::from(u64::from(larger)), 2);
        let room = cx.free_bits(Fr::from(u64::from(room)), 2);
        let (larger, room) = (cx.number(&larger), cx.number(&room));
        let beyond = square.beyond(cx, room);
        cx.equal("TS1.on_grid", beyond, larger);

        let steps = cx.one_hot("TS2.one_step", self.steps.into_iter());
        let is_placed = cx.boolean(self.is_placed);
        let back: Vec<_> = Step::all().map(|step| -step_code(step.offset())).zip(steps).collect();
        let before = cx.add_terms(square.code, &back);
        let before_salt = cx.witness(self.before_salt);
        let before = king::commit(cx, before, before_salt);
        let has_moved = cx.not(is_placed);
        let previous = cx.mul(has_moved, before);

        let side = cx.linear(&[(1, larger)], SMALLEST.into());
        let start = cx.linear(&[(16, square.code)], 16);
        let place = cx.mul_add(is_placed, start, side);
        (square, previous, place)
    }
}

impl Assigned for Witness {
    const NAME: &'static str = "tag-step";
    const K: u32 = 14;
    type Statement = StepStatement;
    type Columns = TurnConfig;

    fn of(public: &StepPublic, private: &StepPrivate) -> Self {
        let position = private.position.clone();
        let made = private.before.as_ref().and_then(|before| before.square.step_to(position.square));
        let made = if public.start.is_some() { Step::all().next() } else { made };
        let mut steps = [false; NEIGHBOURHOOD - 1];
        for (flag, step) in steps.iter_mut().zip(Step::all()) {
            *flag = made == Some(step);
        }
        Self {
            position,
            size: public.size,
            is_placed: public.start.is_some(),
            steps,
            before_salt: private.before.as_ref().map_or(NO_SALT, |before| before.salt),
        }
    }

    /// A king placed, whose exponents everyone knows.
    fn for_keys() -> Self {
        let [look, answer] = [1, 2].map(|byte| contest::tag::Exponent::new([byte; 31]));
        let placed = gather(Size::Six, None, Position { square: Size::Six.start(false), look, answer });
        let (public, private) = placed.expect("on the grid");
        Self::of(&public, &private)
    }

    fn lay(&self, config: &TurnConfig, cx: &mut Context<'_>) -> Vec<Cell> {
        use_every_gate(cx, config);
        let (square, previous, place) = self.lay_move(cx);

        let mut powers = Powers::new(&config.ecc, "TS4.one_exponent", &self.position.look);
        let set: [Cell; NEIGHBOURHOOD] = std::array::from_fn(|index| {
            let point = square.point(cx, index);
            powers.raise(cx, point).x
        });
        let answer = cx.witness(self.position.answer.digits());
        let salt = king::salt(cx, powers.digits(), answer);
        let commitment = king::commit(cx, square.code, salt);
        let set_hash = king::set_hash(cx, &set);

        let [x0, x1, x2, x3, x4, x5, x6, x7, x8] = set;
        let inputs = StepInputs { previous, commitment, place, set_hash, x0, x1, x2, x3, x4, x5, x6, x7, x8 };
        inputs.to_array().to_vec()
    }
}

// Wipes what isn't wiped by itself. Best effort: the prover's polynomials hold it too, while they live.
fog::wiped_on_drop!(Witness: steps, before_salt);
