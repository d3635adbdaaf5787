//! *shown*: the sorted tags of the sender's set are of what its board shows.

use engines::psi::{
    catalogue::{SetKind, offset},
    statement::{
        SetPrivate,
        shown::{ShownPrivate, ShownPublic, ShownStatement, gather},
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
        Assigned, Cell, CircuitOf, Context, Point,
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
pub type ShownCircuit<const SMALL: bool> = CircuitOf<ShownWitness<SMALL>>;

/// What the prover assigns.
pub struct ShownWitness<const SMALL: bool> {
    board: Witness,
    /// The list; of a false statement perhaps none that fits.
    numbers: Vec<u64>,
    places: Vec<usize>,
    /// The weights as they are public.
    weights: Vec<Weight>,
    exponent: Exponent,
}

impl<const SMALL: bool> ShownWitness<SMALL> {
    /// A witness whose list is this one, whatever the board gives.
    pub(super) fn of_list(public: &ShownPublic, private: &ShownPrivate, numbers: Vec<u64>) -> Self {
        let ShownPublic { set, weights, .. } = public;
        Self {
            board: Witness::of_set(set, &private.set),
            numbers,
            places: private.places.clone(),
            weights: weights.clone(),
            exponent: private.exponent.clone(),
        }
    }
}

impl<const SMALL: bool> Assigned for ShownWitness<SMALL> {
    const NAME: &'static str = if SMALL { "small-shown" } else { "shown" };
    const K: u32 = if SMALL { 14 } else { 16 };
    type Statement = ShownStatement;
    type Columns = SetConfig<true, SMALL>;

    fn of(public: &ShownPublic, private: &ShownPrivate) -> Self {
        Self::of_list(public, private, SetConfig::<true, SMALL>::list(&public.set, &private.set.side))
    }

    /// The board that a game begins with, whose secrets everyone knows.
    fn for_keys() -> Self {
        let extent = SetConfig::<true, SMALL>::EXTENT;
        let entries = extent.entries(SetKind::Shown);
        let weights = vec![Weight::new([0; DIGITS]).expect("digits"); entries];
        let set = SetPrivate { side: Side::start(Color::White), salt: Fr::zero(), digest_salt: Fr::zero() };
        let exponent = Exponent::new([1; EXPONENT_BITS / 8]);
        let private = ShownPrivate { set, exponent, places: (0..entries).collect() };
        let (public, private) = gather(extent, None, Phase::Pre, weights, private).expect("a first board has a set");
        Self::of(&public, &private)
    }

    fn lay(&self, config: &SetConfig<true, SMALL>, cx: &mut Context<'_>) -> Vec<Cell> {
        #[cfg(test)]
        crate::gadget::trace::given(self.weights.iter().map(Weight::code).collect());
        let board = Board::open(cx, engines::bfv::vector::Kind::Item, &LABELS, &self.board);
        men::constrain(cx, &board, &MEN, &self.board.state);
        list(cx, config, &board, "SH4.entries", dummies::<true, SMALL>(&self.numbers));

        let constant = |cx: &mut Context<'_>, point: AffinePoint| Point {
            x: cx.linear_field(&[], point.x),
            y: cx.linear_field(&[], point.y),
        };
        let start = constant(cx, offset());
        let weights: Vec<Weight> = self.places.iter().map(|place| self.weights[*place]).collect();
        let points = SetConfig::<true, SMALL>::catalogue().points();
        let terms = Terms { points, numbers: &self.numbers, weights: &weights, places: &self.places };
        let laid = config.sum.lay(cx, start, &terms);
        let digest = digest(cx, SetKind::Shown, &laid, self.board.salt);

        let sum = without_start(cx, &config.ecc, laid.sum, offset());
        let mut powers = Powers::new(&config.ecc, "SH7.one_exponent", &self.exponent);
        let sum = powers.raise(cx, sum);
        let generator = constant(cx, AffinePoint::generator());
        let key = powers.raise(cx, generator);

        [&board.inputs()[..], &[digest, key.x, key.y, sum.x, sum.y]].concat()
    }
}
