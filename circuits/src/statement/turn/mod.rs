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

use std::sync::Arc;

use fog::{
    curve::{FogSecret, Scalar},
    statement::turn::{TurnDraft, TurnInputs, TurnPrivate, TurnPublic, gather},
};
use halo2curves::bn256::Fr;

use crate::{
    StatementCircuit,
    gadget::{Cell, Context, Layout, Tamper, layout::laid_circuit, merkle::request_root},
};
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
#[derive(Clone)]
pub struct TurnCircuit {
    witness: Arc<Witness>,
    tampers: Vec<Tamper>,
}

fog::redacted!(TurnCircuit);

impl StatementCircuit for TurnCircuit {
    const NAME: &'static str = "turn";
    const K: u32 = 14;
    type Public = TurnPublic;
    type Private = TurnPrivate;

    fn new(public: &TurnPublic, private: &TurnPrivate) -> Self {
        Self { witness: Arc::new(Witness::new(public, private)), tampers: Vec::new() }
    }

    fn blank() -> Self {
        let (public, private) = first_move();
        Self::new(&public, &private)
    }

    fn instance(public: &TurnPublic) -> Vec<Vec<Fr>> {
        vec![public.inputs().to_array().to_vec()]
    }
}

laid_circuit!(TurnCircuit, TurnConfig);

impl Layout for TurnCircuit {
    fn lay(&self, config: &TurnConfig, cx: &mut Context<'_>) -> Vec<Cell> {
        let w = &self.witness;
        let public = Public::new(cx, &w.public);
        let chains = Chains::new(cx, config, &OPENING, public.fog_key(), w.offset);

        let choices = w.next_scalars.iter().zip(w.mv.next_types);
        let choices: Vec<_> = choices.map(|(r, c)| chains.choice(cx, r, c)).collect();
        let root = request_root(cx, choices.iter().map(|choice| choice.point));
        cx.equal("T22.request_root", root, public.inputs.next_request_root);
        let next_types: [Cell; 64] = std::array::from_fn(|s| choices[s].choice);

        let TurnInputs { request_root, answer_root, context, .. } = public.inputs;
        let roots = Roots { live: public.live, request_root, answer_root, context };
        let opened = w.opened.iter();
        let opened: Vec<_> = opened.map(|slot| OpenedSquare::new(cx, &roots, &chains, slot)).collect();
        let flags = MoveFlags::new(cx, &public, w, &opened);
        view::constrain(cx, &public, &flags, &opened);
        board::constrain(cx, &public.mover, &w.mv, &flags, &next_types);
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
