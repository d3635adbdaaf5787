//! *turn*: a legal move by what its piece sees, and the request for the next sight (protocol section 7), proved on chain at every ply.
//!
//! The parts, in the order in which they lean on each other: [`public`] inputs; [`points`] of the requests; [`opened_square`]s;
//! the [`move_flags`]; what the piece could [`view`]; the [`board`] before and after. The native twin is `fog::statement::turn::check`.

pub(super) mod board;
pub mod config;
pub(super) mod move_flags;
pub(super) mod move_witness;
pub(super) mod mover;
pub(super) mod opened_square;
pub(super) mod points;
mod public;
pub(super) mod square_flags;
mod view;
pub(super) mod witness;

#[cfg(test)]
pub(super) mod tests;

use fog::{
    curve::{FogSecret, Scalar},
    statement::turn::{TurnDraft, TurnInputs, TurnPrivate, TurnPublic, TurnStatement, gather},
};
use halo2curves::bn256::Fr;

use crate::gadget::{Assigned, Cell, CircuitOf, Context, merkle::request_root};
use config::TurnConfig;
use move_flags::MoveFlags;
use opened_square::{OpenedSquare, Roots};
use points::{Chains, OpeningLabels};
use public::Public;
use witness::Witness;

pub(super) use witness::offset;

/// The bindings that open squares.
const OPENING: OpeningLabels = OpeningLabels {
    offset_on_curve: "T11.offset_on_curve",
    offset_digits: "T11.offset_digits",
    request_path: "T11.path",
    request_root: "T11.request_root",
    answer_path: "T14.path",
    answer_root: "T14.answer_root",
    scalar_high: "T15.scalar_high",
    scalar_low: "T15.scalar_low",
};

/// The circuit of *turn*.
pub type TurnCircuit = CircuitOf<Witness>;

impl Assigned for Witness {
    const NAME: &'static str = "turn";
    const K: u32 = 14;
    type Statement = TurnStatement;
    type Columns = TurnConfig;

    fn of(public: &TurnPublic, private: &TurnPrivate) -> Self {
        Self::new(public, private)
    }

    fn for_keys() -> Self {
        let (public, private) = first_move();
        Self::new(&public, &private)
    }

    fn lay(&self, config: &TurnConfig, cx: &mut Context<'_>) -> Vec<Cell> {
        let public = Public::new(cx, &self.public);
        let chains = Chains::new(cx, config, &OPENING, public.fog_key(), self.offset);

        let choices = self.next_scalars.iter().zip(self.mv.next_types);
        let choices: Vec<_> = choices.map(|(r, c)| chains.choice(cx, r, c)).collect();
        let root = request_root(cx, choices.iter().map(|choice| choice.point));
        cx.equal("T22.request_root", root, public.inputs.next_request_root);
        let next_types: [Cell; 64] = std::array::from_fn(|s| choices[s].choice);

        let TurnInputs { request_root, answer_root, context, .. } = public.inputs;
        let roots = Roots { live: public.live, request_root, answer_root, context };
        let opened = self.opened.iter();
        let opened: Vec<_> = opened.map(|slot| OpenedSquare::new(cx, &roots, &chains, slot)).collect();
        let flags = MoveFlags::new(cx, &public, self, &opened);
        view::constrain(cx, &public, &flags, &opened);
        board::constrain(cx, &public.mover, &self.mv, &flags, &next_types);
        public.inputs.to_array().to_vec()
    }
}

/// White's first move in a game whose secrets everyone knows: what the keys are made from.
fn first_move() -> (TurnPublic, TurnPrivate) {
    let mut word = [0; 32];
    word[0] = 1;
    let draft = TurnDraft {
        side: &rules::Side::start(rules::Color::White),
        salt: Fr::zero(),
        pending: None,
        mv: "e2e4".parse().expect("a move"),
        next_salt: Fr::one(),
        fog_key: FogSecret::from_uniform(word).key(),
        sight: None,
        next_scalars: &std::array::from_fn(|s| Scalar::from(s as u64 + 1)),
    };
    gather(&draft).expect("e2e4 is legal from the start")
}
