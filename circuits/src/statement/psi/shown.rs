//! *shown*: the sorted tags of the sender's set are of what its board shows.

use std::sync::Arc;

use engines::psi::{
    catalogue::{SetKind, offset},
    statement::{
        SetPrivate,
        shown::{ShownInputs, ShownPrivate, ShownPublic, ShownStatement, gather},
    },
    weight::{DIGITS, Weight},
};
use fog::{
    curve::Point as AffinePoint,
    engine::Phase,
    exponent::{EXPONENT_BITS, Exponent},
};
use halo2curves::bn256::Fr;
use rules::{Color, Side};

use super::{
    active::{dummies, list},
    config::SetConfig,
    digest::digest,
    men,
};
use crate::{
    gadget::{
        Cell, Context, Layout, Point, Tamper,
        layout::statement_circuit,
        powers::Powers,
        weighted_sum::{Terms, without_start},
    },
    statement::bfv::{
        board::{Board, Labels},
        witness::Witness,
    },
};

/// The bindings of the board.
pub(super) const LABELS: Labels = Labels { double_push: "SH1.double_push", pending: "SH2.pending" };

/// The bindings of its men.
pub(super) const MEN: men::Labels = men::Labels {
    types: "SH8.types",
    pawn_ranks: "SH8.pawn_ranks",
    one_king: "SH9.one_king",
    officers: "SH10.officers",
    pawns: "SH10.pawns",
    double_push: "SH11.double_push",
};

/// The circuit of *shown*.
#[derive(Clone)]
pub struct ShownCircuit<const SMALL: bool> {
    witness: Arc<ShownWitness>,
    pub(super) tampers: Vec<Tamper>,
}

/// What the prover assigns.
struct ShownWitness {
    board: Witness,
    /// The list; of a false statement perhaps none that fits.
    numbers: Vec<u64>,
    places: Vec<usize>,
    /// The weights as they are public.
    weights: Vec<Weight>,
    exponent: Exponent,
}

fog::redacted!(ShownWitness);

statement_circuit!(
    const SMALL; ShownCircuit<SMALL>,
    if SMALL { "small-shown" } else { "shown" },
    if SMALL { 14 } else { 16 },
    ShownStatement,
    SetConfig<true, SMALL>,
    <[Fr]>::to_vec
);

impl<const SMALL: bool> ShownCircuit<SMALL> {
    /// The board that a game begins with, whose secrets everyone knows.
    fn blank_draw() -> (ShownPublic, ShownPrivate) {
        let extent = SetConfig::<true, SMALL>::EXTENT;
        let entries = extent.entries(SetKind::Shown);
        let weights = vec![Weight::new([0; DIGITS]).expect("digits"); entries];
        let set = SetPrivate { side: Side::start(Color::White), salt: Fr::zero(), digest_salt: Fr::zero() };
        let exponent = Exponent::new([1; EXPONENT_BITS / 8]);
        let private = ShownPrivate { set, exponent, places: (0..entries).collect() };
        gather(extent, None, Phase::Pre, weights, private).expect("a first board has a set")
    }

    fn of(public: &ShownPublic, private: &ShownPrivate) -> Self {
        let numbers = SetConfig::<true, SMALL>::list(&public.set, &private.set.side);
        Self::of_list(public, private, numbers)
    }

    /// A witness whose list is this one, whatever the board gives.
    pub(super) fn of_list(public: &ShownPublic, private: &ShownPrivate, numbers: Vec<u64>) -> Self {
        let ShownPublic { set, weights, .. } = public;
        let witness = ShownWitness {
            board: Witness::of_set(set, &private.set),
            numbers,
            places: private.places.clone(),
            weights: weights.clone(),
            exponent: private.exponent.clone(),
        };
        Self { witness: Arc::new(witness), tampers: Vec::new() }
    }

    #[cfg(test)]
    pub(super) fn tampered(&self, tampers: Vec<Tamper>) -> Self {
        Self { witness: Arc::clone(&self.witness), tampers }
    }
}

impl<const SMALL: bool> Layout for ShownCircuit<SMALL> {
    fn lay(&self, config: &SetConfig<true, SMALL>, cx: &mut Context<'_>) -> Vec<Cell> {
        let w = &*self.witness;
        #[cfg(test)]
        crate::gadget::trace::given(w.weights.iter().map(Weight::code).collect());
        let board = Board::open(cx, engines::bfv::vector::Kind::Item, &LABELS, &w.board);
        men::constrain(cx, &board, &MEN, &w.board.state);
        list(cx, config, &board, "SH4.entries", dummies::<true, SMALL>(&w.numbers));

        let constant = |cx: &mut Context<'_>, point: AffinePoint| Point {
            x: cx.linear_field(&[], point.x),
            y: cx.linear_field(&[], point.y),
        };
        let start = constant(cx, offset());
        let weights: Vec<Weight> = w.places.iter().map(|place| w.weights[*place]).collect();
        let points = SetConfig::<true, SMALL>::catalogue().points();
        let terms = Terms { points, numbers: &w.numbers, weights: &weights, places: &w.places };
        let laid = config.sum.lay(cx, start, &terms);
        let digest = digest(cx, SetKind::Shown, &laid, w.board.salt);

        let sum = without_start(cx, &config.ecc, laid.sum, offset());
        let mut powers = Powers::new(&config.ecc, "SH7.one_exponent", &w.exponent);
        let sum = powers.raise(cx, sum);
        let generator = constant(cx, AffinePoint::generator());
        let key = powers.raise(cx, generator);

        let Board { commitment, pending, color, pre, .. } = board;
        let inputs = ShownInputs {
            commitment,
            pending,
            color,
            pre,
            digest,
            key_x: key.x,
            key_y: key.y,
            sum_x: sum.x,
            sum_y: sum.y,
        };
        inputs.to_array().to_vec()
    }
}
