//! *asked*: the blinded points of the receiver's set are of what its board asks for.

use engines::psi::{
    catalogue::{SetKind, offset},
    statement::{
        SetPrivate,
        asked::{AskedPrivate, AskedPublic, AskedStatement, gather},
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
        Assigned, Cell, CircuitOf, Context, Point,
        fixed_base::{self, WINDOWS},
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
pub type AskedCircuit<const SMALL: bool> = CircuitOf<AskedWitness<SMALL>>;

/// What the prover assigns.
pub struct AskedWitness<const SMALL: bool> {
    board: Witness,
    /// The list; of a false statement perhaps none that fits.
    numbers: Vec<u64>,
    weights: Vec<Weight>,
    blinding: Scalar,
}

impl<const SMALL: bool> Drop for AskedWitness<SMALL> {
    /// Wipes the blinding; the board wipes its salts itself. Best effort: the prover's polynomials hold it too, while they live.
    fn drop(&mut self) {
        self.blinding = Scalar::from(0);
        std::hint::black_box(self);
    }
}

impl<const SMALL: bool> AskedWitness<SMALL> {
    /// A witness whose list is this one, whatever the board gives.
    pub(super) fn of_list(public: &AskedPublic, private: &AskedPrivate, numbers: Vec<u64>) -> Self {
        let AskedPublic { set, weights, .. } = public;
        Self {
            board: Witness::of_set(set, &private.set),
            numbers,
            weights: weights.clone(),
            blinding: private.blinding,
        }
    }
}

impl<const SMALL: bool> Assigned for AskedWitness<SMALL> {
    const NAME: &'static str = if SMALL { "small-asked" } else { "asked" };
    const K: u32 = if SMALL { 14 } else { 16 };
    type Statement = AskedStatement;
    type Columns = SetConfig<false, SMALL>;

    fn of(public: &AskedPublic, private: &AskedPrivate) -> Self {
        Self::of_list(public, private, SetConfig::<false, SMALL>::list(&public.set, &private.set.side))
    }

    /// The board that a game begins with, whose secrets everyone knows.
    fn for_keys() -> Self {
        let extent = SetConfig::<false, SMALL>::EXTENT;
        let weights = vec![Weight::new([0; DIGITS]).expect("digits"); extent.entries(SetKind::Asked)];
        let set = SetPrivate { side: Side::start(Color::White), salt: Fr::zero(), digest_salt: Fr::zero() };
        let private = AskedPrivate { set, blinding: Scalar::from(1) };
        let (public, private) = gather(extent, None, Phase::Pre, weights, private).expect("a first board has a set");
        Self::of(&public, &private)
    }

    fn lay(&self, config: &SetConfig<false, SMALL>, cx: &mut Context<'_>) -> Vec<Cell> {
        #[cfg(test)]
        crate::gadget::trace::given(self.weights.iter().map(Weight::code).collect());
        let board = Board::open(cx, engines::bfv::vector::Kind::View, &LABELS, &self.board);
        men::constrain(cx, &board, &MEN, &self.board.state);
        list(cx, config, &board, "AS4.entries", dummies::<false, SMALL>(&self.numbers));

        let start: AffinePoint = offset();
        let start = Point { x: cx.linear_field(&[], start.x), y: cx.linear_field(&[], start.y) };
        let points = SetConfig::<false, SMALL>::catalogue().points();
        let terms = Terms { points, numbers: &self.numbers, weights: &self.weights, places: &[] };
        let laid = config.sum.lay(cx, start, &terms);
        let digest = digest(cx, SetKind::Asked, &laid, self.board.salt);

        // `8³⁵·start + Σ ρᵢ·H(eᵢ) + R·g`, and then what it began with is taken off.
        let windows = config.fixed_base.as_ref().expect("columns of asked have windows");
        let minus = -carried(offset());
        let minus = [minus.x, minus.y].map(|value| cx.linear_field(&[], value).into());
        let blinded = windows.chain(cx, laid.sum, 1..=WINDOWS, &fixed_base::bits(&self.blinding));
        let sum = config.ecc.add_to_last(cx, blinded.point, minus);

        [&board.inputs()[..], &[digest, sum.x, sum.y]].concat()
    }
}
