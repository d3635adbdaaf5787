//! *asked*: the blinded points `Yᵢ = H(eᵢ) + rᵢ·g` of a receiver's set are of what its board asks for.
//!
//! That the prover knows each `rᵢ`, and not just their sum, follows as for a batched proof of knowledge: from proofs under as many weights as
//! there are entries the `rᵢ` are found by solving linear equations.

use super::{SetPrivate, SetPublic, check_board, codes, men, numbers};
use crate::{
    Unmet,
    psi::{
        catalogue::{Catalogue, Extent, SetKind},
        digest::asked_digest,
        weight::{Weight, weighted_sum},
    },
};
use ff::Field;
use fog::{
    F,
    curve::{Point, Scalar, mul},
    engine::Phase,
};
use group::Curve;
use rules::Square;

fog::public_inputs! {
    /// The public inputs of *asked*; the codes of the weights follow them.
    AskedInputs, ASKED_INPUTS:
    /// The receiver's commitment, `C`.
    commitment,
    /// The square on which the receiver's piece was captured, or 64.
    pending,
    /// The receiver's color, 0 for White.
    color,
    /// 1 before the receiver's move, 0 after it.
    pre,
    /// The digest of the numbers, `D`.
    digest,
    /// The weighted sum of the points, `S = Σ ρᵢ·Yᵢ`.
    sum_x,
    sum_y,
}

fog::statement! {
    /// *asked*: a receiver's set is that of its board.
    AskedStatement: AskedPublic, AskedPrivate
}

/// What everyone sees of an asked set's proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedPublic {
    /// What all sets have.
    pub set: SetPublic,
    /// `S = Σ ρᵢ·Yᵢ`, which whoever verifies computes from the points, as they were sent: in the order of the receiver's list.
    pub sum: Point,
    /// `ρᵢ`, by the points' places.
    pub weights: Vec<Weight>,
}

impl AskedPublic {
    /// The public inputs by name.
    pub fn inputs(&self) -> AskedInputs<F> {
        let [commitment, pending, color, pre, digest] = self.set.inputs();
        AskedInputs { commitment, pending, color, pre, digest, sum_x: self.sum.x, sum_y: self.sum.y }
    }

    /// The public inputs in order, the codes of the weights after them.
    pub fn to_instance(&self) -> Vec<F> {
        self.inputs().to_array().into_iter().chain(codes(&self.weights)).collect()
    }
}

/// What only the receiver knows.
#[derive(Clone, PartialEq, Eq)]
pub struct AskedPrivate {
    /// What all sets have.
    pub set: SetPrivate,
    /// `R = Σ ρᵢ·rᵢ`.
    pub blinding: Scalar,
}

fog::wiped_on_drop!(AskedPrivate: blinding);

/// `R = Σ ρᵢ·rᵢ`.
pub fn weighted_blinding(blindings: &[Scalar], weights: &[Weight]) -> Scalar {
    blindings.iter().zip(weights).fold(Scalar::ZERO, |sum, (blinding, weight)| sum + *blinding * weight.scalar())
}

/// The statement of a receiver whose piece on `pending`, if any, was captured, with the weights of its points.
pub fn gather(
    extent: Extent,
    pending: Option<Square>,
    phase: Phase,
    weights: Vec<Weight>,
    private: AskedPrivate,
) -> Result<(AskedPublic, AskedPrivate), Unmet> {
    let side = &private.set.side;
    let numbers = numbers(SetKind::Asked, extent, pending, phase, side)?;
    fog::ensure!(weights.len() == numbers.len(), Unmet::Weights);
    men::check(side)?;
    let points = Catalogue::get(SetKind::Asked, extent).points_of(&numbers);
    let digest = asked_digest(&numbers, private.set.digest_salt);
    let set = SetPublic::new(extent, pending, phase, &private.set, digest);
    let blinding = mul(&Point::generator(), &private.blinding);
    let sum = (weighted_sum(&points, &weights) + blinding).to_affine();
    Ok((AskedPublic { set, sum, weights }, private))
}

/// The relation of *asked*.
pub fn check(public: &AskedPublic, private: &AskedPrivate) -> Result<(), Unmet> {
    let mut private = private.clone();
    private.set.side.color = public.set.color;
    check_board(&public.set, &private.set)?;
    let SetPublic { extent, pending, phase, .. } = public.set;
    let (right, _) = gather(extent, pending, phase, public.weights.clone(), private)?;
    fog::ensure!(right.set.digest == public.set.digest, Unmet::Digest);
    fog::ensure!(right.sum == public.sum, Unmet::Sum);
    Ok(())
}
