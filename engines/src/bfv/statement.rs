//! The statements *item* and *view* (engine `bfv`): a vector, named by its hash, is exactly what a committed board gives, once the piece that the
//! last move captured is off it.
//!
//! Nothing is said here of any ciphertext of the vector: see docs/src/engine-bfv.md.

use crate::bfv::vector::Kind;
use fog::{
    F,
    commitment::{commit, is_well_formed},
    engine::{Phase, sight_lines::context::square_field},
    secret::wipe,
};
use rules::{Color, Side, Square};

fog::public_inputs! {
    /// The public inputs of *item* and of *view*.
    VectorInputs, VECTOR_INPUTS:
    /// The player's commitment, `C`.
    commitment,
    /// The square on which the player's piece was captured, or 64.
    pending,
    /// The player's color, 0 for White.
    color,
    /// 1 before the receiver's move, 0 after it.
    pre,
    vector,
}

fog::statement! {
    /// *item* and *view*: a vector is that of the committed board.
    VectorStatement: VectorPublic, VectorPrivate
}

/// What everyone sees of a vector's proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VectorPublic {
    /// Which of the two statements it is. No input: each has its own key.
    pub kind: Kind,
    /// The player's commitment, `C`.
    pub commitment: F,
    /// The square on which the player's piece was captured.
    pub pending: Option<Square>,
    /// The player's color: the sender's of an item vector, the receiver's of a view vector.
    pub color: Color,
    /// Before the receiver's move or after it.
    pub phase: Phase,
    pub vector: F,
}

impl VectorPublic {
    /// The public inputs by name.
    pub fn inputs(&self) -> VectorInputs<F> {
        VectorInputs {
            commitment: self.commitment,
            pending: square_field(self.pending),
            color: F::from(self.color as u64),
            pre: F::from(self.phase == Phase::Pre),
            vector: self.vector,
        }
    }

    /// The public inputs in order.
    pub fn to_instance(&self) -> [F; VECTOR_INPUTS] {
        self.inputs().to_array()
    }
}

/// What only the player knows.
#[derive(Clone, PartialEq, Eq)]
pub struct VectorPrivate {
    /// The committed state, before the removal of the piece on the pending square. Its color is not a part of it.
    pub side: Side,
    pub salt: F,
    /// The salt of the vector's hash.
    pub vector_salt: F,
}

fog::redacted!(VectorPrivate);

impl Drop for VectorPrivate {
    fn drop(&mut self) {
        wipe(&mut self.salt);
        wipe(&mut self.vector_salt);
    }
}

/// Which relation of *item* or *view* doesn't hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VectorError {
    /// A number of the private state doesn't fit its bits.
    #[error("the state doesn't fit its encoding")]
    StateRange,
    /// The commitment doesn't open to state and salt.
    #[error("the commitment doesn't open to this state and salt")]
    Commitment,
    /// The hash is another vector's, or has another salt.
    #[error("the hash is not that of the board's vector")]
    Vector,
}

/// The statement of a side whose piece on `pending`, if any, was captured: the vector is what its board gives.
pub fn gather(
    kind: Kind,
    pending: Option<Square>,
    phase: Phase,
    private: VectorPrivate,
) -> Result<(VectorPublic, VectorPrivate), VectorError> {
    let VectorPrivate { side, salt, vector_salt } = &private;
    fog::ensure!(is_well_formed(side), VectorError::StateRange);
    let vector = kind.hash(&kind.vector(&side.without(pending), phase), *vector_salt);
    let public = VectorPublic { kind, commitment: commit(side, *salt), pending, color: side.color, phase, vector };
    Ok((public, private))
}

/// The relation of *item* or *view*.
pub fn check(public: &VectorPublic, private: &VectorPrivate) -> Result<(), VectorError> {
    let mut private = private.clone();
    private.side.color = public.color;
    let (right, _) = gather(public.kind, public.pending, public.phase, private)?;
    fog::ensure!(right.commitment == public.commitment, VectorError::Commitment);
    fog::ensure!(right.vector == public.vector, VectorError::Vector);
    Ok(())
}
