//! The statements *shown* and *asked*: the sets that two players compare are exactly what their committed boards give, once the piece that the
//! last move captured is off them (private set intersection over Grumpkin: [`crate::psi`]). And these boards have the men that a board of a game may
//! have ([`men`]); that moves led to them is not said.
//!
//! The sets' points are in the messages. The proofs speak of sums of them with weights, which nobody can foresee when it fixes points, digest and key:
//! if one point were another than the board's, the sums would differ but with a probability of 2⁻¹²⁹ a try. Whoever verifies draws the weights
//! itself, from a hash of *all that was said before*: the exchange, the commitment, all points, the digest, the key
//! ([`weights`](crate::psi::weight::weights)).

pub mod asked;
pub mod men;
pub mod shown;

use crate::{
    Unmet,
    psi::{
        catalogue::{Catalogue, Extent, SetKind},
        weight::Weight,
    },
};
use asked::AskedStatement;
use fog::statement::{Proves, own_step::OwnStepStatement};
use fog::{
    F,
    commitment::{commit, is_well_formed},
    engine::{Phase, sight_lines::context::square_field},
};
use rules::{Color, Side, Square};
use shown::ShownStatement;

/// Bytes of every proof of *shown*. Known before there are keys, since the sizes of messages are.
pub const SHOWN_BYTES: usize = 4160;
/// Bytes of every proof of *asked*.
pub const ASKED_BYTES: usize = 3968;

/// Makes and verifies the proofs of sets, of [`SHOWN_BYTES`] and [`ASKED_BYTES`], and of the steps between their boards.
pub trait SetProofs: Proves<ShownStatement> + Proves<AskedStatement> + Proves<OwnStepStatement> + 'static {}

impl<T: Proves<ShownStatement> + Proves<AskedStatement> + Proves<OwnStepStatement> + 'static> SetProofs for T {}

/// What everyone sees of a set, beside its points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetPublic {
    /// Which lines it is about. No input: each has its own key.
    pub extent: Extent,
    /// The player's commitment, `C`.
    pub commitment: F,
    /// The square on which the player's piece was captured.
    pub pending: Option<Square>,
    /// The player's color: the sender's of a shown set, the receiver's of an asked one.
    pub color: Color,
    /// Before the receiver's move or after it.
    pub phase: Phase,
    /// The digest of the list, `D`.
    pub digest: F,
}

impl SetPublic {
    /// That of a private set, whose list has this digest.
    fn new(extent: Extent, pending: Option<Square>, phase: Phase, private: &SetPrivate, digest: F) -> Self {
        let SetPrivate { side, salt, .. } = private;
        Self { extent, commitment: commit(side, *salt), pending, color: side.color, phase, digest }
    }

    /// The public inputs that both statements begin with.
    fn inputs(&self) -> [F; 5] {
        let (color, pre) = (F::from(self.color as u64), F::from(self.phase == Phase::Pre));
        [self.commitment, square_field(self.pending), color, pre, self.digest]
    }
}

/// What only the player knows of its set.
#[derive(Clone, PartialEq, Eq)]
pub struct SetPrivate {
    /// The committed state, before the removal of the piece on the pending square. Its color is not a part of it.
    pub side: Side,
    pub salt: F,
    /// The salt of the digest.
    pub digest_salt: F,
}

fog::wiped_on_drop!(SetPrivate: salt, digest_salt);

/// The commitment opens to the private state, and a game may have it, whatever its set is.
fn check_board(public: &SetPublic, private: &SetPrivate) -> Result<(), Unmet> {
    fog::ensure!(is_well_formed(&private.side), Unmet::StateRange);
    fog::ensure!(commit(&private.side, private.salt) == public.commitment, Unmet::Commitment);
    men::check(&private.side)
}

/// The numbers of a player's set, which is in its order: ascending, then dummies. Of any board, also one that no game has.
pub fn numbers(
    kind: SetKind,
    extent: Extent,
    pending: Option<Square>,
    phase: Phase,
    side: &Side,
) -> Result<Vec<u64>, Unmet> {
    fog::ensure!(is_well_formed(side), Unmet::StateRange);
    let set = Catalogue::get(kind, extent).set(kind, &side.without(pending), phase);
    set.ok_or(Unmet::Outgrown)
}

/// The codes of the weights, which follow the other public inputs.
fn codes(weights: &[Weight]) -> impl Iterator<Item = F> + '_ {
    weights.iter().map(Weight::code)
}
