//! The statement *tag step*: a king was where its player had committed to, made a step on the grid, or starts where it has to, and the set is its
//! neighbourhood, raised by the exponent that the new commitment holds.

use fog::{F, ensure};

use super::Unmet;
use crate::tag::{Position, Set, Size, Square, position::commit, set_of};

fog::public_inputs! {
    /// The public inputs of *tag step*.
    StepInputs, STEP_INPUTS of StepPublic:
    /// The commitment before the step; 0 when the king is placed.
    previous,
    /// The commitment after it.
    commitment,
    /// The grid's side; when the king is placed, `16·(1 + code)` more, with the code of the square where it starts.
    place,
    set_hash,
    /// The first of the set's x-coordinates.
    x0,
    x1,
    x2,
    x3,
    /// The fifth: the king's own square.
    x4,
    x5,
    x6,
    x7,
    x8,
}

fog::statement! {
    /// *tag step*: a king goes to a neighbouring square.
    StepStatement: StepPublic, StepPrivate
}

/// What everyone sees of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepPublic {
    /// The commitment before the step; 0 when the king is placed.
    pub previous: F,
    /// The commitment after it.
    pub commitment: F,
    pub size: Size,
    /// Where the king is placed, if it is.
    pub start: Option<Square>,
    pub set_hash: F,
    /// The set of the new position.
    pub set: Set,
}

impl StepPublic {
    /// The public inputs by name.
    pub fn inputs(&self) -> StepInputs<F> {
        let [x0, x1, x2, x3, x4, x5, x6, x7, x8] = self.set.0;
        let place = u64::from(self.size.side()) + self.start.map_or(0, |start| 16 * (1 + start.code()));
        let Self { previous, commitment, set_hash, .. } = *self;
        StepInputs { previous, commitment, place: F::from(place), set_hash, x0, x1, x2, x3, x4, x5, x6, x7, x8 }
    }
}

/// Where a king stood before its step.
#[derive(Clone, PartialEq, Eq)]
pub struct Before {
    pub square: Square,
    /// The salt of the commitment to it.
    pub salt: F,
}

/// What only the player knows.
#[derive(Clone, PartialEq, Eq)]
pub struct StepPrivate {
    /// Where the king stood; nowhere when it is placed.
    pub before: Option<Before>,
    pub position: Position,
}

fog::redacted!(Before, StepPrivate);

/// The statement of a king that goes from `before` to `position`, or is placed there.
pub fn gather(size: Size, before: Option<&Position>, position: Position) -> Result<(StepPublic, StepPrivate), Unmet> {
    let before = before.map(|before| Before { square: before.square, salt: before.salt() });
    let set = set_of(&position);
    let public = StepPublic {
        previous: before.as_ref().map_or(F::zero(), |before| commit(before.square, before.salt)),
        commitment: position.commitment(),
        size,
        start: before.is_none().then_some(position.square),
        set_hash: set.hash(),
        set,
    };
    let private = StepPrivate { before, position };
    check(&public, &private)?;
    Ok((public, private))
}

/// The relation of *tag step*.
pub fn check(public: &StepPublic, private: &StepPrivate) -> Result<(), Unmet> {
    let position = &private.position;
    ensure!(public.size.contains(position.square), Unmet::Grid);
    match (public.start, &private.before) {
        (Some(start), _) => {
            ensure!(start == position.square, Unmet::Start);
            ensure!(public.previous == F::zero(), Unmet::Previous);
        }
        (None, None) => return Err(Unmet::Previous),
        (None, Some(before)) => {
            ensure!(before.square.step_to(position.square).is_some(), Unmet::Step);
            ensure!(commit(before.square, before.salt) == public.previous, Unmet::Previous);
        }
    }
    ensure!(position.commitment() == public.commitment, Unmet::Commitment);
    ensure!(set_of(position) == public.set, Unmet::Set);
    ensure!(public.set.hash() == public.set_hash, Unmet::SetHash);
    Ok(())
}
