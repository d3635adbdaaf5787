//! *shown*: the sorted tags `Tⱼ = a·H(e)` of a sender's set are those of what its board shows, all raised by the exponent of its key.

use super::{SetPrivate, SetPublic, check_board, codes, men, numbers};
use crate::{
    Unmet,
    psi::{
        catalogue::{Catalogue, Extent, SetKind},
        digest::shown_digest,
        weight::{Weight, weighted_sum},
    },
};
use fog::{F, curve::Point, engine::Phase, exponent::Exponent};
use rules::Square;

fog::public_inputs! {
    /// The public inputs of *shown*; the codes of the weights follow them.
    ShownInputs, SHOWN_INPUTS:
    /// The sender's commitment, `C`.
    commitment,
    /// The square on which the sender's piece was captured, or 64.
    pending,
    /// The sender's color, 0 for White.
    color,
    /// 1 before the receiver's move, 0 after it.
    pre,
    /// The digest of numbers and places, `D`.
    digest,
    /// The key `A = a·g`.
    key_x,
    key_y,
    /// The weighted sum of the tags, `W = Σ ρⱼ·Tⱼ`.
    sum_x,
    sum_y,
}

fog::statement! {
    /// *shown*: a sender's set is that of its board.
    ShownStatement: ShownPublic, ShownPrivate
}

/// What everyone sees of a shown set's proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownPublic {
    /// What all sets have.
    pub set: SetPublic,
    /// The public key `A = a·g`.
    pub key: Point,
    /// `W = Σ ρⱼ·Tⱼ`, which whoever verifies computes from the tags, sorted as they were sent.
    pub sum: Point,
    /// `ρⱼ`, by the tags' places.
    pub weights: Vec<Weight>,
}

impl ShownPublic {
    /// The public inputs by name.
    pub fn inputs(&self) -> ShownInputs<F> {
        let [commitment, pending, color, pre, digest] = self.set.inputs();
        let (Point { x: key_x, y: key_y }, Point { x: sum_x, y: sum_y }) = (self.key, self.sum);
        ShownInputs { commitment, pending, color, pre, digest, key_x, key_y, sum_x, sum_y }
    }

    /// The public inputs in order, the codes of the weights after them.
    pub fn to_instance(&self) -> Vec<F> {
        self.inputs().to_array().into_iter().chain(codes(&self.weights)).collect()
    }
}

/// What only the sender knows.
#[derive(Clone, PartialEq, Eq)]
pub struct ShownPrivate {
    /// What all sets have.
    pub set: SetPrivate,
    /// The secret exponent `a`.
    pub exponent: Exponent,
    /// For each entry of the list the place of its tag, from 0.
    pub places: Vec<usize>,
}

fog::redacted!(ShownPrivate);

/// The statement of a sender whose piece on `pending`, if any, was captured, with the weights of its tags.
pub fn gather(
    extent: Extent,
    pending: Option<Square>,
    phase: Phase,
    weights: Vec<Weight>,
    private: ShownPrivate,
) -> Result<(ShownPublic, ShownPrivate), Unmet> {
    let ShownPrivate { set: SetPrivate { side, .. }, exponent, places } = &private;
    let numbers = numbers(SetKind::Shown, extent, pending, phase, side)?;
    fog::ensure!(weights.len() == numbers.len(), Unmet::Weights);
    men::check(side)?;
    let mut sorted = places.clone();
    sorted.sort_unstable();
    fog::ensure!(sorted.into_iter().eq(0..numbers.len()), Unmet::Places);
    let of_entries: Vec<Weight> = places.iter().map(|place| weights[*place]).collect();
    let points = Catalogue::get(SetKind::Shown, extent).points_of(&numbers);
    let digest = shown_digest(&numbers, places, private.set.digest_salt);
    let set = SetPublic::new(extent, pending, phase, &private.set, digest);
    let sum = exponent.raise(&weighted_sum(&points, &of_entries));
    let key = exponent.raise(&Point::generator());
    Ok((ShownPublic { set, key, sum, weights }, private))
}

/// The relation of *shown*.
pub fn check(public: &ShownPublic, private: &ShownPrivate) -> Result<(), Unmet> {
    let mut private = private.clone();
    private.set.side.color = public.set.color;
    check_board(&public.set, &private.set)?;
    let SetPublic { extent, pending, phase, .. } = public.set;
    let (right, _) = gather(extent, pending, phase, public.weights.clone(), private)?;
    fog::ensure!(right.set.digest == public.set.digest, Unmet::Digest);
    fog::ensure!(right.key == public.key, Unmet::Key);
    fog::ensure!(right.sum == public.sum, Unmet::Sum);
    Ok(())
}
