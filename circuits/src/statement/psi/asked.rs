//! *asked*: the blinded points of the receiver's set are of what its board asks for.

use std::sync::Arc;

use engines::psi::{
    catalogue::{SetKind, offset},
    statement::{
        SetPrivate,
        asked::{AskedInputs, AskedPrivate, AskedPublic, AskedStatement, gather},
    },
    weight::{DIGITS, Weight},
};
use fog::{
    curve::{Point as AffinePoint, Scalar},
    engine::Phase,
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
        fixed_base::{self, WINDOWS},
        layout::statement_circuit,
        weighted_sum::{Terms, carried},
    },
    statement::bfv::{
        board::{Board, Labels},
        witness::Witness,
    },
};

/// The bindings of the board.
pub(super) const LABELS: Labels = Labels { double_push: "AS1.double_push", pending: "AS2.pending" };

/// The bindings of its men.
pub(super) const MEN: men::Labels = men::Labels {
    types: "AS7.types",
    pawn_ranks: "AS7.pawn_ranks",
    one_king: "AS8.one_king",
    officers: "AS9.officers",
    pawns: "AS9.pawns",
    double_push: "AS10.double_push",
};

/// The circuit of *asked*.
#[derive(Clone)]
pub struct AskedCircuit<const SMALL: bool> {
    witness: Arc<AskedWitness>,
    pub(super) tampers: Vec<Tamper>,
}

/// What the prover assigns.
struct AskedWitness {
    board: Witness,
    /// The list; of a false statement perhaps none that fits.
    numbers: Vec<u64>,
    weights: Vec<Weight>,
    blinding: Scalar,
}

fog::redacted!(AskedWitness);

impl Drop for AskedWitness {
    /// Wipes the blinding; the board wipes its salts itself. Best effort: the prover's polynomials hold it too, while they live.
    fn drop(&mut self) {
        self.blinding = Scalar::from(0);
        std::hint::black_box(self);
    }
}

statement_circuit!(
    const SMALL; AskedCircuit<SMALL>,
    if SMALL { "small-asked" } else { "asked" },
    if SMALL { 14 } else { 16 },
    AskedStatement,
    SetConfig<false, SMALL>,
    <[Fr]>::to_vec
);

impl<const SMALL: bool> AskedCircuit<SMALL> {
    /// The board that a game begins with, whose secrets everyone knows.
    fn blank_draw() -> (AskedPublic, AskedPrivate) {
        let extent = SetConfig::<false, SMALL>::EXTENT;
        let weights = vec![Weight::new([0; DIGITS]).expect("digits"); extent.entries(SetKind::Asked)];
        let set = SetPrivate { side: Side::start(Color::White), salt: Fr::zero(), digest_salt: Fr::zero() };
        let private = AskedPrivate { set, blinding: Scalar::from(1) };
        gather(extent, None, Phase::Pre, weights, private).expect("a first board has a set")
    }

    fn of(public: &AskedPublic, private: &AskedPrivate) -> Self {
        let numbers = SetConfig::<false, SMALL>::list(&public.set, &private.set.side);
        Self::of_list(public, private, numbers)
    }

    /// A witness whose list is this one, whatever the board gives.
    pub(super) fn of_list(public: &AskedPublic, private: &AskedPrivate, numbers: Vec<u64>) -> Self {
        let AskedPublic { set, weights, .. } = public;
        let witness = AskedWitness {
            board: Witness::of_set(set, &private.set),
            numbers,
            weights: weights.clone(),
            blinding: private.blinding,
        };
        Self { witness: Arc::new(witness), tampers: Vec::new() }
    }

    #[cfg(test)]
    pub(super) fn tampered(&self, tampers: Vec<Tamper>) -> Self {
        Self { witness: Arc::clone(&self.witness), tampers }
    }
}

impl<const SMALL: bool> Layout for AskedCircuit<SMALL> {
    fn lay(&self, config: &SetConfig<false, SMALL>, cx: &mut Context<'_>) -> Vec<Cell> {
        let w = &*self.witness;
        #[cfg(test)]
        crate::gadget::trace::given(w.weights.iter().map(Weight::code).collect());
        let board = Board::open(cx, engines::bfv::vector::Kind::View, &LABELS, &w.board);
        men::constrain(cx, &board, &MEN, &w.board.state);
        list(cx, config, &board, "AS4.entries", dummies::<false, SMALL>(&w.numbers));

        let start: AffinePoint = offset();
        let start = Point { x: cx.linear_field(&[], start.x), y: cx.linear_field(&[], start.y) };
        let points = SetConfig::<false, SMALL>::catalogue().points();
        let terms = Terms { points, numbers: &w.numbers, weights: &w.weights, places: &[] };
        let laid = config.sum.lay(cx, start, &terms);
        let digest = digest(cx, SetKind::Asked, &laid, w.board.salt);

        // `8³⁵·start + Σ ρᵢ·H(eᵢ) + R·g`, and then what it began with is taken off.
        let windows = config.fixed_base.as_ref().expect("columns of asked have windows");
        let minus = -carried(offset());
        let minus = [minus.x, minus.y].map(|value| cx.linear_field(&[], value).into());
        let blinded = windows.chain(cx, laid.sum, 1..=WINDOWS, &fixed_base::bits(&w.blinding));
        let sum = config.ecc.add_to_last(cx, blinded.point, minus);

        let Board { commitment, pending, color, pre, .. } = board;
        let inputs = AskedInputs { commitment, pending, color, pre, digest, sum_x: sum.x, sum_y: sum.y };
        inputs.to_array().to_vec()
    }
}
