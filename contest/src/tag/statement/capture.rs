//! The statement *tag capture*: the exponent that looks, which the commitment holds, raises the replier's element to one of the points that the
//! replier raised. With the proofs of the set and of the reply that means: the replier's king stood in the neighbourhood. Where, and where the
//! captor stands, isn't said.

use fog::{F, curve::Point, ensure};
use halo2curves::CurveAffine;

use super::Unmet;
use crate::tag::{Position, Reply, Wrong, find, lift};

fog::public_inputs! {
    /// The public inputs of *tag capture*.
    CaptureInputs, CAPTURE_INPUTS of CapturePublic:
    commitment,
    /// The x-coordinate of the replier's raised element.
    own,
    /// That of the raised point which it shows to be the same.
    shared,
}

fog::statement! {
    /// *tag capture*: a reply shows the opponent's king.
    CaptureStatement: CapturePublic, CapturePrivate
}

/// What everyone sees of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CapturePublic {
    pub commitment: F,
    /// The x-coordinate of the replier's raised element.
    pub own: F,
    /// That of the raised point which it shows to be the same.
    pub shared: F,
}

impl CapturePublic {
    /// The public inputs by name.
    pub fn inputs(&self) -> CaptureInputs<F> {
        let Self { commitment, own, shared } = *self;
        CaptureInputs { commitment, own, shared }
    }
}

/// What the proof is of.
#[derive(Clone, PartialEq, Eq)]
pub struct CapturePrivate {
    /// Where the captor's king stands.
    pub position: Position,
    /// The replier's element; either y-coordinate will do.
    pub own: Point,
}

fog::redacted!(CapturePrivate);

/// The statement of a capture by a reply to the set of `position`, and the place in the set at which it shows the king.
///
/// [`Wrong::NotFound`] if the reply shows none.
pub fn gather(reply: &Reply, position: &Position) -> Result<(usize, CapturePublic, CapturePrivate), Wrong> {
    let (place, _) = find(position, reply)?.ok_or(Wrong::NotFound)?;
    let own = lift(reply.own).ok_or(Wrong::OffCurve)?;
    let public = CapturePublic { commitment: position.commitment(), own: reply.own, shared: reply.raised[place] };
    Ok((place, public, CapturePrivate { position: position.clone(), own }))
}

/// The relation of *tag capture*.
pub fn check(public: &CapturePublic, private: &CapturePrivate) -> Result<(), Unmet> {
    let CapturePrivate { position, own } = private;
    ensure!(bool::from(own.is_on_curve()) && own.x == public.own, Unmet::Own);
    ensure!(position.commitment() == public.commitment, Unmet::Commitment);
    ensure!(position.look.raise(own).x == public.shared, Unmet::Shared);
    Ok(())
}
